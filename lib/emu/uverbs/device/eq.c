/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/eq.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/events/event.h"

static const uint8_t async_events[] = {
	PRM_EVENT_SQ_DRAINED,      PRM_EVENT_CQ_ERROR,     PRM_EVENT_WQ_CATAS_ERROR,
	PRM_EVENT_INTERNAL_ERROR,  PRM_EVENT_PORT_CHANGE,  PRM_EVENT_WQ_INVAL_REQ_ERROR,
	PRM_EVENT_WQ_ACCESS_ERROR, PRM_EVENT_SRQ_LAST_WQE, PRM_EVENT_SRQ_RQ_LIMIT,
};

static uint64_t make_async_mask(const struct uv_dev *dev)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < sizeof(async_events); i++)
		mask |= 1ull << async_events[i];
	if (prm_get(&dev->general, nic_vport_change_event))
		mask |= 1ull << PRM_EVENT_NIC_VPORT_CHANGE;
	if (prm_get(&dev->general, general_notification_event))
		mask |= 1ull << PRM_EVENT_GENERAL;
	return mask;
}

/* Selects the events of the asynchronous EQ. Source: Linux eq.c, gather_async_events_mask. */
static void fill_event_mask(const struct uv_dev *dev, struct prm_create_eq_in *in)
{
	for (size_t i = 0; i < prm_count(in, event_bitmask); i++)
		prm_set_at(in, event_bitmask, i,
			   (i ? 0 : make_async_mask(dev)) |
				   prm_get_at(&dev->event, user_affiliated_events, i) |
				   prm_get_at(&dev->event, user_unaffiliated_events, i));
}

static int open_eq(struct uv_dev *dev, unsigned vector)
{
	enum {
		RING_BYTES = sizeof(struct prm_eqe) << UV_LOG_EQ,
		PAGE = 4096,
		N_PAS = RING_BYTES / PAGE
	};
	struct uv_eq *eq = &dev->eq[vector];
	struct {
		struct prm_create_eq_in in;
		prm_be64 pas[N_PAS];
	} cmd = { 0 };
	struct prm_create_eq_out out = { 0 };
	struct prm_eqc *eqc = prm_sub(&cmd.in, eq_context_entry);
	int rc;

	eq->ring = aligned_alloc(PAGE, RING_BYTES);
	if (!eq->ring)
		return -ENOMEM;
	memset(eq->ring, 0, RING_BYTES);
	for (unsigned i = 0; i < 1u << UV_LOG_EQ; i++)
		eq->ring[i].owner = 1; /* invalid: in the first pass, valid entries have 0 */
	rc = uv_pin_kernel_range(dev, &eq->pin, (uintptr_t)eq->ring, RING_BYTES);
	if (rc)
		return rc;

	prm_set(&cmd.in, opcode, PRM_OP_create_eq);
	if (!vector)
		fill_event_mask(dev, &cmd.in);
	prm_set(eqc, log_eq_size, UV_LOG_EQ);
	prm_set(eqc, uar_page, dev->uar);
	prm_set(eqc, intr, vector);
	prm_set(eqc, oi, 1);
	for (unsigned i = 0; i < N_PAS; i++)
		cmd.pas[i] = prm_be64_of((uintptr_t)eq->ring + i * PAGE);
	rc = UV_EXEC(dev, cmd, out);
	if (rc)
		return rc;
	eq->eqn = (uint8_t)prm_get(&out, eq_number);
	eq->open = true;
	return 0;
}

static void close_eq(struct uv_dev *dev, unsigned vector)
{
	struct uv_eq *eq = &dev->eq[vector];
	struct prm_destroy_eq_in in = { 0 };
	struct prm_destroy_eq_out out = { 0 };

	if (eq->open) {
		prm_set(&in, opcode, PRM_OP_destroy_eq);
		prm_set(&in, eq_number, eq->eqn);
		UV_EXEC(dev, in, out);
	}
	uv_pin_release(dev, &eq->pin);
	free(eq->ring);
	*eq = (struct uv_eq){ 0 };
}

int uv_eqs_open(struct uv_dev *dev)
{
	int rc = 0;

	dev->eq = calloc(UV_N_EQS, sizeof(*dev->eq));
	if (!dev->eq)
		return -ENOMEM;
	for (unsigned i = 0; !rc && i < UV_N_EQS; i++)
		rc = open_eq(dev, i);
	return rc;
}

void uv_eqs_close(struct uv_dev *dev)
{
	for (unsigned i = 0; dev->eq && i < UV_N_EQS; i++)
		close_eq(dev, i);
	free(dev->eq);
	dev->eq = NULL;
}

void uv_eq_consume(struct uv_dev *dev, uint16_t vector)
{
	struct uv_eq *eq = &dev->eq[vector];

	for (;;) {
		const struct prm_eqe *eqe = &eq->ring[eq->ci & ((1u << UV_LOG_EQ) - 1)];
		const uint8_t owner = __atomic_load_n(&eqe->owner, __ATOMIC_ACQUIRE);

		if ((owner & 1) != (eq->ci >> UV_LOG_EQ & 1))
			return;
		uv_event_dispatch(dev, eqe);
		eq->ci++;
	}
}

int uv_eq_find_number(const struct uv_dev *dev, uint64_t vector)
{
	return vector < UV_N_COMP_VECTORS ? dev->eq[1 + vector].eqn : -EINVAL;
}

bool uv_has_comp_eq(const struct uv_dev *dev, uint32_t eqn)
{
	for (unsigned i = 1; i < UV_N_EQS; i++)
		if (dev->eq[i].open && dev->eq[i].eqn == eqn)
			return true;
	return false;
}
