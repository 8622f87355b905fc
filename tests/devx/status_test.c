/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every status that firmware can answer to a create: one line names command, status and syndrome.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

FIXTURE(status)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(status)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(status)
{
	devx_rig_down(&self->rig);
}

/* The destroy must not meet the failure, or the object stays. */
static void disarm_failure(void)
{
	if (emu_if_any())
		emu_if_any()->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
}

/* Each creates an object and destroys it. Return: what create returned */
static int make_td(struct devx_rig *rig)
{
	struct devx_td td = { 0 };
	const int rc = devx_td_create(&td, &rig->dev);

	disarm_failure();
	devx_td_destroy(&td);
	return rc;
}

static int make_cq(struct devx_rig *rig)
{
	const struct devx_cq_attr attr = { .log2_n = 3, .uar = &rig->uar };
	struct devx_cq cq = { 0 };
	const int rc = devx_cq_create(&cq, &rig->dev, &attr);

	disarm_failure();
	devx_cq_destroy(&cq);
	return rc;
}

static int make_sq(struct devx_rig *rig)
{
	const struct devx_sq_attr attr = {
		.log2_n = 3, .tis = &rig->tis, .uar = &rig->uar, .cq = &rig->send_cq
	};
	struct devx_sq sq = { 0 };
	const int rc = devx_sq_create(&sq, &rig->dev, &attr);

	disarm_failure();
	devx_sq_destroy(&sq);
	return rc;
}

static int make_tir(struct devx_rig *rig)
{
	const struct devx_tir_attr attr = { .td = &rig->td, .rq = &rig->rq };
	struct devx_tir tir = { 0 };
	const int rc = devx_tir_create(&tir, &rig->dev, &attr);

	disarm_failure();
	devx_tir_destroy(&tir);
	return rc;
}

static const struct creator {
	const char *name, *command;
	int (*make)(struct devx_rig *rig);
} creators[] = {
	{ "td", "ALLOC_TRANSPORT_DOMAIN", make_td },
	{ "cq", "CREATE_CQ", make_cq },
	{ "sq", "CREATE_SQ", make_sq },
	{ "tir", "CREATE_TIR", make_tir },
};

static struct devx_emu_counters read_counters(void)
{
	struct devx_emu_counters c;

	emu_if_any()->counters(0, &c, sizeof(c));
	c.commands = c.ioctls = c.mmaps = 0;
	return c;
}

/* Other commands of the create are the kernel's, which turns their status into an errno. */
TEST_F_EACH(status, of_a_create_is_named_in_one_line, struct creator, creators)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters before, after;

	NEEDS_EMU("to make a command fail");
	before = read_counters();
	/* 0x07 and 0x0b to 0x0e have no name in the specification */
	for (int status = 1; status <= PRM_STATUS_BAD_QP_STATE; status++) {
		char want[96], line[DEVX_TEXT_BYTES];
		int n_refused = 0, rc = -1;

		SCOPED_TRACE("status 0x%x", status);
		snprintf(want, sizeof(want), "firmware refused %s: %s (%d), syndrome 0x",
			 row->command, prm_status_name((uint8_t)status), status);
		for (int k = 0; rc; k++) {
			emu->fail(DEVX_EMU_FAIL_COMMAND, k, status);
			rc = row->make(&self->rig);
			devx_strerror(&self->rig.dev, rc, line, sizeof(line));
			if (rc != -EREMOTEIO)
				continue;
			n_refused++;
			EXPECT_SUBSTR(want, line);
			EXPECT_EQ(NULL, strchr(line, '\n'));
		}
		EXPECT_EQ(1, n_refused);
	}
	after = read_counters();
	EXPECT_MEMEQ(&before, &after, sizeof(before));
}
