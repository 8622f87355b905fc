/* SPDX-License-Identifier: BSD-3-Clause */
#include "queue_commands.h"
#include "prm/cqe.h"

static void fill_wq(struct prm_wq *wq, uint32_t pd, uint32_t umem)
{
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, pd);
	prm_set(wq, log_wq_sz, LOG_WQES);
	prm_set(wq, log_wq_stride, 6);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, wq_umem_id, umem);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_umem_id, umem);
	prm_set(wq, dbr_addr, RING);
}

void queue_commands_fill(struct core_rig *r, struct queue_commands *c)
{
	struct prm_cqc *cqc = prm_sub(&c->cq_in, cq_context);
	struct prm_sqc *sqc = prm_sub(&c->sq_in, ctx);
	struct prm_rqc *rqc = prm_sub(&c->rq_in, ctx);

	c->umem = core_rig_make_umem(r, core_rig_alloc(r, BYTES), BYTES, true);
	c->read_only = core_rig_make_umem(r, core_rig_alloc(r, BYTES), BYTES, false);
	c->cq = core_rig_make_cq(r, 4);
	prm_set(&c->cq_in, uid, r->uid);
	prm_set(&c->cq_in, cq_umem_valid, 1);
	prm_set(&c->cq_in, cq_umem_id, c->umem);
	prm_set(cqc, log_cq_size, LOG_CQES);
	prm_set(cqc, uar_page, r->uar);
	prm_set(cqc, c_eqn_or_apu_element, r->eqn);
	prm_set(cqc, dbr_umem_valid, 1);
	prm_set(cqc, dbr_umem_id, c->umem);
	prm_set(cqc, dbr_addr, RING);
	prm_set(&c->sq_in, uid, r->uid);
	prm_set(sqc, cqn, c->cq.cqn);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, r->tis);
	fill_wq(prm_sub(sqc, wq), r->pd, c->read_only);
	prm_set(prm_sub(sqc, wq), uar_page, r->uar);
	prm_set(&c->rq_in, uid, r->uid);
	prm_set(rqc, vsd, 1);
	prm_set(rqc, cqn, c->cq.cqn);
	fill_wq(prm_sub(rqc, wq), r->pd, c->read_only);
}

void queue_commands_expect_unused(const struct core_rig *r, const struct queue_commands *c)
{
	const struct emu_table *umems = &r->emu->table[EMU_UMEM];

	EXPECT_EQ(0, ((struct emu_obj *)emu_obj_at(umems, c->umem))->refs);
	EXPECT_EQ(0, ((struct emu_obj *)emu_obj_at(umems, c->read_only))->refs);
}

uint8_t queue_commands_destroy(struct core_rig *r, uint16_t opcode, const char *field, uint32_t id)
{
	prm_be32 in[4] = { 0 }, out[4];

	core_rig_set_field(in, opcode, field, id);
	return core_rig_exec(r, opcode, in, sizeof(in), out, sizeof(out));
}

uint32_t queue_commands_make_eq(struct core_rig *r, uint64_t events)
{
	struct {
		struct prm_create_eq_in head;
		prm_be32 pas[2];
	} in = { 0 };
	struct prm_create_eq_out out;
	const uint64_t ring = (uintptr_t)core_rig_alloc(r, CORE_RIG_PAGE);

	prm_set(prm_sub(&in.head, eq_context_entry), log_eq_size, 6);
	prm_set(prm_sub(&in.head, eq_context_entry), uar_page, r->uar);
	prm_set(prm_sub(&in.head, eq_context_entry), intr, 1);
	prm_set_at(&in.head, event_bitmask, 0, events);
	in.pas[0] = prm_be32_of((uint32_t)(ring >> 32));
	in.pas[1] = prm_be32_of((uint32_t)ring);
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_eq",
			   core_rig_exec(r, PRM_OP_create_eq, &in, sizeof(in), &out, sizeof(out)));
	return (uint32_t)prm_get(&out, eq_number);
}
