/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/mman.h>

#include <rte_malloc.h>

#include "devx_port.h"
#include "memory_event.h"
#include "port_rig.h"

/* Memory that EAL allocates and frees while the port runs: its keys and registrations. */

enum { PAGE = 1 << 16, N_PAGES = 4, BYTES = N_PAGES * PAGE };

FIXTURE(memory_event)
{
	struct port_rig rig;
	char *memory;                           /* BYTES that EAL does not know */
	unsigned int n_mr;                      /* registrations before the test */
	uint64_t handles;                       /* uverbs objects before the test */
	uint64_t n_dropped;                     /* packets without a key so far */
	struct rte_mbuf_ext_shared_info shared; /* of all mbufs whose data is in the memory */
};

static const struct devx_eth *get_eth(const struct port_rig *rig)
{
	return devx_eth_port_get(&rte_eth_devices[rig->port]);
}

FIXTURE_SETUP(memory_event)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	self->memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->memory);
	rte_mbuf_ext_refcnt_set(&self->shared, 1); /* the reference of the test: nobody frees it */
	self->n_mr = get_eth(&self->rig)->memory.n_mr;
	self->handles = port_rig_get_counters(&self->rig).handles;
}
FIXTURE_TEARDOWN(memory_event)
{
	port_rig_down(&self->rig);
	EXPECT_EQ(1, rte_mbuf_ext_refcnt_read(&self->shared));
	munmap(self->memory, BYTES);
}

static void expect_registrations(const struct ct_fix_memory_event *self, unsigned int more)
{
	EXPECT_EQ(self->n_mr + more, get_eth(&self->rig)->memory.n_mr);
	if (self->rig.emu)
		EXPECT_EQ(self->handles + more, port_rig_get_counters(&self->rig).handles);
}

/* Sends a packet whose data is at @at. Expects it back, or dropped if @has_key is false. */
static void send_from(struct ct_fix_memory_event *self, char *at, bool has_key)
{
	enum { LENGTH = 200 };
	struct rte_mbuf *from = port_rig_make_packet(&self->rig, LENGTH, 7);
	struct rte_mbuf *m = rte_pktmbuf_alloc(self->rig.pool);

	SCOPED_TRACE("byte %td of the memory", at - self->memory);
	memcpy(at, rte_pktmbuf_mtod(from, void *), LENGTH);
	rte_pktmbuf_free(from);
	rte_mbuf_ext_refcnt_update(&self->shared, 1);
	rte_pktmbuf_attach_extbuf(m, at, 0, LENGTH, &self->shared);
	rte_pktmbuf_append(m, LENGTH);
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	self->n_dropped += !has_key;
	EXPECT_EQ(self->n_dropped, port_rig_get_xstat(&self->rig, "tx_unregistered_packets"));
	if (!has_key)
		return;
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	port_rig_expect_packet(&self->rig, m, LENGTH, 7);
	rte_pktmbuf_free(m);
}

TEST_F(memory_event, freed_memory_has_no_key_and_no_registration)
{
	for (int i = 0; i < 3; i++) {
		send_from(self, self->memory, false);
		memory_event_raise(RTE_MEM_EVENT_ALLOC, self->memory, BYTES);
		expect_registrations(self, 1);
		send_from(self, self->memory, true);
		memory_event_raise(RTE_MEM_EVENT_FREE, self->memory, BYTES);
		expect_registrations(self, 0);
	}
	send_from(self, self->memory, false);
}

TEST_F(memory_event, registration_stays_until_all_of_its_memory_is_freed)
{
	memory_event_raise(RTE_MEM_EVENT_ALLOC, self->memory, BYTES);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->memory + PAGE, PAGE);
	expect_registrations(self, 1);
	send_from(self, self->memory, true);
	send_from(self, self->memory + PAGE, false);
	send_from(self, self->memory + 2 * PAGE, true);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->memory, PAGE);
	expect_registrations(self, 1);
	send_from(self, self->memory, false);
	send_from(self, self->memory + BYTES - PAGE, true);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->memory + 2 * PAGE, 2 * PAGE);
	expect_registrations(self, 0);
	send_from(self, self->memory + BYTES - PAGE, false);
}

TEST_F(memory_event, one_event_ends_several_registrations)
{
	for (int i = 0; i < N_PAGES; i++)
		memory_event_raise(RTE_MEM_EVENT_ALLOC, self->memory + i * PAGE, PAGE);
	expect_registrations(self, N_PAGES);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->memory + PAGE, 2 * PAGE);
	expect_registrations(self, N_PAGES - 2);
	send_from(self, self->memory, true);
	send_from(self, self->memory + PAGE, false);
	send_from(self, self->memory + 3 * PAGE, true);
	memory_event_raise(RTE_MEM_EVENT_FREE, self->memory, BYTES); /* part of it is unknown */
	expect_registrations(self, 0);
}

TEST_F(memory_event, stopped_port_registers_nothing)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, get_eth(&self->rig)->memory.n_mr);
	memory_event_raise(RTE_MEM_EVENT_ALLOC, self->memory, BYTES);
	EXPECT_EQ(0, get_eth(&self->rig)->memory.n_mr);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	send_from(self, self->memory, false);
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
		EXPECT_LT(self->n_mr, get_eth(&self->rig)->memory.n_mr);
		rte_free(p);
		expect_registrations(self, 0);
	}
}
