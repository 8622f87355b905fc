/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEERING_STEER_H
#define EMU_STEERING_STEER_H

#include "emu/packet/parse.h"
#include "emu/steering/flow.h"

/**
 * struct emu_verdict - the TIRs and counters that steering chose for a frame
 *
 * On an adapter, a frame that matches no rule goes to the kernel's netdev. emu has no such netdev:
 * it sets missed, and the port counts the frame as rx_steering_miss.
 */
struct emu_verdict {
	unsigned n_tirs; /* 0: the frame is dropped */
	struct {
		struct emu_tir *tir;
		uint32_t flow_tag;
	} to[EMU_MAX_DESTS];
	unsigned n_counters; /* counters of the matching rules; emu_port_rx() increments them */
	struct emu_flow_counter *counter[EMU_MAX_DESTS];
	bool missed; /* a table had no matching rule, or the rule had no destination */
};

/** emu_steer_frame - walk the receive tables for a frame; changes only @v */
void emu_steer_frame(struct emu *emu, const struct emu_frame *f, const struct emu_parsed *p,
		     struct emu_verdict *v);

#endif
