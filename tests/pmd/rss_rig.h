/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RSS_RIG_H
#define RSS_RIG_H

#include "port_rig.h"

/**
 * DOC: Frames of many flows, their hash in software, and the redirection table
 *
 * DPDK's rte_softrss() computes the hash, from the bytes of the frame that the hash functions name.
 */

/**
 * struct rss_kind - a kind of frame; the number of its flow determines addresses and ports
 * @name: name of the row
 * @ethertype: EtherType
 * @protocol: protocol or next header
 * @fragment: fragment_offset of the IPv4 header
 * @vlan: the frame has a VLAN tag
 */
struct rss_kind {
	const char *name;
	uint16_t ethertype;
	uint8_t protocol;
	uint16_t fragment;
	bool vlan;
};

enum { RSS_KEY_BYTES = 40, RSS_IPV4_TCP = 0, RSS_IPV4_UDP = 1, RSS_N_KINDS = 10 };
extern const struct rss_kind rss_kinds[RSS_N_KINDS];

/** rss_make_frame - make a frame to the port itself */
struct rte_mbuf *rss_make_frame(const struct port_rig *rig, const struct rss_kind *kind,
				uint32_t flow);
/**
 * rss_compute_hash - compute the hash that the hash functions @hf give a frame
 * @kind: kind of the frame
 * @flow: its flow
 * @hf: hash functions, RTE_ETH_RSS_*
 * @key: Toeplitz key of RSS_KEY_BYTES bytes
 *
 * Return: the hash; 0: @hf selects no frame of this kind, or the frame lacks the fields.
 */
uint32_t rss_compute_hash(const struct rss_kind *kind, uint32_t flow, uint64_t hf,
			  const uint8_t *key);
/** rss_update_reta - set all @n entries of the redirection table. Return: as ethdev */
int rss_update_reta(const struct port_rig *rig, const uint16_t *reta, uint16_t n);
/** rss_expect_reta - expect a redirection table of the @n entries @reta */
void rss_expect_reta(const struct port_rig *rig, const uint16_t *reta, uint16_t n);

#endif
