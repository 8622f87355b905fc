/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model of PCIe, against numbers that were computed by hand.
 */
#include "model/pcie.h"

#include "ct.h"
#include "model/published.h"

/* Whether @value is within @part of @expected. */
static bool is_near(double expected, double value, double part)
{
	return value > expected * (1 - part) && value < expected * (1 + part);
}

/* 64 + 24 bytes of data and 64 + 24 bytes of CQE: 176 bytes to the host. */
TEST(pcie_model, counts_bytes_of_a_received_packet)
{
	const struct bench_pcie_load load = bench_published_load(BENCH_RECEIVE);

	EXPECT_EQ(176, (int)load.up);
	EXPECT_EQ(0, (int)load.down);
	EXPECT_TRUE(is_near(85, bench_pcie_mpps(load, 3), 0.01));
	EXPECT_TRUE(is_near(170, bench_pcie_mpps(load, 4), 0.01));
	EXPECT_TRUE(is_near(340, bench_pcie_mpps(load, 5), 0.01));
}

TEST(pcie_model, counts_bytes_of_a_packet_with_a_compressed_cqe)
{
	const struct bench_pcie_load load = bench_published_load(BENCH_RECEIVE_COMPRESSED);

	EXPECT_EQ(100, (int)load.up);
	EXPECT_TRUE(is_near(150, bench_pcie_mpps(load, 3), 0.01));
	EXPECT_TRUE(is_near(299, bench_pcie_mpps(load, 4), 0.01));
	EXPECT_TRUE(is_near(598, bench_pcie_mpps(load, 5), 0.01));
}

/* Down: 60 + 20 of data; 544 / 32 of the WQE, and 3 completions of 20 bytes for 32 packets. */
TEST(pcie_model, counts_bytes_of_a_packet_sent_by_pointer)
{
	const struct bench_pcie_load load = bench_published_load(BENCH_SEND_POINTERS);

	EXPECT_TRUE(is_near(80 + 17 + 1.875, load.down, 1e-6));
	EXPECT_TRUE(is_near(24 + 0.75, load.up, 1e-6));
	EXPECT_TRUE(is_near(151, bench_pcie_mpps(load, 3), 0.01));
	EXPECT_TRUE(is_near(302, bench_pcie_mpps(load, 4), 0.01));
	EXPECT_TRUE(is_near(604, bench_pcie_mpps(load, 5), 0.01));
}

/* Down: 960 / 14 of the WQE, and 4 completions of 20 bytes for 14 packets. */
TEST(pcie_model, counts_bytes_of_a_packet_sent_inline)
{
	const struct bench_pcie_load load = bench_published_load(BENCH_SEND_INLINE);

	EXPECT_TRUE(is_near(68.5714 + 5.7143, load.down, 1e-4));
	EXPECT_TRUE(is_near(202, bench_pcie_mpps(load, 3), 0.01));
	EXPECT_TRUE(is_near(404, bench_pcie_mpps(load, 4), 0.01));
	EXPECT_TRUE(is_near(809, bench_pcie_mpps(load, 5), 0.01));
}

/* A doorbell of 8 bytes and a copy of 64 bytes have a header of 24 bytes each. */
TEST(pcie_model, counts_doorbells_and_doorbell_records)
{
	const struct bench_pcie_use use = { .doorbells = 0.5,
					    .blueflames = 1,
					    .records = { 0.5, 2 } };
	const struct bench_pcie_load load = bench_pcie_load_of(&use);

	EXPECT_TRUE(is_near(16 + 88 + 12, load.down, 1e-6));
	EXPECT_EQ(0, (int)bench_pcie_fetch_bytes(&use));
	EXPECT_TRUE(is_near(12, load.up, 1e-6));
}

/* 64 frames inline in 69 WQEBBs: 9 requests, each with completions of 256 and of 234.7 bytes. */
TEST(pcie_model, counts_bytes_that_carry_wqes_without_doorbells)
{
	const struct bench_pcie_use use = { .doorbells = 1 / 64.0,
					    .records = { 1 / 64.0, 4 / 64.0 },
					    .send_wqes = { 9 / 64.0, 69 } };

	EXPECT_TRUE(is_near(69 + 9 * 40 / 64.0, bench_pcie_fetch_bytes(&use), 1e-9));
	EXPECT_TRUE(is_near(bench_pcie_fetch_bytes(&use) + (32 + 24) / 64.0,
			    bench_pcie_load_of(&use).down, 1e-9));
}

/* An error that is not explained is a mistake of the model; doc/pcie-model.md explains these. */
TEST(pcie_model, has_the_errors_that_its_page_lists)
{
	static const struct {
		const char *what;
		int percent;
	} listed[] = {
		{ "ConnectX-5, VPP forwards pointers, 4 cores", 98 },
		{ "ConnectX-6 Dx, VPP forwards pointers", 30 },
		{ "ConnectX-6 Dx, VPP forwards inline, 5 cores", 17 },
		{ "ConnectX-6 Dx, l3fwd, 12 cores", -2 },
		{ "XDP, Gen3 slot, plain CQEs", -1 },
		{ "XDP, Gen3 slot, compressed CQEs", 27 },
		{ "ConnectX-7, one port of 200 Gb/s", 9 },
		{ "ConnectX-8, one slot", 96 },
	};
	unsigned n = 0;

	for (unsigned i = 0; i < bench_n_published; i++) {
		const struct bench_published *row = &bench_published[i];
		const double error = bench_published_predict(row).mpps / row->mpps - 1;

		if (row->fitted)
			continue;
		SCOPED_TRACE("%s", row->what);
		ASSERT_TRUE(n < sizeof(listed) / sizeof(listed[0]));
		EXPECT_STREQ(listed[n].what, row->what);
		EXPECT_EQ(listed[n].percent, (int)(100 * error + (error < 0 ? -0.5 : 0.5)));
		n++;
	}
	EXPECT_EQ(sizeof(listed) / sizeof(listed[0]), n);
}

TEST(pcie_model, knows_the_rates_of_lines)
{
	EXPECT_TRUE(is_near(148.81, bench_line_mpps(100, 60), 1e-4));
	EXPECT_TRUE(is_near(595.24, bench_line_mpps(400, 60), 1e-4));
	EXPECT_TRUE(is_near(8.127, bench_line_mpps(100, 1514), 1e-3));
}

TEST(pcie_model, names_the_limit_that_binds_first)
{
	const struct bench_pcie_load load = bench_published_load(BENCH_RECEIVE);

	EXPECT_STREQ("PCIe Gen3 x16", bench_limit_first(load, 3, 100, 60).name);
	EXPECT_STREQ("line", bench_limit_first(load, 4, 100, 60).name);
	EXPECT_STREQ("PCIe Gen5 x16", bench_limit_first(load, 5, 400, 60).name);
	EXPECT_STREQ("line", bench_limit_first(load, 6, 100, 60).name);
}

/* The fit is exact, and at least one row must remain that no constant was chosen for. */
TEST(pcie_model, matches_the_rows_that_it_was_fitted_on)
{
	unsigned n_predicted = 0;

	for (unsigned i = 0; i < bench_n_published; i++) {
		const struct bench_published *row = &bench_published[i];

		SCOPED_TRACE("%s", row->what);
		if (row->fitted)
			EXPECT_TRUE(is_near(row->mpps, bench_published_predict(row).mpps, 1e-3));
		n_predicted += !row->fitted;
	}
	EXPECT_TRUE(n_predicted > 0);
}

TEST(pcie_model, predicts_the_gen3_limit_of_xdp)
{
	for (unsigned i = 0; i < bench_n_published; i++) {
		const struct bench_published *row = &bench_published[i];

		if (row->traffic == BENCH_RECEIVE)
			EXPECT_TRUE(is_near(row->mpps, bench_published_predict(row).mpps, 0.02));
	}
}
