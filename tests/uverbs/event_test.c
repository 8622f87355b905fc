/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events. A NOP on a send queue causes a completion. If the CQ is armed, the completion causes an
 * event.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "prm/cqe.h"
#include "prm/wqe.h"
#include "verbs_rig.h"
#include "wait_limit.h"

enum { COOKIE = 0x1234 };

FIXTURE(event)
{
	struct ibv_context *ctx;
	struct mlx5dv_devx_uar *uar;
	struct verbs_rig_queue cq, sq;
	struct mlx5dv_devx_obj *pd, *td, *tis;
	uint32_t pi, n_armed;
};

static int make_tis(struct ct_fix_event *self, uint32_t tdn, uint32_t *tisn)
{
	struct prm_create_tis_in in = { 0 };
	struct prm_create_tis_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_create_tis);
	prm_set(prm_sub(&in, ctx), transport_domain, tdn);
	self->tis = VERBS_RIG_CREATE(self->ctx, in, out);
	*tisn = (uint32_t)prm_get(&out, tisn);
	return self->tis ? 0 : errno;
}

static int make_sq(struct ct_fix_event *self, uint32_t pdn, uint32_t tisn)
{
	struct prm_create_sq_in in = { 0 };
	struct prm_create_sq_out out = { 0 };
	struct prm_sqc *sqc = prm_sub(&in, ctx);
	struct prm_wq *wq = prm_sub(sqc, wq);
	int rc = verbs_rig_alloc_queue(self->ctx, &self->sq);

	if (rc)
		return rc;
	prm_set(&in, opcode, PRM_OP_create_sq);
	prm_set(sqc, flush_in_error_en, 1);
	prm_set(sqc, cqn, self->cq.number);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, tisn);
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, pdn);
	prm_set(wq, uar_page, self->uar->page_id);
	prm_set(wq, dbr_umem_id, self->sq.umem->umem_id);
	prm_set(wq, dbr_addr, VERBS_RIG_DBR);
	prm_set(wq, wq_umem_id, self->sq.umem->umem_id);
	prm_set(wq, log_wq_stride, 6);
	prm_set(wq, log_wq_sz, VERBS_RIG_LOG_SQ);
	self->sq.obj = VERBS_RIG_CREATE(self->ctx, in, out);
	self->sq.number = (uint32_t)prm_get(&out, sqn);
	return self->sq.obj ? 0 : errno;
}

static int start_sq(struct ct_fix_event *self)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_modify_sq);
	prm_set(&in, sqn, self->sq.number);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	return mlx5dv_devx_obj_modify(self->sq.obj, &in, sizeof(in), &out, sizeof(out));
}

FIXTURE_SETUP(event)
{
	uint32_t pdn, tdn, tisn;

	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	self->uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
	ASSERT_NE(NULL, self->uar);
	self->pd = verbs_rig_create_pd(self->ctx, &pdn);
	self->td = verbs_rig_create_td(self->ctx, &tdn);
	ASSERT_EQ(0, make_tis(self, tdn, &tisn));
	ASSERT_EQ(0, verbs_rig_create_cq(self->ctx, &self->cq, self->uar->page_id));
	ASSERT_EQ(0, make_sq(self, pdn, tisn));
	ASSERT_EQ(0, start_sq(self));
}

FIXTURE_TEARDOWN(event)
{
	verbs_rig_close_queue(&self->sq);
	verbs_rig_close_queue(&self->cq);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->td));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->pd));
	mlx5dv_devx_free_uar(self->uar);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	EXPECT_EQ(0, verbs_rig_read_counters().handles);
}

static void post_nop(struct ct_fix_event *self)
{
	struct prm_ctrl_seg *c = (void *)(self->sq.buf + self->pi % 64 * PRM_WQEBB_BYTES);
	prm_be32 *dbr = (void *)(self->sq.buf + VERBS_RIG_DBR);

	*c = (struct prm_ctrl_seg){ .opmod_idx_opcode =
					    prm_ctrl_dw0(0, (uint16_t)self->pi, PRM_WQE_NOP),
				    .qpn_ds = prm_ctrl_dw1(self->sq.number, 1),
				    .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT };
	self->pi++;
	__atomic_store_n(&dbr[PRM_DBR_SND].raw, prm_be32_of(self->pi).raw, __ATOMIC_RELEASE);
	__atomic_store_n((uint64_t *)self->uar->reg_addr, *(uint64_t *)c, __ATOMIC_RELEASE);
}

/* Requests an event for the next completion. @ci: number of consumed completions. */
static void arm_cq(struct ct_fix_event *self, uint32_t ci)
{
	const uint32_t dw0 = (self->n_armed++ & 3) << PRM_CQ_ARM_SN_SHIFT | (ci & 0xffffff);
	prm_be32 *dbr = (void *)(self->cq.buf + VERBS_RIG_DBR);
	const uint64_t doorbell = (uint64_t)dw0 << 32 | self->cq.number;

	dbr[PRM_DBR_CQ_CI] = prm_be32_of(ci);
	__atomic_store_n(&dbr[PRM_DBR_CQ_ARM].raw, prm_be32_of(dw0).raw, __ATOMIC_RELEASE);
	__atomic_store_n((uint64_t *)((uint8_t *)self->uar->base_addr + PRM_UAR_CQ_ARM),
			 htobe64(doorbell), __ATOMIC_RELEASE);
}

static bool is_readable(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

/* Waits for completion number @n, from 0 to 63, and does not consume it. */
static bool wait_completion(struct ct_fix_event *self, uint32_t n)
{
	const struct prm_cqe *cqe = (void *)(self->cq.buf + n * sizeof(*cqe));

	for (int ms = 0; ms < WAIT_LIMIT_MS; ms++) {
		if (!(__atomic_load_n(&cqe->op_own, __ATOMIC_ACQUIRE) & PRM_CQE_OWNER))
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

static int subscribe_cq(struct ct_fix_event *self, struct mlx5dv_devx_event_channel *ch,
			uint16_t event)
{
	return mlx5dv_devx_subscribe_devx_event(ch, self->cq.obj, sizeof(event), &event, COOKIE);
}

TEST_F(event, armed_cq_sends_cookie_and_eqe_to_the_channel)
{
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(self->ctx, 0);
	struct {
		struct mlx5dv_devx_async_event_hdr hdr;
		struct prm_eqe eqe;
		uint8_t room[64];
	} msg;

	ASSERT_NE(NULL, ch);
	ASSERT_EQ(0, subscribe_cq(self, ch, PRM_EVENT_COMP));
	arm_cq(self, 0);
	post_nop(self);
	ASSERT_TRUE(is_readable(ch->fd, WAIT_LIMIT_MS));
	EXPECT_EQ(sizeof(msg.hdr) + sizeof(msg.eqe),
		  mlx5dv_devx_get_event(ch, &msg.hdr, sizeof(msg)));
	EXPECT_EQ(COOKIE, msg.hdr.cookie);
	EXPECT_EQ(PRM_EVENT_COMP, msg.eqe.type);
	EXPECT_EQ(self->cq.number, prm_be32_get(msg.eqe.data[6]) & 0xffffff);
	EXPECT_FALSE(is_readable(ch->fd, 0));
	mlx5dv_devx_destroy_event_channel(ch);
}

TEST_F(event, cq_sends_one_event_per_arm)
{
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(
		self->ctx, MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA);
	struct mlx5dv_devx_async_event_hdr hdr;

	ASSERT_EQ(0, subscribe_cq(self, ch, PRM_EVENT_COMP));
	post_nop(self);
	ASSERT_TRUE(wait_completion(self, 0));
	EXPECT_FALSE(is_readable(ch->fd, 20)); /* not armed */
	arm_cq(self, 1);
	post_nop(self);
	post_nop(self);
	ASSERT_TRUE(wait_completion(self, 2));
	ASSERT_TRUE(is_readable(ch->fd, WAIT_LIMIT_MS));
	EXPECT_EQ(sizeof(hdr), mlx5dv_devx_get_event(ch, &hdr, sizeof(hdr)));
	EXPECT_FALSE(is_readable(ch->fd, 20));
	mlx5dv_devx_destroy_event_channel(ch);
}

/* With OMIT_DATA a channel holds at most one unread message per subscription. */
TEST_F(event, channel_without_data_holds_one_unread_event)
{
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(
		self->ctx, MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA);
	struct mlx5dv_devx_async_event_hdr hdr;

	ASSERT_EQ(0, subscribe_cq(self, ch, PRM_EVENT_COMP));
	for (uint32_t i = 0; i < 3; i++) {
		arm_cq(self, i);
		post_nop(self);
		ASSERT_TRUE(wait_completion(self, i));
		ASSERT_TRUE(is_readable(ch->fd, WAIT_LIMIT_MS));
	}
	poll(NULL, 0, 20); /* time for the last event to arrive */
	EXPECT_EQ(sizeof(hdr), mlx5dv_devx_get_event(ch, &hdr, sizeof(hdr)));
	EXPECT_FALSE(is_readable(ch->fd, 20));
	arm_cq(self, 3);
	post_nop(self);
	EXPECT_TRUE(is_readable(ch->fd, WAIT_LIMIT_MS));
	mlx5dv_devx_destroy_event_channel(ch);
}

TEST_F(event, eventfd_gets_events_instead_of_the_channel)
{
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(self->ctx, 0);
	const int fd = eventfd(0, EFD_CLOEXEC);
	uint64_t n = 0;

	ASSERT_EQ(0, mlx5dv_devx_subscribe_devx_event_fd(ch, fd, self->cq.obj, PRM_EVENT_COMP));
	arm_cq(self, 0);
	post_nop(self);
	ASSERT_TRUE(is_readable(fd, WAIT_LIMIT_MS));
	EXPECT_EQ(sizeof(n), read(fd, &n, sizeof(n)));
	EXPECT_EQ(1, n);
	EXPECT_FALSE(is_readable(ch->fd, 0));
	mlx5dv_devx_destroy_event_channel(ch);
	close(fd);
}

TEST_F(event, ibv_modify_cq_sets_moderation)
{
	struct ibv_cq *cq = ibv_create_cq(self->ctx, 10, NULL, NULL, 0);
	struct ibv_modify_cq_attr attr = { .attr_mask = IBV_CQ_ATTR_MODERATE,
					   .moderate = { .cq_count = 10, .cq_period = 100 } };
	struct ibv_device_attr_ex device = { 0 };

	if (!cq && getenv(OTHER_OWNER_ENV))
		SKIP("libmlx5 has the ring in private memory, which emu does not share");
	ASSERT_NE(NULL, cq);
	ASSERT_EQ(0, ibv_query_device_ex(self->ctx, NULL, &device));
	EXPECT_EQ(0xffff, device.cq_mod_caps.max_cq_count);
	EXPECT_EQ(0xfff, device.cq_mod_caps.max_cq_period);
	EXPECT_EQ(0, ibv_modify_cq(cq, &attr));
	attr.moderate.cq_period = 0x1000;
	EXPECT_EQ(EINVAL, ibv_modify_cq(cq, &attr));
	attr.attr_mask = 0;
	EXPECT_EQ(EINVAL, ibv_modify_cq(cq, &attr));
	EXPECT_EQ(0, ibv_destroy_cq(cq));
}

TEST_F(event, subscribe_refuses_events_that_users_may_not_have)
{
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(self->ctx, 0);
	uint16_t port = PRM_EVENT_PORT_CHANGE, command = PRM_EVENT_CMD;

	EXPECT_EQ(EINVAL, subscribe_cq(self, ch, PRM_EVENT_CMD));
	EXPECT_EQ(EINVAL, subscribe_cq(self, ch, 256));
	EXPECT_EQ(EINVAL, subscribe_cq(self, ch, PRM_EVENT_PORT_CHANGE)); /* not an event of a CQ */
	EXPECT_EQ(0, mlx5dv_devx_subscribe_devx_event(ch, NULL, sizeof(port), &port, 1));
	EXPECT_EQ(EINVAL, mlx5dv_devx_subscribe_devx_event(ch, NULL, sizeof(command), &command, 1));
	mlx5dv_devx_destroy_event_channel(ch);
}

static int subscribe_device(struct mlx5dv_devx_event_channel *ch, uint16_t event)
{
	return mlx5dv_devx_subscribe_devx_event(ch, NULL, sizeof(event), &event, COOKIE);
}

/* The events that users get: the lists of Linux, or the masks of the device. */
static const struct mask {
	const char *name, *option;
	int cq_error, port_change, sq_drained;
} masks[] = {
	{ "masks", NULL, 0, 0, EINVAL },
	{ "no_port_change", "port_events", 0, EINVAL, EINVAL },
	{ "no_cq_error", "cq_error_events", EINVAL, 0, EINVAL },
	{ "lists_of_linux", "event_cap", 0, 0, 0 },
};

TEST_F_EACH(event, masks_of_the_device_say_which_events_users_get, struct mask, masks)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct mlx5dv_devx_event_channel *ch;

	NEEDS_EMU("to change the masks");
	ch = mlx5dv_devx_create_event_channel(self->ctx, 0);
	ASSERT_NE(NULL, ch);
	if (row->option)
		EXPECT_EQ(1, emu->option(row->option, 0));
	EXPECT_EQ(0, subscribe_cq(self, ch, PRM_EVENT_COMP));
	EXPECT_EQ(0, subscribe_cq(self, ch, PRM_EVENT_WQ_CATAS_ERROR));
	EXPECT_EQ(row->cq_error, subscribe_cq(self, ch, PRM_EVENT_CQ_ERROR));
	EXPECT_EQ(row->sq_drained, subscribe_cq(self, ch, PRM_EVENT_SQ_DRAINED));
	EXPECT_EQ(EINVAL, subscribe_cq(self, ch, PRM_EVENT_PORT_CHANGE));
	EXPECT_EQ(row->port_change, subscribe_device(ch, PRM_EVENT_PORT_CHANGE));
	EXPECT_EQ(EINVAL, subscribe_device(ch, PRM_EVENT_COMP));
	EXPECT_EQ(EINVAL, subscribe_device(ch, PRM_EVENT_CQ_ERROR));
	if (row->option)
		EXPECT_EQ(0, emu->option(row->option, 1));
	mlx5dv_devx_destroy_event_channel(ch);
}

/* On emu and on a real kernel, whatever the masks are. */
TEST_F(event, kernel_compares_each_event_with_the_masks)
{
	struct prm_query_hca_cap_out general_out, out;
	const struct prm_cmd_hca_cap *general =
		verbs_rig_query_caps(self->ctx, PRM_HCA_CAP_PAGE_GENERAL, &general_out);
	const struct prm_device_event_cap *c =
		verbs_rig_query_caps(self->ctx, PRM_HCA_CAP_PAGE_DEV_EVENT, &out);
	struct mlx5dv_devx_event_channel *ch;

	if (!prm_get(general, event_cap))
		SKIP("the device has no masks");
	ch = mlx5dv_devx_create_event_channel(self->ctx, 0);
	ASSERT_NE(NULL, ch);
	for (uint16_t event = 0; event < 256; event++) {
		const bool of_objects =
			prm_get_at(c, user_affiliated_events, event / 64) >> event % 64 & 1;
		const bool of_device =
			prm_get_at(c, user_unaffiliated_events, event / 64) >> event % 64 & 1;

		SCOPED_TRACE("event 0x%02x", event);
		EXPECT_EQ(of_objects || event == PRM_EVENT_COMP ? 0 : EINVAL,
			  subscribe_cq(self, ch, event));
		EXPECT_EQ(of_device ? 0 : EINVAL, subscribe_device(ch, event));
	}
	mlx5dv_devx_destroy_event_channel(ch);
}

TEST_F(event, link_change_reaches_channel_and_async_file)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(self->ctx, 0);
	uint16_t port = PRM_EVENT_PORT_CHANGE;
	struct ibv_async_event event;
	struct ibv_port_attr attr;

	NEEDS_EMU("to take the link down");
	ASSERT_EQ(0, mlx5dv_devx_subscribe_devx_event(ch, NULL, sizeof(port), &port, 1));
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_LINK_DOWN, 0));
	EXPECT_TRUE(is_readable(ch->fd, WAIT_LIMIT_MS));
	ASSERT_TRUE(is_readable(self->ctx->async_fd, WAIT_LIMIT_MS));
	ASSERT_EQ(0, ibv_get_async_event(self->ctx, &event));
	EXPECT_EQ(IBV_EVENT_PORT_ERR, event.event_type);
	EXPECT_EQ(1, event.element.port_num);
	ibv_ack_async_event(&event);
	ASSERT_EQ(0, ibv_query_port(self->ctx, 1, &attr));
	EXPECT_EQ(IBV_PORT_DOWN, attr.state);
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_LINK_UP, 0));
	ASSERT_EQ(0, ibv_get_async_event(self->ctx, &event));
	EXPECT_EQ(IBV_EVENT_PORT_ACTIVE, event.event_type);
	ibv_ack_async_event(&event);
	mlx5dv_devx_destroy_event_channel(ch);
}
