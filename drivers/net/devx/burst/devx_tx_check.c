/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_check.h"

static bool has_tso_headers(const struct rte_mbuf *m)
{
	const bool tunnel = m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK;

	return m->l2_len && m->l3_len && m->l4_len &&
	       (!tunnel || (m->outer_l2_len && m->outer_l3_len));
}

void devx_eth_tx_measure_packet(const struct devx_eth_txq *txq, const struct rte_mbuf *m,
				struct devx_eth_tx_shape *shape)
{
	const uint64_t alone = m->ol_flags & txq->alone;
	const uint32_t tag = alone & RTE_MBUF_F_TX_VLAN ? RTE_VLAN_HLEN : 0;
	uint32_t header = tag && !txq->insert_type ? RTE_ETHER_HDR_LEN : 0;
	uint32_t n_frames = 1;

	if (alone & RTE_MBUF_F_TX_TCP_SEG) {
		header = devx_eth_tx_get_header_bytes(m);
		if (m->tso_segsz && m->pkt_len > header)
			n_frames = (m->pkt_len - header + m->tso_segsz - 1) / m->tso_segsz;
	}
	*shape = (struct devx_eth_tx_shape){
		.header = header,
		.tag = tag,
		.n_frames = n_frames,
		.wire_bytes = m->pkt_len + tag + (n_frames - 1) * (uint64_t)(header + tag),
	};
}

static bool accepts_tso(const struct devx_eth_txq *txq, const struct rte_mbuf *m,
			const struct devx_eth_tx_shape *shape)
{
	const uint32_t payload = m->pkt_len - shape->header;
	const uint32_t bytes = shape->header + shape->tag;

	return txq->tso_tunnels >> (m->ol_flags >> DEVX_ETH_TX_TUNNEL_SHIFT & 0xf) & 1 &&
	       m->tso_segsz && has_tso_headers(m) && shape->header >= RTE_ETHER_HDR_LEN &&
	       shape->header <= m->pkt_len && bytes <= DEVX_ETH_TX_HEADER_MAX &&
	       payload <= txq->max_payload &&
	       bytes + RTE_MIN((uint32_t)m->tso_segsz, payload) <= txq->max_bytes;
}

/* Checks the memory of the first @header bytes, which the CPU copies into the WQE. */
static enum devx_eth_tx_fault find_header_fault(const struct devx_eth_table *table,
						const struct rte_mbuf *m, uint32_t header)
{
	for (const struct rte_mbuf *s = m; header && s; s = s->next) {
		const uint64_t addr = (uintptr_t)s->buf_addr + s->data_off;
		const struct devx_eth_range *r;

		if (!s->data_len)
			continue;
		r = devx_eth_range_find(table, addr, s->data_len);
		if (!r)
			return DEVX_ETH_TX_UNREGISTERED;
		if (r->dmabuf)
			return DEVX_ETH_TX_UNREADABLE;
		header -= RTE_MIN(header, s->data_len);
	}
	return header ? DEVX_ETH_TX_BAD_LENGTH : DEVX_ETH_TX_OK; /* segments end before pkt_len */
}

enum devx_eth_tx_fault devx_eth_tx_check_packet(const struct devx_eth_txq *txq,
						const struct devx_eth_table *table,
						const struct rte_mbuf *m,
						struct devx_eth_tx_shape *shape)
{
	uint16_t n_ds = 2 + m->nb_segs;

	devx_eth_tx_measure_packet(txq, m, shape);
	if (m->nb_segs > txq->max_segs)
		return DEVX_ETH_TX_BAD_SEGMENTS;
	if (m->ol_flags & txq->alone & RTE_MBUF_F_TX_TCP_SEG) {
		if (!accepts_tso(txq, m, shape))
			return DEVX_ETH_TX_BAD_TSO;
	} else if (!devx_eth_tx_accepts_length(m->pkt_len,
					       RTE_ETHER_HDR_LEN + (shape->header ? 0 : shape->tag),
					       txq->max_bytes - shape->tag)) {
		return DEVX_ETH_TX_BAD_LENGTH;
	}
	if (!shape->header)
		return DEVX_ETH_TX_OK;
	n_ds += devx_eth_tx_count_inline_ds(shape->header + shape->tag);
	if (n_ds > txq->max_ds)
		return DEVX_ETH_TX_BAD_SEGMENTS;
	return find_header_fault(table, m, shape->header);
}

const struct rte_mbuf *devx_eth_tx_find_unknown(const struct devx_eth_table *table,
						const struct rte_mbuf *m)
{
	uint16_t n = m->nb_segs;

	for (const struct rte_mbuf *s = m; n-- && s; s = s->next)
		if (s->data_len &&
		    !devx_eth_range_find(table, (uintptr_t)s->buf_addr + s->data_off, s->data_len))
			return s;
	return NULL;
}

bool devx_eth_tx_may_register(const struct devx_eth_txq *txq, const struct rte_mbuf *s)
{
	return devx_eth_mempool_is_pinned(s->pool) &&
	       __atomic_load_n(&txq->unknown.refused, __ATOMIC_RELAXED) != s->pool;
}
