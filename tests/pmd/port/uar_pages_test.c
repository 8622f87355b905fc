/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "burst/devx_tx_variants.h"
#include "devx_generator.h"
#include "devx_queue_uar.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/* A function whose UAR pages end before each send queue has a register (devx_queue_uar.c). */

enum { N_TXQ = 4, N_RINGS = 2, N_QUEUES = N_TXQ + N_RINGS, FRAME_BYTES = 100 };

FIXTURE(uar_pages)
{
	struct port_rig rig;
	int64_t pages_before; /* option uar_pages */
	uint32_t n_open;      /* pages that the kernel and libmlx5 take at open */
	struct rte_pmd_devx_ring *rings[N_RINGS];
	uint8_t frame[FRAME_BYTES]; /* frame that the rings send */
	char *text;
};
FIXTURE_SETUP(uar_pages)
{
	struct rte_mbuf *m;

	port_rig_probe(&self->rig);
	NEEDS_EMU("for a device with few UAR pages");
	m = port_rig_make_packet(&self->rig, FRAME_BYTES, 0);
	memcpy(self->frame, rte_pktmbuf_mtod(m, void *), FRAME_BYTES);
	rte_pktmbuf_free(m);
	port_rig_remove_port(&self->rig);
	self->pages_before = self->rig.emu->option("uar_pages", 0);
	while (port_rig_init_vdev("net_devx0", "ibdev=mlx5_0,uar=nc"))
		ASSERT_LE(0, self->rig.emu->option("uar_pages", ++self->n_open));
	ASSERT_EQ(0, rte_vdev_uninit("net_devx0"));
}
FIXTURE_TEARDOWN(uar_pages)
{
	if (self->rig.emu)
		self->rig.emu->option("uar_pages", (uint32_t)self->pages_before);
	free(self->text);
	port_rig_down(&self->rig);
}

static const struct devx_uar *get_uar(const struct ct_fix_uar_pages *self, unsigned int queue)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;

	if (queue >= N_TXQ)
		return &self->rings[queue - N_TXQ]->uar;
	return &((const struct devx_eth_txq *)data->tx_queues[queue])->uar;
}

static const struct devx_sq *get_sq(const struct ct_fix_uar_pages *self, unsigned int queue)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;

	if (queue >= N_TXQ)
		return &self->rings[queue - N_TXQ]->sq;
	return &((const struct devx_eth_txq *)data->tx_queues[queue])->sq;
}

static void start_queues(struct ct_fix_uar_pages *self)
{
	const struct rte_pmd_devx_ring_conf conf = { .frame = self->frame,
						     .frame_bytes = FRAME_BYTES,
						     .n_packets = 16 };

	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	for (unsigned int i = 0; i < N_RINGS; i++)
		ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &self->rings[i]));
}

static void stop_queues(struct ct_fix_uar_pages *self)
{
	for (unsigned int i = 0; i < N_RINGS; i++)
		rte_pmd_devx_ring_destroy(self->rings[i]);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
}

/* Sends a packet on each queue, then receives it. All doorbells ring while the engine pauses. */
static void exchange_on_all_queues(struct ct_fix_uar_pages *self)
{
	struct port_rig *rig = &self->rig;
	struct rte_mbuf *m;

	rig->emu->pause();
	for (uint16_t i = 0; i < N_TXQ; i++) {
		m = port_rig_make_packet(rig, FRAME_BYTES, 0);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, i, &m, 1));
	}
	for (unsigned int i = 0; i < N_RINGS; i++)
		ASSERT_EQ(1, rte_pmd_devx_ring_send(self->rings[i], NULL, 1));
	rig->emu->resume();
	for (unsigned int i = 0; i < N_QUEUES; i++) {
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, FRAME_BYTES, 0);
		rte_pktmbuf_free(m);
	}
	rig->n_generated += N_RINGS;
	rig->generated_bytes += N_RINGS * FRAME_BYTES;
}

/* Returns what the dump says behind "NAME: " in the group of a queue. */
static const char *find_text(struct ct_fix_uar_pages *self, unsigned int queue, const char *name)
{
	char group[16], head[32];
	const char *at;

	free(self->text);
	self->text = port_rig_dump(&self->rig);
	snprintf(group, sizeof(group), queue < N_TXQ ? "tx_%u" : "ring_%u",
		 queue < N_TXQ ? queue : N_QUEUES - 1 - queue); /* the newest ring is the first */
	snprintf(head, sizeof(head), "%s: ", name);
	at = strstr(port_rig_find_group(self->text, group), head);
	EXPECT_TRUE(at);
	return at ? at + strlen(head) : "";
}

/* Expects that the first @n_own queues have registers of their own, and that all report theirs. */
static void expect_registers(struct ct_fix_uar_pages *self, const char *type, unsigned int n_own)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	struct rte_eth_burst_mode mode;
	char want[32];

	for (unsigned int i = 0; i < N_QUEUES; i++) {
		const bool own = i < n_own;

		SCOPED_TRACE("queue %u", i);
		EXPECT_EQ(own, get_uar(self, i)->reg != eth->uar.reg);
		EXPECT_EQ(get_uar(self, i)->reg, get_sq(self, i)->doorbell);
		EXPECT_EQ(!own || strcmp(type, "bf"), get_sq(self, i)->nc);
		for (unsigned int k = 0; own && k < i; k++)
			EXPECT_NE(get_sq(self, k)->doorbell, get_sq(self, i)->doorbell);
		snprintf(want, sizeof(want), "%s\n", own ? type : "nc");
		EXPECT_EQ(0, strncmp(want, find_text(self, i, "doorbells"), strlen(want)));
		if (i >= N_TXQ)
			continue;
		ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, (uint16_t)i, &mode));
		EXPECT_EQ(!own && eth->uar_type != DEVX_UAR_NC,
			  strstr(mode.info, "shared doorbell register") != NULL);
		EXPECT_EQ(own && eth->args.tx_bf_wqe, strstr(mode.info, "BlueFlame") != NULL);
	}
}

static unsigned int count_notices(void)
{
	unsigned int n = 0;

	for (const char *at = port_rig_read_log(); (at = strstr(at, "share one register until "));
	     at++)
		n++;
	return n;
}

static const struct few {
	const char *name, *type, *args;
	uint32_t n_pages;   /* beside n_open */
	unsigned int n_own; /* queues with a register of their own */
	eth_tx_burst_t burst;
} few[] = {
	{ "bf_n", "bf", "uar=bf", 3, 6, devx_eth_tx_burst_full },
	{ "bf_n_minus_1", "bf", "uar=bf", 2, 4, devx_eth_tx_burst_full },
	{ "bf_1", "bf", "uar=bf", 1, 2, devx_eth_tx_burst_full },
	{ "bf_0", "bf", "uar=bf", 0, 0, devx_eth_tx_burst_full },
	{ "bf_wqe_n", "bf", "uar=bf,tx_bf_wqe=1", 3, 6, devx_eth_tx_burst_full_bf },
	{ "bf_wqe_n_minus_1", "bf", "uar=bf,tx_bf_wqe=1", 2, 4, devx_eth_tx_burst_full_bf },
	{ "bf_wqe_1", "bf", "uar=bf,tx_bf_wqe=1", 1, 2, devx_eth_tx_burst_full_bf },
	{ "bf_wqe_0", "bf", "uar=bf,tx_bf_wqe=1", 0, 0, devx_eth_tx_burst_full },
#ifdef MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED /* rdma-core 45 */
	{ "dedicated_n", "nc_dedicated", "uar=nc_dedicated", 2, 6, devx_eth_tx_burst_full },
	{ "dedicated_n_minus_1", "nc_dedicated", "uar=nc_dedicated", 1, 4, devx_eth_tx_burst_full },
	{ "dedicated_0", "nc_dedicated", "uar=nc_dedicated", 0, 0, devx_eth_tx_burst_full },
#endif
	{ "nc_0", "nc", "uar=nc", 0, 0, devx_eth_tx_burst_full },
};

TEST_F_EACH(uar_pages, every_queue_sends_with_the_register_that_is_left, struct few, few)
{
	const struct port_rig_config config = {
		.n_txq = N_TXQ,
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	const bool is_nc = !strcmp(row->type, "nc");
	char args[64];

	snprintf(args, sizeof(args), "ibdev=mlx5_0,%s", row->args);
	self->rig.emu->option("uar_pages", self->n_open + row->n_pages);
	port_rig_read_log();
	ASSERT_EQ(0, port_rig_init_vdev("net_devx0", args));
	EXPECT_EQ(!row->n_own && !is_nc,
		  strstr(port_rig_read_log(), "until a UAR page is free") != NULL);
	ASSERT_EQ(0, rte_vdev_uninit("net_devx0"));
	port_rig_add_port_with(&self->rig, args);
	port_rig_read_log();
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	start_queues(self);
	EXPECT_EQ(row->n_own < N_QUEUES && !is_nc, count_notices());
	EXPECT_EQ((void *)row->burst, (void *)rte_eth_devices[self->rig.port].tx_pkt_burst);
	expect_registers(self, row->type, row->n_own);
	for (int i = 0; i < 20; i++)
		exchange_on_all_queues(self);
	stop_queues(self);

	self->rig.emu->option("uar_pages", (uint32_t)self->pages_before);
	start_queues(self);
	EXPECT_EQ(0, count_notices());
	expect_registers(self, row->type, is_nc ? 0 : N_QUEUES);
	exchange_on_all_queues(self);
	stop_queues(self);
}

/* A start that finds no page says so, also if an earlier start said it. */
TEST_F(uar_pages, each_start_gives_one_notice)
{
	port_rig_add_port_with(&self->rig, "ibdev=mlx5_0,uar=bf");
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ .n_txq = N_TXQ }));
	for (int i = 0; i < 2; i++) {
		port_rig_read_log();
		start_queues(self);
		EXPECT_EQ(1, count_notices());
		stop_queues(self);
	}
}

/* Without Linux 5.7 there is no shared register: the failure ends the start, as before. */
TEST_F(uar_pages, start_fails_without_shared_register)
{
	struct devx_eth *eth;

	self->rig.emu->option("uar_pages", self->n_open + 1);
	port_rig_add_port_with(&self->rig, "ibdev=mlx5_0,uar=bf");
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ .n_txq = N_TXQ }));
	eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	eth->uar.shared = false;
	EXPECT_EQ(-ENOMEM, rte_eth_dev_start(self->rig.port));
	EXPECT_SUBSTR("Tx queue 2: cannot create the UAR: cannot allocate a BlueFlame UAR page",
		      port_rig_read_log());
	eth->uar.shared = true;
}

TEST_F(uar_pages, probe_fails_if_libmlx5_finds_no_page_at_all)
{
	self->rig.emu->option("uar_pages", 0);
	EXPECT_EQ(-ENOMEM, port_rig_init_vdev("net_devx0", "ibdev=mlx5_0,uar=bf"));
}
