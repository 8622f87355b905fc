/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "burst/tx_frames.h"
#include "devx_port.h"
#include "devx_txq.h"

/*
 * Adapters that lack a capability for sending. The test takes it from the capabilities that the
 * driver read at probe.
 */

#define CHECKSUMS                                                                                  \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM)
#define TUNNEL_TSO (RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO | RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO)
#define TSO (RTE_ETH_TX_OFFLOAD_TCP_TSO | TUNNEL_TSO)
#define ALL                                                                                        \
	(CHECKSUMS | TSO | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |  \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

enum { TX_RING = 64, TCI = 0x2345, FRAME = 200, MSS = 500 };

FIXTURE(tx_caps)
{
	struct port_rig rig;
	struct devx_caps *caps;
	struct tx_packet packet;
};
FIXTURE_SETUP(tx_caps)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("for a device with all capabilities");
	self->caps = &devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.caps;
}
FIXTURE_TEARDOWN(tx_caps)
{
	port_rig_down(&self->rig);
}

static void lack_csum(struct devx_caps *caps)
{
	caps->csum_cap = 0;
}

static void lack_lso(struct devx_caps *caps)
{
	caps->max_lso_cap = 0;
}

static void lack_vxlan(struct devx_caps *caps)
{
	caps->tunnel_stateless_vxlan = 0;
}

static void lack_tunnels(struct devx_caps *caps)
{
	caps->tunnel_stateless_vxlan = 0;
	caps->tunnel_stateless_gre = 0;
}

static void lack_multi_packet(struct devx_caps *caps)
{
	caps->multi_pkt_send_wqe = 0;
	caps->enhanced_multi_pkt_send_wqe = 0;
}

static void lack_insertion(struct devx_caps *caps)
{
	caps->wqe_vlan_insert = 0;
}

/* as ConnectX-5 */
static void take_mode_from_vport(struct devx_caps *caps)
{
	caps->wqe_inline_mode = PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT;
}

static void limit_wqe(struct devx_caps *caps)
{
	caps->max_wqe_sz_sq = 256;
}

static const struct lack {
	const char *name;
	void (*remove)(struct devx_caps *caps);
	uint64_t missing; /* offloads that the port does not have then */
	bool by_device;   /* a device with wqe_vlan_insert inserts VLAN tags */
	const char *mode;
	uint16_t max_segs, max_tso_segs;
} lacks[] = {
	{ "csum_cap", lack_csum, CHECKSUMS | TSO | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM, true,
	  "multi-packet WQE", 48, 46 },
	{ "max_lso_cap", lack_lso, TSO, true, "multi-packet WQE", 48, 48 },
	{ "tunnel_stateless_vxlan", lack_vxlan, RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO, true,
	  "multi-packet WQE", 48, 46 },
	{ "tunnels", lack_tunnels, TUNNEL_TSO | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM, true,
	  "multi-packet WQE", 48, 46 },
	{ "enhanced_multi_pkt_send_wqe", lack_multi_packet, 0, true, "WQE per packet", 48, 46 },
	{ "wqe_vlan_insert", lack_insertion, 0, false, "multi-packet WQE", 48, 46 },
	{ "mode_of_vport", take_mode_from_vport, 0, false, "multi-packet WQE", 48, 46 },
	{ "short_wqe", limit_wqe, 0, true, "multi-packet WQE", 14, 2 },
};

/* Sends a packet with a tag, one without, and one of two segments. */
static void exchange_tagged(struct ct_fix_tx_caps *self, uint32_t seed)
{
	static uint8_t frame[TX_FRAMES_MAX];
	struct rte_mbuf *m[3];

	for (uint32_t i = 0; i < RTE_DIM(m); i++) {
		m[i] = port_rig_make_packet(&self->rig, FRAME, seed + i);
		ASSERT_NE(NULL, m[i]);
	}
	memcpy(frame, rte_pktmbuf_mtod(m[0], void *), FRAME);
	m[0]->ol_flags = RTE_MBUF_F_TX_VLAN;
	m[0]->vlan_tci = TCI;
	ASSERT_EQ(0, rte_pktmbuf_chain(m[2], port_rig_make_packet(&self->rig, FRAME, 0)));
	EXPECT_EQ(RTE_DIM(m), rte_eth_tx_prepare(self->rig.port, 0, m, RTE_DIM(m)));
	ASSERT_TRUE(port_rig_send(&self->rig, m, RTE_DIM(m)));
	tx_frames_expect(&self->rig, frame,
			 tx_frame_insert_tag(frame, FRAME, RTE_ETHER_TYPE_VLAN, TCI));
	ASSERT_EQ(1, port_rig_receive(&self->rig, m, 1));
	port_rig_expect_packet(&self->rig, m[0], FRAME, seed + 1);
	rte_pktmbuf_free(m[0]);
	ASSERT_EQ(1, port_rig_receive(&self->rig, m, 1));
	EXPECT_EQ(2 * FRAME, m[0]->pkt_len);
	rte_pktmbuf_free(m[0]);
}

static void exchange_tso(struct ct_fix_tx_caps *self, uint32_t seed)
{
	struct rte_mbuf *m;

	tx_packet_make(&self->packet, &self->rig, TX_IPV4, 1200, seed);
	m = tx_packet_to_mbuf(&self->packet, &self->rig, 0, 2048, MSS);
	EXPECT_EQ(1, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	tx_packet_expect(&self->packet, &self->rig, MSS, 0, 0);
}

TEST_F_EACH(tx_caps, a_missing_one_is_refused_at_configure_or_replaced, struct lack, lacks)
{
	struct port_rig_config config = { .n_tx_desc = TX_RING, .eth.txmode.offloads = ALL };
	const uint16_t port = self->rig.port;
	struct rte_eth_burst_mode mode;
	struct rte_eth_dev_info info;
	const struct devx_eth_txq *txq;

	row->remove(self->caps);
	ASSERT_EQ(0, rte_eth_dev_info_get(port, &info));
	EXPECT_EQ(ALL & ~row->missing, info.tx_offload_capa & ALL);
	EXPECT_EQ(row->max_segs, info.tx_desc_lim.nb_mtu_seg_max);
	EXPECT_EQ(row->max_tso_segs, info.tx_desc_lim.nb_seg_max);
	EXPECT_EQ(row->missing ? -EINVAL : 0, port_rig_configure(&self->rig, &config));
	config.eth.txmode.offloads = ALL & ~row->missing;
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(port, 0, &mode));
	EXPECT_SUBSTR(row->mode, mode.info);
	txq = rte_eth_devices[port].data->tx_queues[0];
	EXPECT_EQ(row->by_device && self->caps->wqe_vlan_insert, txq->insert_type != 0);
	for (uint32_t i = 0; i < 40; i++) { /* laps of the ring */
		exchange_tagged(self, i);
		if (!(row->missing & RTE_ETH_TX_OFFLOAD_TCP_TSO))
			exchange_tso(self, i);
	}
	port_rig_read_log();
}

static const struct tx_burst {
	const char *name, *args;
	bool has_multi;
	int rc;
	const char *mode;
} tx_bursts[] = {
	{ "auto", "tx_burst=auto", true, 0, "multi-packet WQE, " },
	{ "auto_without_multi_packet_WQEs", "tx_burst=auto", false, 0, "WQE per packet, " },
	{ "multi", "tx_burst=multi", true, 0, "multi-packet WQE, " },
	{ "multi_without_multi_packet_WQEs", "tx_burst=multi", false, -ENOTSUP, NULL },
	{ "single", "tx_burst=single", true, 0, "WQE per packet, " },
	{ "single_without_multi_packet_WQEs", "tx_burst=single", false, 0, "WQE per packet, " },
};

TEST_F_EACH(tx_caps, argument_tx_burst_selects_the_function, struct tx_burst, tx_bursts)
{
	const struct port_rig_config config = { .eth.txmode.offloads = CHECKSUMS };
	struct rte_eth_burst_mode mode;
	char args[64];

	snprintf(args, sizeof(args), "ibdev=mlx5_0,%s", row->args);
	port_rig_remove_port(&self->rig);
	port_rig_add_port_with(&self->rig, args);
	if (!row->has_multi)
		lack_multi_packet(&devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.caps);
	ASSERT_EQ(row->rc, port_rig_configure(&self->rig, &config));
	if (row->rc) {
		EXPECT_SUBSTR("argument tx_burst: multi needs multi-packet WQEs, which the device "
			      "lacks (capability enhanced_multi_pkt_send_wqe; valid: auto, "
			      "single)\n",
			      port_rig_read_log());
		return;
	}
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_EQ(0, strncmp(row->mode, mode.info, strlen(row->mode)));
	port_rig_exchange_one(&self->rig, 1);
}
