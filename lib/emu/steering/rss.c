/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive side scaling: hashes the fields that the TIR selects (Toeplitz), and chooses the RQ.
 */
#include "emu/steering/rss.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	INPUT_BYTES = 2 * (sizeof(struct in6_addr) + sizeof(in_port_t)),
	NIBBLES = 2 * INPUT_BYTES,
};

/*
 * Each 1 bit of the input contributes 32 bits of the key, starting at the position of that bit. The
 * hash is the XOR of these windows. The table has the XOR for each value of each input nibble.
 */
struct emu_toeplitz {
	uint32_t of[NIBBLES][16];
};

static uint32_t get_key_window(const uint8_t *key, unsigned bit)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < 5; i++)
		bytes = bytes << 8 | key[bit / 8 + i];
	return (uint32_t)(bytes >> (8 - bit % 8));
}

int emu_tir_prepare(struct emu_tir *tir)
{
	struct emu_toeplitz *t = tir->toeplitz;

	_Static_assert(INPUT_BYTES + sizeof(uint32_t) <= EMU_RSS_KEY_BYTES,
		       "the key is long enough");
	if (!t)
		t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	for (unsigned n = 0; n < NIBBLES; n++)
		for (unsigned v = 0; v < 16; v++) {
			t->of[n][v] = 0;
			for (unsigned bit = 0; bit < 4; bit++)
				if (v >> (3 - bit) & 1)
					t->of[n][v] ^= get_key_window(tir->key, 4 * n + bit);
		}
	tir->toeplitz = t;
	return 0;
}

void emu_tir_release(struct emu_tir *tir)
{
	free(tir->toeplitz);
	tir->toeplitz = NULL;
}

static uint32_t hash_input(const struct emu_toeplitz *t, const uint8_t *input, unsigned bytes)
{
	uint32_t h = 0;

	for (unsigned i = 0; i < bytes; i++)
		h ^= t->of[2 * i][input[i] >> 4] ^ t->of[2 * i + 1][input[i] & 0xf];
	return h;
}

/*
 * Appends the selected values of a source and destination pair to the input. The symmetric form,
 * (a | b) and (a ^ b), has the same hash for both directions.
 */
static unsigned add_pair(uint8_t *input, unsigned n, const uint8_t *pair, unsigned bytes, bool src,
			 bool dst, bool symmetric)
{
	if (src && dst && symmetric) {
		for (unsigned i = 0; i < bytes; i++) {
			input[n + i] = pair[i] | pair[bytes + i];
			input[n + bytes + i] = pair[i] ^ pair[bytes + i];
		}
		return n + 2 * bytes;
	}
	if (src) {
		memcpy(input + n, pair, bytes);
		n += bytes;
	}
	if (dst) {
		memcpy(input + n, pair + bytes, bytes);
		n += bytes;
	}
	return n;
}

static uint8_t make_hash_type(uint32_t fields, const struct emu_headers *h)
{
	const unsigned l3 = h->l3 == PRM_CQE_L3_IPV6 ? 2 : 1,
		       l4 = h->l4_proto == IPPROTO_UDP ? 2 : 1;

	return (uint8_t)((fields & PRM_HASH_FIELD_SEL_SRC_IP ? l3 << PRM_RSS_SRC_L3_SHIFT : 0) |
			 (fields & PRM_HASH_FIELD_SEL_DST_IP ? l3 << PRM_RSS_DST_L3_SHIFT : 0) |
			 (fields & PRM_HASH_FIELD_SEL_L4_SPORT ? l4 << PRM_RSS_SRC_L4_SHIFT : 0) |
			 (fields & PRM_HASH_FIELD_SEL_L4_DPORT ? l4 << PRM_RSS_DST_L4_SHIFT : 0));
}

/*
 * The CQE of a frame that is not hashed has hash 0 and hash type 0. Source: DPDK net_mlx5,
 * rxq_cq_to_mbuf; Linux, mlx5e_skb_set_hash.
 *
 * PRM-MISSING: a frame that lacks a field that the TIR selects, or has another protocol, is not
 * hashed. It goes to the first RQ of the RQT. (No source says which RQ.)
 */
static bool has_fields(const struct prm_rx_hash_field_select *select, uint32_t fields,
		       const struct emu_headers *h)
{
	const uint8_t l3 = prm_get(select, l3_prot_type) == PRM_L3_PROT_TYPE_IPV6 ? PRM_CQE_L3_IPV6
										  : PRM_CQE_L3_IPV4;
	const uint8_t l4 =
		prm_get(select, l4_prot_type) == PRM_L4_PROT_TYPE_UDP ? IPPROTO_UDP : IPPROTO_TCP;

	/* emu's parser does not parse ESP */
	if (!fields || h->l3 != l3 || fields & PRM_HASH_FIELD_SEL_IPSEC_SPI)
		return false;
	return !(fields & (PRM_HASH_FIELD_SEL_L4_SPORT | PRM_HASH_FIELD_SEL_L4_DPORT)) ||
	       (h->l4 && h->l4_proto == l4);
}

/* Returns the headers that the TIR hashes. @select receives the fields to hash. */
static const struct emu_headers *choose_headers(const struct emu_tir *tir,
						const struct emu_parsed *p,
						struct prm_rx_hash_field_select *select)
{
	const bool inner = p->tunnel && tir->tunneled_offload && tir->inner;

	select->dw[0] = prm_be32_of(inner ? tir->inner : tir->outer);
	return inner ? &p->inner : &p->outer;
}

uint32_t emu_hash_fields(const struct emu_tir *tir, const struct emu_frame *f,
			 const struct emu_parsed *p, uint8_t *type)
{
	struct prm_rx_hash_field_select select;
	const struct emu_headers *h = choose_headers(tir, p, &select);
	const uint32_t fields = (uint32_t)prm_get(&select, selected_fields);
	const bool v6 = h->l3 == PRM_CQE_L3_IPV6;
	uint8_t input[INPUT_BYTES];
	unsigned n;

	if (tir->hash_fn != PRM_RX_HASH_FN_TOEPLITZ || !tir->toeplitz ||
	    !has_fields(&select, fields, h))
		return 0;
	n = add_pair(
		input, 0,
		f->data + h->l3_off +
			(v6 ? offsetof(struct ip6_hdr, ip6_src) : offsetof(struct iphdr, saddr)),
		v6 ? sizeof(struct in6_addr) : sizeof(struct in_addr),
		fields & PRM_HASH_FIELD_SEL_SRC_IP, fields & PRM_HASH_FIELD_SEL_DST_IP,
		tir->symmetric);
	n = add_pair(input, n, f->data + h->l4_off, sizeof(in_port_t),
		     fields & PRM_HASH_FIELD_SEL_L4_SPORT, fields & PRM_HASH_FIELD_SEL_L4_DPORT,
		     tir->symmetric);
	*type = make_hash_type(fields, h);
	return hash_input(tir->toeplitz, input, n);
}
