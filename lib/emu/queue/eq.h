/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_EQ_H
#define EMU_QUEUE_EQ_H

#include "emu/base/obj.h"
#include "emu/base/span.h"
#include "prm/cqe.h"

struct emu_eq {
	struct emu_obj obj;
	struct emu_span ring;
	uint8_t log_size;
	uint16_t vector;     /* eqc.intr */
	uint64_t event_mask; /* bit N: the EQ subscribed to events of type N (0..63) */
	uint32_t pi, ci;
	bool oi;
	bool lost; /* the client unmapped the ring: no access */
	struct prm_eqc ctx;
};

/**
 * emu_eq_post - write an EQE and raise its interrupt; drop it if the EQ is full or unmapped
 * @dwords: the data of the EQE, host-endian
 */
void emu_eq_post(struct emu *emu, struct emu_eq *eq, uint8_t type, uint8_t sub_type,
		 const uint32_t dwords[7]);

/** emu_eq_find - the first EQ that subscribed to events of @type (0..63), or NULL */
struct emu_eq *emu_eq_find(struct emu *emu, uint8_t type);

/** emu_post_event - post an event to the first EQ that subscribed to @type, if there is one */
void emu_post_event(struct emu *emu, uint8_t type, uint8_t sub_type, const uint32_t dwords[7]);

#endif
