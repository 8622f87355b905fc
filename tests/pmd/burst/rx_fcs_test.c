/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/mman.h>

#include <rte_net_crc.h>

#include "devx_rxq.h"
#include "dmabuf.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/* The frame check sequence of a frame that takes several buffers, of FIRST and of MORE bytes. */

enum {
	ROOM = 512,
	MORE = ROOM - RTE_ETHER_CRC_LEN,
	FIRST = MORE - RTE_PKTMBUF_HEADROOM,
	AROUND = 6,
	N_MBUFS = 1023,
	BYTES = 1 << 20, /* bytes of external memory */
};

/* @memory: where the test reads packets. @at: addresses of @small's buffers */
FIXTURE(rx_fcs)
{
	struct port_rig rig;
	struct test_dmabuf buf;
	struct rte_mempool *small;
	uint8_t *memory, *at;
	bool mapped; /* EAL and the port know the memory */
};
FIXTURE_SETUP(rx_fcs)
{
	self->buf.fd = -1;
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(rx_fcs)
{
	if (self->mapped) {
		struct rte_device *device = rte_eth_devices[self->rig.port].device;

		EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		EXPECT_EQ(0, rte_dev_dma_unmap(device, self->at, 0, BYTES));
		EXPECT_EQ(0, rte_extmem_unregister(self->at, BYTES));
	}
	port_rig_down(&self->rig);
	mbuf_pool_free(self->small);
	if (self->buf.fd >= 0)
		test_dmabuf_down(&self->buf);
	else if (self->memory)
		munmap(self->memory, BYTES);
}

/* ---- pools ------------------------------------------------------------------------------- */

static void make_pool(struct ct_fix_rx_fcs *self)
{
	self->small = rte_pktmbuf_pool_create("small", N_MBUFS, 0, 0, ROOM, 0);
}

static void make_pinned_pool(struct ct_fix_rx_fcs *self)
{
	struct rte_pktmbuf_extmem memory = { .buf_iova = RTE_BAD_IOVA,
					     .buf_len = BYTES,
					     .elt_size = ROOM };

	self->memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->memory);
	memory.buf_ptr = self->at = self->memory;
	self->small = rte_pktmbuf_pool_create_extbuf("small", N_MBUFS, 0, 0, ROOM, 0, &memory, 1);
}

/* @is_mapped: the addresses of its buffers are mapped; else every access there ends the program. */
static void make_dmabuf(struct ct_fix_rx_fcs *self, bool is_mapped)
{
	struct rte_pmd_devx_dmabuf part = { .length = BYTES, .access = RTE_PMD_DEVX_DMABUF_WRITE };

	ASSERT_TRUE(test_dmabuf_up(&self->buf, BYTES));
	self->rig.objects.descriptors++; /* until test_dmabuf_down() */
	self->memory = self->buf.memory;
	self->at = is_mapped ? self->buf.memory : self->buf.device;
	part.fd = self->buf.fd;
	part.address = (uintptr_t)self->at;
	self->small =
		rte_pmd_devx_dmabuf_pool_create("small", N_MBUFS, 0, ROOM, 0, part.address, BYTES);
	ASSERT_EQ(0, rte_pmd_devx_dmabuf_register(self->rig.port, &part));
}

static void make_dmabuf_pool(struct ct_fix_rx_fcs *self)
{
	make_dmabuf(self, false);
}

static void make_mapped_dmabuf_pool(struct ct_fix_rx_fcs *self)
{
	make_dmabuf(self, true);
}

static const struct memory_kind {
	const char *name;
	void (*make)(struct ct_fix_rx_fcs *self);
	bool whole; /* the sequence is in one piece */
} kinds[] = {
	{ "a_pool", make_pool, true },
	{ "a_pool_of_pinned_buffers", make_pinned_pool, true },
	{ "a_dmabuf", make_dmabuf_pool, false },
	{ "a_dmabuf_in_its_mapping", make_mapped_dmabuf_pool, false },
};

static const struct devx_eth_rxq *get_rxq(const struct ct_fix_rx_fcs *self)
{
	return rte_eth_devices[self->rig.port].data->rx_queues[0];
}

/* Starts the port with @self->small, and expects a reserve at the end of each buffer. */
static void start_port(struct ct_fix_rx_fcs *self)
{
	const struct rte_eth_conf conf = { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER |
							      RTE_ETH_RX_OFFLOAD_KEEP_CRC };
	const uint16_t n = PORT_RIG_RING, port = self->rig.port;

	ASSERT_NE(NULL, self->small);
	ASSERT_EQ(0, rte_eth_dev_configure(port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(port, 0, n, 0, NULL, self->small));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(port, 0, n, 0, NULL));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	EXPECT_EQ(FIRST, get_rxq(self)->buf_bytes);
	EXPECT_EQ(MORE, get_rxq(self)->more_bytes);
}

/* ---- frames ------------------------------------------------------------------------------ */

/* Returns where the test reads the byte of a packet at @data. */
static const uint8_t *read_at(const struct ct_fix_rx_fcs *self, const uint8_t *data)
{
	return self->at ? self->memory + (data - self->at) : data;
}

/* Expects each byte of the frame, and its frame check sequence in one piece behind the last one. */
static void expect_frame(const struct ct_fix_rx_fcs *self, const struct rte_mbuf *m, uint32_t bytes,
			 uint32_t seed, bool whole)
{
	struct rte_mbuf *want = port_rig_make_packet(&self->rig, bytes, seed);
	const uint8_t *frame = rte_pktmbuf_mtod(want, const uint8_t *), *end = NULL;
	const uint32_t fcs = rte_net_crc_calc(frame, bytes, RTE_NET_CRC32_ETH);
	uint32_t at = 0;

	SCOPED_TRACE("frame of %u bytes", bytes);
	EXPECT_EQ(bytes, m->pkt_len);
	for (; m && at < bytes; m = m->next) {
		end = read_at(self, rte_pktmbuf_mtod(m, const uint8_t *));
		ASSERT_LT(0, m->data_len);
		ASSERT_LE(m->data_len, bytes - at);
		EXPECT_MEMEQ(frame + at, end, m->data_len);
		at += m->data_len;
		end += m->data_len;
	}
	EXPECT_EQ(NULL, m);
	EXPECT_EQ(bytes, at);
	if (whole)
		EXPECT_MEMEQ((const uint8_t *)&fcs, end, RTE_ETHER_CRC_LEN);
	rte_pktmbuf_free(want);
}

static void exchange_frame(struct ct_fix_rx_fcs *self, uint32_t bytes, uint32_t seed, bool whole)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, bytes, seed);

	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	expect_frame(self, m, bytes, seed, whole);
	rte_pktmbuf_free(m);
}

/* Around each end, 4 of 13 lengths have a sequence that ends in the next buffer. */
TEST_F_EACH(rx_fcs, sequence_follows_frames_in_buffers_of, struct memory_kind, kinds)
{
	uint32_t n = 0;

	row->make(self);
	start_port(self);
	EXPECT_EQ(!row->whole, get_rxq(self)->unreadable);
	for (uint32_t end = FIRST; end + AROUND <= PORT_RIG_FRAME_MAX; end += MORE)
		for (uint32_t bytes = end - AROUND; bytes <= end + AROUND; bytes++)
			exchange_frame(self, bytes, n++, row->whole);
	EXPECT_EQ(3 * (2 * AROUND + 1), n);
}

/* Memory of a GPU without a dma-buf: the device knows it, the CPU has no access. */
TEST_F(rx_fcs, start_finds_pinned_buffers_that_the_CPU_cannot_read)
{
	struct rte_device *device = rte_eth_devices[self->rig.port].device;

	make_pinned_pool(self);
	ASSERT_EQ(0, rte_extmem_register(self->at, BYTES, NULL, 0, 4096));
	ASSERT_EQ(0, rte_dev_dma_map(device, self->at, 0, BYTES));
	self->mapped = true;
	start_port(self);
	EXPECT_FALSE(get_rxq(self)->unreadable);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, mprotect(self->at, BYTES, PROT_NONE));
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_TRUE(get_rxq(self)->unreadable);
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, mprotect(self->at, BYTES, PROT_READ | PROT_WRITE));
}
