/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core_rig.h"
#include "emu/base/mkey.h"
#include "emu/queue/doorbell.h"
#include "emu/queue/port.h"
#include "emu/queue/sq.h"

FIXTURE(obj)
{
	struct core_rig r;
};
FIXTURE_SETUP(obj)
{
	core_rig_open(&self->r,
		      &(struct core_rig_config){ .profile = "small", .no_context = true });
}
FIXTURE_TEARDOWN(obj)
{
	core_rig_close(&self->r);
}

TEST_F(obj, numbers_start_high_and_differ_by_type)
{
	const struct emu_obj *pd = emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd));
	const struct emu_obj *td = emu_obj_new(self->r.emu, EMU_TD, 0, sizeof(struct emu_td));

	EXPECT_GT(pd->id, 0xffff);
	EXPECT_NE(pd->id, td->id);
	EXPECT_LE(pd->id, 0xffffff);
}

TEST_F(obj, a_number_is_used_again_as_late_as_possible)
{
	const uint32_t max = self->r.emu->table[EMU_PD].max;
	struct emu_obj *pd = emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd));
	const uint32_t first = pd->id;

	for (uint32_t i = 1; i < max; i++) {
		emu_obj_free(self->r.emu, pd);
		pd = emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd));
		EXPECT_EQ(first + i, pd->id);
	}
	emu_obj_free(self->r.emu, pd);
	pd = emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd));
	EXPECT_EQ(first, pd->id);
}

TEST_F(obj, new_fails_at_the_limit_and_reuses_a_freed_number)
{
	struct emu_table *t = &self->r.emu->table[EMU_PD];
	struct emu_obj *pd = NULL;

	for (uint32_t i = 0; i < t->max; i++)
		pd = emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd));
	EXPECT_EQ(NULL, emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd)));
	EXPECT_EQ(t->max, t->n_used);
	emu_obj_free(self->r.emu, pd);
	EXPECT_NE(NULL, emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd)));
}

TEST_F(obj, find_hides_objects_of_other_users)
{
	struct emu *emu = self->r.emu;
	const struct emu_obj *pd = emu_obj_new(emu, EMU_PD, 7, sizeof(struct emu_pd));
	const struct emu_obj *uar = emu_obj_new(emu, EMU_UAR, 0, sizeof(struct emu_uar));

	EXPECT_EQ(pd, emu_obj_find(emu, EMU_PD, pd->id, 7));
	EXPECT_EQ(pd, emu_obj_find(emu, EMU_PD, pd->id, 0)); /* uid 0 is the kernel */
	EXPECT_EQ(NULL, emu_obj_find(emu, EMU_PD, pd->id, 8));
	EXPECT_EQ(NULL, emu_obj_find(emu, EMU_TD, pd->id, 7));
	EXPECT_EQ(uar, emu_obj_find(emu, EMU_UAR, uar->id, 7)); /* UARs and EQs are shared */
}

/* A few objects stay while others come and go, and each new object has a new number. */
TEST_F(obj, a_table_grows_only_with_the_objects_that_exist)
{
	enum { N_CYCLES = 100000, N_LIVE = 40 };
	struct emu *emu = self->r.emu;
	struct emu_table *t = &emu->table[EMU_MKEY];
	struct emu_obj *live[N_LIVE];
	uint32_t last = 0;

	t->max = 1 << 24;
	for (unsigned i = 0; i < N_LIVE; i++)
		live[i] = emu_obj_new(emu, EMU_MKEY, 0, sizeof(struct emu_mkey));
	for (unsigned i = 0; i < N_CYCLES; i++) {
		struct emu_obj *o = emu_obj_new(emu, EMU_MKEY, 0, sizeof(struct emu_mkey));

		ASSERT_NE(NULL, o);
		ASSERT_GT(o->id, last);
		ASSERT_EQ(o, emu_obj_at(t, o->id));
		last = o->id;
		emu_obj_free(emu, o);
		ASSERT_EQ(NULL, emu_obj_at(t, last));
	}
	EXPECT_GT(last - t->first_id, N_CYCLES);
	EXPECT_LE(t->n_slots, 128);
	for (unsigned i = 0; i < N_LIVE; i++) {
		EXPECT_EQ(live[i], emu_obj_at(t, live[i]->id));
		EXPECT_EQ(NULL, emu_obj_at(t, live[i]->id + t->n_slots));
	}
}

TEST_F(obj, at_returns_null_outside_the_table)
{
	struct emu_table *t = &self->r.emu->table[EMU_PD];
	struct emu_obj *pd = emu_obj_new(self->r.emu, EMU_PD, 0, sizeof(struct emu_pd));

	EXPECT_EQ(pd, emu_obj_at(t, pd->id));
	EXPECT_EQ(NULL, emu_obj_at(t, pd->id - 1));
	EXPECT_EQ(NULL, emu_obj_at(t, pd->id + t->n_slots));
	EXPECT_EQ(NULL, emu_obj_at(t, 0));
	EXPECT_EQ(NULL, emu_obj_at(t, UINT32_MAX));
}

static const struct bad_config {
	const char *name;
	struct emu_config cfg;
	const char *word; /* a part of the refusal */
} bad[] = {
	{ "no_ports", { .profile = "cx6dx" }, "1 to 8" },
	{ "nine_ports", { .profile = "cx6dx", .n_ports = 9 }, "1 to 8" },
	{ "no_host", { .profile = "cx6dx", .n_ports = 1 }, "map and irq" },
	{ "unknown_profile", { .profile = "cx9", .n_ports = 1 }, "cx6dx, small, mlx5ctl" },
	{ "no_profile", { .n_ports = 1 }, "cx6dx, small, mlx5ctl" },
	{ "beginning_of_a_profile", { .profile = "cx6", .n_ports = 1 }, "cx6dx, small, mlx5ctl" },
	{ "unknown_option", { .profile = "cx6dx,uar=1", .n_ports = 1 }, "uar_pages" },
	{ "option_without_number", { .profile = "cx6dx,uar_pages", .n_ports = 1 }, "NAME=NUMBER" },
	{ "negative_number", { .profile = "cx6dx,uar_pages=-1", .n_ports = 1 }, "NAME=NUMBER" },
	{ "text_after_number", { .profile = "cx6dx,uar_pages=1x", .n_ports = 1 }, "NAME=NUMBER" },
	{ "large_number", { .profile = "cx6dx,uar_pages=257", .n_ports = 1 }, "0 to 256" },
};

TEST_EACH(adapter, create_names_the_valid_values, struct bad_config, bad)
{
	char why[256] = "";

	EXPECT_EQ(NULL, emu_adapter_create(&row->cfg, why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, row->word));
}

TEST(adapter, options_change_the_profile)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "small,uar_pages=3,uar_pages=2",
						     .no_context = true });
	EXPECT_EQ(2, r.emu->table[EMU_UAR].max);
	EXPECT_EQ(2, emu_set_option(r.adapter, "uar_pages", 256));
	EXPECT_EQ(256, r.emu->table[EMU_UAR].max);
	EXPECT_EQ(-EINVAL, emu_set_option(r.adapter, "uar_pages", 257));
	EXPECT_EQ(-EINVAL, emu_set_option(r.adapter, "uar_page", 1));
	EXPECT_EQ(256, r.emu->table[EMU_UAR].max);
	core_rig_close(&r);
	core_rig_open(&r, &(struct core_rig_config){ .profile = "small", .no_context = true });
	EXPECT_EQ(16, r.emu->table[EMU_UAR].max);
	core_rig_close(&r);
}

TEST(adapter, create_refuses_a_bad_mtu_mac_or_wire)
{
	struct core_rig r;
	struct emu_port_config good;
	struct emu_config cfg = { .profile = "cx6dx", .n_ports = 1 };
	char why[128];

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	good = (struct emu_port_config){ .ops = r.emu->ops,
					 .host = &r,
					 .wire = "sink",
					 .mac = { 2, 0, 0, 0, 0, 1 },
					 .mtu = 1500 };
	cfg.port[0] = good;
	cfg.port[0].mtu = 67;
	EXPECT_EQ(NULL, emu_adapter_create(&cfg, why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "68 to 9978"));
	cfg.port[0] = good;
	cfg.port[0].mac[0] = 3;
	EXPECT_EQ(NULL, emu_adapter_create(&cfg, why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "unicast"));
	cfg.port[0] = good;
	cfg.port[0].wire = "string";
	why[0] = '\0';
	EXPECT_EQ(NULL, emu_adapter_create(&cfg, why, sizeof(why)));
	EXPECT_NE('\0', why[0]);
	core_rig_close(&r);
}

TEST(adapter, get_link_returns_what_set_link_set)
{
	const struct emu_link want = { .mac = { 2, 3 }, .mtu = 9000, .promisc = true };
	struct emu_link got;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	emu_set_link(r.emu, &want);
	emu_get_link(r.emu, &got);
	EXPECT_MEMEQ(&want, &got, sizeof(want));
	core_rig_close(&r);
}
