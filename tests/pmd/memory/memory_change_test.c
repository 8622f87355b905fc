/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "devx_port.h"
#include "driver_calls.h"
#include "memory/devx_mr.h"
#include "memory_rig.h"

/* Changes of the registered memory of a started port, piece by piece. */

enum { PART = MEMORY_RIG_BYTES / 8, RANGES_MAX = 64 };

static const struct rte_mempool pool; /* only its address counts */

FIXTURE(memory_change)
{
	struct port_rig port;
	struct memory_rig rig;
	struct devx_eth *eth;
};
FIXTURE_SETUP(memory_change)
{
	port_rig_up(&self->port, &(struct port_rig_config){ 0 });
	memory_rig_up(&self->rig, &self->port);
	self->eth = devx_eth_port_get(&rte_eth_devices[self->port.port]);
}
FIXTURE_TEARDOWN(memory_change)
{
	driver_calls_fail_alloc(-1);
	port_rig_down(&self->port);
	memory_rig_down(&self->rig);
}

/* Adds parts of the memory. */
static int add_parts(struct ct_fix_memory_change *self, enum devx_eth_memory_kind kind, int first,
		     int n)
{
	const struct devx_eth_piece piece = { (uintptr_t)self->rig.memory + (size_t)first * PART,
					      (size_t)n * PART, kind,
					      kind == DEVX_ETH_MEMORY_CHUNK ? &pool : NULL };
	int rc;

	pthread_mutex_lock(&self->eth->lock);
	rc = devx_eth_memory_add(self->eth, &piece, 1);
	pthread_mutex_unlock(&self->eth->lock);
	return rc;
}

static int end_pool(struct ct_fix_memory_change *self)
{
	int rc;

	pthread_mutex_lock(&self->eth->lock);
	rc = devx_eth_memory_end_pool(self->eth, &pool);
	pthread_mutex_unlock(&self->eth->lock);
	return rc;
}

static int remove_parts(struct ct_fix_memory_change *self, int first, int n)
{
	int rc;

	pthread_mutex_lock(&self->eth->lock);
	rc = devx_eth_memory_remove(self->eth, (uintptr_t)self->rig.memory + (size_t)first * PART,
				    (size_t)n * PART);
	pthread_mutex_unlock(&self->eth->lock);
	return rc;
}

TEST_F(memory_change, chunk_that_begins_in_memory_of_EAL_ends_with_its_pool)
{
	ASSERT_EQ(0, add_parts(self, DEVX_ETH_MEMORY_EAL, 0, 1));
	ASSERT_EQ(0, add_parts(self, DEVX_ETH_MEMORY_CHUNK, 0, 2));
	memory_rig_expect_registrations(&self->rig, 2);
	ASSERT_EQ(0, end_pool(self));
	memory_rig_expect_registrations(&self->rig, 1);
	memory_rig_expect_sent(&self->rig, self->rig.memory);
	memory_rig_expect_dropped(&self->rig, self->rig.memory + PART);
	ASSERT_EQ(0, remove_parts(self, 0, 1));
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
}

/* ---- no memory ---------------------------------------------------------------------------- */

static int map_part(struct ct_fix_memory_change *self)
{
	return add_parts(self, DEVX_ETH_MEMORY_MAPPED, 2, 1);
}

static int unmap_part(struct ct_fix_memory_change *self)
{
	int rc;

	pthread_mutex_lock(&self->eth->lock);
	rc = devx_eth_memory_end_map(self->eth, (uintptr_t)self->rig.memory + 2 * PART);
	pthread_mutex_unlock(&self->eth->lock);
	return rc;
}

static int add_chunk(struct ct_fix_memory_change *self)
{
	return add_parts(self, DEVX_ETH_MEMORY_CHUNK, 0, 8);
}

/* A pool whose end leaves four mapped ranges of the one that it had. */
static int add_chunk_with_mappings(struct ct_fix_memory_change *self)
{
	int rc = add_chunk(self);

	for (int i = 1; !rc && i < 8; i += 2)
		rc = add_parts(self, DEVX_ETH_MEMORY_MAPPED, i, 1);
	return rc;
}

static int free_middle(struct ct_fix_memory_change *self)
{
	return remove_parts(self, 3, 1);
}

static const struct change {
	const char *name;
	int (*prepare)(struct ct_fix_memory_change *self);
	int (*apply)(struct ct_fix_memory_change *self);
	int allocations; /* at least */
} changes[] = {
	{ "map", NULL, map_part, 4 },
	{ "unmap", map_part, unmap_part, 2 },
	{ "new_pool", NULL, add_chunk, 4 },
	{ "end_of_a_pool", add_chunk_with_mappings, end_pool, 3 },
	{ "free_in_the_middle", add_chunk, free_middle, 2 },
};

/* State of the memory: a change that failed leaves it as it was. */
struct stock {
	unsigned int n_mr, n_uses, n;
	struct devx_eth_range range[RANGES_MAX];
	uint64_t handles;
};

static void take_stock(const struct ct_fix_memory_change *self, struct stock *s)
{
	const struct devx_eth_memory *memory = &self->eth->memory;

	*s = (struct stock){ .n_mr = memory->n_mr,
			     .n_uses = memory->n_uses,
			     .n = memory->table->n,
			     .handles = port_rig_get_counters(&self->port).handles };
	ASSERT_LE(s->n, RANGES_MAX);
	memcpy(s->range, memory->table->range, s->n * sizeof(s->range[0]));
}

/* Leaves no free place in the lists, so that a new item allocates. */
static void fill_lists(struct devx_eth_memory *memory)
{
	memory->room = memory->n_mr;
	memory->use_room = memory->n_uses;
}

TEST_F_EACH(memory_change, without_memory_leaves_all_as_it_was, struct change, changes)
{
	struct stock before, after;
	bool fired = true;
	int k;

	ASSERT_EQ(0, row->prepare ? row->prepare(self) : 0);
	fill_lists(&self->eth->memory);
	take_stock(self, &before);
	port_rig_read_log();
	for (k = 0; k < RANGES_MAX; k++) {
		SCOPED_TRACE("allocation %d fails", k);
		driver_calls_fail_alloc(k);
		const int rc = row->apply(self);

		fired = driver_calls_get_pending_fault() < 0;
		driver_calls_fail_alloc(-1);
		EXPECT_EQ(fired ? -ENOMEM : 0, rc);
		if (!fired)
			break;
		EXPECT_SUBSTR("net_devx0 (mlx5_0): cannot ", port_rig_read_log());
		fill_lists(&self->eth->memory);
		take_stock(self, &after);
		EXPECT_EQ(before.n_mr, after.n_mr);
		EXPECT_EQ(before.n_uses, after.n_uses);
		EXPECT_EQ(before.handles, after.handles);
		ASSERT_EQ(before.n, after.n);
		EXPECT_MEMEQ(before.range, after.range, before.n * sizeof(before.range[0]));
	}
	EXPECT_FALSE(fired);
	EXPECT_LE(row->allocations, k);
	EXPECT_STREQ("", port_rig_read_log());
}
