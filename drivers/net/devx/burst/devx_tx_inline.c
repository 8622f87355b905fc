/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/devx_tx_block.h"
#include "burst/devx_tx_check.h"
#include "burst/devx_tx_inline.h"
#include "burst/devx_tx_room.h"
#include "burst/devx_tx_wqe.h"

enum { MACS_BYTES = 2 * RTE_ETHER_ADDR_LEN };

/* Copies the first @bytes bytes of a packet, which devx_eth_tx_check_packet() has accepted. */
static void copy_headers(const struct rte_mbuf *m, uint8_t *to, uint32_t bytes)
{
	for (const struct rte_mbuf *s = m; bytes; s = s->next) {
		const uint32_t n = RTE_MIN(bytes, s->data_len);

		memcpy(to, rte_pktmbuf_mtod(s, const void *), n);
		to += n;
		bytes -= n;
	}
}

/* Copies the headers of a packet to @to and inserts the VLAN tag, if @shape has one. */
static void make_headers(const struct devx_eth_txq *txq, const struct rte_mbuf *m,
			 const struct devx_eth_tx_shape *shape, uint8_t *to)
{
	const prm_be16 tag[2] = { prm_be16_of(txq->tpid), prm_be16_of(m->vlan_tci) };

	copy_headers(m, to + shape->tag, shape->header);
	if (!shape->tag)
		return;
	memmove(to, to + shape->tag, MACS_BYTES);
	memcpy(to + MACS_BYTES, tag, sizeof(tag));
}

/* Writes headers behind the Ethernet segment, and moves @segs behind them. */
static void write_headers(struct devx_eth_tx_segs *segs, const uint8_t *from, uint32_t bytes)
{
	const uint16_t n_ds = (uint16_t)((bytes + PRM_DS_BYTES - 1) / PRM_DS_BYTES);
	const uint32_t to_end = (uint32_t)((char *)segs->end - (char *)segs->next);
	const uint32_t n = RTE_MIN(bytes, to_end);

	memcpy(segs->next, from, n);
	memcpy(segs->first, from + n, bytes - n);
	segs->next += n_ds;
	if (segs->next >= segs->end)
		segs->next = segs->first + (segs->next - segs->end);
}

/*
 * Stores all mbufs of a packet in elts and adds a data segment for each of them, behind the first
 * @skip bytes of the packet. Returns the number of data segments; -1: a segment has no memory key.
 */
static int add_payload(struct devx_eth_txq *txq, struct rte_mbuf *m, uint32_t skip,
		       struct devx_eth_tx_segs *segs)
{
	struct devx_eth_range range = txq->range;
	uint16_t n_elts = 0;
	int n_ds = 0;

	for (struct rte_mbuf *s = m; n_elts < m->nb_segs; s = s->next) {
		const uint32_t skipped = RTE_MIN(skip, s->data_len);
		const uint64_t addr = (uintptr_t)s->buf_addr + s->data_off + skipped;
		const uint32_t bytes = s->data_len - skipped;

		txq->elts[(txq->head + n_elts++) & txq->elts_mask] = s;
		skip -= skipped;
		if (!bytes)
			continue; /* some devices read byte_count 0 as 2 GiB */
		if (unlikely(!devx_eth_tx_find_range(txq, &range, addr, bytes)))
			return -1;
		devx_eth_tx_add_seg(segs, range.lkey, addr, bytes);
		n_ds++;
	}
	return n_ds;
}

static uint8_t get_tso_cs_flags(const struct rte_mbuf *m)
{
	return m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK ? PRM_ETH_CS_INNER_L4 : PRM_ETH_CS_L4;
}

__rte_noinline enum devx_eth_tx_result
devx_eth_tx_post_inline(struct devx_eth_txq *txq, struct rte_mbuf *m, struct prm_ctrl_seg **last)
{
	const bool tso = m->ol_flags & txq->alone & RTE_MBUF_F_TX_TCP_SEG;
	const bool counted = txq->alone & RTE_MBUF_F_TX_TCP_SEG || txq->inline_max;
	const unsigned int flags = counted ? DEVX_ETH_TX_COUNTED : 0;
	struct devx_eth_tx_segs segs = devx_eth_tx_start_segs(&txq->sq);
	struct prm_eth_seg eth = { .cs_flags = devx_eth_tx_get_cs_flags(m) };
	uint8_t headers[DEVX_ETH_TX_HEADER_MAX];
	struct devx_eth_tx_shape shape;
	uint32_t bytes;
	uint16_t n_inline;
	int n_data;

	if (unlikely(devx_eth_tx_check_packet(txq, txq->table, m, &shape) != DEVX_ETH_TX_OK))
		return DEVX_ETH_TX_REFUSED;
	bytes = shape.header + shape.tag;
	n_inline = devx_eth_tx_count_inline_ds(bytes);
	if (!devx_eth_tx_has_room(txq, (uint16_t)(2 + n_inline + m->nb_segs), m->nb_segs))
		return DEVX_ETH_TX_FULL_RING;

	make_headers(txq, m, &shape, headers);
	eth.inline_hdr_sz = prm_be16_of((uint16_t)bytes);
	memcpy(eth.inline_hdr_start, headers, PRM_ETH_INLINE_START_BYTES);
	write_headers(&segs, headers + PRM_ETH_INLINE_START_BYTES,
		      bytes - PRM_ETH_INLINE_START_BYTES);
	n_data = add_payload(txq, m, shape.header, &segs);
	if (unlikely(n_data < 0))
		return DEVX_ETH_TX_REFUSED;
	if (tso) {
		eth.mss = prm_be16_of(m->tso_segsz);
		eth.cs_flags |= get_tso_cs_flags(m);
	}
	*last = devx_eth_tx_close_wqe(txq, tso ? PRM_WQE_LSO : PRM_WQE_SEND, eth,
				      (uint8_t)(2 + n_inline + n_data), m->nb_segs, flags);
	txq->n.packets += shape.n_frames;
	txq->n.bytes += shape.wire_bytes;
	return DEVX_ETH_TX_POSTED;
}

/* TSO is set because variants of all kinds call the function, and some count free blocks. */
enum { TAG_FLAGS = DEVX_ETH_TX_FULL | DEVX_ETH_TX_VLAN | DEVX_ETH_TX_TSO };

__rte_noinline uint16_t devx_eth_tx_post_tags(struct devx_eth_txq *txq, struct rte_mbuf **pkts,
					      uint16_t n, struct prm_ctrl_seg **last)
{
	if (pkts[0]->ol_flags & txq->alone & RTE_MBUF_F_TX_TCP_SEG)
		return 0;
	if (txq->insert_type)
		return devx_eth_tx_post_blocks(txq, pkts, n, PRM_WQE_SEND, DEVX_ETH_TX_TAG_DEVICE,
					       last, TAG_FLAGS);
	if (txq->range.dmabuf)
		return 0; /* the CPU cannot read the headers */
	return devx_eth_tx_post_blocks(txq, pkts, n, PRM_WQE_SEND, DEVX_ETH_TX_TAG_CPU, last,
				       TAG_FLAGS);
}
