/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/tx_ring.h"
#include "devx_generator.h"
#include "hasty_device.h"
#include "queue/devx_tx_drain.h"
#include "rte_pmd_devx.h"
#include "wait_limit.h"

/*
 * Order in which a burst writes WQEs, doorbell record and doorbell, and reads CQEs: the device acts
 * at each store to a record or a register. Every byte on the wire is compared.
 */

enum { RING = 64, N_BURSTS = 150 };

FIXTURE(tx_order)
{
	struct port_rig rig;
	struct tx_ring ring;
};
FIXTURE_SETUP(tx_order)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to pause the device");
	if (!write_trap_is_possible())
		SKIP("the trap flag is needed, which only x86-64 has");
}
FIXTURE_TEARDOWN(tx_order)
{
	port_rig_down(&self->rig);
}

/* Posts a burst while emu pauses. The burst also takes the CQEs of the burst before. */
static void post_to_hasty_device(struct tx_ring *ring, uint16_t n)
{
	struct hasty_device device;

	ring->rig->emu->pause();
	hasty_device_begin_tx(&device, &ring->txq->cq, &ring->txq->sq);
	EXPECT_EQ(n, tx_ring_post(ring, n));
	hasty_device_end(&device);
	EXPECT_EQ(1, device.n_doorbells);
	ring->rig->emu->resume();
}

TEST_F_EACH(tx_order, device_may_act_at_each_store_to_a_record, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, RING);
	for (uint32_t i = 0; i < N_BURSTS; i++) {
		SCOPED_TRACE("burst %u", i);
		post_to_hasty_device(ring, (uint16_t)(1 + i * 7 % 20));
		tx_ring_receive(ring, ring->posted);
	}
	tx_ring_close(ring);
}

/* The stop of a queue posts a NOP that requests a CQE for the last packets. */
TEST_F_EACH(tx_order, device_may_act_at_each_store_of_a_drain, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;
	struct hasty_device device;

	tx_ring_open(ring, &self->rig, row, RING);
	self->rig.emu->pause();
	EXPECT_EQ(3, tx_ring_post(ring, 3));
	hasty_device_begin_tx(&device, &ring->txq->cq, &ring->txq->sq);
	devx_eth_send_wait_ms = 0; /* the device is paused, so that a wait is in vain */
	devx_eth_txq_drain(ring->txq);
	devx_eth_send_wait_ms = STOP_WAIT_MS;
	hasty_device_end(&device);
	EXPECT_EQ(1, device.n_doorbells);
	self->rig.emu->resume();
	tx_ring_receive(ring, ring->posted);
	tx_ring_close(ring);
}

/* ---- generator ring ------------------------------------------------------------------------- */

enum { FRAME_BYTES = 60, PATCH_AT = 46, PATCH_BYTES = 14, PER_UNIT = 8, PER_BURST = 32 };

/** struct patch - bytes to patch in each packet; without them a full unit only gets a number */
struct patch {
	const char *name;
	uint16_t bytes;
};
static const struct patch patches[] = { { "with_patches", PATCH_BYTES }, { "without_patches", 0 } };

/* Receives @n packets, whose patches have the numbers from @first on. */
static void receive_packets(struct port_rig *rig, const struct patch *patch, uint32_t first,
			    uint16_t n)
{
	struct rte_mbuf *m[PER_BURST];

	for (uint16_t got = 0; got < n;) {
		const uint16_t k = port_rig_receive(rig, m, n - got);

		ASSERT_LT(0, k);
		for (uint16_t i = 0; i < k; i++, got++) {
			uint32_t number;

			memcpy(&number, rte_pktmbuf_mtod_offset(m[i], void *, PATCH_AT), 4);
			if (patch->bytes)
				EXPECT_EQ(first + got, number);
			rig->n_generated++;
			rig->generated_bytes += m[i]->pkt_len;
		}
		rte_pktmbuf_free_bulk(m, k);
	}
}

/* Sends @n packets to the hasty device, in units and WQEs of fewer packets. Returns success. */
static bool send_to_hasty_device(struct ct_fix_tx_order *self, struct rte_pmd_devx_ring *r,
				 uint32_t first, uint16_t n)
{
	uint8_t bytes[PER_BURST][PATCH_BYTES] = { 0 };
	struct hasty_device device;
	uint16_t sent;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t number = first + i;

		memcpy(bytes[i], &number, sizeof(number));
	}
	self->rig.emu->pause();
	hasty_device_begin_tx(&device, &r->cq, &r->sq);
	sent = rte_pmd_devx_ring_send(r, bytes[0], n);
	memset(bytes, 0xee, sizeof(bytes));
	hasty_device_end(&device);
	EXPECT_EQ(n, sent);
	EXPECT_LE(1, device.n_doorbells);
	self->rig.emu->resume();
	return n == sent;
}

TEST_F_EACH(tx_order, device_may_act_at_each_store_of_a_generator_ring, struct patch, patches)
{
	uint8_t frame[FRAME_BYTES];
	const struct rte_pmd_devx_ring_conf conf = { .frame = frame,
						     .frame_bytes = FRAME_BYTES,
						     .n_packets = 224,
						     .patch = { { PATCH_AT, row->bytes } } };
	struct rte_pmd_devx_ring *r;
	struct rte_mbuf *m;
	uint32_t sent = 0;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	m = port_rig_make_packet(&self->rig, FRAME_BYTES, 7);
	memcpy(frame, rte_pktmbuf_mtod(m, void *), FRAME_BYTES);
	rte_pktmbuf_free(m);
	ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &r));
	EXPECT_EQ(PER_UNIT, 1 << r->n_packets_log2);
	for (uint32_t i = 0; i < N_BURSTS; i++) {
		const uint16_t n = (uint16_t)(row->bytes ? 1 + i * 7 % PER_BURST : PER_UNIT);

		SCOPED_TRACE("burst %u", i);
		ASSERT_TRUE(send_to_hasty_device(self, r, sent, n));
		receive_packets(&self->rig, row, sent, n);
		sent += n;
	}
	rte_pmd_devx_ring_destroy(r);
}
