/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_OUTCOME_H
#define DIFFER_OUTCOME_H

#include "config.h"
#include "frame.h"

enum { OUTCOME_MAX_SEGS = 32 };

/**
 * struct outcome - the packet that a driver made of a frame
 * @n: how often it came
 * @crc: the four bytes behind the packet, where DPDK's drivers leave the frame check sequence
 */
struct outcome {
	unsigned int n;
	uint16_t queue, n_segs, vlan_tci, vlan_tci_outer, data_off;
	uint16_t seg_bytes[OUTCOME_MAX_SEGS];
	uint32_t bytes, packet_type, hash, mark, crc;
	uint64_t flags, timestamp;
	uint8_t *data;
};

/** outcome_of_mbuf - describe a received packet, with its CRC if @crc; call outcome_free() later */
void outcome_of_mbuf(struct outcome *o, const struct rte_mbuf *m, uint16_t queue, bool crc);
void outcome_free(struct outcome *o);

/** outcome_compare - report each field in which net_devx differs from net_mlx5 */
void outcome_compare(const struct config *c, const char *text, const struct outcome *mlx5,
		     const struct outcome *devx);
/** outcome_judge - report each field in which the packet of net_mlx5 differs from the frame */
void outcome_judge(const struct config *c, const struct frame *f, const struct outcome *o);

#endif
