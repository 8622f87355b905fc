/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_rxq.h"
#include "port_rig.h"

/* Fields of a received mbuf that a port requests by Rx offloads. */

enum { VLAN = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED, FRAME = 300 };

FIXTURE(rx_fields)
{
	struct port_rig rig;
};
FIXTURE_SETUP(rx_fields)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(rx_fields)
{
	port_rig_down(&self->rig);
}

static void start_with(struct ct_fix_rx_fields *self, uint64_t offloads)
{
	const struct port_rig_config config = { .eth.rxmode.offloads = offloads };

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

/* Returns what comes back of packet 7 with @tags behind the MAC addresses; NULL: nothing. */
static struct rte_mbuf *send_tagged(struct ct_fix_rx_fields *self, const char *tags, size_t bytes)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, 7), *back = NULL;
	char *start = rte_pktmbuf_prepend(m, (uint16_t)bytes);

	memmove(start, start + bytes, 2 * RTE_ETHER_ADDR_LEN);
	memcpy(start + 2 * RTE_ETHER_ADDR_LEN, tags, bytes);
	if (port_rig_send(&self->rig, &m, 1))
		port_rig_receive(&self->rig, &back, 1);
	return back;
}

/*
 * Sends packet 7 with @tags and expects it without the first tag if @tci >= 0. Then vlan_tci is
 * @tci. All other bytes come back.
 */
static void expect_tags(struct ct_fix_rx_fields *self, const char *tags, size_t bytes, int tci)
{
	const size_t left = bytes - (tci < 0 ? 0 : 4);
	struct rte_mbuf *m = send_tagged(self, tags, bytes);
	char *start;

	ASSERT_NE(NULL, m);
	EXPECT_EQ(tci < 0 ? 0 : VLAN, m->ol_flags & VLAN);
	if (tci >= 0)
		EXPECT_EQ(tci, m->vlan_tci);
	ASSERT_EQ(FRAME + left, m->pkt_len);
	start = rte_pktmbuf_mtod(m, char *);
	EXPECT_MEMEQ(tags + bytes - left, start + 2 * RTE_ETHER_ADDR_LEN, left);
	memmove(start + left, start, 2 * RTE_ETHER_ADDR_LEN);
	rte_pktmbuf_adj(m, (uint16_t)left);
	port_rig_expect_packet(&self->rig, m, FRAME, 7);
	rte_pktmbuf_free(m);
}

static const struct tag_row {
	const char *name, *tags;
	size_t bytes;
	int tci; /* TCI of the tag that the device strips; -1: none */
} tag_rows[] = {
	{ "no_tag", "", 0, -1 },
	{ "C_tag", "\x81\0\xe1\x23", 4, 0xe123 },
	{ "C_tag_0", "\x81\0\0\0", 4, 0 },
	{ "S_tag", "\x88\xa8\xe1\x23", 4, -1 },
	{ "S_and_C_tag", "\x88\xa8\0\x05\x81\0\0\x06", 8, -1 },
	{ "two_C_tags", "\x81\0\0\x05\x81\0\0\x06", 8, 5 },
};

TEST_F_EACH(rx_fields, VLAN_tag_is_stripped_on_request, struct tag_row, tag_rows)
{
	start_with(self, RTE_ETH_RX_OFFLOAD_VLAN_STRIP);
	expect_tags(self, row->tags, row->bytes, row->tci);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	start_with(self, 0);
	expect_tags(self, row->tags, row->bytes, -1);
}

/* The port starts with the plain burst function, which copies no tag. */
TEST_F(rx_fields, VLAN_stripping_changes_on_a_started_port)
{
	const struct tag_row *tag = &tag_rows[1];

	start_with(self, 0);
	for (int i = 0; i < 3; i++) {
		expect_tags(self, tag->tags, tag->bytes, -1);
		ASSERT_EQ(0,
			  rte_eth_dev_set_vlan_offload(self->rig.port, RTE_ETH_VLAN_STRIP_OFFLOAD));
		EXPECT_EQ(RTE_ETH_VLAN_STRIP_OFFLOAD, rte_eth_dev_get_vlan_offload(self->rig.port));
		expect_tags(self, tag->tags, tag->bytes, tag->tci);
		ASSERT_EQ(0, rte_eth_dev_set_vlan_offload(self->rig.port, 0));
	}
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(self->rig.port, 0, 1));
	expect_tags(self, tag->tags, tag->bytes, tag->tci);
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(self->rig.port, 0, 0));
	expect_tags(self, tag->tags, tag->bytes, -1);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(self->rig.port, 0, 1));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	expect_tags(self, tag->tags, tag->bytes, tag->tci);
}

/* The RQ of a stopped queue is in RST; the start of the queue gives it the setting. */
TEST_F(rx_fields, VLAN_stripping_changes_on_a_stopped_queue)
{
	const struct tag_row *tag = &tag_rows[1];
	const uint16_t port = self->rig.port;

	start_with(self, 0);
	for (int on = 1; on >= 0; on--) {
		ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(port, 0));
		ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(port, 0, on));
		ASSERT_EQ(0, rte_eth_dev_rx_queue_start(port, 0));
		expect_tags(self, tag->tags, tag->bytes, on ? tag->tci : -1);

		ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(port, 0));
		ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(port, 0, !on));
		ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(port, 0, on));
		ASSERT_EQ(0, rte_eth_dev_rx_queue_start(port, 0));
		expect_tags(self, tag->tags, tag->bytes, on ? tag->tci : -1);
	}
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(port, 0));
	ASSERT_EQ(0, rte_eth_dev_set_vlan_offload(port, RTE_ETH_VLAN_STRIP_OFFLOAD));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(port, 0));
	expect_tags(self, tag->tags, tag->bytes, tag->tci);
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, "rx_recoveries") > 0;
}

static const struct fault {
	const char *name;
	enum devx_emu_inject what;
} faults[] = {
	{ "rq", DEVX_EMU_INJECT_RQ_ERROR },
	{ "cq", DEVX_EMU_INJECT_CQ_ERROR },
};

/* The setting changes while the RQ is in ERR; the recovery gives it to the RQ. */
TEST_F_EACH(rx_fields, VLAN_stripping_survives_an_error_of, struct fault, faults)
{
	const struct tag_row *tag = &tag_rows[1];
	const struct devx_eth_rxq *rxq;

	NEEDS_EMU("to make a queue fail");
	start_with(self, 0);
	rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];
	for (int on = 1; on >= 0; on--) {
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
		ASSERT_EQ(0, self->rig.emu->inject(0, row->what,
						   row->what == DEVX_EMU_INJECT_CQ_ERROR
							   ? rxq->cq.cqn
							   : rxq->rq.rqn));
		ASSERT_EQ(0, rte_eth_dev_set_vlan_offload(self->rig.port,
							  on ? RTE_ETH_VLAN_STRIP_OFFLOAD : 0));
		ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
		expect_tags(self, tag->tags, tag->bytes, on ? tag->tci : -1);
	}
}

TEST_F(rx_fields, refused_change_of_VLAN_stripping_leaves_the_port_as_it_was)
{
	const struct tag_row *tag = &tag_rows[1];

	NEEDS_EMU("to make a command fail");
	start_with(self, 0);
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
	EXPECT_NE(0, rte_eth_dev_set_vlan_offload(self->rig.port, RTE_ETH_VLAN_STRIP_OFFLOAD));
	EXPECT_SUBSTR("cannot strip VLAN tags", port_rig_read_log());
	EXPECT_EQ(0, rte_eth_dev_get_vlan_offload(self->rig.port));
	expect_tags(self, tag->tags, tag->bytes, -1);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	expect_tags(self, tag->tags, tag->bytes, -1);
}

/* Each call of the request fails once: those of the queues, then the first one of the rules. */
TEST_F(rx_fields, refused_VLAN_filter_restores_the_stripping_of_each_queue)
{
	const struct port_rig_config config = { .n_rxq = 2,
						.eth.rxmode.offloads =
							RTE_ETH_RX_OFFLOAD_VLAN_FILTER };
	const struct tag_row *tag = &tag_rows[1];
	const uint16_t port = self->rig.port;
	bool filter_failed = false;

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(port, (uint16_t)tag->tci & 0xfff, 1));
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(port, 0, 1));
	for (int i = 0; !filter_failed; i++) {
		self->rig.emu->fail(DEVX_EMU_FAIL_IOCTL, i, 0);
		ASSERT_NE(0, rte_eth_dev_set_vlan_offload(port, RTE_ETH_VLAN_STRIP_OFFLOAD));
		self->rig.emu->fail(DEVX_EMU_FAIL_IOCTL, -1, 0);
		filter_failed = !strstr(port_rig_read_log(), "VLAN tags");
		EXPECT_EQ(RTE_ETH_VLAN_FILTER_OFFLOAD, rte_eth_dev_get_vlan_offload(port));
		expect_tags(self, tag->tags, tag->bytes, tag->tci);
	}
}

/* Without RSS all packets go to queue 0. */
TEST_F(rx_fields, VLAN_stripping_is_an_offload_of_a_queue)
{
	const struct tag_row *tag = &tag_rows[1];
	struct port_rig *rig = &self->rig;

	for (uint16_t queue = 0; queue < 2; queue++) {
		const struct rte_eth_rxconf conf = { .offloads = RTE_ETH_RX_OFFLOAD_VLAN_STRIP };

		ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_rxq = 2 }));
		ASSERT_EQ(0, rte_eth_rx_queue_setup(rig->port, queue, PORT_RIG_RING, 0, &conf,
						    rig->pool));
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		expect_tags(self, tag->tags, tag->bytes, queue == 0 ? tag->tci : -1);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	}
}

/* The change of the port fails at queue 1: queue 0 keeps tags again, or strips them on. */
TEST_F(rx_fields, refused_change_keeps_what_each_queue_had)
{
	const struct tag_row *tag = &tag_rows[1];
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to make a command fail");
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_rxq = 2 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, 1, 0);
	EXPECT_NE(0, rte_eth_dev_set_vlan_offload(rig->port, RTE_ETH_VLAN_STRIP_OFFLOAD));
	EXPECT_SUBSTR("Rx queue 1: cannot strip VLAN tags", port_rig_read_log());
	expect_tags(self, tag->tags, tag->bytes, -1);
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(rig->port, 0, 1));
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
	EXPECT_NE(0, rte_eth_dev_set_vlan_offload(rig->port, RTE_ETH_VLAN_STRIP_OFFLOAD));
	EXPECT_SUBSTR("Rx queue 1: cannot strip VLAN tags", port_rig_read_log());
	expect_tags(self, tag->tags, tag->bytes, tag->tci);
}

/* ---- frame check sequence --------------------------------------------------------- */

/* CRC-32 of IEEE 802.3, bit by bit. */
static uint32_t compute_fcs(const uint8_t *frame, uint32_t bytes)
{
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < bytes; i++) {
		crc ^= frame[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

/* As with net_mlx5: behind the last byte, and not in pkt_len. */
TEST_F(rx_fields, frame_check_sequence_follows_the_packet_on_request)
{
	start_with(self, RTE_ETH_RX_OFFLOAD_KEEP_CRC);
	for (uint32_t bytes = 60; bytes <= PORT_RIG_FRAME_MAX; bytes += 27) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, bytes, bytes);
		const uint32_t want = compute_fcs(rte_pktmbuf_mtod(m, uint8_t *), bytes);
		uint8_t fcs[4] = { (uint8_t)want, (uint8_t)(want >> 8), (uint8_t)(want >> 16),
				   (uint8_t)(want >> 24) };

		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		port_rig_expect_packet(&self->rig, m, bytes, bytes);
		EXPECT_MEMEQ(fcs, rte_pktmbuf_mtod_offset(m, uint8_t *, bytes), 4);
		rte_pktmbuf_free(m);
	}
}

TEST_F(rx_fields, buffers_need_room_for_the_frame_check_sequence)
{
	struct rte_mempool *const pool = self->rig.pool;
	struct rte_mempool *exact = rte_pktmbuf_pool_create(
		"exact", 1023, 0, 0, RTE_PKTMBUF_HEADROOM + PORT_RIG_FRAME_MAX, 0);
	struct port_rig_config config = { .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_KEEP_CRC };

	ASSERT_NE(NULL, exact);
	self->rig.pool = exact;
	EXPECT_EQ(-EINVAL, port_rig_configure(&self->rig, &config));
	EXPECT_SUBSTR("MTU up to 1496", port_rig_read_log());
	config.eth.rxmode.offloads = 0;
	EXPECT_EQ(0, port_rig_configure(&self->rig, &config));
	self->rig.pool = pool;
	start_with(self, 0);
	mbuf_pool_free(exact);
}

/* ---- the burst function; its first word names the vector instructions ------------- */

static const struct mode {
	const char *name;
	uint64_t offloads;
	const char *text;
} modes[] = {
	{ "none", 0, ", one memory key" },
	{ "checksum", RTE_ETH_RX_OFFLOAD_CHECKSUM, ", one memory key" },
	{ "scatter", RTE_ETH_RX_OFFLOAD_SCATTER, ", one memory key" }, /* fits one buffer */
	{ "VLAN", RTE_ETH_RX_OFFLOAD_VLAN_STRIP,
	  ", RSS hash, VLAN, timestamp, CRC, one memory key" },
	{ "timestamp", RTE_ETH_RX_OFFLOAD_TIMESTAMP,
	  ", RSS hash, VLAN, timestamp, CRC, one memory key" },
};

TEST_F_EACH(rx_fields, burst_mode_names_the_least_variant_for, struct mode, modes)
{
	struct rte_eth_burst_mode mode;

	start_with(self, row->offloads);
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ(row->text, mode.info + strcspn(mode.info, ","));
}

TEST_F(rx_fields, port_with_RSS_gives_the_hash_unasked)
{
	struct rte_eth_burst_mode mode;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){
							    .eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
							    .eth.rx_adv_conf.rss_conf.rss_hf =
								    RTE_ETH_RSS_IP }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ(", RSS hash, one memory key", mode.info + strcspn(mode.info, ","));
}
