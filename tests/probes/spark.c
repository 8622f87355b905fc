/* SPDX-License-Identifier: BSD-3-Clause */
#include "spark.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>

#include "command.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { WAIT_MS = 5000, SQ_DBR = AT_DBR + DBR_BYTES, NUMBER_MASK = 0xffffff };

static int start_sq(const struct set *s)
{
	struct prm_modify_sq_in in = { 0 };
	const struct command c = { .by = BY_MODIFY,
				   .fd = s->fd,
				   .handle = s->o[THING_create_sq].handle,
				   .in = &in,
				   .in_bytes = sizeof(in),
				   .out_bytes = sizeof(struct prm_modify_sq_out) };

	prm_set(&in, opcode, PRM_OP_modify_sq);
	prm_set(&in, sqn, s->o[THING_create_sq].number);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	return command_run(&c).error;
}

int spark_open(struct spark *k, const struct set *s)
{
	memset(s->mem + AT_CQ, 0xff, PAGE); /* no CQE is valid: owner bit 1 */
	*k = (struct spark){ .set = s };
	k->uar = mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, s->fd, (off_t)s->uar_offset);
	return k->uar == MAP_FAILED ? errno : start_sq(s);
}

void spark_close(struct spark *k)
{
	if (k->uar != MAP_FAILED)
		munmap(k->uar, PAGE);
	k->uar = MAP_FAILED;
}

/* Requests an event for the next completion. All earlier ones count as consumed. */
static void arm_cq(const struct spark *k)
{
	const uint32_t ci = k->n_posted;
	const uint32_t dw0 = (ci & 3) << PRM_CQ_ARM_SN_SHIFT | (ci & NUMBER_MASK);
	const uint64_t doorbell = (uint64_t)dw0 << 32 | k->set->o[THING_create_cq].number;
	prm_be32 *dbr = (void *)(k->set->mem + AT_DBR);

	dbr[PRM_DBR_CQ_CI] = prm_be32_of(ci);
	__atomic_store_n(&dbr[PRM_DBR_CQ_ARM].raw, prm_be32_of(dw0).raw, __ATOMIC_RELEASE);
	__atomic_store_n((uint64_t *)(void *)(k->uar + PRM_UAR_CQ_ARM), htobe64(doorbell),
			 __ATOMIC_RELEASE);
}

static void post_nop(struct spark *k)
{
	struct prm_ctrl_seg *c = (void *)(k->set->mem + AT_SQ + k->n_posted % 64 * PRM_WQEBB_BYTES);
	prm_be32 *dbr = (void *)(k->set->mem + SQ_DBR);

	*c = (struct prm_ctrl_seg){ .opmod_idx_opcode =
					    prm_ctrl_dw0(0, (uint16_t)k->n_posted, PRM_WQE_NOP),
				    .qpn_ds = prm_ctrl_dw1(k->set->o[THING_create_sq].number, 1),
				    .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT };
	k->n_posted++;
	__atomic_store_n(&dbr[PRM_DBR_SND].raw, prm_be32_of(k->n_posted).raw, __ATOMIC_RELEASE);
	__atomic_store_n((uint64_t *)(void *)(k->uar + PRM_UAR_BF), *(uint64_t *)(void *)c,
			 __ATOMIC_RELEASE);
}

void spark_raise(struct spark *k)
{
	arm_cq(k);
	post_nop(k);
}

int spark_wait(const struct spark *k)
{
	const struct prm_cqe *cqe =
		(void *)(k->set->mem + AT_CQ + (k->n_posted - 1) * sizeof(*cqe));

	for (int ms = 0; ms < WAIT_MS; ms++) {
		if (!(__atomic_load_n(&cqe->op_own, __ATOMIC_ACQUIRE) & PRM_CQE_OWNER))
			return 0;
		poll(NULL, 0, 1);
	}
	return ETIMEDOUT;
}
