/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about memory keys. Checks that need bytes through a key send a frame.
 */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "checks.h"
#include "devx/cmd.h"
#include "devx/mkey.h"
#include "frames.h"
#include "prm/klm.h"

enum { FRAME = 100, N_ENTRIES = 4, LOG_PAGE = 12, MTTS_PER_OCTWORD = 2, TAG_BITS = 8 };
#define SEEN_AT 0x7000000u /* address of the first byte in the mkeys of this file */

/* A list mkey whose entries the check writes. */
struct list_command {
	struct prm_create_mkey_in in;
	struct prm_klm entry[N_ENTRIES];
};

static void fill_list(const struct rig *rig, struct list_command *cmd, unsigned int mode,
		      uint64_t bytes)
{
	struct prm_mkc *mkc = prm_sub(&cmd->in, memory_key_mkey_entry);

	prm_set(&cmd->in, opcode, PRM_OP_create_mkey);
	prm_set(&cmd->in, translations_octword_actual_size, N_ENTRIES);
	prm_set(mkc, access_mode_1_0, mode);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, rig->dev->pdn);
	prm_set(mkc, start_addr, SEEN_AT);
	prm_set(mkc, len, bytes);
	prm_set(mkc, translations_octword_size, N_ENTRIES);
	for (int i = 0; i < N_ENTRIES; i++) {
		cmd->entry[i].key = prm_be32_of(rig->mr.lkey);
		cmd->entry[i].addr = prm_be64_of((uintptr_t)rig->memory);
	}
}

/* Sends CREATE_MKEY. Return: its result; @lkey receives the key. */
static int create_mkey(const struct rig *rig, const void *in, size_t bytes,
		       struct mlx5dv_devx_obj **obj, uint32_t *lkey)
{
	struct prm_create_mkey_out out = { 0 };
	const int rc = devx_cmd_create(rig->dev, in, bytes, &out, sizeof(out), obj);

	*lkey = (uint32_t)prm_get(&out, mkey_index) << TAG_BITS; /* mkey_7_0 is 0 */
	return rc;
}

/* Sends a frame that lies at SEEN_AT of a key. */
static void send_through(struct rig *rig, struct finding *f, uint32_t lkey)
{
	const struct frames_send send = {
		.addr = rig->memory, .seen_at = SEEN_AT, .lkey = lkey, .bytes = FRAME
	};

	if (could_prepare(f, rig->dev, frames_make_rule(rig, &rig->tir, ETHERTYPE_EXPERIMENT, 0)))
		frames_judge(rig, f, &send, rig->memory);
}

void check_ksm_list_starts_aligned(struct adapter *at, struct finding *f)
{
	struct list_command cmd = { 0 };
	struct mlx5dv_devx_obj *obj = NULL;
	struct rig rig = { 0 };
	uint32_t lkey;

	if (!at->dev.caps.fixed_buffer_size) {
		cannot_test(f, "the device has no such mkeys (capability fixed_buffer_size is 0)");
	} else if (rig_prepare_send(&rig, at, f)) {
		fill_list(&rig, &cmd, PRM_MKC_ACCESS_MODE_KSM, RIG_PAGE);
		prm_set(prm_sub(&cmd.in, memory_key_mkey_entry), log_page_size, LOG_PAGE);
		prm_set(prm_sub(&cmd.in, memory_key_mkey_entry), start_addr, SEEN_AT + 64);
		judge_refused(f, rig.dev, create_mkey(&rig, &cmd, sizeof(cmd), &obj, &lkey),
			      ANY_STATUS);
		devx_cmd_destroy(rig.dev, obj);
	}
	rig_destroy(&rig);
}

void check_entry_of_0_bytes_covers_none(struct adapter *at, struct finding *f)
{
	struct list_command cmd = { 0 };
	struct mlx5dv_devx_obj *obj = NULL;
	struct rig rig = { 0 };
	uint32_t lkey;
	int rc;

	if (rig_prepare_frames(&rig, at, f)) {
		frames_write(&rig, rig.memory, FRAME);
		fill_list(&rig, &cmd, PRM_MKC_ACCESS_MODE_KLMS, FRAME);
		cmd.entry[0].byte_count = prm_be32_of(FRAME / 2);
		cmd.entry[2].byte_count = prm_be32_of(FRAME / 2); /* entries 1 and 3 have 0 bytes */
		cmd.entry[2].addr = prm_be64_of((uintptr_t)rig.memory + FRAME / 2);
		rc = create_mkey(&rig, &cmd, sizeof(cmd), &obj, &lkey);
		if (rc)
			judge_accepted(f, rig.dev, rc);
		else
			send_through(&rig, f, lkey);
		devx_cmd_destroy(rig.dev, obj);
	}
	rig_destroy(&rig);
}

/* The inner list names a key that does not exist, and the outer one names the inner one. */
void check_every_mkey_on_the_way_is_checked(struct adapter *at, struct finding *f)
{
	struct devx_mkey_piece piece = { .bytes = FRAME };
	struct devx_mkey inner = { 0 }, outer = { 0 };
	struct frames_send send = { .seen_at = SEEN_AT, .bytes = FRAME };
	const struct prm_cqe *cqe;
	struct rig rig = { 0 };
	int rc;

	if (rig_prepare_frames(&rig, at, f)) {
		frames_write(&rig, rig.memory, FRAME);
		piece.addr = (uintptr_t)rig.memory;
		piece.lkey = rig.mr.lkey ^ 1;
		rc = devx_mkey_create_list(&inner, rig.dev, SEEN_AT, &piece, 1);
		piece.addr = SEEN_AT;
		piece.lkey = inner.lkey;
		rc = rc ? rc : devx_mkey_create_list(&outer, rig.dev, SEEN_AT, &piece, 1);
		if (could_prepare(f, rig.dev, rc)) {
			send.addr = rig.memory;
			send.lkey = outer.lkey;
			cqe = frames_send(&rig, &send);
			judge_fact(f, cqe && prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ_ERR,
				   "no error CQE",
				   "an error CQE, because the inner key is invalid");
		}
		devx_mkey_destroy(&outer);
		devx_mkey_destroy(&inner);
	}
	rig_destroy(&rig);
}

/* ---- mkeys over a umem ---------------------------------------------------------------------- */

/* The umem is the send buffer: two pages. */
static bool fill_umem_mkey(const struct rig *rig, struct finding *f, struct prm_create_mkey_in *in,
			   struct mlx5dv_devx_umem **umem)
{
	struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint32_t octwords = RIG_SEND_BYTES / RIG_PAGE / MTTS_PER_OCTWORD;

	*umem = mlx5dv_devx_umem_reg(rig->dev->ctx, rig->memory, RIG_SEND_BYTES,
				     IBV_ACCESS_LOCAL_WRITE);
	if (!*umem) {
		cannot_test(f, "the kernel does not register a umem: %s", strerror(errno));
		return false;
	}
	prm_set(in, opcode, PRM_OP_create_mkey);
	prm_set(in, mkey_umem_valid, 1);
	prm_set(in, mkey_umem_id, (*umem)->umem_id);
	prm_set(in, translations_octword_actual_size, octwords);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, rig->dev->pdn);
	prm_set(mkc, start_addr, SEEN_AT);
	prm_set(mkc, len, RIG_SEND_BYTES);
	prm_set(mkc, translations_octword_size, octwords);
	prm_set(mkc, log_page_size, LOG_PAGE);
	return true;
}

static void end_umem_mkey(struct rig *rig, struct mlx5dv_devx_obj *obj,
			  struct mlx5dv_devx_umem *umem)
{
	devx_cmd_destroy(rig->dev, obj);
	if (umem && mlx5dv_devx_umem_dereg(umem))
		rig->dev->n_stuck++;
}

void check_physical_mkey_over_umem_is_refused(struct adapter *at, struct finding *f)
{
	struct prm_create_mkey_in in = { 0 };
	struct prm_mkc *mkc = prm_sub(&in, memory_key_mkey_entry);
	struct mlx5dv_devx_obj *obj = NULL;
	struct mlx5dv_devx_umem *umem = NULL;
	struct rig rig = { 0 };
	uint32_t lkey;

	if (rig_prepare_send(&rig, at, f) && fill_umem_mkey(&rig, f, &in, &umem)) {
		/* The range that a physical mkey needs, so that only the umem can be the reason. */
		prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_PA);
		prm_set(mkc, length64, 1);
		prm_set(mkc, len, 0);
		prm_set(mkc, start_addr, 0);
		prm_set(&in, translations_octword_actual_size, 0);
		prm_set(mkc, translations_octword_size, 0);
		prm_set(mkc, log_page_size, 0);
		judge_refused(f, rig.dev, create_mkey(&rig, &in, sizeof(in), &obj, &lkey),
			      ANY_STATUS);
	}
	end_umem_mkey(&rig, obj, umem);
	rig_destroy(&rig);
}

void check_relaxed_ordering_needs_capability(struct adapter *at, struct finding *f)
{
	struct prm_create_mkey_in in = { 0 };
	struct mlx5dv_devx_obj *obj = NULL;
	struct mlx5dv_devx_umem *umem = NULL;
	struct rig rig = { 0 };
	uint32_t lkey;

	if (at->dev.caps.relaxed_ordering_write)
		cannot_test(f, "the device has the capability relaxed_ordering_write");
	else if (rig_prepare_send(&rig, at, f) && fill_umem_mkey(&rig, f, &in, &umem)) {
		prm_set(prm_sub(&in, memory_key_mkey_entry), relaxed_ordering_write, 1);
		judge_refused(f, rig.dev, create_mkey(&rig, &in, sizeof(in), &obj, &lkey),
			      ANY_STATUS);
	}
	end_umem_mkey(&rig, obj, umem);
	rig_destroy(&rig);
}

/* Only an SQ whose number the key does not name can show that FFFFFFh stands for every queue. */
static void send_through_umem(struct adapter *at, struct finding *f)
{
	struct prm_create_mkey_in in = { 0 };
	struct mlx5dv_devx_obj *obj = NULL;
	struct mlx5dv_devx_umem *umem = NULL;
	struct rig rig = { 0 };
	uint32_t lkey;

	if (rig_prepare_frames(&rig, at, f) && fill_umem_mkey(&rig, f, &in, &umem)) {
		frames_write(&rig, rig.memory, FRAME);
		if (could_prepare(f, rig.dev, create_mkey(&rig, &in, sizeof(in), &obj, &lkey)))
			send_through(&rig, f, lkey);
	}
	end_umem_mkey(&rig, obj, umem);
	rig_destroy(&rig);
}

void check_umem_mkey_translates_start_addr(struct adapter *at, struct finding *f)
{
	send_through_umem(at, f);
}

void check_mkey_qpn_ffffff_is_every_queue(struct adapter *at, struct finding *f)
{
	send_through_umem(at, f);
}
