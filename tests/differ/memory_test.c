/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs for GPUs register memory with EAL, map it for a device and make a pool of pinned buffers
 * there. They do so before or after the start of the port. net_devx serves them on both buses.
 */
#include <string.h>
#include <sys/mman.h>

#include <rte_bus_vdev.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "lab.h"
#include "mbuf_pool.h"

enum { BYTES = 1 << 20, PAGE = 4096, ELEMENT = 2304, N_MBUFS = 400, RING = 64, FRAME = 200 };

static const struct order {
	const char *name;
	enum lab_driver driver;
	bool on_pci;      /* net_devx: -a ADDRESS,driver=net_devx instead of --vdev */
	bool start_first; /* the port starts with another pool, before the memory exists */
} orders[] = {
	{ "net_mlx5_map_first", LAB_MLX5, true, false },
	{ "net_mlx5_start_first", LAB_MLX5, true, true },
	{ "net_devx_map_first", LAB_DEVX, false, false },
	{ "net_devx_start_first", LAB_DEVX, false, true },
	{ "net_devx_on_pci_map_first", LAB_DEVX, true, false },
	{ "net_devx_on_pci_start_first", LAB_DEVX, true, true },
};

/* @pinned: pool of pinned buffers in @memory. @other: pool in memory of EAL */
struct recipe {
	struct lab *lab;
	struct lab_side *side;
	char *memory;
	struct rte_mempool *pinned, *other;
};

static struct rte_device *get_device(const struct recipe *p)
{
	struct rte_eth_dev_info info;

	EXPECT_EQ(0, rte_eth_dev_info_get(p->side->port, &info));
	return (struct rte_device *)(uintptr_t)info.device;
}

/* Opens the device of net_devx on the other bus. */
static void move_to_pci(struct recipe *p)
{
	ASSERT_EQ(0, rte_eth_dev_close(p->side->port));
	ASSERT_EQ(0, rte_vdev_uninit("net_devx0"));
	ASSERT_EQ(0, rte_dev_probe("0000:c1:00.2,driver=net_devx"));
	ASSERT_EQ(0, rte_eth_dev_get_port_by_name("0000:c1:00.2", &p->side->port));
}

static void move_to_vdev(struct recipe *p)
{
	struct rte_device *device = get_device(p);

	ASSERT_EQ(0, rte_eth_dev_close(p->side->port));
	ASSERT_EQ(0, rte_dev_remove(device));
	ASSERT_EQ(0, rte_vdev_init("net_devx0", "pci=0000:c1:00.2"));
	ASSERT_EQ(0, rte_eth_dev_get_port_by_name("net_devx0", &p->side->port));
}

static void map_memory(struct recipe *p)
{
	const struct rte_pktmbuf_extmem memory = { p->memory, RTE_BAD_IOVA, BYTES, ELEMENT };

	ASSERT_EQ(0, rte_extmem_register(p->memory, BYTES, NULL, 0, PAGE));
	ASSERT_EQ(0, rte_dev_dma_map(get_device(p), p->memory, 0, BYTES));
	p->pinned = rte_pktmbuf_pool_create_extbuf("pinned", N_MBUFS, 0, 0,
						   RTE_MBUF_DEFAULT_BUF_SIZE, 0, &memory, 1);
	ASSERT_NE(NULL, p->pinned);
}

static void unmap_memory(struct recipe *p)
{
	EXPECT_EQ(0, rte_dev_dma_unmap(get_device(p), p->memory, 0, BYTES));
	EXPECT_EQ(0, rte_extmem_unregister(p->memory, BYTES));
}

static void set_up_port(const struct recipe *p, struct rte_mempool *pool)
{
	const struct rte_eth_conf conf = { 0 };
	const uint16_t port = p->side->port;

	ASSERT_EQ(0, rte_eth_dev_configure(port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(port, 0, RING, 0, NULL, pool));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(port, 0, RING, 0, NULL));
}

static void start_port(const struct recipe *p, struct rte_mempool *pool)
{
	set_up_port(p, pool);
	ASSERT_EQ(0, rte_eth_dev_start(p->side->port));
	ASSERT_EQ(0, rte_eth_promiscuous_enable(p->side->port));
}

static void make_frame(const struct recipe *p, uint8_t *frame, uint8_t seed)
{
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)frame;

	memset(frame, seed, FRAME);
	eth->dst_addr = eth->src_addr = p->lab->mac;
	eth->src_addr.addr_bytes[5] ^= 0x80;
	eth->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
}

/* Expects one frame, in @pool. A vector function of net_mlx5 receives nothing in bursts below 4. */
static void expect_frame(const struct recipe *p, uint16_t port, const struct rte_mempool *pool,
			 const uint8_t *want)
{
	struct rte_mbuf *m[LAB_BURST];
	uint16_t n;

	lab_step(p->lab, p->side);
	n = rte_eth_rx_burst(port, 0, m, LAB_BURST);
	ASSERT_EQ(1, n);
	EXPECT_EQ(pool, m[0]->pool);
	EXPECT_MEMEQ(want, rte_pktmbuf_mtod(m[0], uint8_t *), FRAME);
	rte_pktmbuf_free(m[0]);
}

/* Sends a frame from the pinned buffers to the peer. */
static void send_one(const struct recipe *p, uint8_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(p->pinned);
	uint8_t want[FRAME];

	ASSERT_NE(NULL, m);
	make_frame(p, want, seed);
	memcpy(rte_pktmbuf_append(m, FRAME), want, FRAME);
	ASSERT_EQ(1, rte_eth_tx_burst(p->side->port, 0, &m, 1));
	expect_frame(p, p->side->peer, p->lab->peer_pool, want);
}

static void receive_one(const struct recipe *p, uint8_t seed, const struct rte_mempool *pool)
{
	uint8_t want[FRAME];

	make_frame(p, want, seed);
	lab_send_frame(p->lab, p->side, want, FRAME);
	expect_frame(p, p->side->port, pool, want);
}

static void run_program(struct recipe *p, const struct order *order)
{
	struct rte_mempool *pool = p->other;

	if (order->start_first)
		start_port(p, pool);
	map_memory(p);
	if (!order->start_first) {
		pool = p->pinned;
		start_port(p, pool);
	}
	p->lab->emu->pause();
	for (int i = 0; i < 2 * N_MBUFS; i++) {
		send_one(p, (uint8_t)i);
		receive_one(p, (uint8_t)i, pool);
	}
	p->lab->emu->resume();
	EXPECT_EQ(0, rte_eth_dev_stop(p->side->port));
	unmap_memory(p);
}

TEST_EACH(differ_memory, both_drivers_serve_programs_for_gpus, struct order, orders)
{
	struct recipe p = { .lab = lab_open() };

	ASSERT_NE(NULL, p.lab);
	p.side = &p.lab->side[row->driver];
	p.memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)p.memory);
	p.other = rte_pktmbuf_pool_create("other", N_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	ASSERT_NE(NULL, p.other);
	if (row->driver == LAB_DEVX && row->on_pci)
		move_to_pci(&p);
	run_program(&p, row);
	if (row->driver == LAB_DEVX && row->on_pci)
		move_to_vdev(&p);
	else
		set_up_port(&p, p.other); /* frees the queues, which may hold mbufs of the pools */
	mbuf_pool_free(p.pinned);
	mbuf_pool_free(p.other);
	munmap(p.memory, BYTES);
}
