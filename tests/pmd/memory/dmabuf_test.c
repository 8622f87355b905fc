/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_errno.h>

#include "dmabuf.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/*
 * Packets in a dma-buf. The addresses that mbufs carry have no access rights, so a driver that
 * touches a packet byte gets SIGSEGV. The test writes and reads packets by another mapping.
 */

enum {
	BYTES = 1 << 20,
	OFFSET = 8192, /* offset of the registered part */
	N_MBUFS = 320,
	DATA_ROOM = RTE_PKTMBUF_HEADROOM + 2048,
	FRAME = 300,
	RING = 64,
};

FIXTURE(dmabuf)
{
	struct port_rig rig;
	struct test_dmabuf buf;
	struct rte_mempool *pool; /* in the dma-buf */
};
FIXTURE_SETUP(dmabuf)
{
	port_rig_probe(&self->rig);
	ASSERT_TRUE(test_dmabuf_up(&self->buf, BYTES));
	self->rig.objects.descriptors++; /* until test_dmabuf_down() */
	self->pool = rte_pmd_devx_dmabuf_pool_create("dmabuf", N_MBUFS, 32, DATA_ROOM, 0,
						     (uintptr_t)self->buf.device + OFFSET,
						     BYTES - OFFSET);
	ASSERT_NE(NULL, self->pool);
}
FIXTURE_TEARDOWN(dmabuf)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->pool);
	test_dmabuf_down(&self->buf);
}

static struct rte_pmd_devx_dmabuf get_part(const struct test_dmabuf *buf)
{
	return (struct rte_pmd_devx_dmabuf){ .fd = buf->fd,
					     .offset = OFFSET,
					     .length = BYTES - OFFSET,
					     .address = (uintptr_t)buf->device + OFFSET,
					     .access = RTE_PMD_DEVX_DMABUF_WRITE };
}

/* Configures and starts the port; with @receive it receives into the dma-buf. Return: 0 or rc */
static int configure_and_start(struct ct_fix_dmabuf *self, bool receive, uint64_t tx_offloads)
{
	struct rte_mempool *const ordinary = self->rig.pool;
	int rc;

	if (receive)
		self->rig.pool = self->pool;
	rc = port_rig_configure(&self->rig,
				&(struct port_rig_config){ .eth.txmode.offloads = tx_offloads,
							   .n_rx_desc = RING,
							   .n_tx_desc = RING });
	self->rig.pool = ordinary;
	return rc ? rc : rte_eth_dev_start(self->rig.port);
}

static int register_part(const struct ct_fix_dmabuf *self, uint32_t access)
{
	struct rte_pmd_devx_dmabuf part = get_part(&self->buf);

	part.access = access;
	return rte_pmd_devx_dmabuf_register(self->rig.port, &part);
}

/* Returns where the test reads and writes the data of an mbuf in the dma-buf. */
static uint8_t *get_data(const struct test_dmabuf *buf, const struct rte_mbuf *m)
{
	return buf->memory + (rte_pktmbuf_mtod(m, uint8_t *) - buf->device);
}

/*
 * Makes packet @seed. Its first @first bytes are in a segment of ordinary memory, as those of a
 * program that keeps headers for the CPU; the others are in the dma-buf.
 */
static struct rte_mbuf *make_packet(const struct ct_fix_dmabuf *self, uint32_t seed, uint16_t first)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, seed);
	struct rte_mbuf *payload = rte_pktmbuf_alloc(self->pool);

	rte_pktmbuf_append(payload, (uint16_t)(FRAME - first));
	memcpy(get_data(&self->buf, payload), rte_pktmbuf_mtod_offset(m, void *, first),
	       FRAME - first);
	if (!first) {
		rte_pktmbuf_free(m);
		return payload;
	}
	rte_pktmbuf_trim(m, (uint16_t)(FRAME - first));
	rte_pktmbuf_chain(m, payload);
	return m;
}

static void expect_packet(const struct ct_fix_dmabuf *self, const struct rte_mbuf *m, uint32_t seed)
{
	struct rte_mbuf *want = port_rig_make_packet(&self->rig, FRAME, seed);

	SCOPED_TRACE("packet %u", seed);
	EXPECT_EQ(FRAME, m->pkt_len);
	EXPECT_EQ(self->pool, m->pool);
	EXPECT_TRUE(RTE_MBUF_HAS_EXTBUF(m));
	EXPECT_MEMEQ(rte_pktmbuf_mtod(want, void *), get_data(&self->buf, m), FRAME);
	rte_pktmbuf_free(want);
}

static const struct layout {
	const char *name;
	uint64_t tx_offloads;
	uint16_t first; /* bytes of the header segment in ordinary memory */
} layouts[] = {
	{ "whole_packets", 0, 0 },
	{ "fast_free", RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE, 0 },
	{ "checksums", RTE_ETH_TX_OFFLOAD_UDP_CKSUM, 0 },
	{ "header_in_ordinary_memory", RTE_ETH_TX_OFFLOAD_MULTI_SEGS, 42 },
};

TEST_F_EACH(dmabuf, packets_move_without_the_cpu, struct layout, layouts)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	ASSERT_EQ(0, register_part(self, RTE_PMD_DEVX_DMABUF_WRITE));
	test_dmabuf_close_fd(&self->buf);
	self->rig.objects.descriptors--;
	ASSERT_EQ(0, configure_and_start(self, true, row->tx_offloads));
	for (uint32_t seed = 0; seed < 3 * RING; seed += PORT_RIG_BURST) {
		for (uint32_t i = 0; i < PORT_RIG_BURST; i++)
			m[i] = make_packet(self, seed + i, row->first);
		ASSERT_TRUE(port_rig_send(&self->rig, m, PORT_RIG_BURST));
		for (uint16_t n = 0; n < PORT_RIG_BURST;) {
			const uint16_t k = port_rig_receive(&self->rig, m + n, PORT_RIG_BURST - n);

			ASSERT_NE(0, k);
			for (uint16_t i = n; i < n + k; i++)
				expect_packet(self, m[i], seed + i);
			n += k;
		}
		rte_pktmbuf_free_bulk(m, PORT_RIG_BURST);
	}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_unregistered_packets"));
	EXPECT_EQ(3 * RING, port_rig_get_xstat(&self->rig, "tx_good_packets"));
}

static const struct header {
	const char *name;
	uint16_t first; /* bytes in ordinary memory */
	bool good;
} headers[] = {
	{ "in_ordinary_memory", 42, true },
	{ "in_ordinary_memory_in_part", 30, false },
	{ "in_the_dmabuf", 0, false },
};

/* The driver treats the headers of a UDP packet as those of TCP: it reads none. */
TEST_F_EACH(dmabuf, headers_that_a_WQE_must_contain_are_not_read, struct header, headers)
{
	struct rte_mbuf *m;

	ASSERT_EQ(0, register_part(self, RTE_PMD_DEVX_DMABUF_WRITE));
	ASSERT_EQ(0,
		  configure_and_start(self, false,
				      RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_MULTI_SEGS));
	m = make_packet(self, 1, row->first);
	m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4;
	m->l2_len = 14;
	m->l3_len = 20;
	m->l4_len = 8;
	m->tso_segsz = 100;
	EXPECT_EQ(row->good, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
	if (row->good) {
		rte_pktmbuf_free(m);
		return;
	}
	EXPECT_EQ(ENOTSUP, rte_errno);
	EXPECT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m, 1));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_unreadable_header_packets"));
}

/* DPDK writes the counts of an mbuf's data beside the data, unless the mbuf is marked external. */
TEST_F(dmabuf, a_received_packet_can_be_cloned)
{
	struct rte_mbuf *m = make_packet(self, 1, 0), *clone;

	ASSERT_EQ(0, register_part(self, RTE_PMD_DEVX_DMABUF_WRITE));
	ASSERT_EQ(0, configure_and_start(self, true, 0));
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	clone = rte_pktmbuf_clone(m, self->rig.pool);
	ASSERT_NE(NULL, clone);
	rte_pktmbuf_free(m);
	ASSERT_TRUE(port_rig_send(&self->rig, &clone, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	expect_packet(self, m, 1);
	rte_pktmbuf_free(m);
}

TEST_F(dmabuf, a_started_port_sends_from_a_new_dmabuf)
{
	struct rte_mbuf *m;

	ASSERT_EQ(0, configure_and_start(self, false, 0));
	m = make_packet(self, 0, 0);
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_unregistered_packets"));

	ASSERT_EQ(0, register_part(self, 0)); /* the device reads only */
	for (int i = 0; i < 2; i++) {
		m = make_packet(self, 7, 0);
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		port_rig_expect_packet(&self->rig, m, FRAME, 7);
		rte_pktmbuf_free(m);
		/* the registration outlives a stop */
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_unregistered_packets"));
}

/* ---- refusals -------------------------------------------------------------------------- */

static const struct bad_memory {
	const char *name;
	int access; /* -1: the dma-buf is not registered */
	const char *says;
} bad_memories[] = {
	{ "not_registered", -1,
	  "unregistered memory; use a pool whose buffers follow their mbufs, map the memory with "
	  "rte_dev_dma_map(), or register the dma-buf (rte_pmd_devx.h)\n" },
	{ "only_to_read", 0, "may only read; register it with RTE_PMD_DEVX_DMABUF_WRITE\n" },
};

TEST_F_EACH(dmabuf, receive_queue_refuses_memory, struct bad_memory, bad_memories)
{
	if (row->access >= 0)
		ASSERT_EQ(0, register_part(self, (uint32_t)row->access));
	port_rig_read_log();
	EXPECT_NE(0, configure_and_start(self, true, 0));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	if (row->access < 0)
		ASSERT_EQ(0, register_part(self, RTE_PMD_DEVX_DMABUF_WRITE));
	else
		ASSERT_EQ(0, rte_pmd_devx_dmabuf_unregister(self->rig.port,
							    (uintptr_t)self->buf.device + OFFSET));
	EXPECT_EQ(row->access < 0 ? 0 : -ENOTSUP, rte_eth_dev_start(self->rig.port));
}

static const struct bad_part {
	const char *name;
	int fd; /* -1: the descriptor of the dma-buf, -2: of another file */
	uint64_t offset, length, address; /* added to those of the part */
	uint32_t access;
	int rc;
	const char *says;
} bad_parts[] = {
	{ "closed_descriptor", 999, 0, 0, 0, 1, -EBADF, "fd 999 is not open" },
	{ "other_file", -2, 0, 0, 0, 1, -EINVAL, "is not a dma-buf" },
	{ "offset_outside", -1, BYTES, 0, 0, 1, -EINVAL, "is outside fd" },
	{ "length_too_large", -1, 0, 4096, 0, 1, -EINVAL, "do not fit fd" },
	{ "no_length", -1, 0, OFFSET - BYTES, 0, 1, -EINVAL, "0 bytes" },
	{ "address_off_page", -1, 0, 0, 64, 1, -EINVAL, "differ within a page" },
	{ "unknown_access", -1, 0, 0, 0, 8, -EINVAL, "access 0x8" },
	{ "data_direct", -1, 0, 0, 0, 2, -ENOTSUP, "Data Direct: " },
};

TEST_F_EACH(dmabuf, register_refuses, struct bad_part, bad_parts)
{
	struct rte_pmd_devx_dmabuf part = get_part(&self->buf);
	const int other = memfd_create("other", MFD_CLOEXEC);
	const char *log;

	ASSERT_EQ(0, ftruncate(other, BYTES));
	part.fd = row->fd == -1 ? part.fd : row->fd == -2 ? other : row->fd;
	part.offset += row->offset;
	part.length += row->length;
	part.address += row->address;
	part.access = row->access;
	port_rig_read_log();
	EXPECT_EQ(row->rc, rte_pmd_devx_dmabuf_register(self->rig.port, &part));
	log = port_rig_read_log();
	EXPECT_SUBSTR("net_devx0 (mlx5_0): cannot use a dma-buf for packets: ", log);
	EXPECT_SUBSTR(row->says, log);
	EXPECT_EQ(log + strlen(log) - 1, strchr(log, '\n')); /* one line */
	close(other);
}

TEST_F(dmabuf, register_refuses_addresses_that_are_in_use)
{
	struct rte_pmd_devx_dmabuf part = get_part(&self->buf);

	ASSERT_EQ(0, register_part(self, 0));
	EXPECT_EQ(-EEXIST, register_part(self, 0));
	EXPECT_SUBSTR("overlap registered memory", port_rig_read_log());
	ASSERT_EQ(0, configure_and_start(self, false, 0));
	part.address = (uintptr_t)self->rig.pool & ~(uintptr_t)4095; /* memory of EAL */
	EXPECT_EQ(-EEXIST, rte_pmd_devx_dmabuf_register(self->rig.port, &part));
	EXPECT_SUBSTR("overlap registered memory", port_rig_read_log());
}

TEST_F(dmabuf, unregister_needs_a_stopped_port)
{
	const uint64_t address = (uintptr_t)self->buf.device + OFFSET;
	const struct devx_emu_counters before = port_rig_get_counters(&self->rig);

	EXPECT_EQ(-ENOENT, rte_pmd_devx_dmabuf_unregister(self->rig.port, address));
	ASSERT_EQ(0, register_part(self, 0));
	ASSERT_EQ(0, configure_and_start(self, false, 0));
	port_rig_read_log();
	EXPECT_EQ(-EBUSY, rte_pmd_devx_dmabuf_unregister(self->rig.port, address));
	EXPECT_SUBSTR("stop the port first", port_rig_read_log());
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_pmd_devx_dmabuf_unregister(self->rig.port, address));
	EXPECT_EQ(-ENOENT, rte_pmd_devx_dmabuf_unregister(self->rig.port, address));
	EXPECT_EQ(before.objects[DEVX_EMU_MKEY],
		  port_rig_get_counters(&self->rig).objects[DEVX_EMU_MKEY]);
	EXPECT_EQ(-ENODEV, rte_pmd_devx_dmabuf_unregister(77, address));
	EXPECT_SUBSTR("port 77 is not a port of net_devx", port_rig_read_log());
}

TEST_F(dmabuf, pool_refuses_more_buffers_than_fit)
{
	const uint64_t address = (uintptr_t)self->buf.device;

	EXPECT_EQ(NULL, rte_pmd_devx_dmabuf_pool_create("p", 33, 0, 2048, 0, address, 32 * 2048));
	EXPECT_EQ(EINVAL, rte_errno);
	EXPECT_SUBSTR("pool p: 33 buffers of 2048 bytes", port_rig_read_log());
	EXPECT_EQ(NULL, rte_pmd_devx_dmabuf_pool_create("p", 1, 0, 2048, 0, 0, 2048));
	EXPECT_EQ(NULL, rte_pmd_devx_dmabuf_pool_create("p", 0, 0, 2048, 0, address, 2048));
	EXPECT_EQ(NULL, rte_pmd_devx_dmabuf_pool_create("p", 1, 0, 65500, 0, address, 1 << 18));
}

/* ---- argument of the port -------------------------------------------------------------- */

TEST_F(dmabuf, argument_registers_at_probe)
{
	struct rte_mbuf *m = make_packet(self, 3, 0);
	char args[128];

	port_rig_remove_port(&self->rig);
	snprintf(args, sizeof(args), "ibdev=mlx5_0,dmabuf=%d:%d:0x%x:%p", self->buf.fd, OFFSET,
		 BYTES - OFFSET, (void *)(self->buf.device + OFFSET));
	ASSERT_EQ(0, port_rig_init_vdev("net_devx0", args));
	ASSERT_EQ(0, rte_eth_dev_get_port_by_name("net_devx0", &self->rig.port));
	ASSERT_EQ(0, configure_and_start(self, true, 0));
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	expect_packet(self, m, 3);
	rte_pktmbuf_free(m);
}

static const struct bad_arg {
	const char *name, *value, *says;
} bad_args[] = {
	{ "empty", "", "argument dmabuf: '' is invalid (valid: FD:OFFSET:LENGTH:ADDRESS" },
	{ "three_numbers", "4:0:4096", "'4:0:4096' is invalid" },
	{ "no_number", "4:0:x:0", "is invalid" },
	{ "negative_fd", "-1:0:4096:0", "is invalid" },
	{ "large_fd", "2147483648:0:4096:0", "is invalid" },
	{ "number_too_large", "4:0:4096:18446744073709551616", "is invalid" },
	{ "no_length", "4:0:0:4096", "is invalid" },
	{ "unknown_access", "4:0:4096:4096:wo", "is invalid" },
	{ "closed_descriptor", "999:0:4096:4096:ro", "fd 999 is not open" },
	{ "data_direct", "999:0:4096:4096:direct", "Data Direct: " },
};

TEST_F_EACH(dmabuf, argument_is_refused, struct bad_arg, bad_args)
{
	struct devx_emu_counters now;
	char args[128];

	port_rig_remove_port(&self->rig);
	port_rig_read_log();
	snprintf(args, sizeof(args), "ibdev=mlx5_0,dmabuf=%s", row->value);
	EXPECT_NE(0, port_rig_init_vdev("net_devx1", args));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	now = port_rig_get_counters(&self->rig);
	EXPECT_EQ(self->rig.before.contexts, now.contexts);
	port_rig_add_port(&self->rig);
}
