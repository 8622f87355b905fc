/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control and counters: pause, injected failures, object counts and command completion events.
 * Fronts and tests call these functions; a driver cannot.
 */
#include <errno.h>
#include <string.h>

#include "emu/base/clock.h"
#include "emu/base/guard.h"
#include "emu/base/profile.h"
#include "emu/device/engine.h"
#include "emu/firmware/boot.h"
#include "emu/firmware/object.h"
#include "emu/queue/cq.h"
#include "emu/queue/eq.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"
#include "emu/wire/wire.h"

void emu_set_paused(struct emu_adapter *a, bool paused)
{
	emu_lock(a);
	a->paused = paused;
	emu_unlock(a);
}

int64_t emu_set_option(struct emu_adapter *a, const char *name, uint32_t value)
{
	int64_t before;
	char why[256];

	emu_lock(a);
	before = emu_options_set(&a->profile->options, name, strlen(name), value, why, sizeof(why));
	if (before >= 0) {
		for (unsigned i = 0; i < a->n_ports; i++)
			emu_boot_apply_profile(a->port[i]);
		emu_clock_update(a); /* the frequency or the real-time clock may have changed */
	}
	emu_unlock(a);
	return before;
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
	c->pcie = emu->pcie;
	c->wire = emu->wire->faults;
	emu_unlock(emu->adapter);
}

void emu_age_counters(struct emu *emu, uint32_t n)
{
	const struct emu_table *t = &emu->table[EMU_Q_COUNTER];

	emu_lock(emu->adapter);
	for (uint32_t i = 0; i < t->n_slots; i++) {
		struct emu_q_counter *counter = (struct emu_q_counter *)t->slot[i];

		if (counter)
			counter->out_of_buffer += n;
	}
	emu_unlock(emu->adapter);
}

/* ---- caches ---------------------------------------------------------------------------------- */

struct eviction {
	struct emu *emu;
	int64_t n_bytes;
};

#ifdef __x86_64__
enum { LINE = 64 };

static void evict_ring(struct eviction *e, const struct emu_span *ring)
{
	for (uint64_t off = 0; off < ring->bytes; off += LINE) {
		const void *line = emu_span_ptr(ring, off);

		if (!line)
			continue;
		__builtin_ia32_clflush(line);
		e->n_bytes += LINE;
	}
}

/* If the client unmapped the ring of a CQ, the guard's second run finds the CQ marked as lost. */
static void evict_all(void *arg)
{
	struct eviction *e = arg;
	const struct emu_table *t = &e->emu->table[EMU_CQ];

	e->n_bytes = 0;
	for (uint32_t i = 0; i < t->n_slots; i++) {
		const struct emu_cq *cq = (const struct emu_cq *)t->slot[i];

		if (cq && !cq->lost)
			evict_ring(e, &cq->ring);
	}
	__builtin_ia32_mfence();
}
#else
static void evict_all(void *arg)
{
	((struct eviction *)arg)->n_bytes = -ENOTSUP;
}
#endif

int64_t emu_evict_cqes(struct emu *emu)
{
	struct eviction e = { .emu = emu };

	emu_lock(emu->adapter);
	emu_guard_run(emu, evict_all, &e);
	emu_unlock(emu->adapter);
	return e.n_bytes;
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

/* ---- traffic ------------------------------------------------------------------------------- */

enum { N_COUNTERS = sizeof(struct emu_traffic) / sizeof(uint64_t) };

_Static_assert(sizeof(struct emu_traffic) % sizeof(uint64_t) == 0, "every member is a uint64_t");

void emu_publish_traffic(struct emu *emu)
{
	const struct emu_traffic counted = { emu->vport, emu->wire->faults };
	const uint64_t *now = (const uint64_t *)(const void *)&counted;
	uint64_t *before = (uint64_t *)(void *)&emu->published;
	uint64_t *sum = (uint64_t *)(void *)emu->traffic;

	emu->received = false;
	if (!sum)
		return;
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		if (now[i] == before[i])
			continue;
		/* atomic: adapters in other processes add to the same sums */
		__atomic_fetch_add(&sum[i], now[i] - before[i], __ATOMIC_RELAXED);
		before[i] = now[i];
	}
}
