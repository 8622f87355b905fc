/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Profile "roce" accepts the commands that start RoCE in a kernel; other profiles refuse them.
 */
#include "emu/base/mkey.h"
#include "emu/firmware/refuse.h"
#include "core_rig_post.h"
#include "core_rig_qp.h"
#include "core_rig_refuse.h"
#include "prm/wqe.h"

enum { BAD = PRM_STATUS_BAD_PARAM, RES = PRM_STATUS_BAD_RES };
enum { V1 = PRM_ROCE_VERSION_1, V2 = PRM_ROCE_VERSION_2, IPV6 = PRM_ROCE_L3_TYPE_IPV6 };

FIXTURE(roce)
{
	struct core_rig r;
};
FIXTURE_SETUP(roce)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .profile = "roce" });
}
FIXTURE_TEARDOWN(roce)
{
	core_rig_close(&self->r);
}

/* ---- the vport and its addresses --------------------------------------------------- */

static uint8_t enable_roce(struct core_rig *r, bool on)
{
	struct prm_modify_nic_vport_context_in in = { 0 };
	struct prm_modify_nic_vport_context_out out;

	prm_set(prm_sub(&in, field_select), roce_en, 1);
	prm_set(prm_sub(&in, nic_vport_context), roce_en, on);
	return CORE_RIG_EXEC(r, modify_nic_vport_context, &in, &out);
}

static bool is_enabled(struct core_rig *r)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out;

	CORE_RIG_OK(r, query_nic_vport_context, &in, &out);
	return prm_get(prm_sub(&out, nic_vport_context), roce_en);
}

TEST_F(roce, is_switched_on_and_off)
{
	EXPECT_FALSE(is_enabled(&self->r));
	EXPECT_EQ(PRM_STATUS_OK, enable_roce(&self->r, true));
	EXPECT_TRUE(is_enabled(&self->r));
	EXPECT_EQ(PRM_STATUS_OK, enable_roce(&self->r, false));
	EXPECT_FALSE(is_enabled(&self->r));
}

static void fill_address(struct prm_set_roce_address_in *in, unsigned index, uint8_t last)
{
	struct prm_roce_addr_layout *a = prm_sub(in, roce_address);

	prm_set(in, roce_address_index, index);
	prm_set(a, roce_version, V2);
	prm_set(a, roce_l3_type, IPV6);
	prm_set(a, source_mac_31_0, 1);
	prm_bytes(a, source_l3_address)[15] = last;
}

static uint8_t query_last_byte(struct core_rig *r, unsigned index)
{
	struct prm_query_roce_address_in in = { 0 };
	struct prm_query_roce_address_out out;

	prm_set(&in, roce_address_index, index);
	CORE_RIG_OK(r, query_roce_address, &in, &out);
	return prm_bytes(prm_sub(&out, roce_address), source_l3_address)[15];
}

TEST_F(roce, keeps_one_address_per_entry)
{
	struct prm_set_roce_address_out out;

	for (unsigned i = 0; i < EMU_ROCE_ADDRESSES; i++) {
		struct prm_set_roce_address_in in = { 0 };

		fill_address(&in, i, (uint8_t)(i + 1));
		CORE_RIG_OK(&self->r, set_roce_address, &in, &out);
	}
	for (unsigned i = 0; i < EMU_ROCE_ADDRESSES; i++)
		EXPECT_EQ(i + 1, query_last_byte(&self->r, i));
	CORE_RIG_OK(&self->r, set_roce_address, &(struct prm_set_roce_address_in){ 0 }, &out);
	EXPECT_EQ(0, query_last_byte(&self->r, 0));
}

static const struct core_rig_refusal bad_addresses[] = {
	{ "beyond", "roce_address_index", EMU_ROCE_ADDRESSES, BAD, EMU_SYND_LIMIT },
	{ "version", "roce_address.roce_version", 1, BAD, EMU_SYND_TYPE },
	{ "layer", "roce_address.roce_l3_type", 2, BAD, EMU_SYND_TYPE },
	{ "port", "vhca_port_num", 1, BAD, EMU_SYND_UNMODELLED },
};

TEST_EACH(roce, refuses_a_bad_address, struct core_rig_refusal, bad_addresses)
{
	struct prm_set_roce_address_in in = { 0 };
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "roce" });
	fill_address(&in, 0, 1);
	core_rig_expect_refusal(&r, row, PRM_OP_set_roce_address, &in, sizeof(in));
	core_rig_close(&r);
}

/* ---- the GSI QP -------------------------------------------------------------------- */

/* The GSI QP has a receive queue of one page and a send queue of 16 WQEBBs. */
enum { LOG_RQ = 6, LOG_RQ_STRIDE = 2, LOG_SQ = 4, RQ_BYTES = 1 << (6 + 2 + 4) };

static struct core_rig_qp describe_gsi_qp(const struct core_rig_cq *cq, const uint8_t *mem)
{
	return (struct core_rig_qp){
		.st = PRM_QPC_ST_QP1,
		.cqn = cq->cqn,
		.log_sq = LOG_SQ,
		.log_rq = LOG_RQ,
		.log_rq_stride = LOG_RQ_STRIDE,
		.dbr = mem,
		.pages = mem + CORE_RIG_PAGE,
		.n_pages = 2,
		.page_offset = 32, /* half a page, so that no queue starts at a page */
	};
}

/* Sends a state transition of the GSI QP with the fields that Linux sends. Return: the status */
static uint8_t move_gsi_qp(struct core_rig *r, uint32_t qpn, const struct core_rig_qp *qp,
			   uint16_t opcode, uint32_t counter)
{
	struct prm_rst2init_qp_in in;
	struct prm_rst2init_qp_out out;
	struct prm_qpc *qpc = prm_sub(&in, qpc);

	core_rig_fill_qp_move(r, qp, qpn, &in);
	prm_set(qpc, mtu, PRM_QPC_MTU_256_BYTES);
	prm_set(qpc, log_msg_max, 8);
	prm_set(prm_sub(qpc, primary_address_path), vhca_port_num, 1);
	prm_set(qpc, cqn_rcv, qp->cqn);
	if (opcode == PRM_OP_rst2init_qp) {
		prm_set(qpc, dbr_addr, (uintptr_t)qp->dbr);
		prm_set(qpc, q_key, 0x80010000);
		prm_set(qpc, counter_set_id, counter);
	}
	if (opcode == PRM_OP_rtr2rts_qp)
		prm_set(qpc, next_send_psn, 5);
	return core_rig_exec(r, opcode, &in, sizeof(in), &out, sizeof(out));
}

/* The engine executes a NOP in the send queue, whose ring lies after the receive queue. */
TEST_F(roce, a_gsi_qp_has_its_send_queue_behind_its_receive_queue)
{
	struct core_rig *r = &self->r;
	struct core_rig_cq cq = core_rig_make_cq(r, 4);
	uint8_t *mem = core_rig_alloc(r, 4 * CORE_RIG_PAGE);
	struct core_rig_sq sq = { .n = 1 << LOG_SQ,
				  .dbr = (prm_be32 *)mem,
				  .ring = mem + CORE_RIG_PAGE + CORE_RIG_PAGE / 2 + RQ_BYTES };
	const struct core_rig_qp qp = describe_gsi_qp(&cq, mem);
	struct core_rig_qp_in in;
	struct core_rig_wqe p;

	core_rig_fill_qp(r, &qp, &in);
	ASSERT_EQ(PRM_STATUS_OK, core_rig_create_qp(r, &in, &sq.sqn));
	for (uint16_t op = PRM_OP_rst2init_qp; op <= PRM_OP_rtr2rts_qp; op++)
		EXPECT_EQ(PRM_STATUS_OK, move_gsi_qp(r, sq.sqn, &qp, op, 0));
	p = core_rig_begin_wqe(&sq, PRM_WQE_NOP, PRM_CE_ALWAYS);
	core_rig_end_wqe(r, &p, true);
	emu_poll(r->emu, 1);
	ASSERT_NE(NULL, core_rig_take_cqe(&cq));
	EXPECT_EQ(0, core_rig_count_mistakes(r));
}

TEST_F(roce, gsi_qp_holds_a_reference_to_its_counter)
{
	struct core_rig *r = &self->r;
	struct core_rig_cq cq = core_rig_make_cq(r, 4);
	uint8_t *mem = core_rig_alloc(r, 4 * CORE_RIG_PAGE);
	struct prm_alloc_q_counter_in alloc = { 0 };
	struct prm_alloc_q_counter_out counter;
	struct prm_dealloc_q_counter_in dealloc = { 0 };
	struct prm_dealloc_q_counter_out freed;
	struct prm_destroy_qp_in destroy = { 0 };
	struct prm_destroy_qp_out gone;
	const struct core_rig_qp qp = describe_gsi_qp(&cq, mem);
	struct core_rig_qp_in in;
	uint32_t qpn, id;

	CORE_RIG_OK(r, alloc_q_counter, &alloc, &counter);
	id = (uint32_t)prm_get(&counter, counter_set_id);
	core_rig_fill_qp(r, &qp, &in);
	ASSERT_EQ(PRM_STATUS_OK, core_rig_create_qp(r, &in, &qpn));
	EXPECT_EQ(RES, move_gsi_qp(r, qpn, &qp, PRM_OP_rst2init_qp, id + 1));
	EXPECT_EQ(PRM_STATUS_OK, move_gsi_qp(r, qpn, &qp, PRM_OP_rst2init_qp, id));
	prm_set(&dealloc, counter_set_id, id);
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, CORE_RIG_EXEC(r, dealloc_q_counter, &dealloc, &freed));
	prm_set(&destroy, qpn, qpn);
	CORE_RIG_OK(r, destroy_qp, &destroy, &gone);
	CORE_RIG_OK(r, dealloc_q_counter, &dealloc, &freed);
}

static const struct core_rig_refusal bad_qps[] = {
	{ "connected", "qpc.st", 0, BAD, EMU_SYND_TYPE },
	{ "datagram", "qpc.st", 3, BAD, EMU_SYND_TYPE },
	{ "umr_with_a_receive_queue", "qpc.st", 0xc, BAD, EMU_SYND_TYPE },
	{ "shared_receive_queue", "qpc.rq_type", 1, BAD, EMU_SYND_TYPE },
	{ "larger_than_its_list", "qpc.log_rq_size", 8, PRM_STATUS_BAD_INP_LEN, EMU_SYND_PAGE },
	{ "no_receive_cq", "qpc.cqn_rcv", 1, RES, EMU_SYND_NO_OBJECT },
};

TEST_F(roce, refuses_a_qp_that_linux_does_not_make)
{
	struct core_rig_cq cq = core_rig_make_cq(&self->r, 4);
	const struct core_rig_qp qp =
		describe_gsi_qp(&cq, core_rig_alloc(&self->r, 4 * CORE_RIG_PAGE));
	struct core_rig_qp_in in;

	core_rig_fill_qp(&self->r, &qp, &in);
	core_rig_expect_refusals(&self->r, bad_qps, sizeof(bad_qps) / sizeof(bad_qps[0]),
				 PRM_OP_create_qp, &in, in.bytes);
}

/* ---- pages that may be absent ------------------------------------------------------ */

/* Linux sends page lists with access flags for on-demand paging. An absent page has no flag. */
TEST_F(roce, mkey_with_pg_access_may_lack_pages)
{
	struct {
		struct prm_create_mkey_in head;
		prm_be64 page[2];
	} in = { 0 };
	struct prm_mkc *mkc = prm_sub(&in.head, memory_key_mkey_entry);
	struct prm_create_mkey_out out;
	struct core_rig *r = &self->r;
	uint8_t *mem = core_rig_alloc(r, 2 * CORE_RIG_PAGE);
	uint32_t lkey;
	uint64_t run;

	prm_set(&in.head, pg_access, 1);
	prm_set(&in.head, translations_octword_actual_size, 1);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, r->pd);
	prm_set(mkc, start_addr, CORE_RIG_PAGE);
	prm_set(mkc, len, 2 * CORE_RIG_PAGE);
	prm_set(mkc, translations_octword_size, 1);
	prm_set(mkc, log_page_size, 12);
	in.page[0] = prm_be64_of((uintptr_t)mem | PRM_MTT_READ | PRM_MTT_WRITE);
	in.page[1] = prm_be64_of((uintptr_t)mem + CORE_RIG_PAGE);
	ASSERT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_create_mkey, &in, sizeof(in), &out, sizeof(out)));
	lkey = (uint32_t)prm_get(&out, mkey_index) << 8;
	EXPECT_EQ(mem + 8, emu_mkey_at(r->emu, lkey, r->pd, CORE_RIG_PAGE + 8, 8, true, &run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, 2 * CORE_RIG_PAGE, 8, true, &run));
}

/* ---- other profiles ---------------------------------------------------------------- */

TEST(roce, is_refused_in_other_profiles)
{
	struct prm_set_roce_address_in address = { 0 };
	struct prm_set_roce_address_out out;
	struct prm_query_roce_address_in query = { 0 };
	struct prm_query_roce_address_out is;
	struct core_rig_qp_in in;
	struct core_rig_qp qp;
	struct core_rig_cq cq;
	struct core_rig r;
	uint32_t qpn;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	cq = core_rig_make_cq(&r, 4);
	qp = describe_gsi_qp(&cq, core_rig_alloc(&r, 4 * CORE_RIG_PAGE));
	core_rig_fill_qp(&r, &qp, &in);
	EXPECT_EQ(BAD, core_rig_create_qp(&r, &in, &qpn));
	EXPECT_EQ(EMU_SYND_TYPE, core_rig_get_syndrome(&r));
	EXPECT_EQ(BAD, enable_roce(&r, true));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(&r));
	EXPECT_EQ(PRM_STATUS_OK, enable_roce(&r, false)); /* a kernel sends this when it stops */
	EXPECT_EQ(BAD, CORE_RIG_EXEC(&r, set_roce_address, &address, &out));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(&r));
	EXPECT_EQ(BAD, CORE_RIG_EXEC(&r, query_roce_address, &query, &is));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}
