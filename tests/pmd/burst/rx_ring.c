/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_mbuf_dyn.h>

#include "burst/devx_rx_ring.h"
#include "burst/rx_ring.h"
#include "hasty_device.h"

#define WITH_FIELDS                                                                                \
	(RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_TIMESTAMP | RTE_ETH_RX_OFFLOAD_KEEP_CRC)
#define CHECKSUMS (RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD)

bool rx_ring_open(struct rx_ring *ring, const struct port_rig *rig, uint32_t n)
{
	const struct rte_eth_dev *dev = &rte_eth_devices[rig->port];
	const struct devx_eth_rxq *real = dev->data->rx_queues[0];
	struct devx_eth_rxq *rxq = &ring->rxq;

	if (!real || !real->rq.obj) /* the port did not start: the test has failed */
		return false;
	memset(ring, 0, sizeof(*ring));
	ring->n = n;
	ring->written = ring->taken = RX_RING_CQ_AHEAD;
	ring->burst = dev->rx_pkt_burst;
	ring->offloads = real->offloads;
	ring->dbrec[PRM_DBR_CQ_CI] = prm_be32_of(RX_RING_CQ_AHEAD);
	*rxq = *real;
	rxq->n = (struct devx_eth_rx_counters){ 0 };
	rxq->elts = ring->elts;
	rxq->elts_mask = n - 1;
	rxq->refill = (uint16_t)RTE_MIN(n / 4, 64u);
	rxq->cq = (struct devx_cq){ .cqes = ring->cqes,
				    .dbrec = ring->dbrec,
				    .ci = RX_RING_CQ_AHEAD,
				    .log2_n = (uint8_t)rte_log2_u32(n) };
	rxq->rq = (struct devx_rq){ .wqes = ring->wqes,
				    .dbrec = ring->dbrec + 2,
				    .log2_n = (uint8_t)rte_log2_u32(n) };
	for (uint32_t i = 0; i < n; i++) {
		ring->cqes[i].op_own = PRM_CQE_INIT_OP_OWN ^ (i < RX_RING_CQ_AHEAD);
		ring->wqes[i] = real->rq.wqes[0];
	}
	EXPECT_EQ(0, devx_eth_rxq_post_all(rxq));
	return rxq->rq.pi == n;
}

void rx_ring_close(struct rx_ring *ring)
{
	devx_eth_rxq_free_all(&ring->rxq, ring->rxq.rq.pi);
}

/* ---- CQEs ------------------------------------------------------------------------- */

/* Fills the bytes of CQE @i: xorshift64* with @i as seed. */
static void make_cqe(const struct rx_ring *ring, uint32_t i, struct prm_cqe *cqe)
{
	uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u, words[sizeof(*cqe) / sizeof(x)];
	const uint8_t owner = i / ring->n & PRM_CQE_OWNER;

	for (unsigned int k = 0; k < RTE_DIM(words); k++) {
		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		words[k] = x * 0x2545f4914f6cdd1du;
	}
	memcpy(cqe, words, sizeof(*cqe));
	cqe->byte_cnt = prm_be32_of(60 + (uint32_t)(x >> 32) % 1459);
	if (!(x & 3))
		cqe->rss_hash_type = 0;
	/* one of eight has the bit of a solicited event */
	cqe->op_own = (uint8_t)(PRM_CQE_RESP_SEND << 4 | (x & 0x70 ? 0 : 2) | owner);
}

void rx_ring_write(struct rx_ring *ring, uint32_t n)
{
	for (; n--; ring->written++)
		make_cqe(ring, ring->written, &ring->cqes[ring->written & (ring->n - 1)]);
}

void rx_ring_write_error(struct rx_ring *ring, uint8_t syndrome)
{
	struct prm_err_cqe *cqe = (void *)&ring->cqes[ring->written & (ring->n - 1)];

	rx_ring_write(ring, 1);
	cqe->syndrome = syndrome;
	cqe->op_own = (uint8_t)(PRM_CQE_RESP_ERR << 4 | (cqe->op_own & PRM_CQE_OWNER));
}

/* ---- mbufs ------------------------------------------------------------------------ */

static uint64_t expect_flags(const struct rx_ring *ring, const struct prm_cqe *cqe)
{
	const bool fields = ring->offloads & WITH_FIELDS;
	uint64_t flags = ring->rxq.ol_flags;

	if (ring->offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM) {
		flags |= cqe->hds_ip_ext & PRM_CQE_L3_OK ? RTE_MBUF_F_RX_IP_CKSUM_GOOD : 0;
		flags |= cqe->hds_ip_ext & PRM_CQE_L4_OK ? RTE_MBUF_F_RX_L4_CKSUM_GOOD : 0;
	}
	if ((fields || ring->offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH) && cqe->rss_hash_type)
		flags |= RTE_MBUF_F_RX_RSS_HASH;
	if (fields && cqe->l4_l3_hdr_type & PRM_CQE_HDR_CV)
		flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	return flags | ring->rxq.ts_flag;
}

/* Returns the name of the first wrong field of @m, the packet of CQE @i; NULL: all are right. */
static const char *find_wrong_field(const struct rx_ring *ring, const struct rte_mbuf *m,
				    uint32_t i)
{
	const struct devx_eth_rxq *rxq = &ring->rxq;
	struct prm_cqe cqe;
	uint32_t bytes;

	make_cqe(ring, i, &cqe);
	bytes = prm_be32_get(cqe.byte_cnt);
	bytes -= ring->offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC ? 4 : 0;
	if (m->pkt_len != bytes || m->data_len != bytes)
		return "length";
	if (m->data_off != RTE_PKTMBUF_HEADROOM || m->nb_segs != 1 || m->next || m->refcnt != 1 ||
	    m->port != rxq->eth->data->port_id || m->pool != rxq->pool)
		return "data_off, nb_segs, next, refcnt, port or pool";
	if (m->ol_flags != expect_flags(ring, &cqe))
		return "ol_flags";
	if (m->packet_type != devx_eth_type_get(rxq->types, &cqe))
		return "packet_type";
	if (m->ol_flags & RTE_MBUF_F_RX_RSS_HASH &&
	    m->hash.rss != prm_be32_get(cqe.rss_hash_result))
		return "hash.rss";
	if (m->ol_flags & RTE_MBUF_F_RX_VLAN && m->vlan_tci != prm_be16_get(cqe.vlan_info))
		return "vlan_tci";
	if (rxq->ts_flag && *RTE_MBUF_DYNFIELD(m, rxq->ts_offset, rte_mbuf_timestamp_t *) !=
				    prm_be64_get(cqe.timestamp))
		return "timestamp";
	return NULL;
}

/* Gives the mbuf back with wrong values. An mbuf of a pool has these refcnt, nb_segs and next. */
static void spoil_and_free(struct rte_mbuf *m)
{
	m->data_off = m->port = m->data_len = m->vlan_tci = 0x5a5a;
	m->ol_flags = 0x5a5a5a5a5a5a5a5a;
	m->pkt_len = m->packet_type = m->hash.rss = 0x5a5a5a5a;
	rte_mempool_put(m->pool, m);
}

/* ---- bursts ----------------------------------------------------------------------- */

/* Checks what the device reads: doorbell records and posted WQEs. */
static bool check_rings(const struct rx_ring *ring)
{
	const struct devx_eth_rxq *rxq = &ring->rxq;

	if (prm_be32_get(ring->dbrec[PRM_DBR_CQ_CI]) != ring->taken ||
	    prm_be32_get(ring->dbrec[2]) != rxq->rq.pi)
		return false;
	for (uint32_t i = rxq->ci; i != rxq->rq.pi; i++) {
		const struct rte_mbuf *m = ring->elts[i & rxq->elts_mask];
		const struct prm_data_seg *seg = &ring->wqes[i & rxq->elts_mask];
		const uint64_t addr = (uintptr_t)m->buf_addr + RTE_PKTMBUF_HEADROOM;
		const struct devx_eth_range *r =
			devx_eth_range_find(rxq->table, addr, rxq->buf_bytes);

		if (prm_be64_get(seg->addr) != addr || !r || seg->lkey.raw != r->lkey.raw ||
		    prm_be32_get(seg->byte_count) != rxq->buf_bytes)
			return false;
	}
	return true;
}

/* Makes the memory behind the CQ look like CQEs of this pass: no burst may read it. */
static void make_bait(struct rx_ring *ring)
{
	const uint8_t owner = ring->taken / ring->n & PRM_CQE_OWNER;

	for (unsigned int i = 0; i < RX_RING_GUARD; i++)
		ring->cqes[ring->n + i].op_own = (uint8_t)(PRM_CQE_RESP_SEND << 4 | owner);
}

static uint16_t receive_burst(struct rx_ring *ring, struct rte_mbuf **pkts, uint16_t n)
{
	const struct devx_eth_rxq *rxq = &ring->rxq;
	struct hasty_device device;
	uint16_t got;

	if (!ring->is_hasty)
		return ring->burst(&ring->rxq, pkts, n);
	hasty_device_begin_rx(&device, &rxq->cq, &rxq->rq, rxq->ci);
	got = ring->burst(&ring->rxq, pkts, n);
	hasty_device_end(&device);
	return got;
}

bool rx_ring_take(struct rx_ring *ring, uint16_t n, uint16_t want)
{
	return rx_ring_take_around(ring, n, want, ring->written);
}

bool rx_ring_take_around(struct rx_ring *ring, uint16_t n, uint16_t want, uint32_t error)
{
	struct rte_mbuf *pkts[RX_RING_MAX], *posted[RX_RING_MAX];
	const uint32_t first = ring->taken, mask = ring->n - 1;
	const char *wrong = NULL;
	uint16_t got;

	make_bait(ring);
	memcpy(posted, ring->elts, ring->n * sizeof(posted[0]));
	got = receive_burst(ring, pkts, n);
	for (uint16_t i = 0; !wrong && i < RTE_MIN(got, want); i++) {
		ring->taken += ring->taken == error;
		wrong = pkts[i] == posted[(ring->taken - RX_RING_CQ_AHEAD) & mask]
				? find_wrong_field(ring, pkts[i], ring->taken)
				: "address";
		ring->taken++;
	}
	ring->taken = ring->rxq.cq.ci;
	if (!wrong && got == want && !check_rings(ring))
		wrong = "doorbell record or posted WQE";
	if (wrong || got != want)
		ADD_FAILURE("CQEs from %u on, %u written, burst of %u: %u packets (want %u); "
			    "wrong: %s",
			    first, ring->written, n, got, want, wrong ? wrong : "nothing else");
	for (uint16_t i = 0; i < got; i++)
		spoil_and_free(pkts[i]);
	return !wrong && got == want;
}
