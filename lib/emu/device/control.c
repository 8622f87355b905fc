/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control and counters: pause, injected failures, object counts and command completion events.
 * Fronts and tests call these functions; a driver cannot.
 */
#include <errno.h>

#include "emu/firmware/object.h"
#include "emu/queue/cq.h"
#include "emu/queue/eq.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq_cqe.h"
#include "emu/wire/wire.h"

void emu_set_paused(struct emu_adapter *a, bool paused)
{
	emu_lock(a);
	a->paused = paused;
	emu_unlock(a);
}

/* ---- failures ------------------------------------------------------------------------- */

void emu_fail_command(struct emu *emu, int64_t k, uint8_t status)
{
	emu_lock(emu->adapter);
	emu->fail_command = k;
	emu->fail_status = status;
	emu_unlock(emu->adapter);
}

int64_t emu_fail_pending(struct emu *emu)
{
	int64_t k;

	emu_lock(emu->adapter);
	k = emu->fail_command;
	emu_unlock(emu->adapter);
	return k;
}

int emu_fail_queue(struct emu *emu, enum emu_type type, uint32_t id)
{
	void *queue = NULL;

	emu_lock(emu->adapter);
	if (type == EMU_SQ || type == EMU_RQ || type == EMU_CQ)
		queue = emu_obj_at(&emu->table[type], id);
	if (queue && type == EMU_SQ)
		emu_sq_fail(emu, queue);
	else if (queue && type == EMU_CQ)
		emu_cq_fail(emu, queue);
	else if (queue)
		emu_rq_fail(emu, queue);
	emu_unlock(emu->adapter);
	return queue ? 0 : -EINVAL;
}

/* ---- objects and counters ---------------------------------------------------------------- */

unsigned emu_list_objects(struct emu *emu, char *line, size_t bytes, unsigned *n_users)
{
	unsigned n;

	emu_lock(emu->adapter);
	n = emu_describe_objects(emu, line, bytes, n_users);
	emu_unlock(emu->adapter);
	return n;
}

static void count_objects(const struct emu *emu, uint16_t own_uid, uint64_t n[EMU_N_TYPES])
{
	for (int t = 0; t < EMU_N_TYPES; t++) {
		const struct emu_table *table = &emu->table[t];

		for (uint32_t i = 0; i < table->n_slots; i++) {
			const struct emu_obj *o = table->slot[i];

			if (o && (t == EMU_UCTX ? o->id != own_uid : o->uid != 0))
				n[t]++;
		}
	}
}

void emu_read_counters(struct emu *emu, uint16_t own_uid, struct emu_counters *c)
{
	*c = (struct emu_counters){ .n_commands = 0 };
	emu_lock(emu->adapter);
	c->n_commands = emu->n_commands;
	count_objects(emu, own_uid, c->n_objects);
	c->vport = emu->vport;
	c->wire = emu->wire->faults;
	emu_unlock(emu->adapter);
}

/* ---- completions of commands --------------------------------------------------------------- */

const struct emu_eq *emu_command_eq(struct emu *emu)
{
	const struct emu_eq *eq;

	emu_lock(emu->adapter);
	eq = emu_eq_find(emu, PRM_EVENT_CMD);
	emu_unlock(emu->adapter);
	return eq;
}

void emu_announce_command(struct emu *emu, const struct emu_eq *before, uint32_t vector)
{
	const uint32_t event[7] = { vector };
	struct emu_eq *eq;

	emu_lock(emu->adapter);
	eq = emu_eq_find(emu, PRM_EVENT_CMD);
	if (eq && eq == before)
		emu_eq_post(emu, eq, PRM_EVENT_CMD, 0, event);
	emu_unlock(emu->adapter);
}
