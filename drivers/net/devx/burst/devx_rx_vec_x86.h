/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_VEC_X86_H
#define DEVX_ETH_RX_VEC_X86_H

#include <immintrin.h>
#include <stddef.h>

#include "burst/devx_rx_group.h"
#include "burst/devx_rx_mbuf.h"

/**
 * DOC: Filling an mbuf from a CQE with vector instructions
 *
 * An mbuf has the fields of a received packet in 16 bytes. AVX2 builds them with three loads and
 * one shuffle, AVX-512 with one permutation of the whole CQE. Only the packet
 * type comes from a table:
 *
 *     CQE    outer_tunnel .. | byte_cnt | hds_ip_ext l4_l3_hdr_type vlan_info | rss_hash_result
 *     mbuf   packet_type     | pkt_len  | data_len                   vlan_tci | hash.rss
 *
 * byte_cnt, vlan_info and the hash change their byte order. The 16 bytes in front of packet_type
 * are the words `rearm` and ol_flags; two stores of 8 bytes write them.
 */

enum { DEVX_ETH_RX_FIELDS1_OFFSET = offsetof(struct rte_mbuf, packet_type) };
static_assert(offsetof(struct rte_mbuf, pkt_len) == DEVX_ETH_RX_FIELDS1_OFFSET + 4, "pkt_len");
static_assert(offsetof(struct rte_mbuf, data_len) == DEVX_ETH_RX_FIELDS1_OFFSET + 8, "data_len");
static_assert(offsetof(struct rte_mbuf, vlan_tci) == DEVX_ETH_RX_FIELDS1_OFFSET + 10, "vlan_tci");
static_assert(offsetof(struct rte_mbuf, hash.rss) == DEVX_ETH_RX_FIELDS1_OFFSET + 12, "hash.rss");

/* Returns the 16 bytes from packet_type on, with 0 as packet type. */
#ifdef __AVX512VBMI__
static __rte_always_inline __m128i devx_eth_rx_vec_fields(const struct prm_cqe *cqe)
{
	enum {
		LEN = offsetof(struct prm_cqe, byte_cnt),
		VLAN = offsetof(struct prm_cqe, vlan_info),
		HASH = offsetof(struct prm_cqe, rss_hash_result),
	};
	const __m128i order = _mm_setr_epi8(0, 0, 0, 0, LEN + 3, LEN + 2, LEN + 1, LEN, /**/
					    LEN + 3, LEN + 2, VLAN + 1, VLAN,           /**/
					    HASH + 3, HASH + 2, HASH + 1, HASH);

	return _mm512_castsi512_si128(
		_mm512_permutexvar_epi8(_mm512_castsi128_si512(order), _mm512_loadu_si512(cqe)));
}
#else
static __rte_always_inline __m128i devx_eth_rx_vec_fields(const struct prm_cqe *cqe)
{
	enum {
		LEN = 1 * 4,      /* byte_cnt, in dword 1 */
		VLAN = 2 * 4 + 2, /* vlan_info, in dword 2 */
		HASH = 3 * 4,     /* rss_hash_result, in dword 3 */
		AT_LEN = offsetof(struct prm_cqe, byte_cnt) - LEN,
		AT_VLAN = offsetof(struct prm_cqe, vlan_info) - VLAN,
		AT_HASH = offsetof(struct prm_cqe, rss_hash_result) - HASH,
	};
	const __m128i order = _mm_setr_epi8(-1, -1, -1, -1, LEN + 3, LEN + 2, LEN + 1, LEN, /**/
					    LEN + 3, LEN + 2, VLAN + 1, VLAN,               /**/
					    HASH + 3, HASH + 2, HASH + 1, HASH);
	const char *p = (const char *)cqe;
	__m128i x = _mm_loadu_si128((const __m128i *)(p + AT_HASH));

	x = _mm_blend_epi32(x, _mm_loadu_si128((const __m128i *)(p + AT_LEN)), 1 << 1);
	x = _mm_blend_epi32(x, _mm_loadu_si128((const __m128i *)(p + AT_VLAN)), 1 << 2);
	return _mm_shuffle_epi8(x, order);
}
#endif

/* Fills one mbuf. Returns the 16 bytes from packet_type on. */
static __rte_always_inline __m128i devx_eth_rx_vec_fill(const struct devx_eth_rx_fixed *fixed,
							struct rte_mbuf *m,
							const struct prm_cqe *cqe,
							const unsigned int flags)
{
	__m128i x = devx_eth_rx_vec_fields(cqe);

	if (flags & DEVX_ETH_RX_FIELDS)
		x = _mm_sub_epi32(x, _mm_setr_epi32(0, fixed->crc_bytes, fixed->crc_bytes, 0));
	x = _mm_insert_epi32(x, (int)devx_eth_type_get(fixed->types, cqe), 0);
	memcpy((char *)m + DEVX_ETH_RX_REARM_OFFSET, &fixed->rearm, sizeof(fixed->rearm));
	m->ol_flags = devx_eth_rx_get_flags(fixed, cqe, flags);
	_mm_storeu_si128((__m128i *)((char *)m + DEVX_ETH_RX_FIELDS1_OFFSET), x);
	devx_eth_rx_write_time(fixed, m, cqe, flags);
	return x;
}

/* As devx_eth_rx_take_groups_t: a group fills a vector of pointers. */
static __rte_always_inline uint16_t
devx_eth_rx_vec_take_groups(const struct devx_eth_rx_fixed *fixed, const struct prm_cqe *cqe,
			    uint8_t op_own, struct rte_mbuf **slot, struct rte_mbuf **pkts,
			    uint16_t n, uint64_t *bytes, const unsigned int flags)
{
	enum { GROUP = DEVX_ETH_RX_GROUP, CQES_AHEAD = 8 };
	/* If an mbuf needs two lines, 4 ahead takes up to 10 % less time than 8 (Intel Xeon). */
	const unsigned int ahead = flags & DEVX_ETH_RX_FIELDS ? 4 : DEVX_ETH_RX_AHEAD;
	const struct prm_cqe *const begin = cqe;
	__m128i sum = _mm_setzero_si128();
	unsigned int left = n;

	for (; left >= GROUP && devx_eth_rx_is_group(cqe, op_own); left -= GROUP) {
		_mm256_storeu_si256((__m256i *)pkts, _mm256_loadu_si256((const __m256i *)slot));
		for (unsigned int i = 0; i < GROUP; i++) {
			rte_prefetch0(&cqe[i + CQES_AHEAD]);
			rte_prefetch0(slot[i + ahead]);
			/* the line of the timestamp; without a timestamp again the first line */
			if (flags & DEVX_ETH_RX_FIELDS)
				rte_prefetch0(RTE_PTR_ADD(slot[i + ahead], fixed->ts_offset));
			sum = _mm_add_epi32(sum,
					    devx_eth_rx_vec_fill(fixed, slot[i], &cqe[i], flags));
		}
		cqe += GROUP;
		slot += GROUP;
		pkts += GROUP;
	}
	*bytes += (uint32_t)_mm_extract_epi32(sum, 1);
	return (uint16_t)(cqe - begin);
}

#endif
