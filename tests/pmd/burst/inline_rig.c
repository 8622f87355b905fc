/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/inline_rig.h"

void inline_rig_start(struct inline_rig *self, const char *args, uint16_t n_desc, uint64_t offloads)
{
	const struct port_rig_config config = { .n_tx_desc = n_desc,
						.eth.txmode.offloads = offloads };

	port_rig_remove_port(&self->rig);
	port_rig_add_port_with(&self->rig, args);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
}

uint32_t inline_rig_draw(struct inline_rig *self, uint32_t n)
{
	self->state = self->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(self->state >> 33) % n;
}

void inline_rig_fill_frame(const struct inline_rig *self, uint8_t *frame, uint32_t n, uint32_t seed)
{
	const uint8_t head[] = { 2, 0, 0, 0, 0, 1, 0x88, 0xb5 }; /* source, an unused type */

	memcpy(frame, &self->rig.mac, RTE_ETHER_ADDR_LEN);
	memcpy(frame + RTE_ETHER_ADDR_LEN, head, sizeof(head));
	for (uint32_t i = INLINE_LEAST; i < n; i++) {
		seed = seed * 1664525u + 1013904223u;
		frame[i] = (uint8_t)(seed >> 24);
	}
}

struct rte_mbuf *inline_rig_make_packet(struct inline_rig *self, uint32_t n, uint32_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(self->rig.pool);

	if (m)
		inline_rig_fill_frame(self, (uint8_t *)rte_pktmbuf_append(m, (uint16_t)n), n, seed);
	return m;
}

void inline_rig_expect(struct inline_rig *self, uint32_t n, uint32_t seed)
{
	SCOPED_TRACE("packet %u of %u bytes", seed, n);
	inline_rig_fill_frame(self, self->frame, n, seed);
	tx_frames_expect(&self->rig, self->frame, n);
}

void inline_rig_exchange(struct inline_rig *self, const uint16_t *bytes, uint16_t n)
{
	struct rte_mbuf *m[INLINE_LARGEST];

	for (uint16_t i = 0; i < n; i++) {
		m[i] = inline_rig_make_packet(self, bytes[i], self->seed + i);
		ASSERT_NE(NULL, m[i]);
	}
	ASSERT_TRUE(port_rig_send(&self->rig, m, n));
	for (uint16_t i = 0; i < n; i++)
		inline_rig_expect(self, bytes[i], self->seed + i);
	self->seed += n;
}

void inline_rig_exchange_equal(struct inline_rig *self, uint16_t bytes, uint16_t n)
{
	uint16_t all[INLINE_LARGEST];

	for (uint16_t i = 0; i < n; i++)
		all[i] = bytes;
	inline_rig_exchange(self, all, n);
}
