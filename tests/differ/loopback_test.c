/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Own frames, which local loopback brings back: both drivers receive those to their own address
 * with lpbk_mode 1, and no others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mlx5dv.h>

#include "config.h"

enum { N_FRAMES = 8, FRAME = 64 };

#define SETTING .name = "loopback", .n_rxq = 1, .mtu = 1500, .buffer = 2048, .ring = 512

static const struct config off = { SETTING }, on = { SETTING, .lpbk_mode = 1 };

static const struct destination {
	const char *name;
	struct rte_ether_addr addr;
	bool own; /* the address of the port */
} destinations[] = {
	{ "own_address", { { 0 } }, true },
	{ "other_address", { { 2, 0, 0, 0, 0, 7 } }, false },
	{ "broadcast", { { 255, 255, 255, 255, 255, 255 } }, false },
	{ "multicast", { { 0x33, 0x33, 0, 0, 0, 1 } }, false },
};

/* ---- the part of the kernel that emu does not play --------------------------------------- */

/*
 * net_mlx5 asks the kernel for local loopback by a raw packet QP of this flag, which nobody uses
 * (mlx5_rxq_ibv_obj_dummy_lb_create). The uverbs front of emu has no QPs. A second context has the
 * same effect (Linux, mlx5_ib_enable_lb): the QP of this test is one.
 */
struct ibv_qp *mlx5dv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
				struct mlx5dv_qp_init_attr *mlx5_attr)
{
	struct ibv_qp *qp = calloc(1, sizeof(*qp));

	EXPECT_EQ(IBV_QPT_RAW_PACKET, attr->qp_type);
	EXPECT_EQ(MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_UC, mlx5_attr->create_flags);
	if (qp)
		qp->context = ibv_open_device(context->device);
	return qp;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	const int rc = ibv_close_device(qp->context);

	free(qp);
	return rc;
}

/* ---- frames ------------------------------------------------------------------------------ */

static void send_frames(const struct dut *dut, const struct rte_ether_addr *to)
{
	struct rte_mbuf *m[N_FRAMES];

	for (int i = 0; i < N_FRAMES; i++) {
		struct rte_ether_hdr *eth;

		m[i] = rte_pktmbuf_alloc(dut->tx_pool);
		ASSERT_NE(NULL, m[i]);
		eth = (struct rte_ether_hdr *)rte_pktmbuf_append(m[i], FRAME);
		memset(eth, i, FRAME);
		eth->dst_addr = *to;
		eth->src_addr = dut->lab->mac;
		eth->ether_type = RTE_BE16(0x88b5); /* for experiments */
	}
	ASSERT_EQ(N_FRAMES, rte_eth_tx_burst(dut->side->port, 0, m, N_FRAMES));
	lab_step(dut->lab, dut->side);
}

/* Takes the frames that came back. Return: their number */
static uint16_t take_own(const struct dut *dut)
{
	struct rte_mbuf *m[LAB_BURST];
	const uint16_t n = rte_eth_rx_burst(dut->side->port, 0, m, LAB_BURST);

	for (uint16_t i = 0; i < n; i++) {
		const uint8_t *data = rte_pktmbuf_mtod(m[i], const uint8_t *);

		EXPECT_EQ(FRAME, m[i]->pkt_len);
		EXPECT_EQ(i, data[FRAME - 1]);
	}
	rte_pktmbuf_free_bulk(m, n);
	return n;
}

/* The wire of emu also has each frame. */
static void drop_at_peer(const struct dut *dut)
{
	struct rte_mbuf *m[LAB_BURST];
	const uint16_t n = lab_receive_at_peer(dut->side, m, LAB_BURST);

	EXPECT_EQ(N_FRAMES, n);
	rte_pktmbuf_free_bulk(m, n);
}

static struct ibv_context *open_device(const struct lab_side *side)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	char name[16];

	snprintf(name, sizeof(name), "mlx5_%u", side->emu_port);
	for (int i = 0; list && list[i]; i++)
		if (!strcmp(name, ibv_get_device_name(list[i])))
			context = ibv_open_device(list[i]);
	ibv_free_device_list(list);
	return context;
}

/* Expects that @n frames to the own address come back, and no frames to other addresses. */
static void expect_own(const struct dut *dut, uint16_t n)
{
	for (unsigned int i = 0; i < RTE_DIM(destinations); i++) {
		const struct destination *to = &destinations[i];

		SCOPED_TRACE("%s, %s", lab_driver_names[dut->side->driver], to->name);
		dut->lab->emu->pause();
		send_frames(dut, to->own ? &dut->side->first_mac : &to->addr);
		EXPECT_EQ(to->own ? n : 0, take_own(dut));
		drop_at_peer(dut);
		dut->lab->emu->resume();
	}
}

TEST(differ, lpbk_mode_brings_frames_to_the_own_address_to_both_drivers)
{
	struct lab *lab = lab_open();
	struct dut dut;

	ASSERT_NE(NULL, lab);
	for (int d = 0; d < LAB_DRIVERS; d++) {
		ASSERT_TRUE(config_start(&dut, lab, (enum lab_driver)d, &on));
		expect_own(&dut, N_FRAMES);
		config_stop(&dut);
	}
}

/* Another program has the device open, so that the device brings own frames back. */
TEST(differ, no_driver_receives_own_frames_without_lpbk_mode)
{
	struct lab *lab = lab_open();
	struct dut dut;

	ASSERT_NE(NULL, lab);
	for (int d = 0; d < LAB_DRIVERS; d++) {
		struct ibv_context *other = open_device(&lab->side[d]);
		struct devx_emu_counters after;

		ASSERT_NE(NULL, other);
		ASSERT_TRUE(config_start(&dut, lab, (enum lab_driver)d, &off));
		expect_own(&dut, 0);
		EXPECT_EQ(0, lab->emu->counters(dut.side->emu_port, &after, sizeof(after)));
		EXPECT_EQ(3 * N_FRAMES, after.rx_own_blocked - dut.before.rx_own_blocked);
		config_stop(&dut);
		ibv_close_device(other);
	}
}
