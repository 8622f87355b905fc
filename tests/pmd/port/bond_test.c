/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "devx/lag.h"
#include "devx_generator.h"
#include "devx_txq.h"
#include "driver_calls.h"
#include "port_rig.h"
#include "prm/prm.h"
#include "rte_pmd_devx.h"

/* Ports of a bond: which TIS a send queue has, and which port of the bond the TIS names. */

enum { N_TXQ = 5, N_RINGS = 3, BYTES = 60, MANY = 60 };

FIXTURE(bond)
{
	struct port_rig rig;
};
FIXTURE_SETUP(bond)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to play a bond");
	port_rig_remove_port(&self->rig);
}
FIXTURE_TEARDOWN(bond)
{
	if (self->rig.emu)
		self->rig.emu->option("lag", 0);
	port_rig_down(&self->rig);
}

/* Asks firmware for the port of the bond through which an SQ sends. */
static unsigned int query_port(struct devx_eth *eth, const struct devx_sq *sq)
{
	struct prm_query_sq_in ask_sq = { 0 };
	struct prm_query_sq_out sq_out = { 0 };
	struct prm_query_tis_in ask_tis = { 0 };
	struct prm_query_tis_out tis_out = { 0 };
	uint64_t tisn;

	prm_set(&ask_sq, opcode, PRM_OP_query_sq);
	prm_set(&ask_sq, sqn, sq->sqn);
	EXPECT_EQ(0, driver_calls_query(sq->dev, sq->obj, &ask_sq, sizeof(ask_sq), &sq_out,
					sizeof(sq_out)));
	tisn = prm_get(prm_sub(&sq_out, sq_context), tis_num_0);
	prm_set(&ask_tis, opcode, PRM_OP_query_tis);
	prm_set(&ask_tis, tisn, tisn);
	for (unsigned int i = 0; i < eth->n_tis; i++) {
		if (eth->tis[i].tisn != tisn)
			continue;
		EXPECT_EQ(0, driver_calls_query(sq->dev, eth->tis[i].obj, &ask_tis, sizeof(ask_tis),
						&tis_out, sizeof(tis_out)));
		return (unsigned int)prm_get(prm_sub(&tis_out, tis_context), lag_tx_port_affinity);
	}
	ADD_FAILURE("no TIS of the port has number %u", (unsigned int)tisn);
	return 0;
}

static struct devx_eth *start_port(struct port_rig *rig)
{
	port_rig_add_port(rig);
	EXPECT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_txq = N_TXQ }));
	EXPECT_EQ(0, rte_eth_dev_start(rig->port));
	return devx_eth_port_get(&rte_eth_devices[rig->port]);
}

static const struct lag_case {
	const char *name;
	uint32_t lag;
	unsigned int n_ports; /* that SQs name; 0: none */
} lag_cases[] = {
	{ "no_bond", 0, 0 },
	{ "hash", 1, 0 },
	{ "queue_affinity", 2, 2 },
};

TEST_F_EACH(bond, send_queues_use_the_ports_of, struct lag_case, lag_cases)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth *eth;

	rig->emu->option("lag", row->lag);
	eth = start_port(rig);
	EXPECT_EQ(row->n_ports ? row->n_ports : 1, eth->n_tis);
	for (unsigned int i = 0; i < N_TXQ; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];

		SCOPED_TRACE("Tx queue %u", i);
		EXPECT_EQ(row->n_ports ? i % row->n_ports + 1 : 0, query_port(eth, &txq->sq));
	}
	port_rig_exchange_one(rig, 1);
}

TEST_F(bond, generator_rings_use_all_ports)
{
	struct port_rig *rig = &self->rig;
	struct rte_pmd_devx_ring *rings[N_RINGS];
	struct rte_pmd_devx_ring_conf conf = { .frame_bytes = BYTES, .n_packets = 16 };
	struct devx_eth *eth;
	struct rte_mbuf *m;

	rig->emu->option("lag", 2);
	eth = start_port(rig);
	m = port_rig_make_packet(rig, BYTES, 1);
	conf.frame = rte_pktmbuf_mtod(m, const uint8_t *);
	for (unsigned int i = 0; i < N_RINGS; i++) {
		ASSERT_EQ(0, rte_pmd_devx_ring_create(rig->port, &conf, &rings[i]));
		EXPECT_EQ(i % 2 + 1, query_port(eth, &rings[i]->sq));
	}
	for (unsigned int i = 0; i < N_RINGS; i++)
		rte_pmd_devx_ring_destroy(rings[i]);
	rte_pktmbuf_free(m);
}

/* @n_single: probes with one TIS. @n_refused: how often firmware refused the TIS of each port. */
struct probes {
	unsigned int n_single, n_refused[2];
};

static void count_refusals(struct probes *probes, const char *log)
{
	char text[80];

	for (unsigned int i = 0; i < RTE_DIM(probes->n_refused); i++) {
		snprintf(text, sizeof(text), "cannot create the TIS of port %u of the bond; ",
			 i + 1);
		probes->n_refused[i] += strstr(log, text) != NULL;
	}
}

/* Probes the device; the k-th command fails. Return: number of TISs; 0: the probe failed */
static unsigned int count_tis_of_probe(const struct port_rig *rig, int k, struct probes *probes)
{
	unsigned int n = 0;
	uint16_t port;

	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, PRM_STATUS_BAD_OP);
	if (!port_rig_init_vdev("net_devx1", "ibdev=mlx5_0")) {
		EXPECT_EQ(0, rte_eth_dev_get_port_by_name("net_devx1", &port));
		n = devx_eth_port_get(&rte_eth_devices[port])->n_tis;
		EXPECT_EQ(n, port_rig_get_counters(rig).objects[DEVX_EMU_TIS]);
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		EXPECT_EQ(0, rte_vdev_uninit("net_devx1"));
	}
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	count_refusals(probes, port_rig_read_log());
	probes->n_single += n == 1;
	return n;
}

/* After a refusal of QUERY_LAG, its capabilities or a TIS the probe goes on with one TIS. */
TEST_F(bond, probe_goes_on_with_one_TIS_after_a_refusal)
{
	struct port_rig *rig = &self->rig;
	struct probes probes = { 0 };

	rig->emu->option("lag", 2);
	for (int k = 0; k < MANY; k++)
		count_tis_of_probe(rig, k, &probes);
	EXPECT_EQ(4, probes.n_single);
	EXPECT_EQ(1, probes.n_refused[0]);
	EXPECT_EQ(1, probes.n_refused[1]);
	EXPECT_EQ(2, count_tis_of_probe(rig, MANY, &probes));
	port_rig_add_port(rig);
}

static bool probe_without_TIS_of_port_2(struct port_rig *rig, int k)
{
	struct probes probes = { 0 };

	count_tis_of_probe(rig, k, &probes);
	if (!probes.n_refused[1])
		return false;
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, PRM_STATUS_BAD_OP);
	return true;
}

TEST_F(bond, device_chooses_the_port_of_send_queues_after_a_refused_TIS)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth *eth;
	int k = 0;

	rig->emu->option("lag", 2);
	while (k < MANY && !probe_without_TIS_of_port_2(rig, k))
		k++;
	eth = start_port(rig);
	for (unsigned int i = 0; i < N_TXQ; i++)
		EXPECT_EQ(0,
			  query_port(eth, &((struct devx_eth_txq *)eth->data->tx_queues[i])->sq));
	port_rig_exchange_one(rig, 1);
}
