/* SPDX-License-Identifier: BSD-3-Clause */
#include <infiniband/mlx5dv.h>

#include "devx_port.h"
#include "devx_rxq.h"
#include "driver_calls.h"
#include "loss_rig.h"
#include "port_rig.h"
#include "prm/prm.h"

/* Completion vectors: the CQs of receive queues with interrupts spread over the event queues. */

enum { N_QUEUES = 6, EQN_NONE = 0 };

FIXTURE(rx_vector)
{
	struct port_rig rig;
	unsigned int n_vectors;
};
FIXTURE_SETUP(rx_vector)
{
	const struct devx_eth *eth;

	port_rig_up(&self->rig,
		    &(struct port_rig_config){ .n_rxq = N_QUEUES,
					       .eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
					       .eth.intr_conf = { .rmv = 1, .rxq = 1 } });
	eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	self->n_vectors = (unsigned int)eth->dev.ctx->num_comp_vectors;
}
FIXTURE_TEARDOWN(rx_vector)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
}

/* Returns the number of the event queue of @vector. */
static uint32_t find_eqn(const struct port_rig *rig, unsigned int vector)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	uint32_t eqn = EQN_NONE;

	EXPECT_EQ(0, mlx5dv_devx_query_eqn(eth->dev.ctx, vector, &eqn));
	return eqn;
}

/* Returns the number of the event queue that the device has for the CQ. */
static uint32_t query_eqn(const struct devx_cq *cq)
{
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, cq->cqn);
	EXPECT_EQ(0, driver_calls_query(cq->dev, cq->obj, &in, sizeof(in), &out, sizeof(out)));
	return (uint32_t)prm_get(prm_sub(&out, cq_context), c_eqn_or_apu_element);
}

/* Expects that the CQ of receive queue i has vector i modulo @n_vectors. */
static void expect_vectors(const struct port_rig *rig, unsigned int n_vectors)
{
	for (unsigned int i = 0; i < N_QUEUES; i++) {
		const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[i];

		SCOPED_TRACE("Rx queue %u", i);
		EXPECT_EQ(find_eqn(rig, i % n_vectors), query_eqn(&rxq->cq));
	}
}

TEST_F(rx_vector, queues_with_interrupts_spread_over_the_vectors)
{
	const struct port_rig *rig = &self->rig;

	if (rig->emu)
		ASSERT_LT(1, self->n_vectors);
	expect_vectors(rig, self->n_vectors);
	for (unsigned int v = 1; v < self->n_vectors; v++)
		EXPECT_NE(find_eqn(rig, v - 1), find_eqn(rig, v));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_vectors(rig, self->n_vectors);
}

TEST_F(rx_vector, queues_without_interrupts_have_the_first_vector)
{
	struct port_rig *rig = &self->rig;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_rxq = N_QUEUES }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_vectors(rig, 1);
}

static bool is_repaired(const struct port_rig *rig, void *queue)
{
	struct rte_mbuf *m;

	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, *(uint16_t *)queue, &m, 1));
	return port_rig_get_xstat(rig, "rx_recoveries") == 1;
}

TEST_F(rx_vector, new_cq_has_the_vector_of_the_failed_one)
{
	const struct port_rig *rig = &self->rig;
	uint16_t queue = 1;
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[queue];

	NEEDS_EMU("to let a CQ fail");
	ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &queue));
	expect_vectors(rig, self->n_vectors);
}

TEST_F(rx_vector, returned_device_has_the_same_vectors)
{
	const struct port_rig *rig = &self->rig;

	NEEDS_EMU("to let the device fail");
	loss_rig_listen();
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	expect_vectors(rig, self->n_vectors);
}
