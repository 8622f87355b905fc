/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/queue/port.h"
#include "emu/steering/rss.h"
#include "core_rig_post.h"
#include "core_rig_steer.h"
#include "packet/tunnel_frames.h"
#include "packet/tunnel_lso.h"
#include "prm/wqe.h"

enum { LOG_N = 5, BUFFER = 2048, MEMORY = 8192 };

/* Receives from a loop wire, in a TIR with tunneled_offload_en. */
FIXTURE(tunnel_queue)
{
	struct core_rig r;
	struct core_rig_cq rx_cq, tx_cq;
	struct core_rig_rq rq;
	struct core_rig_sq sq;
	uint32_t plain_tir, tunnel_tir, lkey;
	uint8_t *rx, *memory;
	uint16_t n_posted;
};

/* Writes a TIR without a change of its settings. */
static uint32_t make_tunnel_tir(struct core_rig *r, uint32_t rqn)
{
	struct prm_create_tir_in in = { 0 };
	struct prm_create_tir_out out;

	prm_set(&in, uid, r->uid);
	prm_set(prm_sub(&in, ctx), inline_rqn, rqn);
	prm_set(prm_sub(&in, ctx), transport_domain, r->td);
	prm_set(prm_sub(&in, ctx), tunneled_offload_en, 1);
	CORE_RIG_OK(r, create_tir, &in, &out);
	return (uint32_t)prm_get(&out, tirn);
}

FIXTURE_SETUP(tunnel_queue)
{
	struct core_rig *r = &self->r;

	core_rig_open(r, &(struct core_rig_config){ .wire = "loop" });
	self->rx_cq = core_rig_make_cq(r, LOG_N);
	self->tx_cq = core_rig_make_cq(r, LOG_N);
	self->rq = core_rig_make_rq(r, LOG_N, 0, self->rx_cq.cqn);
	self->sq = core_rig_make_sq(r, 6, self->tx_cq.cqn);
	self->rx = core_rig_alloc(r, BUFFER << LOG_N);
	core_rig_post_rq(&self->rq, core_rig_make_mkey(r, self->rx, BUFFER << LOG_N, true),
			 self->rx, BUFFER, 1 << LOG_N);
	self->memory = core_rig_alloc(r, MEMORY);
	self->lkey = core_rig_make_mkey(r, self->memory, MEMORY, false);
	self->plain_tir = core_rig_make_tir(r, self->rq.rqn);
	self->tunnel_tir = make_tunnel_tir(r, self->rq.rqn);
}

FIXTURE_TEARDOWN(tunnel_queue)
{
	core_rig_close(&self->r);
}

/* Takes the next CQE of the receiver, and gives its buffer back. @frame receives the frame. */
static struct prm_cqe *take_frame(struct ct_fix_tunnel_queue *self, const uint8_t **frame)
{
	struct prm_cqe *cqe = core_rig_take_cqe(&self->rx_cq);

	if (!cqe)
		return NULL;
	*frame = self->rx + (prm_be16_get(cqe->wqe_counter) & (self->rq.n - 1)) * BUFFER;
	core_rig_post_more(&self->rq, (uint16_t)((1 << LOG_N) + ++self->n_posted));
	return cqe;
}

static void receive_frame(struct ct_fix_tunnel_queue *self, const uint8_t *frame, uint32_t bytes)
{
	emu_lock(self->r.adapter);
	emu_port_rx(self->r.emu, &(struct emu_frame){ frame, bytes }, false);
	emu_unlock(self->r.adapter);
}

static const struct tunnel_frame *find_frame(const char *name)
{
	FOR_EACH_ROW (row, tunnel_frames)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

/* ---- CQEs of received frames --------------------------------------------------------------- */

static uint8_t make_header_type(uint8_t ip, uint8_t proto)
{
	return (uint8_t)((ip == 4   ? 2
			  : ip == 6 ? 1
				    : 0)
				 << 2 |
			 (proto == 17  ? 2
			  : proto == 6 ? 4 /* ack with data */
				       : 0)
				 << 4);
}

/* Bits of hds_ip_ext: 1 L2, 2 L3, 4 L4. A wrong outer checksum clears the bit of its layer. */
TEST_F(tunnel_queue, cqe_describes_the_inner_headers)
{
	core_rig_steer_all(&self->r, self->tunnel_tir);
	FOR_EACH_ROW (row, tunnel_frames) {
		const bool frag = strstr(row->name, "fragment"),
			   v6 = row->data[row->outer_l3] >> 4 == 6;

		for (int spoilt = -1; spoilt < 4; spoilt++) {
			uint8_t frame[256], ok;
			const uint8_t *got = NULL;
			const struct prm_cqe *cqe;

			if (spoilt >= 0 && !row->at[spoilt])
				continue;
			SCOPED_TRACE("spoilt checksum %d", spoilt);
			memcpy(frame, row->data, row->bytes);
			if (spoilt >= 0)
				frame[row->at[spoilt]] ^= 0x40;
			receive_frame(self, frame, row->bytes);
			cqe = take_frame(self, &got);
			ASSERT_NE(NULL, cqe);
			/* a change of an inner byte also makes the outer UDP checksum wrong */
			ok = (uint8_t)(1 | (row->inner_ip && spoilt != 0 && spoilt != 2 ? 2 : 0) |
				       (row->inner_proto && spoilt != 3 &&
							(spoilt <= 0 || !row->at[1])
						? 4
						: 0));
			EXPECT_EQ(ok, cqe->hds_ip_ext);
			EXPECT_EQ(v6 ? 3 : 1, cqe->outer_tunnel);
			if (!strcmp(row->name, "ip4_in_ip6")) /* its TCP has no payload */
				EXPECT_EQ(2 << 2 | 3 << 4, cqe->l4_l3_hdr_type);
			else
				EXPECT_EQ(make_header_type(row->inner_ip, row->inner_proto) |
						  (frag ? 0x80 : 0),
					  cqe->l4_l3_hdr_type);
			if (spoilt < 0)
				EXPECT_EQ(row->sum, prm_be16_get(cqe->check_sum));
			EXPECT_MEMEQ(frame, got, row->bytes);
		}
	}
}

TEST_F(tunnel_queue, without_tunneled_offload_the_tunnel_is_payload)
{
	const struct tunnel_frame *row = find_frame("vxlan6_udp6");
	uint8_t frame[256];
	const uint8_t *got = NULL;
	const struct prm_cqe *cqe;

	core_rig_steer_all(&self->r, self->plain_tir);
	core_rig_set_self_lb(&self->r, self->plain_tir, 0);
	memcpy(frame, row->data, row->bytes);
	receive_frame(self, frame, row->bytes);
	cqe = take_frame(self, &got);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(0, cqe->outer_tunnel);
	EXPECT_EQ(7, cqe->hds_ip_ext);
	EXPECT_EQ(make_header_type(6, 17), cqe->l4_l3_hdr_type);
	EXPECT_EQ(row->sum, prm_be16_get(cqe->check_sum));
}

/* Sends a tunneled frame to the port. Returns whether its CQE describes the inner headers. */
static bool describes_inner(struct ct_fix_tunnel_queue *self)
{
	const struct tunnel_frame *row = find_frame("vxlan4_tcp4");
	const uint8_t *got = NULL, *data = (const uint8_t *)row->data;
	const struct prm_cqe *cqe;

	receive_frame(self, data, row->bytes);
	cqe = take_frame(self, &got);
	EXPECT_NE(NULL, cqe);
	return cqe && cqe->outer_tunnel & PRM_CQE_TUNNELED;
}

/* Frames come by the plain TIR; the other one leads to the same RQ. */
TEST_F(tunnel_queue, the_tir_that_was_written_last_decides_for_the_rq)
{
	struct core_rig *r = &self->r;

	core_rig_steer_all(r, self->plain_tir);
	EXPECT_TRUE(describes_inner(self));
	core_rig_set_self_lb(r, self->plain_tir, 0);
	EXPECT_FALSE(describes_inner(self));
	core_rig_set_self_lb(r, self->tunnel_tir, 0);
	EXPECT_TRUE(describes_inner(self));
	core_rig_make_tir(r, self->rq.rqn);
	EXPECT_FALSE(describes_inner(self));
}

static void set_table(struct core_rig *r, uint32_t rqtn, uint32_t rqn)
{
	struct {
		struct prm_modify_rqt_in head;
		struct prm_rq_num rq;
	} in = { 0 };
	struct prm_modify_rqt_out out;

	prm_set(&in.head, uid, r->uid);
	prm_set(&in.head, rqtn, rqtn);
	prm_set(prm_sub(&in.head, bitmask), rqn_list, 1);
	prm_set(prm_sub(&in.head, ctx), rqt_actual_size, 1);
	prm_set(&in.rq, rq_num, rqn);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_modify_rqt, &in, sizeof(in), &out, sizeof(out)));
}

/* Each table has another RQ at first. A table without TIRs changes nothing of its RQs. */
TEST_F(tunnel_queue, an_rq_takes_the_bit_from_the_tirs_of_its_new_table)
{
	static const uint8_t key[EMU_RSS_KEY_BYTES];
	struct core_rig *r = &self->r;
	const struct core_rig_rq other = core_rig_make_rq(r, LOG_N, 0, self->rx_cq.cqn);
	uint32_t rqtn[3];

	for (int i = 0; i < 3; i++)
		rqtn[i] = core_rig_make_rqt(r, &other.rqn, 1);
	core_rig_make_rss_tir(r, rqtn[0], PRM_HASH_FIELD_SEL_SRC_IP, key, false, true);
	core_rig_make_rss_tir(r, rqtn[1], PRM_HASH_FIELD_SEL_SRC_IP, key, false, false);
	core_rig_steer_all(r, self->plain_tir);
	set_table(r, rqtn[1], self->rq.rqn);
	EXPECT_FALSE(describes_inner(self));
	set_table(r, rqtn[0], self->rq.rqn);
	EXPECT_TRUE(describes_inner(self));
	set_table(r, rqtn[2], self->rq.rqn);
	EXPECT_TRUE(describes_inner(self));
	core_rig_make_rss_tir(r, rqtn[2], PRM_HASH_FIELD_SEL_SRC_IP, key, false, false);
	EXPECT_FALSE(describes_inner(self));
}

/* RFC 7348: the outer UDP checksum of VXLAN may be 0. */
TEST_F(tunnel_queue, an_outer_checksum_of_0_is_right)
{
	const struct tunnel_frame *row = find_frame("vxlan4_tcp4");
	uint8_t frame[256];
	const uint8_t *got = NULL;
	const struct prm_cqe *cqe;

	core_rig_steer_all(&self->r, self->tunnel_tir);
	memcpy(frame, row->data, row->bytes);
	memset(frame + row->at[1], 0, 2);
	receive_frame(self, frame, row->bytes);
	cqe = take_frame(self, &got);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(7, cqe->hds_ip_ext);
}

/* ---- WQEs ---------------------------------------------------------------------------------- */

static uint8_t make_cs_flags(unsigned request)
{
	return (uint8_t)((request & 1 ? 0x40 : 0) | (request & 2 ? 0x80 : 0) |
			 (request & 4 ? 0x10 : 0) | (request & 8 ? 0x20 : 0));
}

/* Writes a frame with or without its requested checksums. */
static void make_frame(const struct tunnel_frame *row, uint8_t *frame, const uint16_t sums[4])
{
	memcpy(frame, row->data, row->bytes);
	for (unsigned i = 0; i < 4; i++) {
		if (!row->at[i])
			continue;
		frame[row->at[i]] = (uint8_t)(sums[i] >> 8);
		frame[row->at[i] + 1] = (uint8_t)sums[i];
	}
}

TEST_F(tunnel_queue, each_set_of_cs_flags_computes_its_checksums)
{
	static const uint8_t opcodes[] = { PRM_WQE_SEND, PRM_WQE_ENHANCED_MPSW };

	core_rig_steer_all(&self->r, self->plain_tir);
	FOR_EACH_ROW (row, tunnel_frames) {
		for (unsigned k = 0; k < 32; k++) {
			struct core_rig_wqe p =
				core_rig_begin_wqe(&self->sq, opcodes[k / 16], PRM_CE_ALWAYS);
			uint8_t want[256];
			const uint8_t *got = NULL;

			SCOPED_TRACE("opcode 0x%x, request %u", opcodes[k / 16], k % 16);
			make_frame(row, self->memory, row->want[0]);
			make_frame(row, want, row->want[k % 16]);
			core_rig_add_eth(&p, make_cs_flags(k % 16));
			core_rig_add_pointer(&p, self->lkey, self->memory, row->bytes);
			core_rig_end_wqe(&self->r, &p, true);
			emu_poll(self->r.emu, 16);
			ASSERT_NE(NULL, take_frame(self, &got));
			EXPECT_MEMEQ(want, got, row->bytes);
			EXPECT_EQ(PRM_CQE_REQ,
				  prm_cqe_opcode(core_rig_take_cqe(&self->tx_cq)->op_own));
		}
	}
}

TEST_F(tunnel_queue, lso_cuts_the_inner_segment)
{
	core_rig_steer_all(&self->r, self->plain_tir);
	for (unsigned i = 0; i < TUNNEL_LSO_PAYLOAD; i++)
		self->memory[i] = (uint8_t)(7 * i + 1);
	FOR_EACH_ROW (row, tunnel_lsos) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
		struct prm_eth_seg *eth = (struct prm_eth_seg *)(p.ctrl + 1);

		core_rig_add_header(&p, row->headers, row->header_bytes);
		eth->cs_flags = row->cs_flags;
		eth->mss = prm_be16_of(TUNNEL_LSO_MSS);
		core_rig_add_pointer(&p, self->lkey, self->memory, TUNNEL_LSO_PAYLOAD);
		core_rig_end_wqe(&self->r, &p, true);
		for (int i = 0; i < 4; i++)
			emu_poll(self->r.emu, 16);
		EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(core_rig_take_cqe(&self->tx_cq)->op_own));
		for (unsigned i = 0; i < 3; i++) {
			const unsigned at = i * TUNNEL_LSO_MSS;
			const unsigned n = i < 2 ? TUNNEL_LSO_MSS : TUNNEL_LSO_PAYLOAD - at;
			const uint8_t *got = NULL;
			const struct prm_cqe *cqe = take_frame(self, &got);

			SCOPED_TRACE("segment %u", i);
			ASSERT_NE(NULL, cqe);
			EXPECT_EQ(row->header_bytes + n, prm_be32_get(cqe->byte_cnt));
			EXPECT_MEMEQ(row->segments[i], got, row->header_bytes);
			EXPECT_MEMEQ(self->memory + at, got + row->header_bytes, n);
		}
	}
}

/* ---- steering ------------------------------------------------------------------------------ */

TEST_F(tunnel_queue, rules_match_inner_headers_and_the_vni)
{
	struct prm_fte_match_param mask = { 0 }, value = { 0 };
	const uint32_t table = core_rig_make_table(&self->r, 0, 1);
	struct core_rig_rule rule = { .table = table,
				      .tag = 0x77,
				      .action = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
				      .value = &value,
				      .n_dests = 1,
				      .dest = { { 2, self->tunnel_tir } } };
	static const struct {
		const char *name;
		bool matches;
	} frames[] = { { "vxlan4_tags", true },
		       { "vxlan6_udp6", false },
		       { "gre6_key_udp4", false } };

	prm_set(prm_sub(&mask, misc_parameters), vxlan_vni, 0xffffff);
	prm_set(prm_sub(&mask, inner_headers), udp_dport, 0xffff);
	prm_set(prm_sub(&mask, inner_headers), ip_version, 0xf);
	prm_set(prm_sub(&value, misc_parameters), vxlan_vni, 0x123456);
	prm_set(prm_sub(&value, inner_headers), udp_dport, 4000);
	prm_set(prm_sub(&value, inner_headers), ip_version, 4);
	rule.group = core_rig_make_group(&self->r, table, 0, 1, &mask);
	ASSERT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
	core_rig_set_root(&self->r, table);
	for (unsigned i = 0; i < 3; i++) {
		const struct tunnel_frame *row = find_frame(frames[i].name);
		uint8_t frame[256];
		const uint8_t *got = NULL;
		const struct prm_cqe *cqe;

		SCOPED_TRACE("%s", row->name);
		memcpy(frame, row->data, row->bytes);
		receive_frame(self, frame, row->bytes);
		cqe = take_frame(self, &got);
		ASSERT_EQ(frames[i].matches, cqe != NULL);
		if (cqe)
			EXPECT_EQ(0x77, prm_be32_get(cqe->sop_drop_qpn) & 0xffffff);
	}
}
