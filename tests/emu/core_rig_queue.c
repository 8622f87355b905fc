/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rig's queues, and the steering that leads to them.
 */
#include "core_rig.h"
#include "emu/steering/rss.h"
#include "prm/wqe.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* ---- queues ---------------------------------------------------------------------- */

/* Ring from the umem's start, doorbell record in its last cache line. */
static size_t queue_bytes(size_t ring)
{
	return (ring + CORE_RIG_DBR_BYTES + CORE_RIG_PAGE - 1) / CORE_RIG_PAGE * CORE_RIG_PAGE;
}

struct core_rig_cq core_rig_make_cq(struct core_rig *r, unsigned log_n)
{
	struct core_rig_cq cq = { .n = 1u << log_n };
	const size_t bytes = queue_bytes(cq.n * sizeof(*cq.cqe));
	struct prm_create_cq_in in = {0};
	struct prm_create_cq_out out;
	struct prm_cqc *cqc = prm_sub(&in, cq_context);

	cq.cqe = core_rig_alloc(r, bytes);
	cq.dbr = (prm_be32 *)((uint8_t *)cq.cqe + bytes - CORE_RIG_DBR_BYTES);
	for (unsigned i = 0; i < cq.n; i++)
		cq.cqe[i].op_own = PRM_CQE_INIT_OP_OWN;
	cq.umem = core_rig_make_umem(r, cq.cqe, bytes, true);
	prm_set(&in, uid, r->uid);
	prm_set(&in, cq_umem_valid, 1);
	prm_set(&in, cq_umem_id, cq.umem);
	prm_set(cqc, log_cq_size, log_n);
	prm_set(cqc, uar_page, r->uar);
	prm_set(cqc, c_eqn_or_apu_element, r->eqn);
	prm_set(cqc, dbr_umem_valid, 1);
	prm_set(cqc, dbr_umem_id, cq.umem);
	prm_set(cqc, dbr_addr, bytes - CORE_RIG_DBR_BYTES);
	CORE_RIG_OK(r, create_cq, &in, &out);
	cq.cqn = (uint32_t)prm_get(&out, cqn);
	return cq;
}

struct prm_cqe *core_rig_take_cqe(struct core_rig_cq *cq)
{
	struct prm_cqe *cqe = &cq->cqe[cq->ci & (cq->n - 1)];
	/* a CQE's last 8 bytes come in one store: ThreadSanitizer pairs accesses of one width */
	typedef uint64_t __attribute__((may_alias)) tail;
	const uint64_t last = __atomic_load_n((tail *)&cqe->sop_drop_qpn, __ATOMIC_ACQUIRE);
	const uint8_t op_own = (uint8_t)be64toh(last);
	const unsigned lap = cq->ci / cq->n & 1;

	if ((op_own & PRM_CQE_OWNER) != lap || prm_cqe_opcode(op_own) == PRM_CQE_INVALID)
		return NULL;
	cq->ci++;
	__atomic_store_n(&cq->dbr[PRM_DBR_CQ_CI].raw, prm_be32_of(cq->ci & 0xffffff).raw,
			 __ATOMIC_RELEASE);
	return cqe;
}

static void fill_wq(struct core_rig *r, struct prm_wq *wq, uint32_t umem, size_t bytes,
		    unsigned log_n, unsigned log_stride)
{
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, r->pd);
	prm_set(wq, log_wq_sz, log_n);
	prm_set(wq, log_wq_stride, log_stride);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, wq_umem_id, umem);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_umem_id, umem);
	prm_set(wq, dbr_addr, bytes - CORE_RIG_DBR_BYTES);
}

struct core_rig_sq core_rig_make_sq(struct core_rig *r, unsigned log_n, uint32_t cqn)
{
	enum { LOG_WQEBB = 6 };
	struct core_rig_sq sq = { .n = 1u << log_n };
	const size_t bytes = queue_bytes((size_t)sq.n << LOG_WQEBB);
	struct prm_create_sq_in in = {0};
	struct prm_create_sq_out out;
	struct prm_sqc *sqc = prm_sub(&in, ctx);

	sq.ring = core_rig_alloc(r, bytes);
	sq.dbr = (prm_be32 *)(sq.ring + bytes - CORE_RIG_DBR_BYTES);
	sq.umem = core_rig_make_umem(r, sq.ring, bytes, false);
	prm_set(&in, uid, r->uid);
	prm_set(sqc, flush_in_error_en, 1);
	prm_set(sqc, allow_multi_pkt_send_wqe, 1);
	prm_set(sqc, cqn, cqn);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, r->tis);
	fill_wq(r, prm_sub(sqc, wq), sq.umem, bytes, log_n, LOG_WQEBB);
	prm_set(prm_sub(sqc, wq), uar_page, r->uar);
	CORE_RIG_OK(r, create_sq, &in, &out);
	sq.sqn = (uint32_t)prm_get(&out, sqn);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_sq(r, sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	return sq;
}

uint8_t core_rig_move_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode)
{
	struct prm_rst2init_qp_in in = { 0 }; /* the other transitions have the same layout */
	struct prm_rst2init_qp_out out;
	struct prm_qpc *qpc = prm_sub(&in, qpc);

	prm_set(&in, qpn, qpn);
	prm_set(qpc, st, PRM_QPC_ST_REG_UMR);
	prm_set(qpc, pm_state, PRM_QPC_PM_STATE_MIGRATED);
	prm_set(qpc, pd, r->pd);
	prm_set(qpc, cqn_snd, cqn);
	return core_rig_exec(r, opcode, &in, sizeof(in), &out, sizeof(out));
}

struct core_rig_sq core_rig_make_umr_qp(struct core_rig *r, unsigned log_n, uint32_t cqn)
{
	struct {
		struct prm_create_qp_in head;
		prm_be64 pas;
	} in = { 0 };
	struct prm_qpc *qpc = prm_sub(&in.head, qpc);
	struct prm_create_qp_out out;
	struct core_rig_sq sq = { .n = 1u << log_n,
				  .ring = core_rig_alloc(r, CORE_RIG_PAGE),
				  .dbr = core_rig_alloc(r, CORE_RIG_PAGE) };

	prm_set(qpc, st, PRM_QPC_ST_REG_UMR);
	prm_set(qpc, pm_state, PRM_QPC_PM_STATE_MIGRATED);
	prm_set(qpc, rq_type, PRM_QPC_RQ_TYPE_ZERO_LEN_RQ);
	prm_set(qpc, log_sq_size, log_n);
	prm_set(qpc, uar_page, r->uar);
	prm_set(qpc, cqn_snd, cqn);
	prm_set(qpc, cqn_rcv, cqn);
	prm_set(qpc, dbr_addr, (uintptr_t)sq.dbr);
	in.pas = prm_be64_of((uintptr_t)sq.ring);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_create_qp, &in, sizeof(in), &out, sizeof(out)));
	sq.sqn = (uint32_t)prm_get(&out, qpn);
	for (uint16_t op = PRM_OP_rst2init_qp; op <= PRM_OP_rtr2rts_qp; op++)
		EXPECT_EQ(PRM_STATUS_OK, core_rig_move_umr_qp(r, sq.sqn, cqn, op));
	return sq;
}

void core_rig_ring_sq(struct core_rig *r, struct core_rig_sq *sq, const void *ctrl)
{
	uint64_t word;

	memcpy(&word, ctrl, sizeof(word));
	__atomic_store_n(&sq->dbr[PRM_DBR_SND].raw, prm_be32_of(sq->pi).raw, __ATOMIC_RELEASE);
	__atomic_store_n(&r->uar_page[PRM_UAR_BF / sizeof(word)], word, __ATOMIC_SEQ_CST);
}

struct core_rig_rq core_rig_make_rq(struct core_rig *r, unsigned log_n, unsigned log_sges,
				    uint32_t cqn)
{
	enum { LOG_SEGMENT = 4 };
	struct core_rig_rq rq = { .n = 1u << log_n, .stride = 1u << (LOG_SEGMENT + log_sges) };
	const size_t bytes = queue_bytes((size_t)rq.n * rq.stride);
	struct prm_create_rq_in in = {0};
	struct prm_create_rq_out out;
	struct prm_rqc *rqc = prm_sub(&in, ctx);

	rq.ring = core_rig_alloc(r, bytes);
	rq.dbr = (prm_be32 *)(rq.ring + bytes - CORE_RIG_DBR_BYTES);
	rq.umem = core_rig_make_umem(r, rq.ring, bytes, false);
	prm_set(&in, uid, r->uid);
	prm_set(rqc, flush_in_error_en, 1);
	prm_set(rqc, vsd, 1);
	prm_set(rqc, cqn, cqn);
	fill_wq(r, prm_sub(rqc, wq), rq.umem, bytes, log_n, LOG_SEGMENT + log_sges);
	CORE_RIG_OK(r, create_rq, &in, &out);
	rq.rqn = (uint32_t)prm_get(&out, rqn);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_rq(r, rq.rqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	return rq;
}

uint8_t core_rig_modify_sq(struct core_rig *r, uint32_t sqn, uint8_t from, uint8_t to)
{
	struct prm_modify_sq_in in = {0};
	struct prm_modify_sq_out out;

	prm_set(&in, uid, r->uid);
	prm_set(&in, sqn, sqn);
	prm_set(&in, sq_state, from);
	prm_set(prm_sub(&in, ctx), state, to);
	return CORE_RIG_EXEC(r, modify_sq, &in, &out);
}

uint8_t core_rig_modify_rq(struct core_rig *r, uint32_t rqn, uint8_t from, uint8_t to)
{
	struct prm_modify_rq_in in = {0};
	struct prm_modify_rq_out out;

	prm_set(&in, uid, r->uid);
	prm_set(&in, rqn, rqn);
	prm_set(&in, rq_state, from);
	prm_set(prm_sub(&in, ctx), state, to);
	return CORE_RIG_EXEC(r, modify_rq, &in, &out);
}

/* ---- steering --------------------------------------------------------------------- */

uint32_t core_rig_make_tir(struct core_rig *r, uint32_t rqn)
{
	struct prm_create_tir_in in = {0};
	struct prm_create_tir_out out;
	struct prm_tirc *tirc = prm_sub(&in, ctx);

	prm_set(&in, uid, r->uid);
	prm_set(tirc, inline_rqn, rqn);
	prm_set(tirc, transport_domain, r->td);
	CORE_RIG_OK(r, create_tir, &in, &out);
	return (uint32_t)prm_get(&out, tirn);
}

uint32_t core_rig_make_rqt(struct core_rig *r, const uint32_t *rqns, unsigned n)
{
	const size_t in_bytes = sizeof(struct prm_create_rqt_in) + n * prm_rq_num_bytes;
	struct prm_create_rqt_in *in = calloc(1, in_bytes);
	struct prm_create_rqt_out out;
	struct prm_rqtc *rqtc = prm_sub(in, rqt_context);

	prm_set(in, uid, r->uid);
	prm_set(rqtc, rqt_max_size, n);
	prm_set(rqtc, rqt_actual_size, n);
	for (unsigned i = 0; i < n; i++)
		prm_set(prm_sub_at(rqtc, rq_num, i), rq_num, rqns[i]);
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_rqt",
			   core_rig_exec(r, PRM_OP_create_rqt, in, in_bytes, &out, sizeof(out)));
	free(in);
	return (uint32_t)prm_get(&out, rqtn);
}

uint32_t core_rig_make_rss_tir(struct core_rig *r, uint32_t rqtn, uint32_t outer,
			       const uint8_t *key, bool symmetric)
{
	struct prm_create_tir_in in = {0};
	struct prm_create_tir_out out;
	struct prm_tirc *tirc = prm_sub(&in, ctx);

	prm_set(&in, uid, r->uid);
	prm_set(tirc, disp_type, PRM_TIRC_DISP_TYPE_INDIRECT);
	prm_set(tirc, indirect_table, rqtn);
	prm_set(tirc, rx_hash_fn, PRM_RX_HASH_FN_TOEPLITZ);
	prm_set(tirc, rx_hash_symmetric, symmetric);
	prm_set(tirc, transport_domain, r->td);
	prm_sub(tirc, rx_hash_field_selector_outer)->dw[0] = prm_be32_of(outer);
	memcpy(&tirc->dw[prm_bit(tirc, rx_hash_toeplitz_key) / 32], key, EMU_RSS_KEY_BYTES);
	CORE_RIG_OK(r, create_tir, &in, &out);
	return (uint32_t)prm_get(&out, tirn);
}

uint32_t core_rig_make_table(struct core_rig *r, unsigned level, unsigned log_size)
{
	struct prm_create_flow_table_in in = {0};
	struct prm_create_flow_table_out out;

	prm_set(prm_sub(&in, flow_table_context), level, level);
	prm_set(prm_sub(&in, flow_table_context), log_size, log_size);
	CORE_RIG_OK(r, create_flow_table, &in, &out);
	return (uint32_t)prm_get(&out, table_id);
}

void core_rig_set_root(struct core_rig *r, uint32_t table)
{
	struct prm_set_flow_table_root_in in = {0};
	struct prm_set_flow_table_root_out out;

	prm_set(&in, table_id, table);
	CORE_RIG_OK(r, set_flow_table_root, &in, &out);
}

/* match_criteria_enable: a bit for each part of the mask that is not zero */
static uint8_t parts_of(const struct prm_fte_match_param *mask)
{
	const size_t part_dws = sizeof(struct prm_fte_match_set_lyr_2_4) / sizeof(prm_be32);
	uint8_t enable = 0;

	for (size_t i = 0; i < sizeof(mask->dw) / sizeof(mask->dw[0]); i++)
		if (mask->dw[i].raw)
			enable |= (uint8_t)(1 << i / part_dws);
	return enable;
}

uint32_t core_rig_make_group(struct core_rig *r, uint32_t table, uint32_t first, uint32_t last,
			     const struct prm_fte_match_param *mask)
{
	struct prm_create_flow_group_in in = {0};
	struct prm_create_flow_group_out out;

	prm_set(&in, table_id, table);
	prm_set(&in, start_flow_index, first);
	prm_set(&in, end_flow_index, last);
	if (mask) {
		prm_set(&in, match_criteria_enable, parts_of(mask));
		*prm_sub(&in, match_criteria) = *mask;
	}
	CORE_RIG_OK(r, create_flow_group, &in, &out);
	return (uint32_t)prm_get(&out, group_id);
}

uint8_t core_rig_set_rule(struct core_rig *r, const struct core_rig_rule *rule)
{
	const bool counted = rule->action & 8;
	const size_t in_bytes = sizeof(struct prm_set_fte_in) +
				(rule->n_dests + counted) * prm_dest_format_struct_bytes;
	struct prm_set_fte_in *in = calloc(1, in_bytes);
	struct prm_set_fte_out out;
	struct prm_flow_context *ctx = prm_sub(in, flow_context);
	struct prm_dest_format_struct *entry = (struct prm_dest_format_struct *)(in + 1);
	uint8_t status;

	prm_set(in, table_id, rule->table);
	prm_set(in, flow_index, rule->index);
	prm_set(ctx, group_id, rule->group);
	prm_set(ctx, flow_tag, rule->tag);
	prm_set(ctx, action, rule->action);
	prm_set(ctx, destination_list_size, rule->n_dests);
	prm_set(ctx, flow_counter_list_size, counted);
	if (rule->value)
		*prm_sub(ctx, match_value) = *rule->value;
	for (unsigned i = 0; i < rule->n_dests; i++, entry++) {
		prm_set(entry, destination_type, rule->dest[i].type);
		prm_set(entry, destination_id, rule->dest[i].id);
	}
	if (counted)
		entry->dw[0] = prm_be32_of(rule->counter);
	status = core_rig_exec(r, PRM_OP_set_fte, in, in_bytes, &out, sizeof(out));
	free(in);
	return status;
}

void core_rig_steer_all(struct core_rig *r, uint32_t tir)
{
	const uint32_t table = core_rig_make_table(r, 0, 0);
	const uint32_t group = core_rig_make_group(r, table, 0, 0, NULL);

	core_rig_set_root(r, table);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_set_rule(r, &(struct core_rig_rule){ .table = table,
								.group = group,
								.action = 4,
								.n_dests = 1,
								.dest = { { 2, tir } } }));
}
