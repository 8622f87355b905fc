/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "model/share.h"

enum { N = 4, N_FRAMES = 24 };

/* Options of a flow with some headers, which N flows share. */
FIXTURE(share)
{
	struct options o;
};
FIXTURE_SETUP(share)
{
	self->o = (struct options){ .n_flows = N };
	EXPECT_EQ(NULL, stack_parse(&self->o.stack,
				    "ethernet/ipv4(dst=10.0.0.1-10.0.0.12,src=10.1.0.9-10.1.0.2)/"
				    "udp(src_port=5;3;8;2;9;1;7;6,dst_port=1;2,length=77)"));
}
FIXTURE_TEARDOWN(share)
{
	stack_free(&self->o.stack);
}

TEST_F(share, flows_send_together_what_one_would_send)
{
	const struct stack *whole = &self->o.stack;

	EXPECT_EQ(NULL, share_check(&self->o));
	for (unsigned i = 0; i < N; i++) {
		struct job_flow f = { 0 };

		stack_copy(&f.stack, whole);
		share_take(&f, i, N);
		ASSERT_EQ(whole->n_fields, f.stack.n_fields);
		for (unsigned n = 0; n < whole->n_fields; n++) {
			for (uint64_t k = 0; k < N_FRAMES; k++)
				EXPECT_TRUE(pattern_compute(&whole->fields[n].values, i + k * N) ==
					    pattern_compute(&f.stack.fields[n].values, k));
		}
		EXPECT_FALSE(f.stack.lacks_memory);
		stack_free(&f.stack);
	}
}

TEST_F(share, a_flow_with_one_value_of_each_field_has_constant_headers)
{
	struct job_flow f = { 0 };

	stack_copy(&f.stack, &self->o.stack);
	share_take(&f, 7, 24);
	for (unsigned n = 0; n < f.stack.n_fields; n++)
		EXPECT_EQ(PATTERN_VALUE, f.stack.fields[n].values.kind);
	stack_free(&f.stack);
}

TEST_F(share, random_fields_have_another_seed_in_each_flow)
{
	struct job_flow a = { 0 }, b = { 0 };

	stack_free(&self->o.stack);
	EXPECT_EQ(NULL,
		  stack_parse(&self->o.stack, "ethernet/ipv4(dst=random:10.0.0.0-10.0.0.255)"));
	stack_copy(&a.stack, &self->o.stack);
	stack_copy(&b.stack, &self->o.stack);
	share_take(&a, 0, N);
	share_take(&b, 1, N);
	EXPECT_NE(a.stack.fields[0].values.seed, b.stack.fields[0].values.seed);
	EXPECT_EQ(256, b.stack.fields[0].values.count);
	stack_free(&a.stack);
	stack_free(&b.stack);
}

TEST_F(share, packets_and_rates_add_up)
{
	const struct job_flow whole = { .count = 1003,
					.rate = { RATE_PACKETS, 10000001 },
					.ramp_from = { RATE_PACKETS, 77 } };
	struct job_flow sum = { 0 };

	for (unsigned i = 0; i < N; i++) {
		struct job_flow f = whole;

		share_take(&f, i, N);
		EXPECT_TRUE(f.count == 250 || f.count == 251);
		sum.count += f.count;
		sum.rate.micro += f.rate.micro;
		sum.ramp_from.micro += f.ramp_from.micro;
	}
	EXPECT_EQ(whole.count, sum.count);
	EXPECT_EQ(whole.rate.micro, sum.rate.micro);
	EXPECT_EQ(whole.ramp_from.micro, sum.ramp_from.micro);
}

TEST_F(share, a_flow_that_cannot_be_divided_is_refused)
{
	self->o.n_flows = 5;
	EXPECT_STREQ("--flows 5: dst of ipv4 has 12 values, which the flows cannot share equally "
		     "(valid: a multiple of 5 values, or a number that divides it); change one of "
		     "the two",
		     share_check(&self->o));
	self->o.n_flows = N;
	self->o.count = 3;
	EXPECT_STREQ("--count 3: is less than a packet for each of 4 flows; give more packets or "
		     "fewer flows",
		     share_check(&self->o));
	self->o.count = 4;
	self->o.rate = (struct rate){ RATE_PACKETS, 3 };
	EXPECT_STREQ("--rate: is too low for 4 flows; give a higher rate or fewer flows",
		     share_check(&self->o));
	self->o.burst_packets = 8;
	EXPECT_STREQ("--flows and --burst: the flows would share each burst; choose one",
		     share_check(&self->o));
}
