/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "devx/async.h"
#include "devx/cmd.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "open_files.h"
#include "prm/prm.h"
#include "wait_limit.h"

/* Asynchronous queries (async.c), and of the queue counter (counter.c). */

FIXTURE(async)
{
	struct devx_rig rig;
	struct devx_async async;
	char line[DEVX_TEXT_BYTES];
};

FIXTURE_SETUP(async)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	ASSERT_EQ(0, devx_async_create(&self->async, &self->rig.dev));
}

FIXTURE_TEARDOWN(async)
{
	devx_async_destroy(&self->async);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

struct sq_reply {
	uint64_t wr_id;
	struct prm_query_sq_out out;
};

static struct prm_query_sq_in build_sq_query(uint32_t sqn)
{
	struct prm_query_sq_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, sqn);
	return in;
}

static int start_sq_query(struct ct_fix_async *self, uint64_t wr_id)
{
	const struct prm_query_sq_in in = build_sq_query(self->rig.sq.sqn);

	return devx_async_query(&self->async, self->rig.sq.obj, &in, sizeof(in),
				sizeof(struct prm_query_sq_out), wr_id);
}

/* Waits until the channel's file is readable. Return: the events of poll(2) */
static short wait_for_reply(const struct devx_async *async, int ms)
{
	struct pollfd p = { .fd = async->fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 ? p.revents : 0;
}

static void expect_error(struct ct_fix_async *self, int want, const char *says, int rc)
{
	EXPECT_EQ(want, rc);
	EXPECT_SUBSTR(says, devx_async_strerror(&self->async, rc, self->line, sizeof(self->line)));
}

/* The reply to an asynchronous query has the bytes of the answer to the same query. */
TEST_F(async, reply_is_that_of_a_query_that_waits)
{
	const struct prm_query_sq_in in = build_sq_query(self->rig.sq.sqn);
	struct prm_query_sq_out want = { 0 };
	struct sq_reply reply = { 0 };

	ASSERT_EQ(0, devx_cmd_query(&self->rig.dev, self->rig.sq.obj, &in, sizeof(in), &want,
				    sizeof(want)));
	ASSERT_EQ(0, start_sq_query(self, 0x0123456789abcdef));
	ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
	ASSERT_EQ(0, devx_async_take(&self->async, &reply, sizeof(reply)));
	EXPECT_EQ(0x0123456789abcdef, reply.wr_id);
	EXPECT_MEMEQ(&want, &reply.out, sizeof(want));
	EXPECT_EQ(PRM_WQ_STATE_RDY, prm_get(prm_sub(&reply.out, sq_context), state));
}

TEST_F(async, every_query_gets_one_reply)
{
	enum { N = 32 };
	uint32_t seen = 0;
	struct sq_reply reply;

	for (unsigned i = 0; i < N; i++)
		ASSERT_EQ(0, start_sq_query(self, i));
	for (unsigned i = 0; i < N; i++) {
		ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
		ASSERT_EQ(0, devx_async_take(&self->async, &reply, sizeof(reply)));
		ASSERT_GT((uint64_t)N, reply.wr_id);
		seen ^= UINT32_C(1) << reply.wr_id;
	}
	EXPECT_EQ(UINT32_MAX, seen);
	EXPECT_EQ(-EAGAIN, devx_async_take(&self->async, &reply, sizeof(reply)));
}

TEST_F(async, take_does_not_wait_for_a_reply)
{
	struct sq_reply reply;

	memset(&reply, 0x5a, sizeof(reply));
	EXPECT_EQ(0, wait_for_reply(&self->async, 0));
	EXPECT_EQ(-EAGAIN, devx_async_take(&self->async, &reply, sizeof(reply)));
	EXPECT_EQ(0x5a5a5a5a5a5a5a5a, reply.wr_id);
	EXPECT_EQ(0, self->async.refusal.rc);
}

TEST_F(async, reply_that_is_too_long_stays)
{
	struct sq_reply reply;
	uint8_t small[sizeof(reply) - 1] __attribute__((aligned(8))) = { 0 };

	ASSERT_EQ(0, start_sq_query(self, 6));
	ASSERT_EQ(0, start_sq_query(self, 7));
	ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
	for (int i = 0; i < 2; i++)
		expect_error(self, -ENOSPC,
			     "the next reply is longer than 279 bytes; pass a larger",
			     devx_async_take(&self->async, small, sizeof(small)));
	for (uint64_t want = 6; want <= 7; want++) {
		ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
		EXPECT_EQ(0, devx_async_take(&self->async, &reply, sizeof(reply)));
		EXPECT_EQ(want, reply.wr_id);
	}
}

TEST_F(async, channel_refuses_queries_while_many_replies_wait)
{
	enum { OUT_BYTES = 32768, MANY = 2 * DEVX_ASYNC_MAX_BYTES / OUT_BYTES };
	const struct prm_query_sq_in in = build_sq_query(self->rig.sq.sqn);
	static struct {
		uint64_t wr_id;
		uint8_t out[OUT_BYTES];
	} reply;
	int rc = 0, n = 0;

	for (; n < MANY; n++) {
		rc = devx_async_query(&self->async, self->rig.sq.obj, &in, sizeof(in), OUT_BYTES,
				      (uint64_t)n);
		if (rc)
			break;
	}
	EXPECT_EQ(-EAGAIN, rc);
	EXPECT_SUBSTR("would exceed 1048576 bytes; call devx_async_take() first",
		      devx_async_strerror(&self->async, rc, self->line, sizeof(self->line)));
	EXPECT_EQ(DEVX_ASYNC_MAX_BYTES, n * OUT_BYTES);
	ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
	EXPECT_EQ(0, devx_async_take(&self->async, &reply, sizeof(reply)));
	EXPECT_EQ(0, devx_async_query(&self->async, self->rig.sq.obj, &in, sizeof(in), OUT_BYTES,
				      (uint64_t)n));
}

/* ---- failures ------------------------------------------------------------------- */

static struct devx_emu_counters read_counters(void)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters c = { 0 };

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c;
}

/* Firmware refuses a query; only the reply has the status. */
TEST_F(async, every_status_reaches_the_caller)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct sq_reply reply;
	char says[64];

	NEEDS_EMU("to make commands fail");
	for (uint8_t status = PRM_STATUS_INT_ERR; status <= PRM_STATUS_BAD_QP_STATE; status++) {
		SCOPED_TRACE("status %u", status);
		emu->fail(DEVX_EMU_FAIL_COMMAND, 0, status);
		ASSERT_EQ(0, start_sq_query(self, status));
		snprintf(says, sizeof(says), ": %s (%u), syndrome 0x", prm_status_name(status),
			 status);
		expect_error(self, -EREMOTEIO, says,
			     devx_async_take(&self->async, &reply, sizeof(reply)));
		EXPECT_EQ(status, reply.wr_id);
		EXPECT_EQ(status, self->async.refusal.status);
	}
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
}

static const struct length {
	const char *name;
	size_t out_bytes;
} lengths[] = {
	{ "0", 0 },
	{ "15", 15 },
	{ "65536", 65536 },
};

TEST_F_EACH(async, query_refuses_a_reply_length, struct length, lengths)
{
	const struct prm_query_sq_in in = build_sq_query(self->rig.sq.sqn);

	expect_error(self, -EINVAL, "bytes is invalid (valid: 16 to 65535)",
		     devx_async_query(&self->async, self->rig.sq.obj, &in, sizeof(in),
				      row->out_bytes, 0));
	EXPECT_EQ(0, wait_for_reply(&self->async, 0));
}

TEST_F(async, query_refuses_a_command_that_is_no_query)
{
	struct prm_query_sq_in in = build_sq_query(self->rig.sq.sqn);

	prm_set(&in, opcode, PRM_OP_modify_sq);
	expect_error(self, -EINVAL, "the kernel did not execute MODIFY_SQ: Invalid argument",
		     devx_async_query(&self->async, self->rig.sq.obj, &in, sizeof(in),
				      sizeof(struct prm_query_sq_out), 0));
}

TEST_F(async, query_refuses_the_number_of_another_object)
{
	const struct prm_query_sq_in in = build_sq_query(self->rig.sq.sqn + 1);

	expect_error(self, -EINVAL, "the kernel did not execute QUERY_SQ: Invalid argument",
		     devx_async_query(&self->async, self->rig.sq.obj, &in, sizeof(in),
				      sizeof(struct prm_query_sq_out), 0));
}

TEST_F(async, take_refuses_less_room_than_a_status_needs)
{
	struct sq_reply reply;

	ASSERT_EQ(0, start_sq_query(self, 5));
	expect_error(self, -EINVAL, "a reply buffer of 23 bytes is too small (valid: 24 or more)",
		     devx_async_take(&self->async, &reply, 23));
	ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
	EXPECT_EQ(0, devx_async_take(&self->async, &reply, sizeof(reply)));
	EXPECT_EQ(5, reply.wr_id);
}

/* ---- end of an object or channel while replies wait ------------------------------- */

TEST_F(async, reply_outlives_its_object)
{
	struct devx_counter counter = { 0 };
	uint64_t wr_id = 0;
	uint32_t n;

	NEEDS_COUNTER(&self->rig);
	ASSERT_EQ(0, devx_counter_create(&counter, &self->rig.dev));
	ASSERT_EQ(0, devx_counter_query(&counter, &self->async, 9));
	devx_counter_destroy(&counter);
	ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
	devx_counter_take(&self->async, &wr_id, &n); /* the last value, or a refusal */
	EXPECT_EQ(9, wr_id);
}

TEST_F(async, channel_destroyed_with_waiting_replies_leaves_nothing)
{
	const struct devx_async zero = { 0 };
	const unsigned files = count_open_files();

	devx_async_destroy(&self->async);
	for (int round = 0; round < 3; round++) {
		ASSERT_EQ(0, devx_async_create(&self->async, &self->rig.dev));
		EXPECT_EQ(files, count_open_files());
		for (unsigned i = 0; i < 3; i++)
			ASSERT_EQ(0, start_sq_query(self, i));
		devx_async_destroy(&self->async);
		EXPECT_MEMEQ(&zero, &self->async, sizeof(zero));
		EXPECT_GT(files, count_open_files());
	}
	devx_async_destroy(&self->async);
	devx_rig_down(&self->rig);
	EXPECT_EQ(0, read_counters().handles);
}

/* ---- queue counter ------------------------------------------------------------------ */

TEST_F(async, counter_reply_has_the_count)
{
	enum { N = 3, BYTES = 64 };
	uint64_t wr_id = 0;
	uint32_t n = 0;

	NEEDS_COUNTER(&self->rig);
	/* the receive queue has no buffers, so that each frame is counted */
	for (unsigned i = 0; i < N; i++) {
		uint8_t *slot = devx_rig_get_send_slot(&self->rig, i);

		devx_rig_write_frame(&self->rig, slot, i, BYTES);
		devx_sq_ring(&self->rig.sq,
			     devx_rig_post_send(&self->rig, slot, BYTES, self->rig.mr.lkey));
	}
	for (uint64_t i = 1; n != N && i < 10000; i++) {
		ASSERT_EQ(0, devx_counter_query(&self->rig.counter, &self->async, i));
		ASSERT_EQ(POLLIN, wait_for_reply(&self->async, WAIT_LIMIT_MS));
		ASSERT_EQ(0, devx_counter_take(&self->async, &wr_id, &n));
		EXPECT_EQ(i, wr_id);
	}
	EXPECT_EQ(N, n);
	EXPECT_EQ(-EAGAIN, devx_counter_take(&self->async, &wr_id, &n));
}

TEST_F(async, counter_refusal_names_the_command)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	uint64_t wr_id = 0;
	uint32_t n = 7;

	NEEDS_EMU("to make a command fail");
	NEEDS_COUNTER(&self->rig);
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, PRM_STATUS_BAD_RES_STATE);
	ASSERT_EQ(0, devx_counter_query(&self->rig.counter, &self->async, 4));
	expect_error(self, -EREMOTEIO, "firmware refused QUERY_Q_COUNTER: BAD_RES_STATE (9), ",
		     devx_counter_take(&self->async, &wr_id, &n));
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	EXPECT_EQ(4, wr_id);
	EXPECT_EQ(7, n);
}
