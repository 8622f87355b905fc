/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_TALLY_H
#define DEVX_ETH_TX_TALLY_H

#include <stddef.h>

#include <rte_mbuf.h>

#include "prm/wqe.h"

/**
 * DOC: A run of packets that one WQE points to
 *
 * The loop over a run writes data segments and tests nothing. It only collects the flags, lengths
 * and addresses of all packets; one test at the end checks the run. A run that fails is never
 * posted, and the slow path posts its packets one after the other.
 *
 * There are two implementations: a scalar one, which is the reference, and one with SSE4.1, which
 * every DPDK on x86 needs anyway. A test compares them. They differ only in @low and @high.
 *
 * SSE4.1 has no minimum of 64-bit numbers, but one of 16-bit words. Each word of an address is at
 * least the minimum of these words, so the four minima make a number that no address is below. It
 * is off by less than 64 KiB unless the packets lie on both sides of a multiple of 4 GiB.
 */

/**
 * struct devx_eth_tx_sum - flags and lengths of a run
 * @any_flags, @all_flags: OR and AND of ol_flags
 * @any_segs: OR of nb_segs; 1: all packets have one segment
 * @least, @most: data_len of the shortest and of the longest packet
 * @bytes: sum of all lengths
 * @low, @high: bounds of the addresses: no packet begins below @low or above @high
 */
struct devx_eth_tx_sum {
	uint64_t any_flags, all_flags;
	uint64_t low, high;
	uint16_t any_segs;
	uint16_t least, most;
	uint32_t bytes;
};

/* ---- scalar ----------------------------------------------------------------------- */

static __rte_always_inline struct devx_eth_tx_sum devx_eth_tx_scalar_start(void)
{
	return (struct devx_eth_tx_sum){
		.all_flags = UINT64_MAX,
		.low = UINT64_MAX,
		.least = UINT16_MAX,
	};
}

/* Writes the data segment of a packet at @addr, and adds the packet to the sum. */
static __rte_always_inline void devx_eth_tx_scalar_add(struct devx_eth_tx_sum *sum,
						       struct prm_data_seg *seg,
						       const struct rte_mbuf *m, uint64_t addr,
						       prm_be32 lkey)
{
	const uint16_t len = m->data_len;

	sum->any_flags |= m->ol_flags;
	sum->all_flags &= m->ol_flags;
	sum->any_segs |= m->nb_segs;
	sum->least = RTE_MIN(sum->least, len);
	sum->most = RTE_MAX(sum->most, len);
	sum->bytes += m->pkt_len;
	sum->low = RTE_MIN(sum->low, addr);
	sum->high = RTE_MAX(sum->high, addr);
	*seg = (struct prm_data_seg){ prm_be32_of(len), lkey, prm_be64_of(addr) };
}

/* ---- SSE4.1 ----------------------------------------------------------------------- */

#ifdef __SSE4_1__
#include <smmintrin.h>

/*
 * One vector of an mbuf holds nb_segs and ol_flags, the next one pkt_len and data_len. Other fields
 * in them are added up too, and ignored.
 */
static_assert(offsetof(struct rte_mbuf, nb_segs) == 20 && offsetof(struct rte_mbuf, ol_flags) == 24,
	      "nb_segs and ol_flags are in the 16 bytes from 16 on");
static_assert(offsetof(struct rte_mbuf, pkt_len) == 36 && offsetof(struct rte_mbuf, data_len) == 40,
	      "pkt_len and data_len are in the 16 bytes from 32 on");

/* Types of the elements: a change of type in the loop costs a copy for each packet (gcc 12). */
typedef uint16_t devx_eth_tx_u16x8 __attribute__((vector_size(16)));
typedef uint32_t devx_eth_tx_u32x4 __attribute__((vector_size(16)));

/** struct devx_eth_tx_vectors - struct devx_eth_tx_sum while it grows */
struct devx_eth_tx_vectors {
	__m128i any, all;
	devx_eth_tx_u16x8 least, most;
	devx_eth_tx_u32x4 bytes;
};

static __rte_always_inline struct devx_eth_tx_vectors devx_eth_tx_vector_start(void)
{
	const __m128i zero = _mm_setzero_si128(), ones = _mm_set1_epi32(-1);

	return (struct devx_eth_tx_vectors){
		.any = zero,
		.all = ones,
		.least = (devx_eth_tx_u16x8)ones,
	};
}

/* Returns a key as devx_eth_tx_vector_add() needs it. */
static __rte_always_inline __m128i devx_eth_tx_vector_load_key(prm_be32 lkey)
{
	__m128i key = _mm_setr_epi32(0, (int)lkey.raw, 0, 0);

	__asm__("" : "+x"(key)); /* else gcc makes it again for each packet */
	return key;
}

static __rte_always_inline void devx_eth_tx_vector_add(struct devx_eth_tx_vectors *sum,
						       struct prm_data_seg *seg,
						       const struct rte_mbuf *m, uint64_t addr,
						       __m128i key)
{
	/* data_len (bytes 8 and 9) becomes a big-endian dword, the address a big-endian qword */
	const __m128i order = _mm_setr_epi8(-1, -1, 9, 8, -1, -1, -1, -1, 7, 6, 5, 4, 3, 2, 1, 0);
	const __m128i flags = _mm_load_si128((const __m128i *)((const char *)m + 16));
	const __m128i length = _mm_load_si128((const __m128i *)((const char *)m + 32));
	/* the address and the upper half of length, without a copy of length */
	const __m128i both =
		_mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(_mm_cvtsi64_si128((int64_t)addr)),
					      (const __m64 *)((const char *)m + 40)));

	sum->any = _mm_or_si128(sum->any, flags);
	__asm__(""
		: "+x"(sum->any)); /* else gcc loads the flags of 4 packets before it adds them */
	sum->all = _mm_and_si128(sum->all, flags);
	sum->least = (devx_eth_tx_u16x8)_mm_min_epu16((__m128i)sum->least, both);
	sum->most = (devx_eth_tx_u16x8)_mm_max_epu16((__m128i)sum->most, both);
	sum->bytes += (devx_eth_tx_u32x4)length;
	__asm__("" : "+x"(sum->bytes));
	_mm_store_si128((__m128i *)seg, _mm_or_si128(_mm_shuffle_epi8(both, order), key));
}

static __rte_always_inline struct devx_eth_tx_sum
devx_eth_tx_vector_finish(const struct devx_eth_tx_vectors *sum)
{
	return (struct devx_eth_tx_sum){
		.any_flags = (uint64_t)_mm_extract_epi64(sum->any, 1),
		.all_flags = (uint64_t)_mm_extract_epi64(sum->all, 1),
		.low = (uint64_t)_mm_cvtsi128_si64((__m128i)sum->least),
		.high = (uint64_t)_mm_cvtsi128_si64((__m128i)sum->most),
		.any_segs = (uint16_t)_mm_extract_epi16(sum->any, 2),
		.least = sum->least[4],
		.most = sum->most[4],
		.bytes = sum->bytes[1],
	};
}

typedef __m128i devx_eth_tx_key;
#define devx_eth_tx_load_key devx_eth_tx_vector_load_key
typedef struct devx_eth_tx_vectors devx_eth_tx_tally;
#define devx_eth_tx_tally_start devx_eth_tx_vector_start
#define devx_eth_tx_tally_add devx_eth_tx_vector_add
#define devx_eth_tx_tally_finish devx_eth_tx_vector_finish
#else
typedef prm_be32 devx_eth_tx_key;
#define devx_eth_tx_load_key(lkey) (lkey)
typedef struct devx_eth_tx_sum devx_eth_tx_tally;
#define devx_eth_tx_tally_start devx_eth_tx_scalar_start
#define devx_eth_tx_tally_add devx_eth_tx_scalar_add
#define devx_eth_tx_tally_finish(sum) (*(sum))
#endif

#endif
