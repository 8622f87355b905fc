/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/burn_pmd.h"
#include "harness/gauge.h"

#include <string.h>

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>
#include <rte_malloc.h>

enum { SLEEP_CYCLES = 1000000 };

struct burn burn;
static void *rx_memory[BURN_MAX_QUEUES];

static void burn_loops(uint64_t n)
{
	if (n)
		__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n)::"cc");
}

bool burn_knows_wide_loops(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
#else
	return false;
#endif
}

/*
 * Instructions as in a burst function of AVX-512: masks, a masked load and store, a permutation,
 * registers that only AVX-512 has. It leaves the sum of its turns in all words of @out.
 */
static void burn_wide_loops(uint64_t n, uint64_t out[8])
{
#ifdef __x86_64__
	if (!n)
		return;
	__asm__ volatile("mov $-1, %%eax\n\tkmovw %%eax, %%k3\n\t"
			 "vpbroadcastq %[one], %%zmm17\n\tvpxorq %%zmm16, %%zmm16, %%zmm16\n\t"
			 "vmovdqu64 %%zmm16, %[out]\n"
			 "1:\n\tvmovdqu64 %[out], %%zmm16%{%%k3%}%{z%}\n\t"
			 "vpaddq %%zmm17, %%zmm16, %%zmm16\n\tvpermq $0x39, %%zmm16, %%zmm16\n\t"
			 "vpcmpeqq %%zmm16, %%zmm16, %%k2\n\tkandw %%k2, %%k3, %%k2\n\t"
			 "vprolq $0, %%zmm16, %%zmm16%{%%k2%}\n\t"
			 "vmovdqu64 %%zmm16, %[out]%{%%k2%}\n\t"
			 "dec %[n]\n\tjnz 1b\n\tvzeroupper"
			 : [n] "+r"(n), [out] "+m"(*(uint64_t(*)[8])out)
			 : [one] "r"((uint64_t)1)
			 : "rax", "cc", "memory");
#else
	(void)n;
	(void)out;
#endif
}

/* The devices, by the digit of their names. Queues point into it. */
static struct device {
	struct rte_mempool *pool;
	unsigned int factor;
} devices[2] = { { NULL, 1 }, { NULL, 2 } };

static struct device *find_device(const struct rte_eth_dev *dev)
{
	return &devices[strchr(dev->device->name, '1') != NULL];
}

static uint64_t now_cycles;

static uint64_t pass_time(uint64_t cycles)
{
	return __atomic_fetch_add(&now_cycles, cycles, __ATOMIC_RELAXED);
}

uint64_t bench_test_clock(void)
{
	return pass_time(BURN_MARK_CYCLES);
}

static void spend_cost(const struct device *device, uint16_t n)
{
	static unsigned int n_calls;

	if (burn.sleep_every && ++n_calls % burn.sleep_every == 0)
		pass_time(SLEEP_CYCLES);
	if (burn.sleep_at && !--burn.sleep_at)
		pass_time(SLEEP_CYCLES);
	pass_time(device->factor * burn.cycles * n);
	burn_loops(burn.call_loops);
	for (uint16_t i = 0; i < n; i++) {
		uint64_t sum[8] = { burn.wide_loops, 0, 0, 0, 0, 0, 0, burn.wide_loops };

		burn_loops(burn.loops);
		burn_wide_loops(burn.wide_loops, sum);
		burn.wrong_sums += sum[0] != burn.wide_loops || sum[7] != burn.wide_loops;
	}
}

static uint16_t limit_packets(uint16_t n)
{
	if (burn.empty)
		return 0;
	return burn.at_most && burn.at_most < n ? burn.at_most : n;
}

static uint16_t receive_burst(void *queue, struct rte_mbuf **m, uint16_t n)
{
	const struct device *device = queue;

	n = limit_packets(n);
	if (!n)
		return 0;
	if (rte_pktmbuf_alloc_bulk(device->pool, m, n))
		return 0;
	spend_cost(device, n);
	return n;
}

static uint16_t send_burst(void *queue, struct rte_mbuf **m, uint16_t n)
{
	n = limit_packets(n);
	rte_pktmbuf_free_bulk(m, n);
	burn.n_sent += n;
	spend_cost(queue, n);
	return n;
}

/* ---- control --------------------------------------------------------------- */

static int do_nothing(struct rte_eth_dev *dev)
{
	(void)dev;
	return 0;
}

static int start_ethdev(struct rte_eth_dev *dev)
{
	(void)dev;
	burn.started_us += burn.start_us;
	return -burn.start_fails;
}

static int get_info(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	(void)dev;
	info->max_rx_queues = info->max_tx_queues = BURN_MAX_QUEUES;
	info->max_rx_pktlen = 9000;
	info->tx_offload_capa = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	return 0;
}

static int set_up_rx(struct rte_eth_dev *dev, uint16_t queue, uint16_t n, unsigned int socket,
		     const struct rte_eth_rxconf *conf, struct rte_mempool *pool)
{
	(void)n;
	(void)socket;
	(void)conf;
	find_device(dev)->pool = pool;
	dev->data->rx_queues[queue] = find_device(dev);
	rx_memory[queue] = burn.rx_bytes ? rte_malloc("burn", burn.rx_bytes, 0) : NULL;
	return 0;
}

static void release_rx(struct rte_eth_dev *dev, uint16_t queue)
{
	(void)dev;
	rte_free(rx_memory[queue]);
	rx_memory[queue] = NULL;
}

static int set_up_tx(struct rte_eth_dev *dev, uint16_t queue, uint16_t n, unsigned int socket,
		     const struct rte_eth_txconf *conf)
{
	(void)n;
	(void)socket;
	(void)conf;
	dev->data->tx_queues[queue] = find_device(dev);
	return 0;
}

static int update_link(struct rte_eth_dev *dev, int wait)
{
	(void)wait;
	dev->data->dev_link.link_status = RTE_ETH_LINK_UP;
	return 0;
}

static const struct eth_dev_ops ops = {
	.dev_configure = do_nothing,
	.dev_start = start_ethdev,
	.dev_stop = do_nothing,
	.dev_close = do_nothing,
	.dev_infos_get = get_info,
	.rx_queue_setup = set_up_rx,
	.rx_queue_release = release_rx,
	.tx_queue_setup = set_up_tx,
	.link_update = update_link,
	.promiscuous_enable = do_nothing,
	.promiscuous_disable = do_nothing,
};

static int probe_vdev(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_vdev_allocate(vdev, 0);
	static struct rte_ether_addr mac = { { 0x02, 0xde, 0, 0, 0, 9 } };

	if (!dev)
		return -ENOMEM;
	dev->dev_ops = &ops;
	dev->rx_pkt_burst = receive_burst;
	dev->tx_pkt_burst = send_burst;
	dev->data->mac_addrs = &mac;
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int remove_vdev(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	if (!dev)
		return 0;
	dev->data->mac_addrs = NULL; /* static, and not to be freed */
	return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver driver = { .probe = probe_vdev, .remove = remove_vdev };

RTE_PMD_REGISTER_VDEV(net_burn, driver);
