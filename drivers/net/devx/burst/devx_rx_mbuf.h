/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_MBUF_H
#define DEVX_ETH_RX_MBUF_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_cycles.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>

#include "burst/devx_rx_group.h"
#include "burst/devx_rx_refill.h"
#include "prm/cqe.h"

/*
 * The checksum flags of an mbuf are the device's two bits for valid checksums, shifted. As in
 * net_mlx5, without the bit the checksum is unknown, never bad.
 *
 * PRM-MISSING: whether the L4 bit is set for a UDP packet whose checksum is 0, that is, absent.
 */
enum { DEVX_ETH_RX_CSUM_SHIFT = 6 };
static_assert(PRM_CQE_L3_OK << DEVX_ETH_RX_CSUM_SHIFT == RTE_MBUF_F_RX_IP_CKSUM_GOOD, "L3");
static_assert(PRM_CQE_L4_OK << DEVX_ETH_RX_CSUM_SHIFT == RTE_MBUF_F_RX_L4_CKSUM_GOOD, "L4");

/*
 * Returns the time of a CQE: cycles of the device, or nanoseconds of its real-time clock, as
 * net_mlx5 does.
 */
static __rte_always_inline uint64_t devx_eth_rx_get_time(const struct devx_eth_rx_fixed *fixed,
							 const struct prm_cqe *cqe)
{
	const uint64_t stamp = prm_be64_get(cqe->timestamp);

	if (likely(!fixed->real_time))
		return stamp;
	return (stamp >> 32) * NS_PER_S + (uint32_t)stamp;
}

/*
 * Returns the flags of the mbuf. The flags of a stripped tag depend on the bit of the CQE without a
 * branch.
 */
static __rte_always_inline uint64_t devx_eth_rx_get_flags(const struct devx_eth_rx_fixed *fixed,
							  const struct prm_cqe *cqe,
							  const unsigned int flags)
{
	uint64_t ol_flags = fixed->ol_flags;

	ol_flags |= (uint32_t)cqe->hds_ip_ext << DEVX_ETH_RX_CSUM_SHIFT & fixed->csum_flags;
	if ((flags & DEVX_ETH_RX_HASH) && cqe->rss_hash_type)
		ol_flags |= RTE_MBUF_F_RX_RSS_HASH;
	if (!(flags & DEVX_ETH_RX_FIELDS))
		return ol_flags;
	ol_flags |= (cqe->l4_l3_hdr_type & PRM_CQE_HDR_CV) *
		    (RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED);
	return ol_flags | fixed->ts_flag;
}

/*
 * Writes the timestamp, if it was requested. All other fields are in the first cache line of the
 * mbuf, and the timestamp is in the second, so the caller writes it last. Between the stores to the
 * first line, it made bursts of 64 take 1.3 times as long (AVX2, mbufs in L2, Intel Xeon).
 */
static __rte_always_inline void devx_eth_rx_write_time(const struct devx_eth_rx_fixed *fixed,
						       struct rte_mbuf *m,
						       const struct prm_cqe *cqe,
						       const unsigned int flags)
{
	if (flags & DEVX_ETH_RX_FIELDS && fixed->ts_flag)
		*RTE_MBUF_DYNFIELD(m, fixed->ts_offset, rte_mbuf_timestamp_t *) =
			devx_eth_rx_get_time(fixed, cqe);
}

/* Copies the fields of a CQE into its first mbuf. Returns the length of the packet in bytes. */
static __rte_always_inline uint32_t devx_eth_rx_fill_mbuf(const struct devx_eth_rx_fixed *fixed,
							  struct rte_mbuf *m,
							  const struct prm_cqe *cqe,
							  const unsigned int flags)
{
	uint32_t bytes = prm_be32_get(cqe->byte_cnt);

	if (flags & DEVX_ETH_RX_FIELDS) {
		bytes -= fixed->crc_bytes;
		m->vlan_tci = prm_be16_get(cqe->vlan_info);
	}
	if (flags & DEVX_ETH_RX_HASH)
		m->hash.rss = prm_be32_get(cqe->rss_hash_result);
	memcpy((char *)m + DEVX_ETH_RX_REARM_OFFSET, &fixed->rearm, sizeof(fixed->rearm));
	m->ol_flags = devx_eth_rx_get_flags(fixed, cqe, flags);
	m->packet_type = devx_eth_type_get(fixed->types, cqe);
	m->pkt_len = bytes;
	m->data_len = (uint16_t)bytes;
	devx_eth_rx_write_time(fixed, m, cqe, flags);
	return bytes;
}

#endif
