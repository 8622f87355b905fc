/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_EQ_H
#define EMU_UVERBS_DEVICE_EQ_H

#include "emu/uverbs/memory/pin.h"
#include "prm/cqe.h"

/**
 * DOC: The kernel's event queues
 *
 *     vector 0      asynchronous EQ: everything but completions
 *     vector 1..n   completion EQs; DEVX_QUERY_EQN's vector v is EQ v + 1
 *
 * An EQ is consumed in its interrupt, by the engine, so it never fills; it is created with
 * overrun ignored and needs no doorbells.
 */

enum { UV_N_COMP_VECTORS = 4, UV_N_EQS = 1 + UV_N_COMP_VECTORS, UV_LOG_EQ = 8 };

/** struct uv_eq - an event queue of the kernel */
struct uv_eq {
	struct prm_eqe *ring;
	struct uv_pin pin;
	uint32_t ci;
	uint8_t eqn;
	bool open;
};

/** uv_eqs_open - make the EQs of all vectors. Return: 0 or -errno; uv_eqs_close() undoes it */
int uv_eqs_open(struct uv_dev *dev);
/** uv_eqs_close - destroy those that there are */
void uv_eqs_close(struct uv_dev *dev);

/** uv_eq_consume - read an EQ. From the engine, with the adapter's lock held */
void uv_eq_consume(struct uv_dev *dev, uint16_t vector);

/** uv_eq_find_number - the EQ of a completion vector. Return: its number, or -EINVAL */
int uv_eq_find_number(const struct uv_dev *dev, uint64_t vector);
/** uv_has_comp_eq - is it one of the completion EQs? */
bool uv_has_comp_eq(const struct uv_dev *dev, uint32_t eqn);

#endif
