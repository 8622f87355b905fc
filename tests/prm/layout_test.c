/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules that every layout in lib/prm follows.
 */
#include <stdlib.h>
#include <string.h>

#include "ct.h"
#include "prm/prm.h"

static const struct row {
	const char *name;
	const struct prm_layout *layout;
} layouts[] = {
/* clang-format off */
#define LAYOUT(L, bytes) { #L, &prm_layout_##L },
#define F(off, hi, lo, name)
#define S(off, L2, name)
#define A(off, w, n, name)
#define SA(off, L2, n, name)
#define TA(off, w, name)
#define T(off, L2, name)
#define END(L)
#include "prm/layouts.def"
	/* clang-format on */
};

static size_t row_bits(const struct prm_row *r)
{
	return r->n * (r->sub ? r->sub->bytes * 8 : r->width);
}

TEST_EACH(prm_layout, rows_are_disjoint_and_inside, struct row, layouts)
{
	const struct prm_layout *layout = row->layout;
	uint8_t owned[PRM_MAX_BYTES * 8] = { 0 };

	for (const struct prm_row *r = layout->rows; r->name; r++) {
		SCOPED_TRACE("%s.%s", row->name, r->name);
		ASSERT_LE(r->bit + row_bits(r), layout->bytes * 8);
		if (layout->is_union) {
			EXPECT_EQ(0, r->bit);
			continue;
		}
		for (size_t b = r->bit; b < r->bit + row_bits(r); b++)
			ASSERT_EQ(0, owned[b]++);
	}
}

TEST_EACH(prm_layout, rows_are_in_the_order_of_their_bits, struct row, layouts)
{
	for (const struct prm_row *r = row->layout->rows; r->name && r[1].name; r++) {
		SCOPED_TRACE("%s.%s", row->name, r[1].name);
		EXPECT_LE(r->bit, r[1].bit);
	}
}

TEST_EACH(prm_layout, only_the_last_row_may_be_a_tail, struct row, layouts)
{
	for (const struct prm_row *r = row->layout->rows; r->name; r++) {
		SCOPED_TRACE("%s.%s", row->name, r->name);
		if (r->n)
			continue;
		EXPECT_EQ(NULL, r[1].name);
		EXPECT_EQ(row->layout->bytes * 8, r->bit);
	}
}

TEST_EACH(prm_layout, names_are_unique, struct row, layouts)
{
	for (const struct prm_row *r = row->layout->rows; r->name; r++)
		for (const struct prm_row *q = r + 1; q->name; q++)
			EXPECT_STRNE(r->name, q->name);
}

static int count_value(const char *name, uint64_t value, void *arg)
{
	(void)name;
	(void)value;
	++*(int *)arg;
	return 0;
}

/* prm_name_of, prm_first_reserved and prm_each_set agree on whether a bit has a row. */
TEST_EACH(prm_layout, a_bit_is_reserved_or_has_a_name, struct row, layouts)
{
	const struct prm_layout *layout = row->layout;
	prm_be32 *dw = calloc(1, layout->bytes);
	const size_t step =
		layout->bytes > 0x400 ? 37 : 1; /* odd, so that every bit of a dword is tried */
	char name[160];

	ASSERT_NE(NULL, dw);
	for (size_t bit = 0; bit < layout->bytes * 8; bit += step) {
		const bool named = prm_name_of(layout, bit, name, sizeof(name));
		int n = 0;

		SCOPED_TRACE("%s bit %zx (%s)", row->name, bit, name);
		dw[bit / 32] = prm_be32_of(0x80000000u >> bit % 32);
		EXPECT_EQ(named ? -1 : (int)bit, prm_first_reserved(layout, dw, layout->bytes));
		prm_each_set(layout, dw, layout->bytes, count_value, &n);
		EXPECT_EQ(named, n > 0);
		dw[bit / 32] = prm_be32_of(0);
	}
	free(dw);
}
