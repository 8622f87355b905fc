/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_EQ_H
#define EMU_UVERBS_DEVICE_EQ_H

#include "emu/uverbs/memory/pin.h"
#include "prm/cqe.h"

/**
 * DOC: The kernel's event queues
 *
 *     interrupt vector 0      asynchronous EQ: the events of fill_event_mask(), no completions
 *     interrupt vector 1..n   completion EQs; vector v of DEVX_QUERY_EQN is interrupt vector v + 1
 *
 * The interrupt calls uv_eq_consume() at once, so an EQ never fills up. The EQs have oi (overrun
 * ignore) set, so they need no doorbell.
 */

enum { UV_N_COMP_VECTORS = 4, UV_N_EQS = 1 + UV_N_COMP_VECTORS, UV_LOG_EQ = 8 };

/** struct uv_eq - an event queue of the emulated kernel */
struct uv_eq {
	struct prm_eqe *ring;
	struct uv_pin pin;
	uint32_t ci;
	uint8_t eqn;
	bool open;
};

/** uv_eqs_open - create all EQs. Return: 0, or -errno; the caller then calls uv_eqs_close() */
int uv_eqs_open(struct uv_dev *dev);
void uv_eqs_close(struct uv_dev *dev);

/** uv_eq_consume - dispatch the new entries of an EQ. The caller holds the adapter lock */
void uv_eq_consume(struct uv_dev *dev, uint16_t vector);

/** uv_eq_find_number - find the EQ of a completion vector. Return: EQ number, or -EINVAL */
int uv_eq_find_number(const struct uv_dev *dev, uint64_t vector);
/** uv_has_comp_eq - check whether @eqn is the number of a completion EQ */
bool uv_has_comp_eq(const struct uv_dev *dev, uint32_t eqn);

#endif
