/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx_rig.h"
#include "rights.h"

/* Packets that a rule matches (flow.c), and the hash that a TIR computes (tir.c). */

FIXTURE(flow)
{
	struct devx_rig rig;
	struct devx_flow_rule rule;
	struct devx_tir tir;
};

FIXTURE_SETUP(flow)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	devx_rig_post_recv(&self->rig, 1 << DEVX_RIG_LOG2_RQ);
	devx_flow_destroy(&self->rig.rule);
}

FIXTURE_TEARDOWN(flow)
{
	devx_flow_destroy(&self->rule);
	devx_tir_destroy(&self->tir);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

/* Destination MAC and the bytes after both MAC addresses; zeroes pad the frame. */
struct frame {
	uint8_t dmac[6]; /* all zero: the MAC of the port */
	uint8_t rest[48];
	unsigned rest_bytes;
};

enum { FRAME_BYTES = 100, MACS = 12 };

static void send_frame(struct devx_rig *rig, const struct frame *f)
{
	static const uint8_t zero[6];
	uint8_t *slot = devx_rig_get_send_slot(rig, rig->sq.pi);

	memset(slot, 0, FRAME_BYTES);
	memcpy(slot, memcmp(f->dmac, zero, sizeof(zero)) ? f->dmac : rig->port.mac, sizeof(zero));
	memcpy(slot + sizeof(zero), rig->port.mac, sizeof(zero));
	memcpy(slot + MACS, f->rest, f->rest_bytes);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, slot, FRAME_BYTES, rig->mr.lkey));
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
}

/* clang-format off */
#define TYPE_EXPERIMENT 0x88, 0xb5
#define VLAN_7 0x81, 0x00, 0x00, 0x07
#define VLAN_8 0x81, 0x00, 0x00, 0x08
#define IPV4(proto)                                                                                \
	0x08, 0x00, 0x45, 0, 0, 86, 0, 0, 0, 0, 64, proto, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
#define IPV6(proto) 0x86, 0xdd, 0x60, 0, 0, 0, 0, 46, proto, 64, 0xfd
#define FRAME(...) { .rest = { __VA_ARGS__ }, .rest_bytes = sizeof((uint8_t[]){ __VA_ARGS__ }) }
#define FRAME_TO(...) { .dmac = { __VA_ARGS__ }, .rest = { TYPE_EXPERIMENT }, .rest_bytes = 2 }
/* clang-format on */

enum { TCP = 6, UDP = 17 };

static const struct taking {
	const char *name;
	struct devx_match match;
	struct frame taken, left; /* frame that matches, frame that does not */
} takings[] = {
	{ "broadcast", DEVX_MATCH_BROADCAST, FRAME_TO(0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
	  FRAME_TO(0x01, 0, 0x5e, 0, 0, 1) },
	{ "multicast", DEVX_MATCH_MULTICAST, FRAME_TO(0x33, 0x33, 0, 0, 0, 1),
	  FRAME(TYPE_EXPERIMENT) },
	{ "one_group", DEVX_MATCH_MAC(0x01, 0, 0x5e, 0, 0, 5), FRAME_TO(0x01, 0, 0x5e, 0, 0, 5),
	  FRAME_TO(0x01, 0, 0x5e, 0, 0, 6) },
	{ "ethertype", { .ethertype = 0x88b5 }, FRAME(TYPE_EXPERIMENT), FRAME(0x88, 0xb6) },
	{ "vlan",
	  { .vlan = true, .vid = 7 },
	  FRAME(VLAN_7, TYPE_EXPERIMENT),
	  FRAME(VLAN_8, TYPE_EXPERIMENT) },
	{ "vlan_and_untagged_frame",
	  { .vlan = true, .vid = 7 },
	  FRAME(VLAN_7, TYPE_EXPERIMENT),
	  FRAME(TYPE_EXPERIMENT) },
	{ "ethertype_behind_vlan",
	  { .ethertype = 0x88b5, .vlan = true, .vid = 7 },
	  FRAME(VLAN_7, TYPE_EXPERIMENT),
	  FRAME(VLAN_7, 0x88, 0xb6) },
	{ "ip_version", { .ip_version = 4 }, FRAME(IPV4(UDP)), FRAME(IPV6(UDP)) },
	{ "ip_version_6", { .ip_version = 6 }, FRAME(IPV6(UDP)), FRAME(IPV4(UDP)) },
	{ "ip_protocol",
	  { .ip_version = 4, .ip_protocol = UDP },
	  FRAME(IPV4(UDP)),
	  FRAME(IPV4(TCP)) },
};

/* Sends the frame that must not match first: a rule that took it would deliver it first. */
TEST_F_EACH(flow, rule_takes_what_it_matches_and_leaves_the_rest, struct taking, takings)
{
	struct devx_rig *rig = &self->rig;
	const struct prm_cqe *cqe;

	ASSERT_EQ(0, devx_flow_create(&self->rule, &rig->dev, &row->match, 0, &rig->tir));
	send_frame(rig, &row->left);
	send_frame(rig, &row->taken);
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	ASSERT_TRUE(cqe);
	EXPECT_MEMEQ(row->taken.rest, devx_rig_get_recv_slot(rig, 0) + MACS, row->taken.rest_bytes);
	if (row->taken.dmac[0])
		EXPECT_MEMEQ(row->taken.dmac, devx_rig_get_recv_slot(rig, 0),
			     sizeof(row->taken.dmac));
	devx_rig_drop_cqe(&rig->recv_cq);
	EXPECT_EQ(NULL, devx_cq_peek(&rig->recv_cq));
}

TEST_F(flow, empty_match_takes_everything)
{
	static const struct {
		const char *name;
		struct frame frame;
	} frames[] = {
		{ "ethertype", FRAME(TYPE_EXPERIMENT) },
		{ "vlan", FRAME(VLAN_7, TYPE_EXPERIMENT) },
		{ "ipv4", FRAME(IPV4(UDP)) },
		{ "broadcast", FRAME_TO(0xff, 0xff, 0xff, 0xff, 0xff, 0xff) },
	};
	struct devx_rig *rig = &self->rig;

	ASSERT_EQ(0, devx_flow_create(&self->rule, &rig->dev, &(struct devx_match){ 0 },
				      DEVX_FLOW_PRIO_MAX, &rig->tir));
	FOR_EACH_ROW (row, frames) {
		send_frame(rig, &row->frame);
		ASSERT_TRUE(devx_rig_wait_cqe(&rig->recv_cq));
		devx_rig_drop_cqe(&rig->recv_cq);
	}
}

TEST_F(flow, smaller_priority_sees_a_packet_first)
{
	struct devx_rig *rig = &self->rig;
	struct devx_counter counter = { 0 };
	struct devx_rq nowhere = { 0 };
	struct devx_tir sink = { 0 };
	struct devx_flow_rule later = { 0 };
	uint32_t lost = 0;

	NEEDS_COUNTER(rig);
	/* The later rule leads to an RQ without buffers: its counter must stay 0. */
	ASSERT_EQ(0, devx_counter_create(&counter, &rig->dev));
	ASSERT_EQ(0, devx_rq_create(&nowhere, &rig->dev,
				    &(struct devx_rq_attr){ .log2_n = 3,
							    .cq = &rig->recv_cq,
							    .counter = &counter,
							    .keep_vlan = true }));
	ASSERT_EQ(0, devx_rq_ready(&nowhere));
	ASSERT_EQ(0, devx_tir_create(&sink, &rig->dev,
				     &(struct devx_tir_attr){ .td = &rig->td, .rq = &nowhere }));
	ASSERT_EQ(0, devx_flow_create(&later, &rig->dev, &(struct devx_match){ 0 }, 5, &sink));
	ASSERT_EQ(0, devx_flow_create(&self->rule, &rig->dev,
				      &(struct devx_match){ .ethertype = 0x88b5 }, 4, &rig->tir));
	send_frame(rig, &(struct frame)FRAME(TYPE_EXPERIMENT));
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->recv_cq));
	devx_rig_drop_cqe(&rig->recv_cq);
	EXPECT_EQ(0, devx_counter_read(&counter, &lost));
	EXPECT_EQ(0, lost);
	devx_flow_destroy(&later);
	devx_tir_destroy(&sink);
	devx_rq_destroy(&nowhere);
	devx_counter_destroy(&counter);
}

/*
 * Test vectors of "Verifying the RSS Hash Calculation" by Microsoft: every adapter with Toeplitz
 * hashing computes these hashes.
 */
static const uint8_t microsoft_key[DEVX_HASH_KEY_BYTES] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

#define IPV4_TCP(a, b, c, d, sport, e, f, g, h, dport)                                             \
	FRAME(0x08, 0x00, 0x45, 0, 0, 86, 0, 0, 0, 0, 64, TCP, 0, 0, a, b, c, d, e, f, g, h,       \
	      (sport) >> 8, (sport)&0xff, (dport) >> 8, (dport)&0xff, 0, 0, 0, 0, 0, 0, 0, 0,      \
	      0x50)
#define ADDRESSES (PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP)
#define PORTS (PRM_HASH_FIELD_SEL_L4_SPORT | PRM_HASH_FIELD_SEL_L4_DPORT)

static const struct vector {
	const char *name;
	uint32_t fields;
	struct frame frame;
	uint32_t hash;
} vectors[] = {
	{ "addresses_1", ADDRESSES, IPV4_TCP(66, 9, 149, 187, 2794, 161, 142, 100, 80, 1766),
	  0x323e8fc2 },
	{ "ports_1", ADDRESSES | PORTS, IPV4_TCP(66, 9, 149, 187, 2794, 161, 142, 100, 80, 1766),
	  0x51ccc178 },
	{ "addresses_2", ADDRESSES, IPV4_TCP(199, 92, 111, 2, 14230, 65, 69, 140, 83, 4739),
	  0xd718262a },
	{ "ports_2", ADDRESSES | PORTS, IPV4_TCP(199, 92, 111, 2, 14230, 65, 69, 140, 83, 4739),
	  0xc626b0ea },
};

TEST_F_EACH(flow, toeplitz_hash_is_the_published_one, struct vector, vectors)
{
	struct devx_rig *rig = &self->rig;
	struct devx_tir_attr attr = { .td = &rig->td,
				      .rqt = &rig->rqt,
				      .l3 = PRM_L3_PROT_TYPE_IPV4,
				      .l4 = PRM_L4_PROT_TYPE_TCP,
				      .fields = row->fields };
	const struct prm_cqe *cqe;

	memcpy(attr.key, microsoft_key, sizeof(attr.key));
	ASSERT_EQ(0, devx_tir_create(&self->tir, &rig->dev, &attr));
	ASSERT_EQ(0, devx_flow_create(&self->rule, &rig->dev,
				      &(struct devx_match){ .ip_version = 4, .ip_protocol = TCP },
				      0, &self->tir));
	send_frame(rig, &row->frame);
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	ASSERT_TRUE(cqe);
	EXPECT_EQ(row->hash, prm_be32_get(cqe->rss_hash_result));
	EXPECT_NE(0, cqe->rss_hash_type);
	devx_rig_drop_cqe(&rig->recv_cq);
}

TEST_F(flow, a_changed_hash_is_the_published_one)
{
	struct devx_rig *rig = &self->rig;
	struct devx_tir_attr attr = { .td = &rig->td,
				      .rqt = &rig->rqt,
				      .l3 = PRM_L3_PROT_TYPE_IPV6,
				      .fields = PRM_HASH_FIELD_SEL_DST_IP };
	const struct prm_cqe *cqe;

	ASSERT_EQ(0, devx_tir_create(&self->tir, &rig->dev, &attr));
	ASSERT_EQ(0, devx_flow_create(&self->rule, &rig->dev, &(struct devx_match){ 0 }, 0,
				      &self->tir));
	FOR_EACH_ROW (vector, vectors) {
		attr.l3 = PRM_L3_PROT_TYPE_IPV4;
		attr.fields = vector->fields;
		memcpy(attr.key, microsoft_key, sizeof(attr.key));
		ASSERT_EQ(0, devx_tir_modify_hash(&self->tir, &attr));
		send_frame(rig, &vector->frame);
		cqe = devx_rig_wait_cqe(&rig->recv_cq);
		ASSERT_TRUE(cqe);
		EXPECT_EQ(vector->hash, prm_be32_get(cqe->rss_hash_result));
		devx_rig_drop_cqe(&rig->recv_cq);
	}
}

TEST_F(flow, hash_of_a_direct_tir_cannot_change)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_tir_attr direct = { .td = &rig->td, .rq = &rig->rq };

	devx_rig_expect_error(&rig->dev, -EINVAL, "direct",
			      devx_tir_modify_hash(&rig->tir, &direct));
}

/* The kernel checks CAP_NET_RAW twice: when a device is opened and when a rule is created. */
TEST_F(flow, create_without_net_raw_is_refused)
{
	const struct devx_match match = DEVX_MATCH_BROADCAST;
	struct devx_flow_rule rule = { 0 };
	int rc;

	ASSERT_TRUE(rights_raw(false));
	rc = devx_flow_create(&rule, &self->rig.dev, &match, 0, &self->rig.tir);
	ASSERT_TRUE(rights_raw(true));
	devx_rig_expect_error(&self->rig.dev, -EPERM, "CAP_NET_RAW", rc);
	EXPECT_EQ(NULL, rule.matcher);
}
