/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_keep.h"
#include "burst/tx_ring.h"

#include <stdio.h>
#include <string.h>

#include <rte_ip.h>

#include "burst/tx_frames.h"

#define FULL                                                                                       \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
#define TAGS (FULL | RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
#define TSO (TAGS | RTE_ETH_TX_OFFLOAD_TCP_TSO)
#define FAST RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define BF "uar=bf,tx_bf_wqe=1"

const struct tx_variant tx_variants[TX_N_VARIANTS] = {
	{ "multi", "tx_burst=multi", 0, "multi-packet WQE, pointers" },
	{ "multi_fast_free", "tx_burst=multi", FAST, "multi-packet WQE, pointers, fast free" },
	{ "multi_full", "tx_burst=multi", FULL, "multi-packet WQE, pointers, checksums, segments" },
	{ "multi_VLAN", "tx_burst=multi", TAGS,
	  "multi-packet WQE, pointers, checksums, segments, VLAN" },
	{ "multi_TSO", "tx_burst=multi", TSO,
	  "multi-packet WQE, pointers, checksums, segments, VLAN, TSO" },
	{ "single", "tx_burst=single", FULL, "WQE per packet, pointers, checksums, segments" },
	{ "single_TSO", "tx_burst=single", TSO,
	  "WQE per packet, pointers, checksums, segments, VLAN, TSO" },
	{ "multi_BlueFlame", "tx_burst=multi," BF, FULL,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments" },
	{ "multi_BlueFlame_TSO", "tx_burst=multi," BF, TSO,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO" },
	{ "single_BlueFlame", "tx_burst=single," BF, FULL,
	  "WQE per packet, BlueFlame, pointers, checksums, segments" },
	{ "inline", "inline=92", FAST,
	  "multi-packet WQE, pointers, inline up to 92 bytes, fast free" },
	{ "inline_full", "inline=92", FULL,
	  "multi-packet WQE, pointers, checksums, segments, inline up to 92 bytes" },
	{ "inline_TSO", "inline=92", TSO,
	  "multi-packet WQE, pointers, checksums, segments, VLAN, TSO, inline up to 92 bytes" },
	{ "inline_BlueFlame_TSO", "inline=92," BF, TSO,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO, inline up to "
	  "92 bytes" },
	{ "single_BlueFlame_TSO", "tx_burst=single," BF, TSO,
	  "WQE per packet, BlueFlame, pointers, checksums, segments, VLAN, TSO" },
};

struct devx_eth_txq *tx_variant_start(struct port_rig *rig, const struct tx_variant *v,
				      uint16_t n_desc)
{
	const struct port_rig_config config = { .n_tx_desc = n_desc,
						.eth.txmode.offloads = v->offloads };
	struct rte_eth_burst_mode mode = { 0 };
	char args[128];

	snprintf(args, sizeof(args), "ibdev=mlx5_0,%s", v->args);
	port_rig_remove_port(rig);
	port_rig_add_port_with(rig, args);
	EXPECT_EQ(0, port_rig_configure(rig, &config));
	EXPECT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(0, rte_eth_tx_burst_mode_get(rig->port, 0, &mode));
	if (v->mode)
		EXPECT_STREQ(v->mode, mode.info);
	return rte_eth_devices[rig->port].data->tx_queues[0];
}

void tx_ring_open(struct tx_ring *ring, struct port_rig *rig, const struct tx_variant *v,
		  uint16_t n_desc)
{
	*ring = (struct tx_ring){ .rig = rig, .v = v, .least = 60 };
	ring->pool = rte_pktmbuf_pool_create("tx_ring", TX_RING_POOL, 0, 0,
					     RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	ASSERT_NE(NULL, ring->pool);
	ring->txq = tx_variant_start(rig, v, n_desc);
}

void tx_ring_close(struct tx_ring *ring)
{
	EXPECT_EQ(0, rte_eth_dev_stop(ring->rig->port));
	mbuf_pool_free(ring->pool);
	port_rig_read_log();
}

/* ---- packets ---------------------------------------------------------------------- */

uint16_t tx_ring_count_segs(const struct tx_ring *ring, uint32_t number)
{
	return ring->v->offloads & RTE_ETH_TX_OFFLOAD_MULTI_SEGS && number % 5 == 3 ? 2 : 1;
}

static bool has_tag(const struct tx_ring *ring, uint32_t number)
{
	return ring->v->offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT && number % 7 == 2;
}

static bool has_checksum(const struct tx_ring *ring, uint32_t number)
{
	return ring->v->offloads & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM && number % 3 == 1;
}

static uint16_t make_tci(uint32_t number)
{
	return (uint16_t)(number & 0xfff);
}

/* Makes the frame of packet @number without its tag; its checksum is right. */
static struct rte_mbuf *make_frame(const struct tx_ring *ring, struct rte_mempool *pool,
				   uint32_t number)
{
	struct port_rig rig = { .pool = pool, .mac = ring->rig->mac };

	return port_rig_make_packet(&rig, ring->least + number % 7 * 13, number);
}

/* Moves the second half of a packet to another mbuf. */
static void split_packet(struct rte_mbuf *m)
{
	struct rte_mbuf *tail = rte_pktmbuf_alloc(m->pool);
	const uint16_t n = m->data_len / 2;

	memcpy(rte_pktmbuf_append(tail, n), rte_pktmbuf_mtod_offset(m, char *, m->data_len - n), n);
	rte_pktmbuf_trim(m, n);
	EXPECT_EQ(0, rte_pktmbuf_chain(m, tail));
}

static struct rte_mbuf *make_packet(const struct tx_ring *ring, uint32_t number)
{
	struct rte_mbuf *m = make_frame(ring, ring->pool, number);

	if (!m)
		return NULL;
	if (has_checksum(ring, number)) {
		m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
		m->l2_len = RTE_ETHER_HDR_LEN;
		m->l3_len = sizeof(struct rte_ipv4_hdr);
		rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len)->hdr_checksum = 0x5a5a;
	}
	if (has_tag(ring, number)) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = make_tci(number);
	}
	if (tx_ring_count_segs(ring, number) > 1)
		split_packet(m);
	return m;
}

/* ---- bursts ----------------------------------------------------------------------- */

uint32_t tx_ring_count_used(const struct tx_ring *ring)
{
	const struct devx_eth_txq *txq = ring->txq;
	uint32_t n = 0;

	for (uint16_t at = txq->tail; at != txq->head; at++)
		n += devx_eth_tx_get_elt(txq, at) != NULL;
	EXPECT_EQ(n, TX_RING_POOL - rte_mempool_avail_count(ring->pool));
	return (uint16_t)(txq->head - txq->tail);
}

uint16_t tx_ring_post(struct tx_ring *ring, uint16_t n)
{
	uint16_t took;

	for (uint16_t i = 0; i < n; i++)
		ring->m[i] = make_packet(ring, ring->posted + i);
	took = rte_eth_tx_burst(ring->rig->port, 0, ring->m, n);
	EXPECT_LE(took, n);
	rte_pktmbuf_free_bulk(ring->m + took, n - took);
	ring->posted += took;
	return took;
}

void tx_ring_poll(struct tx_ring *ring)
{
	EXPECT_EQ(0, rte_eth_tx_burst(ring->rig->port, 0, NULL, 0));
}

static void expect_packet(const struct tx_ring *ring, const struct rte_mbuf *m, uint32_t number)
{
	struct rte_mbuf *want = make_frame(ring, ring->rig->pool, number);
	uint8_t frame[2048];
	uint32_t n;

	SCOPED_TRACE("packet %u", number);
	ASSERT_NE(NULL, want);
	n = want->data_len;
	memcpy(frame, rte_pktmbuf_mtod(want, void *), n);
	rte_pktmbuf_free(want);
	if (has_tag(ring, number))
		n = tx_frame_insert_tag(frame, n, RTE_ETHER_TYPE_VLAN, make_tci(number));
	ASSERT_EQ(n, m->data_len);
	EXPECT_MEMEQ(frame, rte_pktmbuf_mtod(m, uint8_t *), n);
}

void tx_ring_receive(struct tx_ring *ring, uint32_t end)
{
	while (ring->received != end) {
		const uint32_t left = end - ring->received;
		struct rte_mbuf *m[PORT_RIG_BURST];
		const uint16_t n = port_rig_receive(ring->rig, m, RTE_MIN(PORT_RIG_BURST, left));

		if (!n)
			ADD_FAILURE("packets %u to %u did not arrive", ring->received, end - 1);
		for (uint16_t i = 0; i < n; i++)
			expect_packet(ring, m[i], ring->received++);
		rte_pktmbuf_free_bulk(m, n);
		if (!n)
			ring->received = end;
	}
}

void tx_ring_exchange(struct tx_ring *ring, uint32_t n)
{
	while (n--) {
		ASSERT_EQ(1, tx_ring_post(ring, 1));
		tx_ring_receive(ring, ring->posted);
	}
}

/* ---- WQEs ------------------------------------------------------------------------- */

struct prm_data_seg *tx_ring_get_seg(const struct tx_ring *ring, uint16_t block, unsigned int i)
{
	struct prm_data_seg *const segs = (void *)ring->txq->sq.wqebbs;

	return &segs[(block * PRM_WQEBB_DS + i) & ((PRM_WQEBB_DS << ring->txq->sq.log2_n) - 1)];
}

unsigned int tx_ring_count_entry_ds(const struct prm_data_seg *seg)
{
	const uint32_t count = prm_be32_get(seg->byte_count);

	if (!(count & PRM_INLINE_SEG))
		return 1;
	return (sizeof(seg->byte_count) + (count & ~PRM_INLINE_SEG) + PRM_DS_BYTES - 1) /
	       PRM_DS_BYTES;
}

uint32_t tx_ring_count_packets(const struct tx_ring *ring, uint16_t block)
{
	const struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(&ring->txq->sq, block)->ctrl;
	uint32_t n = 0;

	if (prm_ctrl_opcode(ctrl) != PRM_WQE_ENHANCED_MPSW)
		return 1;
	for (unsigned int i = 2; i < prm_ctrl_ds(ctrl); n++)
		i += tx_ring_count_entry_ds(tx_ring_get_seg(ring, block, i));
	return n;
}

struct prm_data_seg *tx_ring_get_entry(const struct tx_ring *ring, uint16_t block, uint32_t n)
{
	unsigned int i = 2;

	while (n--)
		i += tx_ring_count_entry_ds(tx_ring_get_seg(ring, block, i));
	return tx_ring_get_seg(ring, block, i);
}

bool tx_ring_is_copied(const struct tx_ring *ring, uint16_t block, uint32_t n)
{
	const struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(&ring->txq->sq, block)->ctrl;
	const struct prm_eth_seg *eth = (const struct prm_eth_seg *)(ctrl + 1);

	return !prm_be16_get(eth->inline_hdr_sz) && /* else headers are in front of the entries */
	       prm_be32_get(tx_ring_get_entry(ring, block, n)->byte_count) & PRM_INLINE_SEG;
}
