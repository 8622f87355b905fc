/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/publish.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_memzone.h>

enum { READ_ATTEMPTS = 1000 };

static struct published *zone;

int publish_begin(void)
{
	const struct rte_memzone *z =
		rte_memzone_reserve(PUBLISH_ZONE, sizeof(*zone), SOCKET_ID_ANY, 0);

	if (!z)
		return -rte_errno;
	zone = z->addr;
	*zone = (struct published){ .layout = PUBLISH_LAYOUT, .share = -1, .stage = "sending" };
	return 0;
}

static void begin_write(void)
{
	atomic_store_explicit(&zone->seq, zone->seq + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release); /* the odd number is visible before the rest */
}

static void end_write(void)
{
	atomic_store_explicit(&zone->seq, zone->seq + 1, memory_order_release);
}

void publish_write(const struct progress *p, uint64_t distinct)
{
	if (!zone)
		return;
	begin_write();
	zone->ms = p->ms;
	zone->sent = p->sent;
	zone->arrived = p->arrived;
	zone->distinct = distinct;
	zone->share = p->share;
	zone->left_s = p->left_s;
	snprintf(zone->stage, sizeof(zone->stage), "%s", p->stage);
	end_write();
}

void publish_end(void)
{
	if (!zone)
		return;
	begin_write();
	snprintf(zone->stage, sizeof(zone->stage), "ended");
	end_write();
	zone = NULL;
}

const struct published *publish_find(void)
{
	const struct rte_memzone *z = rte_memzone_lookup(PUBLISH_ZONE);

	return z ? z->addr : NULL;
}

bool publish_read(const struct published *from, struct published *copy)
{
	for (unsigned i = 0; i < READ_ATTEMPTS; i++) {
		const uint32_t seq = atomic_load_explicit(&from->seq, memory_order_acquire);

		if (seq & 1)
			continue;
		memcpy(copy, (const void *)from, sizeof(*copy));
		/* The copy is complete before the next load. */
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&from->seq, memory_order_relaxed) == seq)
			return true;
	}
	return false;
}
