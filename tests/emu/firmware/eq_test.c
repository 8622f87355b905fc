/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/port.h"
#include "prm/cqe.h"
#include "queue_commands.h"

#define BAD PRM_STATUS_BAD_PARAM

FIXTURE(eq_command)
{
	struct core_rig r;
};
FIXTURE_SETUP(eq_command)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
}
FIXTURE_TEARDOWN(eq_command)
{
	core_rig_close(&self->r);
}

TEST_F(eq_command, eq_gets_an_event_when_the_link_changes)
{
	struct emu_link link;

	queue_commands_make_eq(&self->r, 1 << PRM_EVENT_PORT_CHANGE);
	emu_get_link(self->r.emu, &link);
	emu_set_link(self->r.emu, &link);
	EXPECT_EQ(0, self->r.irqs[1]);
	link.up = false;
	emu_set_link(self->r.emu, &link);
	EXPECT_EQ(1, self->r.irqs[1]);
}

/* A kernel selects all events of both masks for its EQ. Source: Linux eq.c. */
TEST_F(eq_command, an_eq_of_the_events_of_users_is_accepted)
{
	const struct prm_device_event_cap *c = &self->r.emu->caps->event;
	const uint64_t events = prm_get_at(c, user_affiliated_events, 0) |
				prm_get_at(c, user_unaffiliated_events, 0);

	EXPECT_NE(0, events);
	queue_commands_make_eq(&self->r, events);
}

TEST_F(eq_command, a_bad_eq_is_refused)
{
	struct {
		struct prm_create_eq_in head;
		prm_be32 pas[2];
	} in = { 0 };
	static const struct core_rig_refusal bad[] = {
		{ "unknown_event", "event_bitmask", 1ull << 63, BAD, EMU_SYND_EQ_EVENT },
		{ "no_uar", "eq_context_entry.uar_page", 1, PRM_STATUS_BAD_RES,
		  EMU_SYND_NO_OBJECT },
		{ "too_large", "eq_context_entry.log_eq_size", 23, BAD, EMU_SYND_SIZE },
		{ "larger_than_its_list", "eq_context_entry.log_eq_size", 7, PRM_STATUS_BAD_INP_LEN,
		  EMU_SYND_PAGE },
	};

	prm_set(prm_sub(&in.head, eq_context_entry), log_eq_size, 6);
	prm_set(prm_sub(&in.head, eq_context_entry), uar_page, self->r.uar);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_create_eq, in);
}
