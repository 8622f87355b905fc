/* SPDX-License-Identifier: BSD-3-Clause */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_malloc.h>

#include "lcores.h"

enum { PEER_RING = 512, PEER_MBUFS = 2047, PEER_MTU = 9978, STEP = 256 };

/* without data in WQEs net_mlx5 has no function for TSO, checksums and VLAN insertion at once */
#define MLX5_ARGS "txqs_min_inline=1"

const char *const lab_driver_names[LAB_DRIVERS] = { "net_mlx5", "net_devx" };

static struct lab lab = {
	.side = { { LAB_MLX5, RTE_MAX_ETHPORTS, RTE_MAX_ETHPORTS, 0, 1, { { 0 } } },
		  { LAB_DEVX, RTE_MAX_ETHPORTS, RTE_MAX_ETHPORTS, 2, 3, { { 0 } } } },
	.mac = { { 0x02, 0xde, 0x00, 0x00, 0x00, 0x01 } },
};
static FILE *log_file;

const char *lab_read_log(void)
{
	static char text[1 << 16];
	static long from;
	size_t n;

	fflush(log_file);
	fseek(log_file, from, SEEK_SET);
	n = fread(text, 1, sizeof(text) - 1, log_file);
	from += (long)n;
	fseek(log_file, 0, SEEK_END);
	text[n] = '\0';
	return text;
}

static bool start_eal(void)
{
	const char *mlx5 = getenv("DIFFER_MLX5_ARGS"); /* arguments of net_mlx5 */
	char port[128];
	char *args[] = { (char *)"differ_test", (char *)"--no-huge",
			 (char *)"-m256",       (char *)"--iova-mode=va",
			 (char *)"--no-shconf", (char *)"--no-telemetry",
			 (char *)"-a",          port,
			 (char *)"-a",          (char *)"0000:c1:00.1",
			 (char *)"-a",          (char *)"0000:c1:00.3",
			 list_lcores() };

	snprintf(port, sizeof(port), "0000:c1:00.0,%s", mlx5 ? mlx5 : MLX5_ARGS);
	log_file = tmpfile();
	if (!log_file || rte_openlog_stream(log_file))
		return false;
	return rte_eal_init(RTE_DIM(args), args) >= 0;
}

static bool start_peer(uint16_t port)
{
	struct rte_eth_conf conf = { .rxmode.mtu = PEER_MTU };

	return !rte_eth_dev_configure(port, 1, 1, &conf) &&
	       !rte_eth_rx_queue_setup(port, 0, PEER_RING, 0, NULL, lab.peer_pool) &&
	       !rte_eth_tx_queue_setup(port, 0, PEER_RING, 0, NULL) && !rte_eth_dev_start(port) &&
	       !rte_eth_promiscuous_enable(port);
}

static bool find_ports(void)
{
	const char *more = getenv("DIFFER_ARGS"); /* arguments of net_devx */
	char args[128];

	if (rte_eth_dev_get_port_by_name("0000:c1:00.0", &lab.side[LAB_MLX5].port) ||
	    rte_eth_dev_get_port_by_name("0000:c1:00.1", &lab.side[LAB_MLX5].peer) ||
	    rte_eth_dev_get_port_by_name("0000:c1:00.3", &lab.side[LAB_DEVX].peer)) {
		ADD_FAILURE("EAL found no ports of net_mlx5:\n%s", lab_read_log());
		return false;
	}
	snprintf(args, sizeof(args), "pci=0000:c1:00.2%s%s", more ? "," : "", more ? more : "");
	if (rte_vdev_init("net_devx0", args) ||
	    rte_eth_dev_get_port_by_name("net_devx0", &lab.side[LAB_DEVX].port)) {
		ADD_FAILURE("net_devx does not open:\n%s", lab_read_log());
		return false;
	}
	for (int i = 0; i < LAB_DRIVERS; i++)
		EXPECT_EQ(0, rte_eth_macaddr_get(lab.side[i].port, &lab.side[i].first_mac));
	return true;
}

static bool open_all(void)
{
	lab.emu = emu_if_any();
	if (!lab.emu || !start_eal()) {
		ADD_FAILURE("run this program with tests/differ/differ.sh");
		return false;
	}
	if (!find_ports())
		return false;
	lab.peer_pool = rte_pktmbuf_pool_create("peers", PEER_MBUFS, 0, 0,
						LAB_PEER_BUFFER + RTE_PKTMBUF_HEADROOM, 0);
	for (int i = 0; i < LAB_DRIVERS; i++)
		if (!lab.peer_pool || !start_peer(lab.side[i].peer)) {
			ADD_FAILURE("a peer does not start:\n%s", lab_read_log());
			return false;
		}
	return true;
}

struct lab *lab_open(void)
{
	static bool tried;

	if (!tried) {
		tried = true;
		lab.open = open_all();
	} else if (!lab.open) {
		ADD_FAILURE("the ports did not open, as the first test says");
	}
	return lab.open ? &lab : NULL;
}

void lab_step(const struct lab *l, const struct lab_side *side)
{
	while (l->emu->step(side->emu_peer, STEP) + l->emu->step(side->emu_port, STEP))
		;
}

void lab_send_frame(const struct lab *l, const struct lab_side *side, const void *data,
		    uint16_t bytes)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(l->peer_pool);
	char *at = m ? rte_pktmbuf_append(m, bytes) : NULL;

	ASSERT_NE(NULL, at);
	memcpy(at, data, bytes);
	if (rte_eth_tx_burst(side->peer, 0, &m, 1) != 1) {
		rte_pktmbuf_free(m);
		FAIL("the peer of %s does not send", lab_driver_names[side->driver]);
	}
}

uint16_t lab_receive_at_peer(const struct lab_side *side, struct rte_mbuf **m, uint16_t n)
{
	return rte_eth_rx_burst(side->peer, 0, m, n);
}
