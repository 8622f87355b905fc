/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rate limits of packet pacing, moderation of CQs, indirect mkeys.
 */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "prm/klm.h"
#include "probes.h"

enum {
	CTX_BYTES = sizeof(struct prm_set_pp_rate_limit_context),
	DEDICATED = MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX,
	RATE = 100,
	RATE_MAX = 100000000, /* the same in all of emu's profiles */
	TABLE = 127,
};

/* ---- rate limits -------------------------------------------------------------------------- */

struct ask pp_of(const void *ctx, size_t bytes, uint64_t flags, uint16_t *index)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_ALLOC);

	ask_new(&a, "handle", MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE);
	ask_in(&a, "ctx", MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX, ctx, bytes);
	ask_num(&a, "flags", MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS, flags);
	ask_out(&a, "index", MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, index, sizeof(*index));
	return a;
}

static int destroy_pp(int fd, uint32_t handle)
{
	return ask_destroy(fd, MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_DESTROY,
			   MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE, handle);
}

/* Allocates a rate limit. Return: 0 or errno; @handle and @index receive the new object */
static int alloc_pp(int fd, uint32_t kbps, uint64_t flags, uint32_t *handle, uint16_t *index)
{
	struct prm_set_pp_rate_limit_context ctx = { 0 };
	struct ask a;
	int error;

	prm_set(&ctx, rate_limit, kbps);
	a = pp_of(&ctx, sizeof(ctx), flags, index);
	error = ask_send(&a, fd);
	*handle = ask_handle(&a);
	return error;
}

static void probe_pp_at(int fd, const char *name, const void *ctx, size_t bytes, uint64_t flags)
{
	uint16_t index;
	struct ask a = pp_of(ctx, bytes, flags, &index);
	const int error = ask_send(&a, fd);

	say_answer(error, SAY_NO_STATUS, "pp %s", name);
	if (!error)
		destroy_pp(fd, ask_handle(&a));
}

static void probe_pp(const struct world *w, const char *name, uint32_t kbps, uint32_t burst,
		     uint16_t typical)
{
	struct prm_set_pp_rate_limit_context ctx = { 0 };

	prm_set(&ctx, rate_limit, kbps);
	prm_set(&ctx, burst_upper_bound, burst);
	prm_set(&ctx, typical_packet_size, typical);
	probe_pp_at(w->mine.fd, name, &ctx, sizeof(ctx), 0);
}

static void probe_pp_contexts(const struct world *w)
{
	uint8_t ctx[CTX_BYTES + 4] = { [2] = 1 };
	const int fd = w->mine.fd;

	probe_pp(w, "rate 0", 0, 0, 0);
	probe_pp(w, "rate lowest", 1, 0, 0);
	probe_pp(w, "rate highest", RATE_MAX, 0, 0);
	probe_pp(w, "rate above-the-highest", RATE_MAX + 1, 0, 0);
	probe_pp(w, "rate largest-number", UINT32_MAX, 0, 0);
	probe_pp(w, "burst", RATE, 3000, 0);
	probe_pp(w, "burst largest-number", RATE, UINT32_MAX, 0);
	probe_pp(w, "typical-size", RATE, 0, 1500);
	probe_pp(w, "typical-size largest-number", RATE, 0, UINT16_MAX);
	probe_pp_at(fd, "ctx of 4 bytes", ctx, 4, 0);
	probe_pp_at(fd, "ctx of 3 bytes", ctx, 3, 0);
	probe_pp_at(fd, "ctx of 2 bytes, rate 0", ctx, 2, 0);
	probe_pp_at(fd, "ctx of 0 bytes", ctx, 0, 0);
	probe_pp_at(fd, "ctx too-long", ctx, CTX_BYTES + 4, 0);
	probe_pp_at(fd, "ctx unmapped", ask_nowhere(), CTX_BYTES, 0);
	ctx[CTX_BYTES - 1] = 1;
	probe_pp_at(fd, "ctx reserved-bit", ctx, CTX_BYTES, 0);
	ctx[CTX_BYTES - 1] = 0;
	probe_pp_at(fd, "flags dedicated", ctx, CTX_BYTES, DEDICATED);
	probe_pp_at(fd, "flags 2", ctx, CTX_BYTES, 2);
	probe_pp_at(fd, "flags too-wide", ctx, CTX_BYTES, 1ull << 32);
	probe_pp_at(w->no_devx, "no-devx", ctx, CTX_BYTES, 0);
}

/* Says whether two rate limits have the same entry in the table. */
static void probe_pp_pair(const struct world *w, const char *name, uint32_t other_kbps,
			  uint64_t flags, int other_fd)
{
	uint32_t one = NO_HANDLE, two = NO_HANDLE;
	uint16_t i = 0, k = 0;
	int error = alloc_pp(w->mine.fd, RATE, 0, &one, &i);

	if (!error)
		error = alloc_pp(other_fd, other_kbps, flags, &two, &k);
	say_answer(error ? error : i == k ? 0 : EXDEV, SAY_NO_STATUS, "pp pair %s", name);
	destroy_pp(other_fd, two);
	destroy_pp(w->mine.fd, one);
}

static void probe_pp_table(const struct world *w)
{
	const int fd = w->mine.fd;
	uint32_t handle[TABLE], more;
	uint16_t index;
	int error = 0, n;

	for (n = 0; !error && n < TABLE; n++)
		error = alloc_pp(fd, RATE, n ? DEDICATED : 0, &handle[n], &index);
	say_answer(error, SAY_NO_STATUS, "pp table full");
	error = alloc_pp(fd, RATE, DEDICATED, &more, &index);
	say_answer(error, SAY_NO_STATUS, "pp table full, one more dedicated");
	error = alloc_pp(fd, RATE + 1, 0, &more, &index);
	say_answer(error, SAY_NO_STATUS, "pp table full, another rate");
	error = alloc_pp(fd, RATE, 0, &more, &index);
	say_answer(error, SAY_NO_STATUS, "pp table full, the shared rate");
	say_answer(destroy_pp(fd, more), SAY_NO_STATUS, "pp destroy");
	say_answer(destroy_pp(fd, more), SAY_NO_STATUS, "pp destroy twice");
	while (n-- > 0)
		destroy_pp(fd, handle[n]);
}

/* Creates an SQ with an entry of the table; kbps 0: with a free entry. */
static void probe_pp_sq(const struct world *w, const char *name, int owner, uint32_t kbps,
			uint64_t flags)
{
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = BY_CREATE,
			     .fd = w->mine.fd,
			     .in = in,
			     .out_bytes = sizeof(struct prm_create_sq_out) };
	uint32_t handle = 0;
	uint16_t index = TABLE;
	struct reply r;

	if (kbps)
		alloc_pp(owner, kbps, flags, &handle, &index);
	c.in_bytes = recipe_make(recipe_of(BY_CREATE, PRM_OP_create_sq), PRM_OP_create_sq, in, w,
				 &w->mine);
	prm_set(prm_sub((struct prm_create_sq_in *)in, ctx), packet_pacing_rate_limit_index, index);
	r = command_run(&c);
	say_answer(r.error, r.status, "pp sq %s", name);
	if (kbps)
		destroy_pp(owner, handle);
}

/* ---- moderation --------------------------------------------------------------------------- */

static void probe_moderation(const struct world *w, const char *name, uint32_t select,
			     uint16_t period, uint16_t count, unsigned mode)
{
	uint8_t in[COMMAND_BYTES];
	struct prm_modify_cq_in *cmd = (struct prm_modify_cq_in *)in;
	struct prm_cqc *cqc = prm_sub(cmd, cq_context);
	struct command c = { .by = BY_MODIFY,
			     .fd = w->mine.fd,
			     .in = in,
			     .handle = w->mine.o[THING_create_cq].handle,
			     .out_bytes = sizeof(struct prm_modify_cq_out) };
	struct reply r;

	c.in_bytes = recipe_make(recipe_of(BY_MODIFY, PRM_OP_modify_cq), PRM_OP_modify_cq, in, w,
				 &w->mine);
	prm_set(prm_sub(prm_sub(cmd, modify_field_select_resize_field_select), modify_field_select),
		modify_field_select, select);
	prm_set(cqc, cq_period, period);
	prm_set(cqc, cq_max_count, count);
	prm_set(cqc, cq_period_mode, mode);
	r = command_run(&c);
	say_answer(r.error, r.status, "moderation %s", name);
}

static void probe_moderations(const struct world *w)
{
	enum {
		PERIOD = PRM_MODIFY_CQ_SELECT_CQ_PERIOD,
		COUNT = PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT,
		MODE = PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE,
	};

	probe_moderation(w, "period-and-count", PERIOD | COUNT, 16, 32, 0);
	probe_moderation(w, "longest", PERIOD | COUNT, 0xfff, UINT16_MAX, 0);
	probe_moderation(w, "mode from-cqe", PERIOD | COUNT | MODE, 8, 4, 1);
	probe_moderation(w, "mode 2", MODE, 0, 0, 2);
	probe_moderation(w, "select unknown-bit", 1 << 7, 0, 0, 0);
	probe_moderation(w, "off", PERIOD | COUNT | MODE, 0, 0, 0);
}

/* ---- indirect mkeys ----------------------------------------------------------------------- */

/* Creates an mkey with @n entries, the first of which is @first. */
static void probe_indirect(const struct world *w, const char *name, unsigned mode,
			   const void *first, unsigned n, uint64_t len, bool umem)
{
	struct {
		struct prm_create_mkey_in head;
		struct prm_klm klm[4];
	} in = { 0 };
	struct prm_mkc *mkc = prm_sub(&in.head, memory_key_mkey_entry);
	struct command c = { .by = BY_CREATE,
			     .fd = w->mine.fd,
			     .in = &in,
			     .in_bytes = sizeof(in.head) + n * PRM_KLM_BYTES,
			     .out_bytes = sizeof(struct prm_create_mkey_out) };
	struct reply r;

	prm_set(&in.head, opcode, PRM_OP_create_mkey);
	prm_set(&in.head, mkey_umem_valid, umem);
	prm_set(&in.head, translations_octword_actual_size, n);
	prm_set(mkc, access_mode_1_0, mode);
	prm_set(mkc, lr, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, w->mine.o[THING_alloc_pd].number);
	prm_set(mkc, len, len);
	prm_set(mkc, translations_octword_size, n);
	prm_set(mkc, log_page_size, mode == PRM_MKC_ACCESS_MODE_KSM ? 12 : 0);
	memcpy(&in.klm[0], first, PRM_KLM_BYTES);
	in.klm[1] = (struct prm_klm){ prm_be32_of(4), prm_be32_of(w->mine.mr->lkey), { 0 } };
	r = command_run(&c);
	say_answer(r.error, r.status, "indirect %s", name);
}

static void probe_indirects(const struct world *w)
{
	enum { KLMS = PRM_MKC_ACCESS_MODE_KLMS, KSM = PRM_MKC_ACCESS_MODE_KSM };
	const prm_be32 key = prm_be32_of(w->mine.mr->lkey);
	const prm_be64 addr = prm_be64_of((uintptr_t)w->mine.mr->addr);
	const struct prm_klm piece = { prm_be32_of(PAGE), key, addr };
	const struct prm_klm fixed = { .key = key, .addr = addr };
	const struct prm_stride_block block = { prm_be32_of(4), prm_be32_of(PRM_STRIDE_BLOCK_OP),
						prm_be32_of(10), .n_entries = prm_be16_of(1) };

	probe_indirect(w, "list", KLMS, &piece, 1, PAGE, false);
	probe_indirect(w, "list padded", KLMS, &piece, 4, PAGE, false);
	probe_indirect(w, "list longer-than-its-pieces", KLMS, &piece, 1, PAGE + 1, false);
	probe_indirect(w, "list without-pieces", KLMS, &piece, 0, PAGE, false);
	probe_indirect(w, "list in-a-umem", KLMS, &piece, 1, PAGE, true);
	probe_indirect(w, "fixed", KSM, &fixed, 1, PAGE, false);
	probe_indirect(w, "fixed with-a-length", KSM, &piece, 1, PAGE, false);
	probe_indirect(w, "strided", KLMS, &block, 2, 40, false);
	probe_indirect(w, "strided longer-than-its-cycles", KLMS, &block, 2, 41, false);
}

void probe_pacing(const struct world *w)
{
	probe_pp_contexts(w);
	probe_pp_pair(w, "equal", RATE, 0, w->mine.fd);
	probe_pp_pair(w, "other-rate", RATE + 1, 0, w->mine.fd);
	probe_pp_pair(w, "dedicated", RATE, DEDICATED, w->mine.fd);
	probe_pp_pair(w, "equal, other-context", RATE, 0, w->theirs.fd);
	probe_pp_table(w);
	probe_pp_sq(w, "on-a-shared-entry", w->mine.fd, RATE, 0);
	probe_pp_sq(w, "on-a-dedicated-entry", w->mine.fd, RATE, DEDICATED);
	probe_pp_sq(w, "on-their-shared-entry", w->theirs.fd, RATE, 0);
	probe_pp_sq(w, "on-their-dedicated-entry", w->theirs.fd, RATE, DEDICATED);
	probe_pp_sq(w, "on-a-free-entry", w->mine.fd, 0, 0);
	probe_moderations(w);
	probe_indirects(w);
}
