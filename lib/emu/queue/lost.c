/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/queue/lost.h"

#include "emu/base/dev.h"
#include "emu/packet/frame.h"
#include "emu/queue/cq.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"

/** struct part - the part of a queue that contains the byte that faulted */
struct part {
	struct emu_obj *obj; /* NULL: no queue contains it */
	bool is_record;      /* in the doorbell record of the queue, not in its ring */
};

static bool has_byte(enum emu_type type, const struct emu_obj *obj, const uint8_t *at,
		     bool *is_record)
{
	const struct emu_cq *cq = (const struct emu_cq *)obj;
	const struct emu_sq *sq = (const struct emu_sq *)obj;
	const struct emu_rq *rq = (const struct emu_rq *)obj;
	const struct emu_eq *eq = (const struct emu_eq *)obj;
	const struct emu_span *ring, *dbr = NULL;
	bool lost;

	switch (type) {
	case EMU_EQ:
		ring = &eq->ring;
		lost = eq->lost;
		break;
	case EMU_CQ:
		ring = &cq->ring;
		dbr = &cq->dbr;
		lost = cq->lost;
		break;
	case EMU_RQ:
		ring = &rq->ring;
		dbr = &rq->dbr;
		lost = rq->lost;
		break;
	default: /* EMU_SQ, or EMU_QP, because struct emu_qp begins with its SQ */
		ring = &sq->ring;
		dbr = &sq->dbr;
		lost = sq->lost;
		break;
	}
	*is_record = !lost && dbr && emu_span_has(dbr, at);
	return !lost && (*is_record || emu_span_has(ring, at));
}

/* Finds a queue that contains the byte and is not marked lost yet. */
static struct part find_queue(const struct emu *emu, const uint8_t *at)
{
	static const enum emu_type types[] = { EMU_EQ, EMU_CQ, EMU_SQ, EMU_QP, EMU_RQ };
	struct part p = { NULL, false };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const struct emu_table *t = &emu->table[types[i]];

		for (uint32_t k = 0; k < t->n_slots; k++) {
			if (t->slot[k] && has_byte(types[i], t->slot[k], at, &p.is_record)) {
				p.obj = t->slot[k];
				return p;
			}
		}
	}
	return p;
}

/*
 * Blocks the mkeys of a function that cover the byte. With @all, also those that cover the whole
 * address space (length64). Returns the last mkey that it blocked, or NULL.
 */
static const struct emu_mkey *block_mkeys(struct emu *emu, const uint8_t *at, bool all)
{
	const struct emu_table *t = &emu->table[EMU_MKEY];
	const struct emu_mkey *found = NULL;

	for (uint32_t k = 0; k < t->n_slots; k++) {
		struct emu_mkey *key = (struct emu_mkey *)t->slot[k];

		if (!key || !((all && key->length64) || emu_span_has(&key->span, at)))
			continue;
		key->blocked = true;
		found = key;
	}
	return found;
}

void emu_unblock_mkeys(struct emu_adapter *a)
{
	for (unsigned i = 0; i < a->n_ports; i++) {
		const struct emu_table *t = &a->port[i]->table[EMU_MKEY];

		for (uint32_t k = 0; k < t->n_slots; k++)
			if (t->slot[k])
				((struct emu_mkey *)t->slot[k])->blocked = false;
	}
	a->has_blocked = false;
}

static bool is_of_host(const struct emu *emu, const uint8_t *at)
{
	return emu->ops->owns && emu->ops->owns(emu->host, at);
}

/* @again: look only for mkeys that emu_lose_memory() can still block */
static bool has_mkey(const struct emu *emu, const uint8_t *at, bool again)
{
	const struct emu_table *t = &emu->table[EMU_MKEY];
	const bool all = again && is_of_host(emu, at);

	for (uint32_t k = 0; k < t->n_slots; k++) {
		const struct emu_mkey *key = (const struct emu_mkey *)t->slot[k];

		if (key && !(again && key->blocked) &&
		    ((all && key->length64) || emu_span_has(&key->span, at)))
			return true;
	}
	return false;
}

bool emu_is_in_frame(const struct emu_frame *f, const uint8_t *at)
{
	return f && at >= f->data && (uint64_t)(at - f->data) < f->bytes;
}

bool emu_owns_memory(struct emu_adapter *a, const uint8_t *at, bool again)
{
	for (unsigned i = 0; i < a->n_ports; i++) {
		const struct emu *emu = a->port[i];

		if (find_queue(emu, at).obj || has_mkey(emu, at, again) ||
		    (!again && is_of_host(emu, at)))
			return true;
	}
	return false;
}

static enum prm_event_queue_type get_event_type(const struct emu_obj *obj)
{
	if (obj->type == EMU_RQ)
		return PRM_EVENT_QUEUE_TYPE_RQ;
	return obj->type == EMU_SQ ? PRM_EVENT_QUEUE_TYPE_SQ : PRM_EVENT_QUEUE_TYPE_QP;
}

/*
 * Fails an SQ or RQ here only if its doorbell record is lost. After a fault in the ring, the
 * interrupted work runs again, finds the queue lost and writes the error CQE.
 */
static void lose_queue(struct emu *emu, const struct part *p)
{
	struct emu_sq *sq = (struct emu_sq *)p->obj;
	struct emu_rq *rq = (struct emu_rq *)p->obj;

	switch (p->obj->type) {
	case EMU_EQ:
		((struct emu_eq *)p->obj)->lost = true;
		return;
	case EMU_CQ:
		emu_cq_lose(emu, (struct emu_cq *)p->obj);
		return;
	case EMU_RQ:
		rq->lost = true;
		emu_announce_queue(emu, get_event_type(p->obj), p->obj->id);
		if (p->is_record && rq->state == PRM_WQ_STATE_RDY)
			emu_rq_fail(emu, rq);
		return;
	default:
		sq->lost = true;
		emu_announce_queue(emu, get_event_type(p->obj), p->obj->id);
		if (p->is_record && sq->state == PRM_WQ_STATE_RDY)
			emu_sq_fail(emu, sq);
		return;
	}
}

/* Returns whether the byte belonged to a queue of the function, which is lost now. */
static bool lose_queue_memory(struct emu *emu, const uint8_t *at)
{
	static const char *const names[] = {
		[EMU_EQ] = "EQ", [EMU_CQ] = "CQ", [EMU_SQ] = "SQ", [EMU_QP] = "QP", [EMU_RQ] = "RQ",
	};
	const struct part p = find_queue(emu, at);

	if (!p.obj)
		return false;
	emu_count_mistake(emu, EMU_MISTAKE_memory_lost,
			  "%s 0x%x: its %s at %p was unmapped or truncated", names[p.obj->type],
			  p.obj->id, p.is_record ? "doorbell record" : "ring", (const void *)at);
	lose_queue(emu, &p);
	return true;
}

void emu_lose_memory(struct emu_adapter *a, const uint8_t *at)
{
	const struct emu_mkey *key = NULL;
	bool is_queue = false;

	for (unsigned i = 0; i < a->n_ports; i++) {
		struct emu *emu = a->port[i];

		if (emu->ops->lost && is_of_host(emu, at))
			emu->ops->lost(emu->host, at);
		is_queue |= lose_queue_memory(emu, at);
	}
	if (is_queue)
		return;
	for (unsigned i = 0; i < a->n_ports; i++) {
		const struct emu_mkey *k = block_mkeys(a->port[i], at, is_of_host(a->port[i], at));

		key = k ? k : key;
	}
	a->has_blocked = true;
	emu_count_mistake(a->port[0], EMU_MISTAKE_memory_lost,
			  "mkey 0x%x: its memory at %p was unmapped or truncated",
			  key ? key->obj.id : 0, (const void *)at);
}
