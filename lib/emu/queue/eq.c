/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event queues: writes EQEs and raises their interrupts.
 */
#include "emu/queue/eq.h"

#include "emu/base/dev.h"
#include "emu/base/guard.h"

static bool is_eq_full(const struct emu_eq *eq)
{
	return !eq->oi && eq->pi - eq->ci >= 1u << eq->log_size;
}

/** struct post - an EQE that is being written */
struct post {
	struct emu_eq *eq;
	uint8_t type, sub_type;
	const uint32_t *dwords;
	bool is_written, is_full;
};

static void write_eqe(void *arg)
{
	struct post *p = arg;
	struct emu_eq *eq = p->eq;
	const uint32_t slot = eq->pi & ((1u << eq->log_size) - 1);
	struct prm_eqe *eqe =
		eq->lost ? NULL : emu_span_ptr(&eq->ring, (uint64_t)slot * sizeof(*eqe));

	/*
	 * PRM-MISSING: an EQE for a full EQ is lost, and eqc.status becomes "write failure"
	 * (no source says what a device does; Linux and rdma-core add spare EQEs and update the
	 * consumer index before these are used up, mlx5_eq_update_cc).
	 */
	p->is_full = is_eq_full(eq);
	if (!eqe || p->is_full) {
		prm_set(&eq->ctx, status, PRM_EQC_STATUS_EQ_WRITE_FAILURE);
		return;
	}
	eqe->type = p->type;
	eqe->sub_type = p->sub_type;
	for (unsigned i = 0; i < 7; i++)
		eqe->data[i] = prm_be32_of(p->dwords[i]);
	eqe->signature = 0;
	/* last, with release order: the owner bit tells the reader that the EQE is complete */
	__atomic_store_n(&eqe->owner, (uint8_t)(eq->pi >> eq->log_size & 1), __ATOMIC_RELEASE);
	p->is_written = true;
}

void emu_eq_post(struct emu *emu, struct emu_eq *eq, uint8_t type, uint8_t sub_type,
		 const uint32_t dwords[7])
{
	struct post p = { eq, type, sub_type, dwords, false, false };

	emu_guard_run(emu, write_eqe, &p);
	if (p.is_full)
		emu_count_mistake(emu, EMU_MISTAKE_eq_overrun,
				  "EQ 0x%x: overrun: all %u entries hold unread EQEs; event 0x%x "
				  "is lost",
				  eq->obj.id, 1u << eq->log_size, type);
	if (!p.is_written)
		return;
	eq->pi++;
	emu->ops->irq(emu->host, eq->vector);
}

struct emu_eq *emu_eq_find(struct emu *emu, uint8_t type)
{
	const struct emu_table *t = &emu->table[EMU_EQ];

	for (uint32_t i = 0; i < t->n_slots; i++) {
		struct emu_eq *eq = (struct emu_eq *)t->slot[i];

		if (eq && eq->event_mask >> type & 1)
			return eq;
	}
	return NULL;
}

void emu_post_event(struct emu *emu, uint8_t type, uint8_t sub_type, const uint32_t dwords[7])
{
	struct emu_eq *eq = emu_eq_find(emu, type);

	if (eq)
		emu_eq_post(emu, eq, type, sub_type, dwords);
}
