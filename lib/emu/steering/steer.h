/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEERING_STEER_H
#define EMU_STEERING_STEER_H

#include "emu/packet/parse.h"
#include "emu/steering/flow.h"

struct emu;

/**
 * struct emu_verdict - where steering sent a frame
 *
 * A frame that no rule takes would go to the kernel's netdev on a card. Emu feeds no netdev:
 * it says so, and the port counts it as rx_steering_miss.
 */
struct emu_verdict {
	unsigned n_tirs; /* 0: dropped */
	struct {
		struct emu_tir *tir;
		uint32_t flow_tag;
	} to[EMU_MAX_DESTS];
	unsigned n_counters; /* of the rules that it met, to be counted on delivery */
	struct emu_flow_counter *counter[EMU_MAX_DESTS];
	bool missed;
};

/** emu_steer_frame - walk the receive tables; changes nothing */
void emu_steer_frame(struct emu *emu, const struct emu_frame *f, const struct emu_parsed *p,
		     struct emu_verdict *v);

#endif
