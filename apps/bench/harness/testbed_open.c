/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/testbed.h"
#include "harness/testbed_check.h"

enum {
	N_EMU_PORTS = 8, /* two per wire: loop, sink, a capture of each size */
	WAIT_MS = 2000,
};

static const char *const names[BENCH_N_RIVALS] = { "net_mlx5", "net_devx", "net_memif",
						   "net_null" };

bool bench_testbed_makes_packets(const struct bench_testbed *r)
{
	return !strcmp(r->driver, names[BENCH_RIVAL_NULL]);
}

/* Virtual ports do not have this offload, and net_memif must not be closed for a second try. */
static struct bench_setup make_setup(const struct bench_testbed *r)
{
	const bool memory = !strcmp(r->device, "memory");

	return (struct bench_setup){
		.devargs = "",
		.tx_offloads = memory ? 0 : RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE,
		.n_queues = r->stream.n_queues,
	};
}

static int open_port(struct bench_testbed *r, struct bench_port *port, const struct bench_driver *d)
{
	const struct bench_frame frame = { .bytes = r->stream.bytes };
	struct bench_setup setup = make_setup(r);
	int rc = bench_port_open(port, r->lab, d, &setup, r->missing, sizeof(r->missing));

	if (rc == -ENOTSUP) {
		/* the only requested offload; it only makes the sender faster */
		setup.tx_offloads = 0;
		rc = bench_port_open(port, r->lab, d, &setup, r->missing, sizeof(r->missing));
	}
	if (rc)
		return rc;
	r->missing[0] = '\0';
	bench_port_set_frame(port, &frame);
	return 0;
}

static int wait_for_link(struct bench_testbed *r, const struct bench_port *port)
{
	struct rte_eth_link link;

	for (int i = 0; i < WAIT_MS; i++) {
		if (!rte_eth_link_get_nowait(port->id, &link) && link.link_status)
			return 0;
		usleep(1000);
	}
	snprintf(r->missing, sizeof(r->missing), "the link is down for %d s", WAIT_MS / 1000);
	return -ENOLINK;
}

/* ---- emu ----------------------------------------------------------------------------------- */

/* Opens port @number of emu with the driver of @rival. */
static int open_on_emu(struct bench_testbed *r, enum bench_rival rival, unsigned int number)
{
	static char pci[N_EMU_PORTS][16], devargs[N_EMU_PORTS][24];
	char *name = pci[number];

	snprintf(name, sizeof(pci[0]), "0000:c1:00.%u", number);
	snprintf(devargs[number], sizeof(devargs[0]), "pci=%s", name);
	r->emu_port = (int)number;
	if (rival == BENCH_RIVAL_MLX5)
		r->of_port = (struct bench_driver){ names[rival], "pci", name, "", r->emu_port };
	else
		r->of_port = (struct bench_driver){ names[rival], "vdev", "net_devx0",
						    devargs[number], r->emu_port };
	return open_port(r, &r->port, &r->of_port);
}

/* net_mlx5 has even ports: 0 on a loop, 2 on a sink, 4 and 6 on captures of small, large frames. */
static void open_emu_testbed(struct bench_testbed *r, enum bench_rival rival)
{
	const char *no_netdev = getenv("DEVX_BENCH_NO_NETDEV");
	const unsigned int odd = rival == BENCH_RIVAL_DEVX;

	if (rival == BENCH_RIVAL_MLX5 && no_netdev && *no_netdev) {
		snprintf(r->missing, sizeof(r->missing), "%s", no_netdev);
		return;
	}
	if (r->lab->emu->n_ports() < N_EMU_PORTS) {
		snprintf(r->missing, sizeof(r->missing),
			 "emu has %u ports (valid: %d); start devx-bench without devx-emu",
			 r->lab->emu->n_ports(), N_EMU_PORTS);
		return;
	}
	if (r->stream.work == BENCH_RECEIVE) {
		if (!open_on_emu(r, rival, odd + (r->stream.bytes == BENCH_MIN_FRAME ? 4 : 6)))
			bench_testbed_check(NULL, &r->port, true, r->missing, sizeof(r->missing));
		return;
	}
	/* a sink does not return frames, so a loop checks the contents first */
	if (open_on_emu(r, rival, odd) ||
	    bench_testbed_check(&r->port, &r->port, true, r->missing, sizeof(r->missing)) ||
	    r->stream.work != BENCH_SEND)
		return;
	bench_port_close(&r->port);
	open_on_emu(r, rival, odd + 2);
}

/* ---- drivers without a device, and those of --port ------------------------------------------ */

/*
 * struct memif_pair - two ports of net_memif, connected by a socket of the abstract name space
 *
 * They stay open until the end of the process, for other points with as many queues. When one end
 * closes, a thread of EAL frees the queues of the other end. In net_memif 22.11, this races with
 * later calls for that end, and damages the heap.
 */
struct memif_pair {
	struct bench_port port, peer;
	struct bench_driver driver[2];
	char name[2][24], devargs[2][128];
};

static int open_memif_pair(struct bench_testbed *r, struct memif_pair *pair, unsigned int number)
{
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(pair->name[i], sizeof(pair->name[i]), "net_memif%u", 2 * number + i);
		snprintf(pair->devargs[i], sizeof(pair->devargs[i]),
			 "role=%s,id=0,rsize=9,bsize=2048,socket=devx-bench-%d-%u,"
			 "socket-abstract=yes",
			 i ? "client" : "server", getpid(), number);
		pair->driver[i] = (struct bench_driver){ names[BENCH_RIVAL_MEMIF], "vdev",
							 pair->name[i], pair->devargs[i], -1 };
	}
	if (open_port(r, &pair->port, &pair->driver[0]) ||
	    open_port(r, &pair->peer, &pair->driver[1]) || wait_for_link(r, &pair->port) ||
	    wait_for_link(r, &pair->peer))
		return -EIO;
	return 0;
}

static void open_memif_testbed(struct bench_testbed *r)
{
	static struct memif_pair pairs[BENCH_MAX_QUEUES];
	const unsigned int number = r->stream.n_queues - 1u;
	const struct bench_frame frame = { .bytes = r->stream.bytes };
	struct memif_pair *pair = &pairs[number];

	if (!pair->peer.driver && open_memif_pair(r, pair, number))
		return;
	bench_port_set_frame(&pair->port, &frame);
	bench_port_set_frame(&pair->peer, &frame);
	r->port = pair->port;
	r->peer = pair->peer;
	if (!bench_testbed_check(&r->port, &r->peer, true, r->missing, sizeof(r->missing)))
		bench_testbed_check(&r->peer, &r->port, true, r->missing, sizeof(r->missing));
}

static void open_null_testbed(struct bench_testbed *r)
{
	static char devargs[32];

	snprintf(devargs, sizeof(devargs), "size=%u", r->stream.bytes);
	r->of_port =
		(struct bench_driver){ names[BENCH_RIVAL_NULL], "vdev", "net_null0", devargs, -1 };
	if (!open_port(r, &r->port, &r->of_port))
		bench_testbed_check(NULL, &r->port, false, r->missing, sizeof(r->missing));
}

static void start_testbed(struct bench_testbed *r, const struct bench_lab *lab,
			  const struct bench_stream *stream, const char *driver, const char *device)
{
	memset(r, 0, sizeof(*r));
	r->lab = lab;
	r->stream = *stream;
	r->device = device;
	r->emu_port = -1;
	snprintf(r->driver, sizeof(r->driver), "%s", driver);
}

void bench_testbed_close(struct bench_testbed *r)
{
	if (r->lab && r->lab->emu)
		r->lab->emu->resume();
	if (!r->peer.driver)
		bench_port_close(&r->port);
	memset(&r->port, 0, sizeof(r->port));
	memset(&r->peer, 0, sizeof(r->peer));
}

static void close_if_missing(struct bench_testbed *r)
{
	if (r->missing[0])
		bench_testbed_close(r);
}

void bench_testbed_open(struct bench_testbed *r, const struct bench_lab *lab,
			enum bench_rival rival, const struct bench_stream *stream,
			unsigned int other)
{
	const bool on_emu = rival == BENCH_RIVAL_MLX5 || rival == BENCH_RIVAL_DEVX;

	start_testbed(r, lab, stream, names[rival], on_emu ? "emu" : "memory");
	if (!other && rival != BENCH_RIVAL_NULL)
		snprintf(r->missing, sizeof(r->missing),
			 "no CPU is left for %s beside %u core%s (this process may use %d)",
			 on_emu ? "emu's engine" : "the peer", stream->n_cores,
			 stream->n_cores > 1 ? "s" : "", CPU_COUNT(&lab->cpus));
	else if (on_emu)
		open_emu_testbed(r, rival);
	else if (rival == BENCH_RIVAL_MEMIF)
		open_memif_testbed(r);
	else
		open_null_testbed(r);
	close_if_missing(r);
}

static bool is_pci_address(const char *name)
{
	unsigned int a, b, c, d;
	int n = 0;

	return (sscanf(name, "%x:%x:%x.%x%n", &a, &b, &c, &d, &n) == 4 ||
		sscanf(name, "%x:%x.%x%n", &b, &c, &d, &n) == 3) &&
	       n == (int)strlen(name);
}

static void check_device(struct bench_testbed *r)
{
	char why[sizeof(r->missing)];
	struct rte_eth_dev_info info;
	int rc = 0;

	if (!rte_eth_dev_info_get(r->port.id, &info) && info.driver_name)
		snprintf(r->driver, sizeof(r->driver), "%s", info.driver_name);
	if (wait_for_link(r, &r->port))
		return;
	if (bench_testbed_makes_packets(r))
		bench_testbed_check(NULL, &r->port, false, r->missing, sizeof(r->missing));
	else if (r->stream.work == BENCH_FORWARD)
		rc = bench_testbed_check(&r->port, &r->port, true, why, sizeof(why));
	else if (r->stream.work == BENCH_RECEIVE)
		rc = bench_testbed_check(NULL, &r->port, false, why, sizeof(why));
	if (rc)
		snprintf(r->missing, sizeof(r->missing), "%.90s; this needs a peer that %s", why,
			 r->stream.work == BENCH_RECEIVE ? "sends frames of this size"
							 : "returns every frame");
}

void bench_testbed_open_port(struct bench_testbed *r, const struct bench_lab *lab,
			     const char *device, const struct bench_stream *stream)
{
	char *const name = r->of_device;
	const size_t n = strcspn(device, ",");

	start_testbed(r, lab, stream, device, "port");
	snprintf(name, sizeof(r->of_device), "%.*s", (int)n, device);
	r->of_port = (struct bench_driver){ r->driver, is_pci_address(name) ? "pci" : "vdev", name,
					    device[n] ? device + n + 1 : "", -1 };
	if (!open_port(r, &r->port, &r->of_port))
		check_device(r);
	close_if_missing(r);
}
