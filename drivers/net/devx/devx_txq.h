/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TXQ_H
#define DEVX_ETH_TXQ_H

#include <stdint.h>

#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "devx/cq.h"
#include "devx/pp.h"
#include "devx/share.h"
#include "devx/sq.h"
#include "devx/uar.h"
#include "devx_counts.h"
#include "devx_flush.h"
#include "devx_last_error.h"
#include "devx_mr_table.h"
#include "devx_port.h"
#include "devx_ring_memory.h"

/**
 * DOC: Send queue of a port
 *
 *     elts   | m | m | m | m |   |    mbuf of every segment that the device may still read
 *              tail            head   NULL: the WQE contains the packet
 *     wqebbs | W   | W |     |        WQEs for these segments; at least as many blocks as n_elts
 *     marks  | a   | b |              at the first block of a WQE: its elts, [first, end)
 *
 * A WQE of k segments takes at most k blocks, so the ring has a free block for each free elt. A WQE
 * that contains headers or packets takes more, so a queue with TSO or inline_max also counts free
 * blocks (devx_tx_room.h).
 *
 * A WQE requests a CQE when comp_every segments have been posted since the last request. A queue
 * that counts blocks also requests one after comp_every blocks. The CQE has the number of the first
 * block of its WQE. The mark at this block has the elts that the burst frees; the WQE has the
 * number of its blocks. If no WQE follows the last segments, a NOP, which takes a block and no elt,
 * requests their CQE (devx_eth_tx_request_cqe()).
 *
 * The burst frees the mbuf of a copied packet at once, so that the application gets a buffer back
 * that is still in the caches. The packet also has an elt, which stays empty (devx_tx_keep.h).
 */

enum {
	/* bytes of headers in a WQE, with a VLAN tag; the limit of net_mlx5 */
	DEVX_ETH_TX_HEADER_MAX = 192,
	/* bytes of a packet to which the device adds a tag; net_mlx5 sends none below 19 bytes */
	DEVX_ETH_TX_TAGGED_MIN = RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN,
	DEVX_ETH_TX_TUNNEL_SHIFT = 45, /* RTE_MBUF_F_TX_TUNNEL_MASK is a number of 4 bits */
};
static_assert(RTE_MBUF_F_TX_TUNNEL_MASK == 0xfull << DEVX_ETH_TX_TUNNEL_SHIFT, "4 bits");

/* Offloads with which the device splits TCP packets into segments. */
#define DEVX_ETH_TX_TSO_OFFLOADS                                                                   \
	(RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO |                           \
	 RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO)

/** struct devx_eth_tx_mark - elts [first, end) of a WQE, free-running */
struct devx_eth_tx_mark {
	uint16_t first, end;
};

/**
 * struct devx_eth_tx_unknown - memory without a key in which a burst found a packet
 * @pool: pool of the mbuf; the burst writes it last. NULL: none since the recovery timer looked
 * @addr: address of the data
 * @bytes: length of the data
 * @pool_name: name of @pool, which the application may free meanwhile
 * @refused: last pool whose pinned buffers the port could not register
 */
struct devx_eth_tx_unknown {
	struct rte_mempool *pool;
	uint64_t addr;
	uint32_t bytes;
	char pool_name[RTE_MEMPOOL_NAMESIZE];
	const struct rte_mempool *refused;
};

/** struct devx_eth_txq - a send queue */
struct devx_eth_txq {
	/* read in every burst */
	uint32_t owner;      /* enum devx_eth_owner */
	uint16_t head, tail; /* indices of elts, free-running */
	uint16_t comp;       /* head after the last WQE that requests a CQE */
	uint16_t comp_every; /* segments from one CQE to the next */
	uint16_t elts_mask;  /* number of blocks of the ring, minus 1; also of the array elts */
	uint16_t max_ds;     /* 16-byte segments per WQE, control and Ethernet segment included */
	uint16_t max_segs;   /* segments per packet; 1 without offload MULTI_SEGS */
	uint16_t fast_free;  /* offload MBUF_FAST_FREE is on and every packet is one segment */
	uint32_t max_bytes;  /* length of the longest packet */
	struct rte_mbuf **elts;
	struct devx_eth_tx_mark *marks;
	struct devx_eth_range range; /* memory range of the last packet */

	const struct devx_eth_table *table __rte_cache_aligned; /* source of range */
	const struct devx_eth_memory *memory;
	uint64_t alone;       /* ol_flags (VLAN, TSO) of packets that need a WQE of their own */
	uint32_t max_payload; /* most bytes behind the headers of a TSO packet */
	uint16_t tso_tunnels; /* bit n: TSO in tunnels of type n; bit 0: without tunnel */
	uint16_t tunnels;     /* bit n: checksums in tunnels of type n */
	uint16_t insert_type; /* VLAN insertion by the device, PRM_ETH_INSERT_*; 0: by the WQE */
	uint16_t tpid;        /* TPID of the tag that a WQE inserts */
	uint16_t done;        /* sq.pi behind the last WQE that completed */
	uint16_t comp_block;  /* sq.pi behind the last WQE that requests a CQE */
	uint16_t n_elts;      /* most segments in the ring: n_desc, or one less if it has a NOP */
	uint16_t inline_max;  /* length of the longest packet to copy into a WQE; 0: none */
	uint16_t kept;        /* with inline_max: elts from here on contain no mbuf */
	uint16_t n_gaps;      /* most elts before kept that are NULL */
	struct devx_sq sq __rte_cache_aligned;
	struct devx_cq cq __rte_cache_aligned;
	struct devx_eth_tx_counters n __rte_cache_aligned;

	struct devx_eth_user user; /* bursts of a secondary process read it */
	struct devx_eth_tx_unknown unknown;

	/* control path */
	struct devx_eth *eth;
	struct devx_uar uar;
	struct devx_share uar_share;      /* attributes of @uar for secondary processes */
	struct devx_eth_tx_counters base; /* at the last reset of statistics */
	uint64_t offloads;
	uint16_t id;
	uint16_t n_desc; /* descriptors of the queue */
	bool deferred;   /* a port start leaves the queue stopped */
	struct devx_eth_flush flush;
	uint16_t error_wqe;     /* first block of the failed WQE */
	uint8_t error_syndrome; /* enum prm_cqe_syndrome */
	uint8_t error_vendor;
	uint8_t cq_syndrome;         /* enum prm_cq_error_syndrome; 0: unknown */
	bool cq_failed;              /* the recovery timer replaces CQ and SQ */
	bool recovery_failed;        /* a failure to restart the queue was logged */
	uint64_t cq_cookie;          /* cookie of the CQ's events; 0: the device withholds them */
	uint32_t polled_ci;          /* cq.ci when the timer last looked at the CQ */
	int socket;                  /* NUMA node of the memory of the queue */
	struct devx_eth_rings rings; /* places of the CQ and the SQ, while the port is started */
	struct devx_eth_rings spare; /* for the next CQ and SQ, if a recovery replaces them */
	struct devx_cq_attr cq_attr; /* attributes that the queue was created with */
	struct devx_sq_attr sq_attr;
	struct devx_eth_last_error last_error;
	struct devx_pp pp;  /* rate limit of the SQ; all zero: none */
	uint32_t rate_mbps; /* rate of pp */
	bool rate_changed;  /* pp changed while the queue was stopped; the SQ does not use it yet */
};
static_assert(offsetof(struct devx_eth_txq, table) == RTE_CACHE_LINE_SIZE,
	      "the fields of every burst are in one cache line");

/** devx_eth_txq_empty_ring - set the counters of the rings to the values for an SQ in RST */
static inline void devx_eth_txq_empty_ring(struct devx_eth_txq *txq)
{
	txq->head = txq->tail = txq->comp = 0;
	txq->done = txq->comp_block = txq->kept = txq->n_gaps = 0;
	devx_eth_flush_end(&txq->flush);
	txq->n_elts = txq->n_desc;
}

/** devx_eth_tx_accepts_length - check the length of a packet; valid: @min to @max bytes */
static __rte_always_inline bool devx_eth_tx_accepts_length(uint32_t bytes, uint32_t min,
							   uint32_t max)
{
	return bytes - min <= max - min;
}

#endif
