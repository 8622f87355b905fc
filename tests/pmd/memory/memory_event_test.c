/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_malloc.h>

#include "devx_port.h"
#include "memory_event.h"
#include "memory_rig.h"

/* Memory that EAL allocates and frees while the port runs: its keys and registrations. */

enum { N_PAGES = 4, BYTES = MEMORY_RIG_BYTES, PAGE = BYTES / N_PAGES };

FIXTURE(memory_event)
{
	struct port_rig port;
	struct memory_rig rig; /* memory that EAL does not know */
};
FIXTURE_SETUP(memory_event)
{
	port_rig_up(&self->port, &(struct port_rig_config){ 0 });
	memory_rig_up(&self->rig, &self->port);
}
FIXTURE_TEARDOWN(memory_event)
{
	port_rig_down(&self->port);
	memory_rig_down(&self->rig);
}

static unsigned int count_registrations(const struct ct_fix_memory_event *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->port.port])->memory.n_mr;
}

TEST_F(memory_event, freed_memory_has_no_key_and_no_registration)
{
	for (int i = 0; i < 3; i++) {
		memory_rig_expect_dropped(&self->rig, self->rig.memory);
		memory_event_raise(RTE_MEM_EVENT_ALLOC, self->rig.memory, BYTES);
		memory_rig_expect_registrations(&self->rig, 1);
		memory_rig_expect_sent(&self->rig, self->rig.memory);
		memory_event_raise(RTE_MEM_EVENT_FREE, self->rig.memory, BYTES);
		memory_rig_expect_registrations(&self->rig, 0);
	}
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
}

TEST_F(memory_event, registration_stays_until_all_of_its_memory_is_freed)
{
	memory_event_raise(RTE_MEM_EVENT_ALLOC, self->rig.memory, BYTES);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->rig.memory + PAGE, PAGE);
	memory_rig_expect_registrations(&self->rig, 1);
	memory_rig_expect_sent(&self->rig, self->rig.memory);
	memory_rig_expect_dropped(&self->rig, self->rig.memory + PAGE);
	memory_rig_expect_sent(&self->rig, self->rig.memory + 2 * PAGE);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->rig.memory, PAGE);
	memory_rig_expect_registrations(&self->rig, 1);
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
	memory_rig_expect_sent(&self->rig, self->rig.memory + BYTES - PAGE);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->rig.memory + 2 * PAGE, 2 * PAGE);
	memory_rig_expect_registrations(&self->rig, 0);
	memory_rig_expect_dropped(&self->rig, self->rig.memory + BYTES - PAGE);
}

TEST_F(memory_event, one_event_ends_several_registrations)
{
	for (int i = 0; i < N_PAGES; i++)
		memory_event_raise(RTE_MEM_EVENT_ALLOC, self->rig.memory + i * PAGE, PAGE);
	memory_rig_expect_registrations(&self->rig, N_PAGES);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->rig.memory + PAGE, 2 * PAGE);
	memory_rig_expect_registrations(&self->rig, N_PAGES - 2);
	memory_rig_expect_sent(&self->rig, self->rig.memory);
	memory_rig_expect_dropped(&self->rig, self->rig.memory + PAGE);
	memory_rig_expect_sent(&self->rig, self->rig.memory + 3 * PAGE);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->rig.memory, BYTES); /* part of it is unknown */
	memory_rig_expect_registrations(&self->rig, 0);
}

TEST_F(memory_event, stopped_port_registers_nothing)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	EXPECT_EQ(0, count_registrations(self));
	memory_event_raise(RTE_MEM_EVENT_ALLOC, self->rig.memory, BYTES);
	EXPECT_EQ(0, count_registrations(self));
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
}

/* EAL itself raises the events: it maps and unmaps hugepages for large allocations. */
TEST_F(memory_event, memory_that_EAL_gives_back_is_not_registered)
{
	enum { AS_MUCH_AS_EAL_HAS = 64 << 20 }; /* -m64 of port_rig.c */
	void *p;

	if (!rte_eal_has_hugepages())
		SKIP("EAL runs without hugepages; set PMD_TEST_HUGEPAGES=1");
	for (int i = 0; i < 3; i++) {
		p = rte_malloc(NULL, AS_MUCH_AS_EAL_HAS, 0);
		ASSERT_NE(NULL, p);
		EXPECT_LT(self->rig.n_mr, count_registrations(self));
		rte_free(p);
		memory_rig_expect_registrations(&self->rig, 0);
	}
}
