/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_DEV_H
#define EMU_UVERBS_DEVICE_DEV_H

#include "emu/uverbs/memory/pin.h"
#include "emu/uverbs/base/uv.h"
#include "prm/cqe.h"

/**
 * DOC: The device: what mlx5_core and mlx5_ib set up when they meet a function
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

struct uv_fs;

/** struct uv_dev - a port's mlx5_ib */
struct uv_dev {
	unsigned port;
	struct emu *emu;
	struct uv_pins pins;
	struct prm_cmd_hca_cap general;
	struct prm_cmd_hca_cap general_max;
	struct prm_per_protocol_networking_offload_caps eth;
	struct prm_flow_table_nic_cap flow;
	uint32_t uar;               /* of the kernel, for its EQs */
	uint16_t whitelist_uid;     /* for capability queries of contexts without DEVX */
	struct uv_eq eq[UV_N_EQS];
	struct uv_fs *fs;           /* steering (rule.c) */
	unsigned n_contexts;
};

/** uv_eq_open - make the EQ of a vector. Return: 0 or -errno, and uv_eq_close() undoes it */
int uv_eq_open(struct uv_dev *dev, unsigned vector);
void uv_eq_close(struct uv_dev *dev, unsigned vector);

/** uv_dev_irq - read an EQ. From the engine, with the adapter's lock held */
void uv_dev_irq(struct uv_dev *dev, uint16_t vector);

/** uv_dev_eqn - the EQ of a completion vector. Return: its number, or -EINVAL */
int uv_dev_eqn(const struct uv_dev *dev, uint64_t vector);
/** uv_dev_has_eqn - is it one of the completion EQs? */
bool uv_dev_has_eqn(const struct uv_dev *dev, uint32_t eqn);

#endif
