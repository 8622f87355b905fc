/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ether.h>
#include <rte_gre.h>
#include <rte_icmp.h>
#include <rte_ip.h>
#include <rte_sctp.h>
#include <rte_tcp.h>
#include <rte_udp.h>
#include <rte_vxlan.h>

#include "devx_rxq.h"
#include "port_rig.h"

/*
 * Packet types and checksum flags of frames that cross the wire. The test makes the frames itself;
 * DPDK's functions compute the checksums.
 */

#define GOOD (RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD)
#define IP_GOOD RTE_MBUF_F_RX_IP_CKSUM_GOOD

enum { PAYLOAD = 80, VXLAN_PORT = 4789 };

/*
 * @headers names the headers of a frame by letters, outermost first:
 *
 *     E Ethernet    4 IPv4                          6 IPv6                            u UDP
 *     C C-tag       o IPv4 with options             d IPv6 with destination options   t TCP
 *     g GRE         f first fragment in IPv4        x UDP and VXLAN                   s SCTP
 *                                                                                     i ICMP
 */
static const struct row {
	const char *name, *headers;
	uint32_t ptype;
	uint64_t flags; /* with good checksums */
} rows[] = {
	{ "no_IP", "E", RTE_PTYPE_L2_ETHER, 0 },
	{ "udp4", "E4u", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP, GOOD },
	{ "tcp4", "E4t", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_TCP, GOOD },
	{ "udp4_in_VLAN", "EC4u", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP, GOOD },
	{ "udp4_options", "Eou", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP, GOOD },
	{ "icmp4", "E4i", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_NONFRAG, IP_GOOD },
	{ "sctp4", "E4s", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_NONFRAG, IP_GOOD },
	{ "fragment4", "Efu", RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_FRAG, IP_GOOD },
	{ "udp6", "E6u", RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_L4_UDP, GOOD },
	{ "tcp6", "E6t", RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_L4_TCP, GOOD },
	{ "udp6_options", "Edu", RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_L4_UDP, GOOD },
	{ "vxlan4_udp4", "E4xE4u",
	  RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_UDP,
	  GOOD },
	{ "vxlan4_tcp6", "E4xE6t",
	  RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV6_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_TCP,
	  GOOD },
	{ "vxlan6_tcp4", "E6xE4t",
	  RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_TCP,
	  GOOD },
	{ "gre4_udp4", "E4g4u",
	  RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_UDP,
	  GOOD },
	{ "gre6_icmp4", "E6g4i",
	  RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_NONFRAG,
	  IP_GOOD },
	{ "vxlan4_fragment4", "E4xEfu",
	  RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_FRAG,
	  IP_GOOD },
};

FIXTURE(packet_type)
{
	struct port_rig rig;
};
FIXTURE_SETUP(packet_type)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .eth.rxmode.offloads =
								   RTE_ETH_RX_OFFLOAD_CHECKSUM });
}
FIXTURE_TEARDOWN(packet_type)
{
	port_rig_down(&self->rig);
}

static uint8_t get_protocol(char next)
{
	switch (next) {
	case 'u':
	case 'x':
		return IPPROTO_UDP;
	case 't':
		return IPPROTO_TCP;
	case 's':
		return IPPROTO_SCTP;
	case 'i':
		return IPPROTO_ICMP;
	case 'g':
		return IPPROTO_GRE;
	default:
		return IPPROTO_NONE;
	}
}

static uint16_t get_ether_type(char next)
{
	switch (next) {
	case 'C':
		return RTE_ETHER_TYPE_VLAN;
	case '4':
	case 'o':
	case 'f':
		return RTE_ETHER_TYPE_IPV4;
	case '6':
	case 'd':
		return RTE_ETHER_TYPE_IPV6;
	default:
		return 0x88b5; /* for local experiments */
	}
}

static void *add_header(struct rte_mbuf *m, size_t bytes)
{
	return memset(rte_pktmbuf_prepend(m, (uint16_t)bytes), 0, bytes);
}

static void add_ipv4(struct rte_mbuf *m, char kind, char next)
{
	const size_t options = kind == 'o' ? 8 : 0; /* 8 end-of-list options */
	struct rte_ipv4_hdr *ip = add_header(m, sizeof(*ip) + options);
	uint16_t *l4 = rte_pktmbuf_mtod_offset(m, uint16_t *, sizeof(*ip) + options);

	ip->version_ihl = (uint8_t)(RTE_IPV4_VHL_DEF + options / 4);
	ip->total_length = rte_cpu_to_be_16((uint16_t)m->pkt_len);
	ip->fragment_offset = rte_cpu_to_be_16(kind == 'f' ? RTE_IPV4_HDR_MF_FLAG : 0);
	ip->time_to_live = 64;
	ip->next_proto_id = get_protocol(next);
	ip->src_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 1));
	ip->dst_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 2));
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	if (next == 'u')
		l4[3] = rte_ipv4_udptcp_cksum(ip, l4);
	if (next == 't')
		l4[8] = rte_ipv4_udptcp_cksum(ip, l4);
}

static void add_ipv6(struct rte_mbuf *m, char kind, char next)
{
	uint16_t *l4 = rte_pktmbuf_mtod(m, uint16_t *);
	struct rte_ipv6_hdr ip = { .vtc_flow = rte_cpu_to_be_32(6u << 28),
				   .payload_len = rte_cpu_to_be_16((uint16_t)m->pkt_len),
				   .proto = get_protocol(next),
				   .hop_limits = 64 };
	uint16_t *const sum = next == 't' ? &l4[8] : &l4[3];

	memcpy(&ip.src_addr, "\xfd\1", 2);
	memcpy(&ip.dst_addr, "\xfd\2", 2);
	if (next == 'u' || next == 't' || next == 'x')
		*sum = rte_ipv6_udptcp_cksum(&ip, l4);
	if (kind == 'd') {
		uint8_t *ext = add_header(m, 8);

		ext[0] = ip.proto;
		ext[2] = 1; /* option PadN */
		ext[3] = 4;
		ip.proto = IPPROTO_DSTOPTS;
		ip.payload_len = rte_cpu_to_be_16((uint16_t)m->pkt_len);
	}
	memcpy(add_header(m, sizeof(ip)), &ip, sizeof(ip));
}

static void add_udp(struct rte_mbuf *m, uint16_t port)
{
	struct rte_udp_hdr *udp = add_header(m, sizeof(*udp));

	udp->src_port = rte_cpu_to_be_16(1000);
	udp->dst_port = rte_cpu_to_be_16(port);
	udp->dgram_len = rte_cpu_to_be_16((uint16_t)m->pkt_len);
}

static void add_tcp(struct rte_mbuf *m)
{
	struct rte_tcp_hdr *tcp = add_header(m, sizeof(*tcp));

	tcp->data_off = sizeof(*tcp) / 4 << 4;
	tcp->tcp_flags = RTE_TCP_PSH_FLAG;
}

static void add_layer(const struct port_rig *rig, struct rte_mbuf *m, char kind, char next)
{
	const rte_be16_t type = rte_cpu_to_be_16(get_ether_type(next));
	struct rte_ether_hdr *eth;

	switch (kind) {
	case 'E':
		eth = add_header(m, sizeof(*eth));
		eth->dst_addr = eth->src_addr = rig->mac;
		eth->ether_type = type;
		break;
	case 'C':
		((struct rte_vlan_hdr *)add_header(m, sizeof(struct rte_vlan_hdr)))->eth_proto =
			type;
		break;
	case 'g':
		((struct rte_gre_hdr *)add_header(m, sizeof(struct rte_gre_hdr)))->proto = type;
		break;
	case 'x':
		((struct rte_vxlan_hdr *)add_header(m, sizeof(struct rte_vxlan_hdr)))->vx_flags =
			rte_cpu_to_be_32(0x08000000);
		add_udp(m, VXLAN_PORT);
		break;
	case 'u':
		add_udp(m, 2000);
		break;
	case 't':
		add_tcp(m);
		break;
	case 's':
		add_header(m, sizeof(struct rte_sctp_hdr));
		break;
	case 'i':
		add_header(m, sizeof(struct rte_icmp_hdr));
		break;
	case '6':
	case 'd':
		add_ipv6(m, kind, next);
		break;
	default:
		add_ipv4(m, kind, next);
	}
}

static struct rte_mbuf *make_frame(const struct port_rig *rig, const char *headers)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(rig->pool);

	m->data_off = 512;
	memset(rte_pktmbuf_append(m, PAYLOAD), 0x5a, PAYLOAD);
	for (size_t i = strlen(headers); i--;)
		add_layer(rig, m, headers[i], headers[i + 1]);
	return m;
}

/* Sends @m and expects type and flags of what comes back. */
static void expect_type(struct port_rig *rig, struct rte_mbuf *m, uint32_t ptype, uint64_t flags)
{
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	EXPECT_EQ(RTE_PTYPE_L2_ETHER | ptype, m->packet_type);
	EXPECT_EQ(flags, m->ol_flags);
	rte_pktmbuf_free(m);
}

TEST_F_EACH(packet_type, type_and_flags_are_those_of, struct row, rows)
{
	struct rte_mbuf *m = make_frame(&self->rig, row->headers);

	expect_type(&self->rig, m, row->ptype, row->flags);
	if (!(row->flags & RTE_MBUF_F_RX_L4_CKSUM_GOOD))
		return;
	m = make_frame(&self->rig, row->headers);
	*rte_pktmbuf_mtod_offset(m, uint8_t *, m->data_len - 1) ^= 1; /* payload */

	expect_type(&self->rig, m, row->ptype, IP_GOOD);
}

/* The flag covers both IP headers of a tunnel. */
TEST_F(packet_type, one_wrong_IP_checksum_of_a_tunnel_clears_the_flag)
{
	const size_t outer = sizeof(struct rte_ether_hdr);
	const size_t inner = outer + sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_gre_hdr);
	const struct row *gre = NULL;

	FOR_EACH_ROW (row, rows)
		if (!strcmp(row->name, "gre4_udp4"))
			gre = row;
	for (int i = 0; i < 2; i++) {
		struct rte_mbuf *m = make_frame(&self->rig, gre->headers);

		SCOPED_TRACE("wrong: %s", i ? "inner" : "outer");
		rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, i ? inner : outer)->packet_id ^=
			1;
		expect_type(&self->rig, m, gre->ptype, RTE_MBUF_F_RX_L4_CKSUM_GOOD);
	}
}

/* Type and flag of a UDP or TCP packet in a tunnel. */
static const struct row *find_tunnel(void)
{
	FOR_EACH_ROW (row, rows)
		if (!strcmp(row->name, "vxlan4_tcp6"))
			return row;
	return NULL;
}

/* The outer UDP checksum of VXLAN is 0 here, which is right. */
TEST_F(packet_type, tunnels_are_payload_if_the_device_forbids_inner_headers)
{
	struct port_rig *rig = &self->rig;
	const struct row *vxlan = find_tunnel();
	int rc;

	NEEDS_EMU("to forbid inner headers");
	ASSERT_NE(NULL, vxlan);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_EQ(1, rig->emu->option("inner_hashing", 0));
	rc = rte_eth_dev_start(rig->port);
	EXPECT_EQ(0, rig->emu->option("inner_hashing", 1));
	ASSERT_EQ(0, rc);
	expect_type(rig, make_frame(rig, vxlan->headers),
		    RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP, GOOD);
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, "rx_recoveries");
}

/* The TIRs are older than the new RQ, which enters their table. */
TEST_F(packet_type, inner_headers_are_described_after_the_repair_of_a_queue)
{
	struct port_rig *rig = &self->rig;
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[0];
	const uint32_t rqn = rxq->rq.rqn;
	const struct row *vxlan = find_tunnel();

	NEEDS_EMU("to let a CQ fail");
	ASSERT_NE(NULL, vxlan);
	ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(has_recovered, rig, NULL));
	EXPECT_NE(rqn, rxq->rq.rqn);
	expect_type(rig, make_frame(rig, vxlan->headers), vxlan->ptype, vxlan->flags);
}
