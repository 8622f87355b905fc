/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devx_generator.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "stats/devx_report.h"

/* The report of a port, as rte_eth_dev_priv_dump() writes it. */

enum { N_RXQ = 2, N_TXQ = 3 };

FIXTURE(report)
{
	struct port_rig rig;
	char *text;
};
FIXTURE_SETUP(report)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_rxq = N_RXQ, .n_txq = N_TXQ });
}
FIXTURE_TEARDOWN(report)
{
	free(self->text);
	port_rig_down(&self->rig);
}

/* Returns the dump of the port; valid until the next call. */
static const char *dump_port(struct ct_fix_report *self)
{
	free(self->text);
	self->text = port_rig_dump(&self->rig);
	return self->text;
}

/* Returns the number behind "NAME: " in a text; an unknown name is a failure of the test. */
static uint64_t find_number(const char *text, const char *name)
{
	char head[80];
	const char *at;

	snprintf(head, sizeof(head), " %s: ", name);
	at = strstr(text, head);
	EXPECT_TRUE(at);
	return at ? strtoull(at + strlen(head), NULL, 10) : UINT64_MAX;
}

/* A field that the list lacks leaves a gap that the alignment of the next one does not explain. */
TEST(report_caps, list_has_every_capability)
{
	unsigned int n;
	const struct devx_eth_report_field *list = devx_eth_report_caps_list(&n);
	size_t end = 0;

	for (unsigned int i = 0; i < n; i++) {
		SCOPED_TRACE("%s", list[i].name);
		EXPECT_EQ(RTE_ALIGN_CEIL(end, (size_t)list[i].bytes), (size_t)list[i].offset);
		end = list[i].offset + (size_t)list[i].bytes;
	}
	EXPECT_EQ(sizeof(struct devx_caps), RTE_ALIGN_CEIL(end, _Alignof(struct devx_caps)));
}

TEST_F(report, dump_has_the_capabilities_of_the_device)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	const char *dump = dump_port(self);

	EXPECT_SUBSTR("ibdev: mlx5_0\n", dump);
	EXPECT_EQ(eth->dev.caps.max_wqe_sz_sq, find_number(dump, "max_wqe_sz_sq"));
	EXPECT_EQ(eth->dev.caps.device_frequency_khz, find_number(dump, "device_frequency_khz"));
	EXPECT_EQ(eth->dev.caps.match_vlan, find_number(dump, "match_vlan"));
}

TEST_F(report, dump_has_each_queue_of_a_started_port)
{
	const char *queues;
	char name[16];

	for (uint32_t i = 0; i < 5; i++)
		port_rig_exchange_one(&self->rig, i);
	for (unsigned int i = 0; i < N_RXQ + N_TXQ; i++) {
		snprintf(name, sizeof(name), i < N_RXQ ? "rx_%u" : "tx_%u",
			 i < N_RXQ ? i : i - N_RXQ);
		SCOPED_TRACE("%s", name);
		queues = port_rig_find_group(dump_port(self), name);
		EXPECT_SUBSTR("state: running\n", queues);
		EXPECT_EQ(i == 0 || i == N_RXQ ? 5 : 0, find_number(queues, "packets"));
	}
	EXPECT_EQ(N_RXQ, find_number(port_rig_find_group(dump_port(self), "rx"), "running"));
	EXPECT_EQ(N_TXQ, find_number(port_rig_find_group(dump_port(self), "tx"), "running"));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 1));
	EXPECT_SUBSTR("state: stopped\n", port_rig_find_group(dump_port(self), "tx_1"));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(NULL, strstr(dump_port(self), "rx_0"));
	EXPECT_EQ(0, find_number(port_rig_find_group(dump_port(self), "queues"), "started"));
}

TEST_F(report, dump_has_the_numbers_of_each_queue)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);

	for (unsigned int i = 0; i < N_RXQ; i++) {
		const struct devx_eth_rxq *q = eth->data->rx_queues[i];
		char name[16];
		const char *queue;

		snprintf(name, sizeof(name), "rx_%u", i);
		queue = port_rig_find_group(dump_port(self), name);
		EXPECT_EQ(q->elts_mask + 1u, find_number(queue, "descriptors"));
		EXPECT_EQ(1u << q->log2_segs, find_number(queue, "segments_per_wqe"));
		EXPECT_EQ(q->rq.rqn, find_number(queue, "rqn"));
		EXPECT_EQ(q->cq.cqn, find_number(queue, "cqn"));
	}
	for (unsigned int i = 0; i < N_TXQ; i++) {
		const struct devx_eth_txq *q = eth->data->tx_queues[i];
		char name[16];
		const char *queue;

		snprintf(name, sizeof(name), "tx_%u", i);
		queue = port_rig_find_group(dump_port(self), name);
		EXPECT_EQ(q->n_desc, find_number(queue, "descriptors"));
		EXPECT_EQ(q->elts_mask + 1u, find_number(queue, "blocks"));
		EXPECT_EQ(q->inline_max, find_number(queue, "copied_up_to_bytes"));
		EXPECT_EQ(0, find_number(queue, "rate_limit_mbps"));
		EXPECT_EQ(q->sq.sqn, find_number(queue, "sqn"));
		EXPECT_EQ(q->cq.cqn, find_number(queue, "cqn"));
	}
}

/* The objects that the report counts are those that the device lost when the port stopped. */
TEST_F(report, dump_counts_the_objects_of_the_device)
{
	const char *objects = port_rig_find_group(dump_port(self), "objects");

	EXPECT_EQ(N_RXQ + N_TXQ, find_number(objects, "cq"));
	EXPECT_EQ(N_RXQ, find_number(objects, "rq"));
	EXPECT_EQ(N_TXQ, find_number(objects, "sq"));
	EXPECT_EQ(1 + N_TXQ, find_number(objects, "uar"));
	EXPECT_EQ(1, find_number(objects, "rqt"));
	EXPECT_LE(1, find_number(objects, "mkey"));
	EXPECT_LE(1, find_number(objects, "umem"));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	objects = port_rig_find_group(dump_port(self), "objects");
	EXPECT_EQ(0, find_number(objects, "cq"));
	EXPECT_EQ(0, find_number(objects, "rqt"));
	EXPECT_EQ(1, find_number(objects, "uar"));
	EXPECT_EQ(1, find_number(objects, "td"));
	EXPECT_EQ(1, find_number(objects, "tis"));
}

TEST_F(report, dump_names_the_last_command_that_failed)
{
	NEEDS_EMU("to make a command fail");
	EXPECT_EQ(NULL, strstr(dump_port(self), "last_failure"));
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 1, 0x08); /* LIM_ERR; the second: MODIFY_SQ */
	EXPECT_EQ(-EIO, rte_eth_set_queue_rate_limit(self->rig.port, 0, 10));
	EXPECT_SUBSTR("command: MODIFY_SQ\n", port_rig_find_group(dump_port(self), "last_failure"));
	EXPECT_SUBSTR("status_name: LIM_ERR\n",
		      port_rig_find_group(dump_port(self), "last_failure"));
	EXPECT_SUBSTR(" MODIFY_SQ: LIM_ERR (8), syndrome 0x",
		      port_rig_find_group(dump_port(self), "history"));
	EXPECT_EQ(1, find_number(port_rig_find_group(dump_port(self), "commands"), "failed"));
	EXPECT_EQ(1, find_number(port_rig_find_group(dump_port(self), "failed_by_opcode"),
				 "MODIFY_SQ"));
}

/* Calls the burst, because the timer takes a queue only from its burst. */
static bool has_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

TEST_F(report, dump_counts_errors_and_recoveries)
{
	const struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	struct rte_mbuf *m;

	NEEDS_EMU("to put a queue into ERR");
	m = port_rig_make_packet(&self->rig, 60, 0);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1))
		rte_pktmbuf_free(m);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	EXPECT_EQ(1, find_number(port_rig_find_group(
					 port_rig_find_group(dump_port(self), "recovery"), "tx"),
				 "recoveries"));
	EXPECT_EQ(1, find_number(port_rig_find_group(dump_port(self), "tx_0"), "wqe_errors"));
	EXPECT_EQ(1, find_number(port_rig_find_group(dump_port(self), "tx_0"), "recoveries"));
	EXPECT_EQ(0, find_number(port_rig_find_group(
					 port_rig_find_group(dump_port(self), "recovery"), "rx"),
				 "recoveries"));
}

/* Returns the group of one direction in the sums of recovery. */
static const char *dump_recovery(struct ct_fix_report *self, const char *direction)
{
	return port_rig_find_group(port_rig_find_group(dump_port(self), "recovery"), direction);
}

/* No timer takes a queue in this state before its next burst. */
static void expect_broken_queue(struct ct_fix_report *self, const char *direction, uint32_t *owner,
				bool *recovery_failed)
{
	const uint32_t before = *owner;

	*owner = DEVX_ETH_FAILED;
	EXPECT_EQ(1, find_number(dump_recovery(self, direction), "waiting"));
	EXPECT_EQ(0, find_number(dump_recovery(self, direction), "failing"));
	*owner = before;
	*recovery_failed = true;
	EXPECT_EQ(0, find_number(dump_recovery(self, direction), "waiting"));
	EXPECT_EQ(1, find_number(dump_recovery(self, direction), "failing"));
	*recovery_failed = false;
}

TEST_F(report, dump_counts_broken_queues_of_each_kind)
{
	static const uint8_t frame[60] = { 0x02, 0xde, 0xc5 };
	struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	struct devx_eth_rxq *rxq = data->rx_queues[N_RXQ - 1];
	struct devx_eth_txq *txq = data->tx_queues[N_TXQ - 1];
	struct rte_pmd_devx_ring *r;

	ASSERT_EQ(0, rte_pmd_devx_ring_create(
			     self->rig.port,
			     &(struct rte_pmd_devx_ring_conf){
				     .frame = frame, .frame_bytes = sizeof(frame), .n_packets = 4 },
			     &r));
	expect_broken_queue(self, "rx", &rxq->owner, &rxq->recovery_failed);
	expect_broken_queue(self, "tx", &txq->owner, &txq->recovery_failed);
	expect_broken_queue(self, "tx", &r->owner, &r->recovery_failed);
	rte_pmd_devx_ring_destroy(r);
}

/* Every packet is in one segment, and no packet is copied into a WQE. */
TEST_F(report, dump_decodes_the_last_error_cqe_of_a_send_queue_and_its_wqe)
{
	const struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	struct rte_mbuf *m;
	char want[64];
	const char *tx;

	NEEDS_EMU("to put a queue into ERR");
	m = port_rig_make_packet(&self->rig, 77, 0);
	snprintf(want, sizeof(want), "data_0: 77 bytes at 0x%" PRIx64 ", key 0x",
		 rte_pktmbuf_iova(m));
	EXPECT_EQ(NULL, strstr(dump_port(self), "last_error_cqe"));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1))
		rte_pktmbuf_free(m);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	tx = port_rig_find_group(port_rig_find_group(dump_port(self), "tx_0"), "last_error_cqe");
	EXPECT_SUBSTR("opcode: 0x0d\n", tx);            /* REQ_ERR */
	EXPECT_SUBSTR("syndrome_name: WR_FLUSH\n", tx); /* the queue was in ERR already */
	EXPECT_EQ(txq->sq.sqn, find_number(tx, "queue_number"));
	tx = port_rig_find_group(port_rig_find_group(dump_port(self), "tx_0"), "last_error_wqe");
	EXPECT_EQ(txq->sq.sqn, find_number(tx, "sqn"));
	EXPECT_EQ(0, find_number(tx, "index"));
	EXPECT_SUBSTR(want, tx);
	EXPECT_EQ(NULL, strstr(tx, "data_1"));
}

static bool has_ring_recovered(const struct port_rig *rig, void *ring)
{
	rte_pmd_devx_ring_send(ring, NULL, 0);
	return port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

TEST_F(report, dump_decodes_the_last_error_cqe_of_a_generator_ring_and_its_wqe)
{
	static const uint8_t frame[60] = { 0x02, 0xde, 0xc5 };
	struct rte_pmd_devx_ring *r;
	const char *ring;

	NEEDS_EMU("to put a queue into ERR");
	ASSERT_EQ(0, rte_pmd_devx_ring_create(
			     self->rig.port,
			     &(struct rte_pmd_devx_ring_conf){
				     .frame = frame, .frame_bytes = sizeof(frame), .n_packets = 4 },
			     &r));
	ring = port_rig_find_group(dump_port(self), "ring_0");
	EXPECT_SUBSTR("state: running\n", ring);
	EXPECT_EQ(60, find_number(ring, "bytes_per_packet"));
	EXPECT_EQ(NULL, strstr(ring, "last_error_cqe"));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, r->sq.sqn));
	EXPECT_EQ(4, rte_pmd_devx_ring_send(r, NULL, 4));
	self->rig.n_generated = 4;
	self->rig.generated_bytes = 4 * sizeof(frame);
	ASSERT_TRUE(port_rig_wait_until(has_ring_recovered, &self->rig, r));
	ring = port_rig_find_group(port_rig_find_group(dump_port(self), "ring_0"),
				   "last_error_cqe");
	EXPECT_EQ(r->sq.sqn, find_number(ring, "queue_number"));
	ring = port_rig_find_group(port_rig_find_group(dump_port(self), "ring_0"),
				   "last_error_wqe");
	EXPECT_SUBSTR("opcode: 0x29\n", ring); /* ENHANCED_MPSW */
	EXPECT_SUBSTR("data_0: 60 bytes inside the WQE, left out\n", ring);
	EXPECT_EQ(1, find_number(port_rig_find_group(dump_port(self), "ring"), "running"));
	rte_pmd_devx_ring_destroy(r);
	EXPECT_EQ(NULL, strstr(dump_port(self), "ring_0"));
}

static bool has_rx_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, "rx_recoveries") > 0;
}

TEST_F(report, dump_decodes_the_last_error_cqe_of_a_receive_queue_and_its_wqe)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];
	const char *rx;

	NEEDS_EMU("to put a queue into ERR");
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
	ASSERT_TRUE(port_rig_wait_until(has_rx_recovered, &self->rig, NULL));
	rx = port_rig_find_group(port_rig_find_group(dump_port(self), "rx_0"), "last_error_cqe");
	EXPECT_SUBSTR("opcode: 0x0e\n", rx); /* RESP_ERR */
	rx = port_rig_find_group(port_rig_find_group(dump_port(self), "rx_0"), "last_error_wqe");
	EXPECT_SUBSTR("data_0: ", rx);
	EXPECT_SUBSTR(" bytes at 0x", rx);
}

TEST_F(report, dump_returns_the_error_of_a_full_file)
{
	FILE *full = fopen("/dev/full", "w");

	ASSERT_TRUE(full);
	EXPECT_EQ(-ENOSPC, rte_eth_dev_priv_dump(self->rig.port, full));
	fclose(full);
}
