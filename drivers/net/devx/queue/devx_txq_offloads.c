/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "queue/devx_txq_offloads.h"

enum {
	/* values of the 4 bits of RTE_MBUF_F_TX_TUNNEL_MASK */
	NO_TUNNEL = 0,
	TUNNEL_VXLAN = 1,
	TUNNEL_GRE = 2,
};
static_assert(RTE_MBUF_F_TX_TUNNEL_VXLAN == (uint64_t)TUNNEL_VXLAN << DEVX_ETH_TX_TUNNEL_SHIFT,
	      "VXLAN");
static_assert(RTE_MBUF_F_TX_TUNNEL_GRE == (uint64_t)TUNNEL_GRE << DEVX_ETH_TX_TUNNEL_SHIFT, "GRE");

static const struct {
	uint64_t offload;
	uint16_t tunnels;
} tso_offloads[] = {
	{ RTE_ETH_TX_OFFLOAD_TCP_TSO, 1 << NO_TUNNEL },
	{ RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO, 1 << TUNNEL_VXLAN },
	{ RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO, 1 << TUNNEL_GRE },
};

uint64_t devx_eth_tx_offloads_get(const struct devx_caps *caps)
{
	const bool vxlan = caps->tunnel_stateless_vxlan, gre = caps->tunnel_stateless_gre;
	const bool tso = caps->csum_cap && caps->max_lso_cap;
	uint64_t offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE | RTE_ETH_TX_OFFLOAD_MULTI_SEGS |
			    RTE_ETH_TX_OFFLOAD_VLAN_INSERT;

	if (caps->csum_cap)
		offloads |= RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
			    RTE_ETH_TX_OFFLOAD_TCP_CKSUM;
	if (caps->csum_cap && (vxlan || gre))
		offloads |= RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM;
	if (tso)
		offloads |= RTE_ETH_TX_OFFLOAD_TCP_TSO;
	if (tso && vxlan)
		offloads |= RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO;
	if (tso && gre)
		offloads |= RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO;
	return offloads;
}

int devx_eth_tx_burst_validate(const struct devx_eth *eth)
{
	if (eth->args.tx_burst != DEVX_ETH_TX_MULTI || eth->dev.caps.enhanced_multi_pkt_send_wqe)
		return 0;
	devx_eth_log(eth, ERR,
		     "argument tx_burst: multi needs multi-packet WQEs, which the device lacks "
		     "(capability enhanced_multi_pkt_send_wqe; valid: auto, single)");
	return -ENOTSUP;
}

/*
 * Returns whether the device may insert tags. On a ConnectX-5, whose inline mode depends on the
 * vport, insertion may break flow control (PFC) in spite of the capability wqe_vlan_insert. So
 * net_mlx5 does not use it in this mode (mlx5_set_min_inline).
 */
static bool can_insert_tag(const struct devx_caps *caps)
{
	return caps->wqe_vlan_insert &&
	       caps->wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED;
}

/* Sets the tag to insert. If the device may not insert it, the driver writes it into the WQE. */
static void set_tag(struct devx_eth_txq *txq, uint16_t tpid)
{
	const bool s_tag = tpid == RTE_ETHER_TYPE_QINQ;

	__atomic_store_n(&txq->tpid, tpid, __ATOMIC_RELAXED);
	if (can_insert_tag(&txq->eth->dev.caps))
		__atomic_store_n(&txq->insert_type,
				 PRM_ETH_INSERT_VLAN | (s_tag ? PRM_ETH_INSERT_SVLAN : 0),
				 __ATOMIC_RELAXED);
}

void devx_eth_txq_set_offloads(struct devx_eth_txq *txq)
{
	const struct devx_eth *eth = txq->eth;
	const struct devx_caps *caps = &eth->dev.caps;

	txq->alone = txq->offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT ? RTE_MBUF_F_TX_VLAN : 0;
	txq->tso_tunnels = 0;
	for (unsigned int i = 0; i < RTE_DIM(tso_offloads); i++)
		if (txq->offloads & tso_offloads[i].offload)
			txq->tso_tunnels |= tso_offloads[i].tunnels;
	if (txq->tso_tunnels)
		txq->alone |= RTE_MBUF_F_TX_TCP_SEG;
	txq->tunnels = (uint16_t)((caps->tunnel_stateless_vxlan ? 1 << TUNNEL_VXLAN : 0) |
				  (caps->tunnel_stateless_gre ? 1 << TUNNEL_GRE : 0));
	txq->max_payload = 1u << caps->max_lso_cap;
	set_tag(txq, eth->insert_tpid ? eth->insert_tpid : RTE_ETHER_TYPE_VLAN);
}

int devx_eth_tx_tpid_set(struct rte_eth_dev *ethdev, enum rte_vlan_type type, uint16_t tpid)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	if (type != RTE_ETH_VLAN_TYPE_OUTER) {
		devx_eth_log(eth, ERR,
			     "VLAN insertion: a packet gets one tag (valid: the TPID of the outer "
			     "tag, RTE_ETH_VLAN_TYPE_OUTER)");
		return -ENOTSUP;
	}
	if (tpid != RTE_ETHER_TYPE_VLAN && tpid != RTE_ETHER_TYPE_QINQ) {
		devx_eth_log(eth, ERR,
			     "VLAN insertion: TPID 0x%04x is invalid (valid: 0x8100 = C-tag, "
			     "0x88a8 = S-tag)",
			     tpid);
		return -EINVAL;
	}
	eth->insert_tpid = tpid;
	for (uint16_t i = 0; i < ethdev->data->nb_tx_queues; i++)
		if (ethdev->data->tx_queues[i])
			set_tag(ethdev->data->tx_queues[i], tpid);
	return 0;
}
