/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/show.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"

enum { TEXT_BYTES = 2048 };

/* The last figures have only net_devx1, the second port of the new ones, which are 2 s younger. */
static const struct snapshot last = {
	.ns = 1000000000,
	.run = { .ms = 1000, .sent = 100, .arrived = 90, .distinct = 80, .share = 0.25 },
	.ports = { { .name = "net_devx1", .stats = { .opackets = 50, .obytes = 500 } } },
	.n_ports = 1,
};
static const struct snapshot now = {
	.ns = 3000000000,
	.run = { .ms = 2000,
		 .sent = 4100,
		 .arrived = 3090,
		 .distinct = 3080,
		 .share = 0.5,
		 .left_s = 7,
		 .stage = "sending" },
	.ports = { { .name = "net_devx0",
		     .stats = { .opackets = 10,
				.obytes = 600,
				.ipackets = 2000,
				.ibytes = 8000,
				.imissed = 3,
				.ierrors = 4,
				.oerrors = 5 } },
		   { .name = "net_devx1", .stats = { .opackets = 4050, .obytes = 20500 } } },
	.n_ports = 2,
};

/* Writes what show_snapshot() prints to stdout into @text. */
static void print_snapshot(const struct snapshot *s, bool json, char text[TEXT_BYTES])
{
	const int out = dup(STDOUT_FILENO), file = memfd_create("out", MFD_CLOEXEC);
	ssize_t n;

	fflush(stdout);
	dup2(file, STDOUT_FILENO);
	EXPECT_EQ(0, show_snapshot(4711, s, &last, json));
	dup2(out, STDOUT_FILENO);
	n = pread(file, text, TEXT_BYTES - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	close(out);
	close(file);
}

TEST(show, text_has_the_rates_of_each_port)
{
	struct snapshot endless = now;
	char text[TEXT_BYTES];

	print_snapshot(&now, false, text);
	EXPECT_STREQ("devx-pktgen 4711,    2.0 s sending: 4,100 sent, 3,090 received, now 2.00 "
		     "kpps, 50% done, 7.0 s left\n"
		     "  net_devx0: sends 5 pps, 2.56 kbps; receives 1.00 kpps, 64.0 kbps; 3 "
		     "missed, 9 errors\n"
		     "  net_devx1: sends 2.00 kpps, 144 kbps; receives 0 pps, 0 bps; 0 missed, 0 "
		     "errors\n",
		     text);
	endless.run.share = -1;
	print_snapshot(&endless, false, text);
	EXPECT_SUBSTR("now 2.00 kpps\n", text);
}

TEST(show, json_has_the_counters_and_rates_of_each_port)
{
	struct snapshot endless = now;
	char text[TEXT_BYTES];

	print_snapshot(&now, true, text);
	EXPECT_STREQ(
		"{\"record\":\"monitor\",\"pid\":4711,\"time_s\":2.0,\"stage\":\"sending\","
		"\"sent\":4100,\"received\":3090,\"distinct\":3080,\"tx_pps\":2000.0,\"ports\":["
		"{\"name\":\"net_devx0\",\"tx_packets\":10,\"tx_bytes\":600,\"rx_packets\":2000,"
		"\"rx_bytes\":8000,\"rx_missed\":3,\"rx_errors\":4,\"tx_errors\":5,\"tx_pps\":5.0,"
		"\"tx_bps\":2560.0,\"rx_pps\":1000.0,\"rx_bps\":64000.0},"
		"{\"name\":\"net_devx1\",\"tx_packets\":4050,\"tx_bytes\":20500,\"rx_packets\":0,"
		"\"rx_bytes\":0,\"rx_missed\":0,\"rx_errors\":0,\"tx_errors\":0,\"tx_pps\":2000.0,"
		"\"tx_bps\":144000.0,\"rx_pps\":0.0,\"rx_bps\":0.0}],\"share\":0.5,\"left_s\":7.0}"
		"\n",
		text);
	endless.run.share = -1;
	print_snapshot(&endless, true, text);
	EXPECT_SUBSTR("\"rx_bps\":0.0}]}\n", text);
}

/* A run that begins again has smaller counters, and two figures may have one time. */
TEST(show, no_rate_is_below_zero_or_without_time)
{
	struct snapshot again = now;
	char text[TEXT_BYTES];

	again.run.sent = 99;
	again.ports[1].stats.opackets = 49;
	print_snapshot(&again, false, text);
	EXPECT_SUBSTR("99 sent, 3,090 received, now 0 pps", text);
	EXPECT_SUBSTR("  net_devx1: sends 0 pps, ", text);
	again = now;
	again.ns = last.ns;
	print_snapshot(&again, false, text);
	EXPECT_SUBSTR("now 0 pps", text);
}
