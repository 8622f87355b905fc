/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_bus_vdev.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_mbuf_dyn.h>

#include "devx_missed.h"
#include "devx_port.h"
#include "lcores.h"
#include "port_rig.h"
#include "process/devx_message.h"
#include "queue/devx_tx_drain.h"
#include "wait_limit.h"

enum { ARGS_BYTES = 1024 };

static FILE *log_file;

/* Gets the descriptors and the memory of EAL that a process gets once and keeps. */
static void open_kept_things(void)
{
	struct devx_dev dev = { 0 };

	devx_dev_open(&dev, "mlx5_0"); /* a failure leaves it zeroed, and the probe reports it */
	devx_dev_close(&dev);
	EXPECT_LE(0, devx_eth_message_get_pipe());
	EXPECT_EQ(0, rte_mbuf_dyn_rx_timestamp_register(NULL, NULL));
}

static void init_eal_once(void)
{
	enum { N_ARGS = 24 };
	char *args[N_ARGS] = { (char *)"pmd_test", (char *)"--no-pci", (char *)"--iova-mode=va",
			       list_lcores() };
	const char *eal = getenv("PMD_TEST_EAL");
	static char more[ARGS_BYTES]; /* EAL keeps pointers to its arguments */
	static bool done;
	int n = 4;

	if (done)
		return;
	done = true;
	if (!eal)
		eal = getenv("PMD_TEST_HUGEPAGES") ? "-m64 --no-shconf --no-telemetry --in-memory"
						   : "-m64 --no-shconf --no-telemetry --no-huge";
	snprintf(more, sizeof(more), "%s", eal);
	for (char *word = strtok(more, " "); word && n < N_ARGS; word = strtok(NULL, " "))
		args[n++] = word;
	log_file = tmpfile();
	ASSERT_NE(NULL, log_file);
	rte_openlog_stream(log_file);
	ASSERT_LE(0, rte_eal_init(n, args));
	open_kept_things();
}

const char *port_rig_read_log(void)
{
	static char text[1 << 16];
	static long from;
	size_t n;

	flockfile(log_file); /* other threads of the driver write lines at the end of the file */
	fflush(log_file);
	fseek(log_file, from, SEEK_SET);
	n = fread(text, 1, sizeof(text) - 1, log_file);
	from += (long)n;
	fseek(log_file, 0, SEEK_END);
	funlockfile(log_file);
	text[n] = '\0';
	return text;
}

struct devx_emu_counters port_rig_get_counters(const struct port_rig *rig)
{
	struct devx_emu_counters c = { 0 };

	if (rig->emu)
		EXPECT_EQ(0, rig->emu->counters(0, &c, sizeof(c)));
	return c;
}

void port_rig_probe(struct port_rig *rig)
{
	rig->port = RTE_MAX_ETHPORTS;
	rig->emu = emu_if_any();
	init_eal_once();
	devx_eth_send_wait_ms = STOP_WAIT_MS;
	devx_eth_missed_period_ms = UINT_MAX; /* a query would take a failure that a test injects */
	rig->before = port_rig_get_counters(rig);
	rig->objects = driver_objects_count();
	rig->pool =
		rte_pktmbuf_pool_create("rig", PORT_RIG_POOL, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	ASSERT_NE(NULL, rig->pool);
	port_rig_add_port(rig);
}

void port_rig_add_port(struct port_rig *rig)
{
	port_rig_add_port_with(rig, "ibdev=mlx5_0");
}

int port_rig_init_vdev(const char *name, const char *args)
{
	static const char first[] = "ibdev=mlx5_0";
	const char *ibdev = getenv("DEVX_TEST_IBDEV");
	const char *at = args ? strstr(args, first) : NULL;
	char other[ARGS_BYTES];

	if (!ibdev || !at)
		return rte_vdev_init(name, args);
	snprintf(other, sizeof(other), "%.*sibdev=%s%s", (int)(at - args), args, ibdev,
		 at + strlen(first));
	return rte_vdev_init(name, other);
}

void port_rig_add_port_with(struct port_rig *rig, const char *args)
{
	if (port_rig_init_vdev("net_devx0", args))
		FAIL("%sno adapter; run devx-emu --wire loop -- pmd_test", port_rig_read_log());
	ASSERT_EQ(0, rte_eth_dev_get_port_by_name("net_devx0", &rig->port));
	rig->has_netdev = devx_eth_port_get(&rte_eth_devices[rig->port])->dev.netdev[0];
	port_account_begin(rig);
	ASSERT_EQ(0, rte_eth_macaddr_get(rig->port, &rig->mac));
	port_rig_read_log();
}

void port_rig_remove_port(struct port_rig *rig)
{
	if (rte_eth_dev_is_valid_port(rig->port)) /* the test may have closed it */
		port_account_expect(rig);
	EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
	rig->port = RTE_MAX_ETHPORTS;
}

int port_rig_configure(struct port_rig *rig, const struct port_rig_config *config)
{
	const uint16_t n_rx_desc = config->n_rx_desc ? config->n_rx_desc : PORT_RIG_RING;
	const uint16_t n_tx_desc = config->n_tx_desc ? config->n_tx_desc : PORT_RIG_RING;
	const uint16_t n_rxq = config->n_rxq ? config->n_rxq : 1;
	const uint16_t n_txq = config->n_txq ? config->n_txq : 1;
	int rc;

	port_account_expect(rig);
	rc = rte_eth_dev_configure(rig->port, n_rxq, n_txq, &config->eth);
	for (uint16_t i = 0; !rc && i < n_rxq; i++)
		rc = rte_eth_rx_queue_setup(rig->port, i, n_rx_desc, 0, NULL, rig->pool);
	for (uint16_t i = 0; !rc && i < n_txq; i++)
		rc = rte_eth_tx_queue_setup(rig->port, i, n_tx_desc, 0, NULL);
	if (!rc)
		port_account_begin(rig); /* new queues count from 0 */
	return rc;
}

void port_rig_up(struct port_rig *rig, const struct port_rig_config *config)
{
	port_rig_probe(rig);
	if (rig->port == RTE_MAX_ETHPORTS)
		return;
	ASSERT_EQ(0, port_rig_configure(rig, config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

struct devx_emu_counters port_rig_start_and_stop(const struct port_rig *rig)
{
	EXPECT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	return port_rig_get_counters(rig);
}

void port_rig_expect_objects(const struct port_rig *rig, const struct devx_emu_counters *then)
{
	const struct devx_emu_counters now = port_rig_get_counters(rig);

	for (int i = 0; i < DEVX_EMU_N_OBJECTS; i++) {
		SCOPED_TRACE("objects of kind %d", i);
		EXPECT_EQ(then->objects[i], now.objects[i]);
	}
	EXPECT_EQ(then->handles, now.handles);
	EXPECT_EQ(then->flows, now.flows);
	EXPECT_EQ(then->contexts, now.contexts);
}

/* Ends what a failed ASSERT left behind: a paused engine and failures that did not come yet. */
static void calm_emu(const struct devx_emu_ctl *emu)
{
	emu->resume();
	for (int what = 0; what <= DEVX_EMU_FAIL_DEVICE; what++)
		emu->fail((enum devx_emu_fail)what, -1, 0);
}

void port_rig_down(struct port_rig *rig)
{
	if (rig->emu)
		calm_emu(rig->emu);
	if (rig->port != RTE_MAX_ETHPORTS) {
		EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
		port_account_expect(rig);
		EXPECT_EQ(0, rte_eth_dev_close(rig->port));
		EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
	}
	if (rig->emu) /* without effect if the device is there */
		rig->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0);
	if (rig->pool) {
		mbuf_pool_expect(rig->pool, PORT_RIG_POOL - rig->n_kept);
		rte_mempool_free(rig->pool);
	}
	if (rig->stuck) { /* the process keeps memory that the device may still use */
		driver_objects_expect(&rig->objects);
	} else {
		port_rig_expect_objects(rig, &rig->before);
		driver_objects_expect_all(&rig->objects);
	}
	EXPECT_EQ(rig->before.mistakes, port_rig_get_counters(rig).mistakes);
}

static uint64_t get_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

bool port_rig_wait_until(bool (*done)(const struct port_rig *rig, void *arg),
			 const struct port_rig *rig, void *arg)
{
	const uint64_t end = get_now_ns() + WAIT_LIMIT_S * 1000000000ull;

	do {
		if (done(rig, arg))
			return true;
		sched_yield();
	} while (get_now_ns() < end);
	return false;
}

static bool is_removed(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return rte_eth_dev_is_removed(rig->port);
}

void port_rig_unplug(const struct port_rig *rig)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
	EXPECT_TRUE(port_rig_wait_until(is_removed, rig, NULL));
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
}

uint64_t port_rig_get_xstat(const struct port_rig *rig, const char *name)
{
	uint64_t id, value = 0;

	if (rte_eth_xstats_get_id_by_name(rig->port, name, &id) ||
	    rte_eth_xstats_get_by_id(rig->port, &id, &value, 1) != 1)
		ADD_FAILURE("no extended statistic %s", name);
	return value;
}

char *port_rig_dump(const struct port_rig *rig)
{
	char *text = NULL;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);

	EXPECT_EQ(0, rte_eth_dev_priv_dump(rig->port, file));
	fclose(file);
	return text;
}

const char *port_rig_find_group(const char *dump, const char *name)
{
	static char group[1 << 14];
	char head[80];
	const char *at, *end;
	size_t indent;

	snprintf(head, sizeof(head), "%s:\n", name);
	at = strstr(dump, head);
	if (!at)
		return "";
	for (end = at; end > dump && end[-1] != '\n';)
		end--;
	indent = (size_t)(at - end);
	at += strlen(head);
	for (end = at; *end && strspn(end, " ") > indent; end += *end == '\n')
		end += strcspn(end, "\n");
	memmove(group, at, (size_t)(end - at)); /* @dump may be a group too */
	group[end - at] = '\0';
	return group;
}
