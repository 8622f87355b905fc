/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <rte_mbuf.h>

#include "burst/devx_rx_refill.h"
#include "devx_log.h"
#include "memory/devx_mr_eal.h"
#include "queue/devx_rxq_buffers.h"

/* Returns the fields data_off, refcnt, nb_segs and port of a received mbuf as a 64-bit word. */
static uint64_t make_rearm_word(uint16_t port, uint16_t data_off)
{
	struct rte_mbuf m = { .data_off = data_off, .nb_segs = 1, .port = port };
	uint64_t word;

	rte_mbuf_refcnt_set(&m, 1);
	memcpy(&word, (char *)&m + DEVX_ETH_RX_REARM_OFFSET, sizeof(word));
	return word;
}

/* Sets how many bytes the device may write to a buffer, less @reserve bytes at its end. */
static void set_room(struct devx_eth_rxq *rxq, uint32_t reserve)
{
	rxq->more_bytes = rte_pktmbuf_data_room_size(rxq->pool) - reserve;
	rxq->buf_bytes = rxq->more_bytes - RTE_PKTMBUF_HEADROOM;
}

void devx_eth_rxq_set_pool(struct devx_eth_rxq *rxq, struct rte_mempool *pool)
{
	const uint16_t port = rxq->eth->data->port_id;

	rxq->pool = pool;
	set_room(rxq, 0);
	rxq->rearm = make_rearm_word(port, RTE_PKTMBUF_HEADROOM);
	rxq->more_rearm = make_rearm_word(port, 0);
	rxq->ol_flags = rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF
				? RTE_MBUF_F_EXTERNAL
				: 0;
}

/* ---- buffers per frame ------------------------------------------------------------ */

/* Returns the bytes of a frame that the MTU does not include. */
static uint32_t get_overhead(const struct devx_eth_rxq *rxq)
{
	return DEVX_ETH_OVERHEAD +
	       (rxq->offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC ? RTE_ETHER_CRC_LEN : 0);
}

/*
 * Returns the bytes to leave free at the end of each buffer if a frame has several: the driver may
 * complete a frame check sequence there (devx_eth_rx_gather_fcs()).
 */
static uint32_t get_reserve(const struct devx_eth_rxq *rxq)
{
	return rxq->offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC ? RTE_ETHER_CRC_LEN : 0;
}

static uint32_t count_buffers(const struct devx_eth_rxq *rxq, uint16_t mtu)
{
	const uint32_t room = rte_pktmbuf_data_room_size(rxq->pool);
	const uint32_t more = room - get_reserve(rxq);
	const uint32_t bytes = mtu + get_overhead(rxq) + RTE_PKTMBUF_HEADROOM;

	return bytes <= room ? 1 : (bytes + more - 1) / more;
}

/* Returns the largest MTU whose frames fit @n buffers. */
static uint32_t get_mtu_limit(const struct devx_eth_rxq *rxq, uint32_t n)
{
	const uint32_t reserve = n > 1 ? get_reserve(rxq) : 0;
	const uint32_t room = n * (rte_pktmbuf_data_room_size(rxq->pool) - reserve);
	const uint32_t overhead = get_overhead(rxq) + RTE_PKTMBUF_HEADROOM;

	return room > overhead ? room - overhead : 0;
}

/* Returns the largest number of data segments of a receive WQE. */
static uint32_t get_max_segs(const struct devx_caps *caps)
{
	uint32_t bytes = sizeof(struct prm_data_seg) << DEVX_RQ_LOG2_SEGS_MAX;

	bytes = RTE_MIN(bytes, (uint32_t)caps->max_wqe_sz_rq);
	if (caps->log_max_stride_sz_rq) /* 0: not reported */
		bytes = RTE_MIN(bytes, 1u << caps->log_max_stride_sz_rq);
	return rte_align32prevpow2(bytes / sizeof(struct prm_data_seg));
}

static int refuse_mtu(const struct devx_eth_rxq *rxq, uint16_t mtu, uint32_t max,
		      const char *advice)
{
	devx_eth_log(rxq->eth, ERR,
		     "Rx queue %u: a frame of MTU %u needs %u buffers of pool %s (valid: at most "
		     "%u, MTU up to %u); %s a pool with a data room of at least %u bytes",
		     rxq->id, mtu, count_buffers(rxq, mtu), rxq->pool->name, max,
		     get_mtu_limit(rxq, max), advice,
		     (mtu + get_overhead(rxq) + RTE_PKTMBUF_HEADROOM + max - 1) / max +
			     (max > 1 ? get_reserve(rxq) : 0));
	return -EINVAL;
}

int devx_eth_rxq_check_mtu(const struct devx_eth_rxq *rxq, uint16_t mtu)
{
	const uint32_t n = count_buffers(rxq, mtu);
	const uint32_t now = 1u << rxq->log2_segs, max = get_max_segs(&rxq->eth->dev.caps);

	if (n > 1 && !(rxq->offloads & RTE_ETH_RX_OFFLOAD_SCATTER))
		return refuse_mtu(rxq, mtu, 1, "request the offload SCATTER, or use");
	if (n > max)
		return refuse_mtu(rxq, mtu, max, "use");
	if (n > now && rxq->rq.obj)
		return refuse_mtu(rxq, mtu, now, "stop the port first, or use");
	return 0;
}

void devx_eth_rxq_set_segs(struct devx_eth_rxq *rxq, uint16_t mtu)
{
	const uint32_t n_elts = rxq->elts_mask + 1;

	rxq->log2_segs = (uint8_t)rte_log2_u32(count_buffers(rxq, mtu));
	set_room(rxq, rxq->log2_segs ? get_reserve(rxq) : 0);
	rxq->refill = (uint16_t)RTE_MIN(n_elts / 4, (uint32_t)DEVX_ETH_RX_REFILL_MAX);
	if (!rxq->log2_segs)
		return;
	rxq->refill = RTE_MAX(rxq->refill >> rxq->log2_segs, 1);
	memset(rxq->used, 1 << rxq->log2_segs, n_elts >> rxq->log2_segs);
}

/* ---- memory keys ------------------------------------------------------------------ */

/*
 * State of devx_eth_rxq_check_pool(), about the buffers checked so far:
 * @range: registered range of the last buffer; NULL before the first one
 * @covered: every buffer is inside a registered range
 * @one_range: all buffers are inside one range
 * @write: the device may write to all buffers
 * @unreadable: the CPU cannot read some buffer
 * @delta: distance from each mbuf to its packet; 0 if it differs
 */
struct pool_check {
	const struct devx_eth_rxq *rxq;
	const struct devx_eth_range *range;
	bool covered, one_range, write, unreadable;
	uint64_t delta;
};

/* Asks the kernel whether the CPU can read an address, which may belong to a GPU. */
static bool can_read(uint64_t addr)
{
	int ends[2];
	bool yes;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	yes = write(ends[1], (const void *)(uintptr_t)addr, 1) == 1;
	close(ends[0]);
	close(ends[1]);
	return yes;
}

/* Matters only if the driver copies frame check sequences in external buffers. */
static bool is_unreadable(const struct devx_eth_rxq *rxq, const struct devx_eth_range *range,
			  uint64_t addr)
{
	return rxq->ol_flags && rxq->crc_bytes && rxq->log2_segs &&
	       (range->dmabuf || !can_read(addr));
}

static void check_buffer(struct rte_mempool *pool, void *arg, void *obj, unsigned int idx)
{
	struct pool_check *check = arg;
	const bool several = check->rxq->log2_segs;
	const uint64_t addr =
		devx_eth_mempool_get_buffer(pool, obj) + (several ? 0 : RTE_PKTMBUF_HEADROOM);
	const uint32_t bytes = several ? check->rxq->more_bytes : check->rxq->buf_bytes;
	const struct devx_eth_range *r = check->range;

	if (!idx)
		check->delta = addr - (uintptr_t)obj;
	else if (check->delta != addr - (uintptr_t)obj)
		check->delta = 0;
	if (r && devx_eth_range_holds(r, addr, bytes))
		return;
	check->one_range = !r;
	check->range = devx_eth_range_find(check->rxq->table, addr, bytes);
	check->covered = check->covered && check->range;
	if (!check->range)
		return;
	check->write = check->write && check->range->write;
	check->unreadable = check->unreadable || is_unreadable(check->rxq, check->range, addr);
}

static void fill_slots(struct devx_eth_rxq *rxq, prm_be32 lkey)
{
	const uint32_t first = (1u << rxq->log2_segs) - 1;
	struct prm_data_seg *seg = rxq->rq.wqes;

	for (uint32_t i = 0; i <= rxq->elts_mask; i++) {
		seg[i].byte_count = prm_be32_of(i & first ? rxq->more_bytes : rxq->buf_bytes);
		seg[i].lkey = lkey;
	}
}

/*
 * Returns a queue that has already checked the same buffers in the same table, or NULL: many queues
 * often share a large pool. A port starts its queues in ascending order.
 */
static const struct devx_eth_rxq *find_checked_queue(const struct devx_eth_rxq *rxq)
{
	const struct rte_eth_dev_data *data = rxq->eth->data;

	for (uint16_t i = 0; i < rxq->id; i++) {
		const struct devx_eth_rxq *q = data->rx_queues[i];

		if (q && q->rq.obj && q->pool == rxq->pool && q->table == rxq->table &&
		    !q->log2_segs == !rxq->log2_segs && q->buf_bytes == rxq->buf_bytes &&
		    q->more_bytes == rxq->more_bytes)
			return q;
	}
	return NULL;
}

static void copy_check(struct devx_eth_rxq *rxq, const struct devx_eth_rxq *checked)
{
	const struct prm_data_seg *seg = checked->rq.wqes;

	rxq->one_range = checked->one_range;
	rxq->buf_delta = checked->buf_delta;
	rxq->unreadable = checked->unreadable;
	fill_slots(rxq, seg->lkey);
}

int devx_eth_rxq_check_pool(struct devx_eth_rxq *rxq)
{
	struct pool_check check = { .rxq = rxq, .covered = true, .one_range = true, .write = true };
	const struct devx_eth_rxq *checked;
	int rc = devx_eth_memory_add_buffers(rxq->eth, rxq->pool);

	if (rc)
		return rc;
	rxq->table = devx_eth_memory_get_table(&rxq->eth->memory);
	checked = find_checked_queue(rxq);
	if (checked) {
		copy_check(rxq, checked);
		return 0;
	}
	rte_mempool_obj_iter(rxq->pool, check_buffer, &check);
	if (!check.covered) {
		devx_eth_log(rxq->eth, ERR,
			     "Rx queue %u: pool %s has buffers in unregistered memory; use a pool "
			     "whose buffers follow their mbufs, map the memory with "
			     "rte_dev_dma_map(), or register the dma-buf (rte_pmd_devx.h)",
			     rxq->id, rxq->pool->name);
		return -ENOTSUP;
	}
	if (!check.write) {
		devx_eth_log(rxq->eth, ERR,
			     "Rx queue %u: pool %s has buffers in a dma-buf that the device may "
			     "only read; register it with RTE_PMD_DEVX_DMABUF_WRITE",
			     rxq->id, rxq->pool->name);
		return -EINVAL;
	}
	rxq->one_range = check.one_range;
	rxq->unreadable = check.unreadable;
	rxq->buf_delta = !rxq->log2_segs && check.one_range && check.delta <= UINT32_MAX
				 ? (uint32_t)check.delta
				 : 0;
	if (check.range)
		fill_slots(rxq, check.range->lkey);
	return 0;
}
