/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every address that a program gives to the kernel is once an address of no memory. The call must
 * fail with EFAULT, and leave nothing in the device.
 *
 * The test's own ioctl() stands between libmlx5 and the preload. A first run of a program finds the
 * addresses: of outputs, which the kernel marks, and of inputs, which are longer than 8 bytes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "open_files.h"
#include "prm/cqe.h"
#include "verbs_rig.h"

enum { MAX_ADDRESSES = 300, NOWHERE = 8, PAGE = 4096, NEVER = -1 };

/** struct place - an address: attribute @attr of the @call-th uverbs ioctl of a program */
struct place {
	int call, attr;
};

static struct {
	bool records;
	struct place found[MAX_ADDRESSES], bad; /* bad.call NEVER: all addresses stay */
	int n_found, n_calls;
	int error; /* errno of the call with the bad address; NEVER: no error */
} sweep = { .bad = { NEVER, NEVER } };

static void note_addresses(const struct ib_uverbs_ioctl_hdr *hdr)
{
	for (int i = 0; i < hdr->num_attrs && sweep.n_found < MAX_ADDRESSES; i++)
		if (hdr->attrs[i].len > sizeof(uint64_t) ||
		    hdr->attrs[i].flags & UVERBS_ATTR_F_VALID_OUTPUT)
			sweep.found[sweep.n_found++] = (struct place){ sweep.n_calls, i };
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int fd, unsigned long request, void *arg);
	struct ib_uverbs_ioctl_hdr *hdr;
	uint64_t kept = 0;
	va_list args;
	bool is_bad;
	int rc;

	if (!real)
		real = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
	va_start(args, request);
	hdr = va_arg(args, void *);
	va_end(args);
	if (request != RDMA_VERBS_IOCTL)
		return real(fd, request, hdr);
	is_bad = sweep.n_calls == sweep.bad.call;
	if (is_bad) {
		kept = hdr->attrs[sweep.bad.attr].data;
		hdr->attrs[sweep.bad.attr].data = NOWHERE;
	}
	rc = real(fd, request, hdr);
	if (is_bad) {
		sweep.error = rc ? errno : NEVER;
		hdr->attrs[sweep.bad.attr].data = kept;
	}
	if (sweep.records && !rc)
		note_addresses(hdr);
	sweep.n_calls++;
	return rc;
}

/* ---- programs: each makes as much as it can, and closes the context ----------------------- */

static void use_verbs(struct ibv_context *ctx)
{
	struct ibv_device_attr_ex attr;
	struct ibv_port_attr port;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(ctx);
	struct ibv_cq *cq = channel ? ibv_create_cq(ctx, 16, NULL, channel, 0) : NULL;
	struct ibv_pd *pd = ibv_alloc_pd(ctx);
	uint8_t *mem = aligned_alloc(PAGE, PAGE);
	struct ibv_mr *mr = pd ? ibv_reg_mr(pd, mem, PAGE, IBV_ACCESS_LOCAL_WRITE) : NULL;

	ibv_query_device_ex(ctx, NULL, &attr);
	ibv_query_port(ctx, 1, &port);
	if (mr)
		ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0);
	if (mr)
		ibv_dereg_mr(mr);
	if (pd)
		ibv_dealloc_pd(pd);
	if (cq)
		ibv_destroy_cq(cq);
	if (channel && ibv_destroy_comp_channel(channel))
		close(channel->fd); /* a CQ that could not be destroyed still has the channel */
	free(mem);
}

static void query_cq(struct verbs_rig_queue *cq, struct mlx5dv_devx_cmd_comp *comp)
{
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, cq->number);
	mlx5dv_devx_obj_query(cq->obj, &in, sizeof(in), &out, sizeof(out));
	if (comp)
		mlx5dv_devx_obj_query_async(cq->obj, &in, sizeof(in), sizeof(out), 7, comp);
}

static void close_cq(struct verbs_rig_queue *cq)
{
	if (cq->obj)
		mlx5dv_devx_obj_destroy(cq->obj);
	if (cq->umem)
		mlx5dv_devx_umem_dereg(cq->umem);
	verbs_rig_free_queue(cq);
}

static void use_devx(struct ibv_context *ctx)
{
	struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(ctx);
	struct mlx5dv_devx_event_channel *channel = mlx5dv_devx_create_event_channel(
		ctx, MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
	struct prm_query_hca_cap_in in = { 0 };
	static struct prm_query_hca_cap_out out;
	uint16_t events[] = { PRM_EVENT_COMP };
	struct verbs_rig_queue cq = { 0 };

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	mlx5dv_devx_general_cmd(ctx, &in, sizeof(in), &out, sizeof(out));
	if (uar && !verbs_rig_create_cq(ctx, &cq, uar->page_id)) {
		query_cq(&cq, comp);
		if (channel)
			mlx5dv_devx_subscribe_devx_event(channel, cq.obj, sizeof(events), events,
							 1);
	}
	close_cq(&cq);
	if (channel)
		mlx5dv_devx_destroy_event_channel(channel);
	if (comp)
		mlx5dv_devx_destroy_cmd_comp(comp);
	if (uar)
		mlx5dv_devx_free_uar(uar);
}

static void use_flows(struct ibv_context *ctx)
{
	struct {
		size_t bytes;
		struct prm_fte_match_param param;
	} mask = { .bytes = sizeof(mask.param) };
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL,
		.match_criteria_enable = PRM_MATCH_OUTER_HEADERS,
		.match_mask = (void *)&mask,
	};
	struct mlx5dv_flow_action_attr drop = { .type = MLX5DV_FLOW_ACTION_DROP };
	struct mlx5dv_flow_matcher *matcher;
	struct ibv_flow *flow;

	prm_set(prm_sub(&mask.param, outer_headers), dmac_47_16, UINT32_MAX);
	matcher = mlx5dv_create_flow_matcher(ctx, &attr);
	flow = matcher ? mlx5dv_create_flow(matcher, (void *)&mask, 1, &drop) : NULL;
	if (flow)
		ibv_destroy_flow(flow);
	if (matcher)
		mlx5dv_destroy_flow_matcher(matcher);
}

static const struct recipe {
	const char *name;
	void (*use)(struct ibv_context *ctx);
	int least; /* addresses that the program gives at least */
} programs[] = {
	{ "verbs", use_verbs, 20 },
	{ "devx", use_devx, 20 },
	{ "flows", use_flows, 5 },
};

static void run_program(const struct recipe *program, struct place bad)
{
	struct ibv_context *ctx;

	sweep.n_calls = 0;
	sweep.bad = bad;
	sweep.error = NEVER;
	ctx = verbs_rig_open(true);
	if (ctx) {
		program->use(ctx);
		EXPECT_EQ(0, ibv_close_device(ctx));
	}
	sweep.bad.call = NEVER;
}

TEST_EACH(address, without_memory_fails_with_efault_and_leaves_nothing, struct recipe, programs)
{
	unsigned n_fds;

	NEEDS_EMU("because a kernel may keep what it could not report");
	sweep.records = true;
	sweep.n_found = 0;
	run_program(row, (struct place){ NEVER, NEVER });
	sweep.records = false;
	n_fds = count_open_files();
	EXPECT_LE(row->least, sweep.n_found);
	verbs_rig_expect_nothing();
	for (int i = 0; i < sweep.n_found; i++) {
		SCOPED_TRACE("attribute %d of call %d", sweep.found[i].attr, sweep.found[i].call);
		run_program(row, sweep.found[i]);
		EXPECT_EQ(EFAULT, sweep.error);
		verbs_rig_expect_nothing();
		EXPECT_EQ(n_fds, count_open_files());
	}
}
