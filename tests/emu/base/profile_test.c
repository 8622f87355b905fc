/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Profile mlx5ctl has the values of a published dump: profile_mlx5ctl.def.
 */
#include <string.h>

#include "core_rig.h"
#include "emu/base/profile.h"

/* A row with this value accepts every value. */
#define ANY UINT64_MAX

struct shown {
	const char *field;
	uint64_t value;
};

static const struct shown general[] = {
#define GENERAL(field, value) { #field, value },
#define ETHERNET(field, value)
#define LEFT(value, field)
#define UNKNOWN(field) { #field, ANY },
#include "emu/base/profile_mlx5ctl.def"
#undef GENERAL
#undef ETHERNET
#undef LEFT
#undef UNKNOWN
};

static const struct shown ethernet[] = {
#define GENERAL(field, value)
#define ETHERNET(field, value) { #field, value },
#define LEFT(value, field)
#define UNKNOWN(field)
#include "emu/base/profile_mlx5ctl.def"
#undef GENERAL
#undef ETHERNET
#undef LEFT
#undef UNKNOWN
};

static const struct page {
	const char *name;
	unsigned type;
	const struct prm_layout *layout;
	const struct shown *shown;
	size_t n_shown;
} pages[] = {
	{ "general", PRM_HCA_CAP_PAGE_GENERAL, &prm_layout_cmd_hca_cap, general,
	  sizeof(general) / sizeof(general[0]) },
	{ "ethernet", PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS,
	  &prm_layout_per_protocol_networking_offload_caps, ethernet,
	  sizeof(ethernet) / sizeof(ethernet[0]) },
};

static const struct shown *find_shown(const struct page *page, const char *field)
{
	for (size_t i = 0; i < page->n_shown; i++)
		if (!strcmp(page->shown[i].field, field))
			return &page->shown[i];
	return NULL;
}

static void expect_shown(const struct page *page, const struct prm_row *row, uint64_t value)
{
	const struct shown *shown = find_shown(page, row->name);

	SCOPED_TRACE("%s", row->name);
	if (shown && shown->value != ANY)
		EXPECT_EQ(shown->value, value);
	else
		EXPECT_EQ(shown != NULL, value != 0);
}

TEST_EACH(profile, mlx5ctl_has_each_value_of_the_dump_and_no_other, struct page, pages)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_query_hca_cap_out out;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "mlx5ctl", .no_context = true });
	prm_set(&in, op_mod, row->type << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	ASSERT_EQ(PRM_STATUS_OK, CORE_RIG_EXEC(&r, query_hca_cap, &in, &out));
	for (const struct prm_row *f = row->layout->rows; f->name; f++)
		if (!f->sub && f->n == 1)
			expect_shown(row, f,
				     prm_get_(&out.dw[prm_bit(&out, capability) / 32], f->bit,
					      f->width));
	core_rig_close(&r);
}
