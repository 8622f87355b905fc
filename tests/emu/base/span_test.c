/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "core_rig.h"
#include "emu/base/span.h"

FIXTURE(span)
{
	struct core_rig r;
	uint8_t *two;
	uint64_t run;
};
FIXTURE_SETUP(span)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->two = core_rig_alloc(&self->r, 4 * CORE_RIG_PAGE);
}
FIXTURE_TEARDOWN(span)
{
	core_rig_close(&self->r);
}

static uint64_t get_dma(const void *list, uint32_t i)
{
	return ((const uint64_t *)list)[i];
}

enum { SHIFT = 12 };

TEST_F(span, neighbouring_pages_make_a_flat_span)
{
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT,
				       .first = 100,
				       .bytes = 2 * CORE_RIG_PAGE - 100 };
	struct emu_span s;

	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, get_dma, pages));
	EXPECT_EQ(self->two + 100, s.flat);
	EXPECT_EQ(2, s.n_pages);
	EXPECT_EQ(self->two + 100 + 5000, emu_span_at(&s, 5000, &self->run));
	EXPECT_EQ(2 * CORE_RIG_PAGE - 100 - 5000, self->run);
	emu_span_drop(&s);
}

TEST_F(span, at_finds_the_page_of_an_offset_in_scattered_pages)
{
	const uint64_t pages[] = { (uintptr_t)self->two + 2 * CORE_RIG_PAGE, (uintptr_t)self->two };
	const struct emu_span want = { .page_shift = SHIFT, .first = 4000, .bytes = 200 };
	struct emu_span s;

	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, get_dma, pages));
	EXPECT_EQ(NULL, s.flat);
	EXPECT_EQ(self->two + 2 * CORE_RIG_PAGE + 4000, emu_span_at(&s, 0, &self->run));
	EXPECT_EQ(96, self->run);
	EXPECT_EQ(self->two + 4, emu_span_at(&s, 100, &self->run));
	EXPECT_EQ(100, self->run);
	emu_span_drop(&s);
}

TEST_F(span, map_fails_if_the_host_denies_a_page)
{
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT, .bytes = 2 * CORE_RIG_PAGE };
	struct emu_span s;

	self->r.deny = pages[1] + 17;
	EXPECT_EQ(-EFAULT, emu_span_map(self->r.emu, &s, &want, get_dma, pages));
	EXPECT_EQ(NULL, s.pages);
}

/* Two areas of the host are neighbours: it maps each of them, and not both in one piece. */
TEST_F(span, map_asks_for_each_page_if_the_host_refuses_them_together)
{
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + CORE_RIG_PAGE,
				   (uintptr_t)self->two + 2 * CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT,
				       .first = 100,
				       .bytes = 2 * CORE_RIG_PAGE + 50 };
	struct emu_span s;

	self->r.strict = true;
	for (unsigned i = 0; i < 3; i++) {
		self->r.mem[self->r.n_mem] = self->two + i * CORE_RIG_PAGE;
		self->r.mem_bytes[self->r.n_mem++] = CORE_RIG_PAGE;
	}
	self->r.mem_bytes[self->r.n_mem - 4] = 0; /* the area that has all pages */
	EXPECT_EQ(0, emu_span_map(self->r.emu, &s, &want, get_dma, pages));
	EXPECT_EQ(self->two + 100, emu_span_at(&s, 0, &self->run));
	EXPECT_EQ(self->two + CORE_RIG_PAGE, emu_span_at(&s, CORE_RIG_PAGE - 100, &self->run));
	EXPECT_EQ(self->two + 2 * CORE_RIG_PAGE + 149,
		  emu_span_at(&s, 2 * CORE_RIG_PAGE + 49, &self->run));
	EXPECT_EQ(1, self->run);
	emu_span_drop(&s);
	self->r.n_mem -= 3;
}

TEST_F(span, map_asks_the_host_for_listed_pages_only)
{
	/* The denied page lies between the two listed ones. */
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + 2 * CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT, .bytes = 2 * CORE_RIG_PAGE };
	struct emu_span s;

	self->r.deny = pages[0] + CORE_RIG_PAGE;
	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, get_dma, pages));
	EXPECT_EQ(self->two + 2 * CORE_RIG_PAGE, emu_span_at(&s, CORE_RIG_PAGE, &self->run));
	emu_span_drop(&s);
}

TEST_F(span, slice_shares_the_pages_of_its_span)
{
	const uint64_t pages[] = { (uintptr_t)self->two + 2 * CORE_RIG_PAGE, (uintptr_t)self->two };
	const struct emu_span want = { .page_shift = SHIFT, .bytes = 2 * CORE_RIG_PAGE };
	struct emu_span s, slice;

	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, get_dma, pages));
	emu_span_slice(&slice, &s, CORE_RIG_PAGE, 64);
	EXPECT_EQ(self->two, emu_span_at(&slice, 0, &self->run));
	EXPECT_EQ(64, self->run);
	emu_span_drop(&slice);
	EXPECT_EQ(self->two, emu_span_at(&s, CORE_RIG_PAGE, &self->run));
	emu_span_drop(&s);
}
