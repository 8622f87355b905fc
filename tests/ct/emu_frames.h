/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_EMU_FRAMES_H
#define CT_EMU_FRAMES_H

#include "emu/uverbs/emu_ctl.h"

/**
 * DOC: Frames of a port of emu, from two readings of its counters
 *
 *     driver -> posted -> too long, link down -> sent -> wire
 *     wire -> too long, link down -> received -> no rule, rule that drops -> given to a queue
 *     given to a queue -> no buffer, error -> delivered
 *
 * In each function @a is the earlier reading and @b the later one.
 */

/** emu_frames_sent - count the frames that a port gave to its wire */
static inline uint64_t emu_frames_sent(const struct devx_emu_counters *a,
				       const struct devx_emu_counters *b)
{
	return b->tx_uc_packets + b->tx_mc_packets + b->tx_bc_packets -
	       (a->tx_uc_packets + a->tx_mc_packets + a->tx_bc_packets);
}

/** emu_frames_posted - count the frames of a driver: those sent, and those that the port dropped */
static inline uint64_t emu_frames_posted(const struct devx_emu_counters *a,
					 const struct devx_emu_counters *b)
{
	return emu_frames_sent(a, b) + b->tx_oversize + b->tx_link_down -
	       (a->tx_oversize + a->tx_link_down);
}

/** emu_frames_received - count the frames that a port took from its wire */
static inline uint64_t emu_frames_received(const struct devx_emu_counters *a,
					   const struct devx_emu_counters *b)
{
	return b->rx_uc_packets + b->rx_mc_packets + b->rx_bc_packets -
	       (a->rx_uc_packets + a->rx_mc_packets + a->rx_bc_packets);
}

/** emu_frames_given - count the received frames that a rule gave to a receive queue */
static inline uint64_t emu_frames_given(const struct devx_emu_counters *a,
					const struct devx_emu_counters *b)
{
	return emu_frames_received(a, b) - (b->rx_steering_miss - a->rx_steering_miss) -
	       (b->rx_dropped - a->rx_dropped);
}

#endif
