/* SPDX-License-Identifier: BSD-3-Clause */
#include "placed_cq.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "devx/cmd.h"

static bool prepare_umem(const struct rig *rig, struct placed_cq *place, struct finding *f)
{
	place->memory = aligned_alloc(RIG_PAGE, PLACED_CQ_UMEM_BYTES + RIG_PAGE);
	if (!place->memory)
		return could_prepare(f, rig->dev, -ENOMEM);
	memset(place->memory, 0, PLACED_CQ_UMEM_BYTES + RIG_PAGE);
	errno = 0;
	place->umem = mlx5dv_devx_umem_reg(rig->dev->ctx, place->memory + place->shift,
					   PLACED_CQ_UMEM_BYTES, (uint32_t)place->access);
	if (!place->umem)
		cannot_test(f, "the kernel does not register such a umem: %s", strerror(errno));
	return place->umem;
}

bool placed_cq_create(struct rig *rig, struct placed_cq *place, struct finding *f, int *rc)
{
	struct prm_create_cq_in in = { 0 };
	struct prm_create_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	uint32_t eqn = 0;
	uint8_t *start;

	devx_sq_destroy(&rig->sq);
	devx_cq_destroy(&rig->send_cq);
	if (!prepare_umem(rig, place, f) ||
	    !could_prepare(f, rig->dev, -mlx5dv_devx_query_eqn(rig->dev->ctx, 0, &eqn)))
		return false;
	start = place->memory + place->shift;
	rig->send_cq = (struct devx_cq){
		.cqes = (struct prm_cqe *)(start + place->umem_offset +
					   place->page_offset * PLACED_CQ_UNIT_BYTES),
		.dbrec = (prm_be32 *)(start + place->dbrec_offset),
		.log2_n = RIG_LOG2_CQ,
		.uar = &rig->uar,
		.dev = rig->dev,
	};
	/* A CQE at another place leaves these opcodes as they are. */
	for (int i = 0; i < 1 << RIG_LOG2_CQ; i++)
		rig->send_cq.cqes[i].op_own = PRM_CQE_INIT_OP_OWN;
	prm_set(&in, opcode, PRM_OP_create_cq);
	prm_set(&in, cq_umem_id, place->umem->umem_id);
	prm_set(&in, cq_umem_valid, 1);
	prm_set(&in, cq_umem_offset, place->umem_offset);
	prm_set(cqc, page_offset, place->page_offset);
	prm_set(cqc, log_page_size, place->log_page_size);
	prm_set(cqc, dbr_umem_id, place->umem->umem_id);
	prm_set(cqc, dbr_umem_valid, 1);
	prm_set(cqc, dbr_addr, place->dbrec_offset);
	prm_set(cqc, log_cq_size, RIG_LOG2_CQ);
	prm_set(cqc, uar_page, rig->uar.page_id);
	prm_set(cqc, c_eqn_or_apu_element, eqn);
	*rc = devx_cmd_create(rig->dev, &in, sizeof(in), &out, sizeof(out), &rig->send_cq.obj);
	rig->send_cq.cqn = (uint32_t)prm_get(&out, cqn);
	return true;
}

void placed_cq_run_nop(struct rig *rig, struct finding *f)
{
	const struct devx_sq_attr attr = {
		.log2_n = RIG_LOG2_SQ, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar
	};
	int rc = devx_sq_create(&rig->sq, rig->dev, &attr);

	rc = rc ? rc : devx_sq_ready(&rig->sq);
	if (could_prepare(f, rig->dev, rc))
		rig_expect_nop(rig, f, rig_post_nop(rig, PRM_CE_ALWAYS), 0);
}

void placed_cq_destroy(struct rig *rig, struct placed_cq *place)
{
	devx_sq_destroy(&rig->sq);
	devx_cmd_destroy(rig->dev, rig->send_cq.obj);
	rig->send_cq = (struct devx_cq){ 0 };
	if (place->umem && mlx5dv_devx_umem_dereg(place->umem))
		rig->dev->n_stuck++;
	free(place->memory);
}
