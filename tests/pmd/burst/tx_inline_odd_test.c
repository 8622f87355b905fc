/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "burst/devx_tx_copy.h"
#include "burst/inline_rig.h"
#include "dmabuf.h"
#include "rte_pmd_devx.h"

/* Packets in WQEs beside others, and memory that must not be read. Every byte is compared. */

#define FULL (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

FIXTURE(tx_inline_odd)
{
	struct inline_rig rig;
};
FIXTURE_SETUP(tx_inline_odd)
{
	port_rig_probe(&self->rig.rig);
	self->rig.state = 1;
}
FIXTURE_TEARDOWN(tx_inline_odd)
{
	port_rig_down(&self->rig.rig);
}

/* ---- packets that differ from the others -------------------------------------------------- */

enum { N_BURST = 40 };
enum odd { LONGER, SHORTER, LONG, CHECKSUM, SEGMENTS, TOO_SHORT, TOO_LONG, NO_KEY };
static const struct change {
	const char *name;
	enum odd odd;
	uint64_t offloads;
	bool dropped;
} changes[] = {
	{ "one_byte_longer", LONGER, 0, false },
	{ "one_byte_shorter", SHORTER, 0, false },
	{ "with_a_pointer", LONG, 0, false },
	{ "with_another_checksum_request", CHECKSUM, FULL, false },
	{ "of_two_segments", SEGMENTS, FULL, false },
	{ "of_two_segments_without_the_offload", SEGMENTS, 0, true },
	{ "too_short", TOO_SHORT, 0, true },
	{ "too_long", TOO_LONG, FULL, true },
	{ "without_memory_key", NO_KEY, 0, true },
};
static uint8_t unregistered[2048];

static uint32_t get_odd_bytes(enum odd odd)
{
	return odd == LONGER    ? INLINE_ALIKE
	       : odd == SHORTER ? INLINE_ALIKE - 2
	       : odd == LONG    ? 700
				: INLINE_ALIKE - 1;
}

static void change_packet(struct inline_rig *self, struct rte_mbuf *m, enum odd odd)
{
	struct rte_mbuf *tail;

	switch (odd) {
	case CHECKSUM: /* no IPv4 packet: the device leaves it as it is */
		m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
		m->l2_len = RTE_ETHER_HDR_LEN;
		m->l3_len = 20;
		break;
	case SEGMENTS:
		tail = rte_pktmbuf_alloc(self->rig.pool);
		memcpy(rte_pktmbuf_append(tail, 20),
		       rte_pktmbuf_mtod_offset(m, char *, m->data_len - 20), 20);
		rte_pktmbuf_trim(m, 20);
		EXPECT_EQ(0, rte_pktmbuf_chain(m, tail));
		break;
	case TOO_SHORT:
		m->data_len = INLINE_LEAST - 1;
		m->pkt_len = m->data_len;
		break;
	case TOO_LONG:
		m->data_len = (uint16_t)(self->txq->max_bytes + 1);
		m->pkt_len = m->data_len;
		break;
	case NO_KEY:
		m->buf_addr = unregistered;
		rte_mbuf_refcnt_update(m, 1); /* the burst must not free it with this address */
		break;
	default:
		break;
	}
}

static void exchange_odd(struct inline_rig *self, const struct change *c, uint16_t place)
{
	struct rte_mbuf *m[N_BURST];
	void *good;

	for (uint16_t i = 0; i < N_BURST; i++)
		m[i] = inline_rig_make_packet(
			self, i == place ? get_odd_bytes(c->odd) : INLINE_ALIKE - 1, i);
	good = m[place]->buf_addr;
	change_packet(self, m[place], c->odd);
	ASSERT_TRUE(port_rig_send(&self->rig, m, N_BURST));
	if (c->odd == NO_KEY) {
		m[place]->buf_addr = good;
		rte_pktmbuf_free(m[place]);
	}
	for (uint16_t i = 0; i < N_BURST; i++)
		if (i != place || !c->dropped)
			inline_rig_expect(self,
					  i == place ? get_odd_bytes(c->odd) : INLINE_ALIKE - 1, i);
}

TEST_F_EACH(tx_inline_odd, others_arrive_beside_an_odd_packet, struct change, changes)
{
	const uint16_t places = self->rig.rig.emu ? N_BURST : 3;

	inline_rig_start(&self->rig, "ibdev=mlx5_0,inline=268", INLINE_RING, row->offloads);
	for (uint16_t place = 0; place < places; place++) {
		SCOPED_TRACE("odd packet at %u", place);
		exchange_odd(&self->rig, row, place);
	}
	EXPECT_EQ((N_BURST - row->dropped) * places, self->rig.txq->n.packets);
	EXPECT_EQ(row->odd == SEGMENTS && row->dropped ? places : 0, self->rig.txq->n.bad_segments);
	EXPECT_EQ(row->odd == TOO_SHORT || row->odd == TOO_LONG ? places : 0,
		  self->rig.txq->n.bad_length);
	EXPECT_EQ(row->odd == NO_KEY ? places : 0, self->rig.txq->n.unregistered);
	port_rig_read_log();
}

/* ---- memory that the CPU must not read ---------------------------------------------------- */

TEST_F(tx_inline_odd, packet_in_a_dmabuf_keeps_its_pointer)
{
	enum { BYTES = 1 << 20, N_MBUFS = 64, N = 32 };
	struct rte_pmd_devx_dmabuf part = { .length = BYTES };
	struct port_rig_config config = { .n_tx_desc = INLINE_RING };
	struct test_dmabuf buf = { 0 };
	struct rte_mempool *pool;
	struct rte_mbuf *m[N];

	port_rig_remove_port(&self->rig.rig);
	port_rig_add_port_with(&self->rig.rig, "ibdev=mlx5_0,inline=268");
	ASSERT_TRUE(test_dmabuf_up(&buf, BYTES));
	part.fd = buf.fd;
	part.address = (uintptr_t)buf.device;
	pool = rte_pmd_devx_dmabuf_pool_create("dmabuf", N_MBUFS, 0, 2048, 0, part.address, BYTES);
	ASSERT_NE(NULL, pool);
	ASSERT_EQ(0, rte_pmd_devx_dmabuf_register(self->rig.rig.port, &part));
	ASSERT_EQ(0, port_rig_configure(&self->rig.rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.rig.port));
	for (unsigned int round = 0; round < 4; round++) {
		for (uint32_t i = 0; i < N; i++) {
			if ((i >> round) & 1) {
				const uint8_t *data;

				m[i] = rte_pktmbuf_alloc(pool);
				data = (uint8_t *)rte_pktmbuf_append(m[i], INLINE_ALIKE);
				inline_rig_fill_frame(&self->rig, buf.memory + (data - buf.device),
						      INLINE_ALIKE, i);
			} else {
				m[i] = inline_rig_make_packet(&self->rig, INLINE_ALIKE, i);
			}
		}
		ASSERT_TRUE(port_rig_send(&self->rig.rig, m, N));
		for (uint32_t i = 0; i < N; i++)
			inline_rig_expect(&self->rig, INLINE_ALIKE, i);
	}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig.rig, "tx_errors"));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.rig.port));
	port_rig_remove_port(&self->rig.rig);
	mbuf_pool_free(pool);
	test_dmabuf_down(&buf);
	port_rig_add_port(&self->rig.rig);
}

/* Before the packet and behind it is memory that no thread may read. */
TEST(tx_copy, nothing_around_a_packet_is_read)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *map = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *data = map + page;
	uint8_t to[1024];

	ASSERT_NE(MAP_FAILED, (void *)map);
	ASSERT_EQ(0, mprotect(data, page, PROT_READ | PROT_WRITE));
	for (size_t i = 0; i < page; i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	for (uint32_t n = INLINE_LEAST; n <= 924; n++) {
		const uint32_t bytes = devx_eth_tx_get_copy_bytes(n);
		for (unsigned int end = 0; end < 2; end++) {
			const uint8_t *from = end ? data + page - n : data;

			memset(to, 0xa5, sizeof(to));
			devx_eth_tx_write_copy(to, from, n);
			EXPECT_EQ(0x80, to[0]);
			EXPECT_EQ(n, to[2] * 256u + to[3]);
			EXPECT_MEMEQ(from, to + 4, n);
			for (uint32_t i = bytes; i < sizeof(to); i++)
				EXPECT_EQ(0xa5, to[i]);
		}
	}
	munmap(map, 3 * page);
}
