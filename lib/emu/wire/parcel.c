/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A queue of copied frames that wait for delivery.
 */
#include "emu/wire/parcel.h"

#include <stdlib.h>
#include <string.h>

enum { QUEUE_MAX_BYTES = 64 << 20 };

struct emu_parcel *emu_parcel_new(const struct emu_frame *f, uint64_t due_ns)
{
	struct emu_parcel *p = malloc(sizeof(*p) + f->bytes);

	if (p) {
		*p = (struct emu_parcel){ .due_ns = due_ns, .bytes = f->bytes };
		memcpy(p->bits, f->data, f->bytes);
	}
	return p;
}

uint64_t emu_parcel_find_due(const struct emu_parcel *p, uint64_t now_ns, uint64_t due_ns)
{
	return p && p->due_ns > now_ns && p->due_ns < due_ns ? p->due_ns : due_ns;
}

bool emu_parcels_add(struct emu_parcels *q, const struct emu_frame *f, uint64_t due_ns)
{
	struct emu_parcel *p = q->bytes < QUEUE_MAX_BYTES ? emu_parcel_new(f, due_ns) : NULL;

	if (!p)
		return false;
	if (q->first)
		q->last->next = p;
	else
		q->first = p;
	q->last = p;
	q->bytes += p->bytes;
	return true;
}

static void take_first(struct emu_parcels *q)
{
	struct emu_parcel *p = q->first;

	q->first = p->next;
	q->bytes -= p->bytes;
	free(p);
}

unsigned emu_parcels_deliver(struct emu_parcels *q, const struct emu_impair_sink *sink,
			     uint64_t now_ns, unsigned budget)
{
	unsigned n = 0;

	for (; n < budget && q->first && q->first->due_ns <= now_ns; n++) {
		const struct emu_frame f = { q->first->bits, q->first->bytes };

		if (!sink->deliver(sink->arg, &f))
			break;
		take_first(q);
	}
	return n;
}

void emu_parcels_free(struct emu_parcels *q)
{
	while (q->first)
		take_first(q);
}
