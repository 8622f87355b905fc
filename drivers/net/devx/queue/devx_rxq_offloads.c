/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>
#include <rte_mbuf_dyn.h>

#include "devx_log.h"
#include "queue/devx_rxq_offloads.h"

uint64_t devx_eth_rx_offloads_get(const struct devx_caps *caps)
{
	uint64_t offloads = RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_RSS_HASH |
			    RTE_ETH_RX_OFFLOAD_TIMESTAMP;

	if (caps->csum_cap)
		offloads |= RTE_ETH_RX_OFFLOAD_CHECKSUM;
	if (caps->vlan_cap)
		offloads |= RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	if (caps->scatter_fcs)
		offloads |= RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	return offloads;
}

int devx_eth_rxq_set_offloads(struct devx_eth_rxq *rxq)
{
	const uint64_t offloads = rxq->offloads;

	rxq->csum_flags = offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM
				  ? RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD
				  : 0;
	rxq->crc_bytes = offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC ? RTE_ETHER_CRC_LEN : 0;
	rxq->ts_flag = 0;
	rxq->ts_offset = 0;
	if (offloads & RTE_ETH_RX_OFFLOAD_TIMESTAMP &&
	    rte_mbuf_dyn_rx_timestamp_register(&rxq->ts_offset, &rxq->ts_flag)) {
		devx_eth_log(rxq->eth, ERR,
			     "Rx queue %u: mbufs have no room for the timestamp (%s); do not "
			     "request the offload TIMESTAMP, or register fewer dynamic fields",
			     rxq->id, rte_strerror(rte_errno));
		return -ENOMEM;
	}
	return 0;
}
