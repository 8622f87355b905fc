/* SPDX-License-Identifier: BSD-3-Clause */
#include "seed.h"

#include <stdlib.h>
#include <string.h>

#include "ct.h"
#include "fuzz.h"

static void write_seed(const struct seed *s, const char *name)
{
	char path[512];
	FILE *f;

	if (!getenv("SEED_DIR"))
		return;
	snprintf(path, sizeof(path), "%s/%s", getenv("SEED_DIR"), name);
	f = fopen(path, "w");
	ASSERT_NE(NULL, f);
	EXPECT_EQ(s->n, fwrite(s->bytes, 1, s->n, f));
	fclose(f);
}

/* Every command of a seed must succeed: the fuzzer makes wrong inputs from valid ones. */
static void expect_executed(const struct seed *s, unsigned n_commands, uint64_t n_packets)
{
	struct fuzz_result is;

	fuzz_pci(s->bytes, s->n, &is);
	EXPECT_GE(is.n_commands, n_commands);
	EXPECT_EQ(is.n_commands, is.n_ok);
	EXPECT_EQ(n_packets, is.n_packets);
}

TEST(seed, of_traffic_moves_packets)
{
	static struct seed s;

	seed_build_traffic(&s);
	expect_executed(&s, 20, 1 + 1 + 3 + 4);
	write_seed(&s, "traffic");
}

TEST(seed, of_messages_is_answered)
{
	struct fuzz_result is;
	static struct seed s;

	seed_build_messages(&s);
	fuzz_pci(s.bytes, s.n, &is);
	EXPECT_GE(is.n_messages, 35);
	EXPECT_EQ(is.n_messages, is.n_answered);
	EXPECT_EQ(1, is.n_ok);
	write_seed(&s, "messages");
}

TEST(seed, of_umr_is_executed)
{
	static struct seed s;

	seed_build_umr(&s);
	expect_executed(&s, 12, 0);
	write_seed(&s, "umr");
}

static const char small_trace[] =
	"# devx-emu trace: program devx-emu, pid 7, 2026-11-22 13:00:00 +0000, profile cx6dx, 1 "
	"port\n"
	"13:00:00.000001 pid 7 port 0 enable_hca uid=0x0 -> OK\n"
	"13:00:00.000002 pid 7 port 0 alloc_uar uid=0x0 -> OK uar=0x100\n"
	"13:00:00.000003 pid 7 port 0 create_eq uid=0x0 eq_context_entry.log_eq_size=0xb "
	"eq_context_entry.uar_page=0x100 "
	"pas[0]=0x7fd96000 pas[1]=0x7fd95000 ... -> OK eq_number=0x10\n"
	"13:00:00.000004 pid 7 port 0 alloc_pd uid=0x0 -> LIM_ERR syndrome=0xe0000b: no PD left\n"
	"13:00:00.000005 pid 7 port 0 create_cq uid=0x0 cq_context.log_cq_size=0x6 "
	"cq_context.uar_page=0x100 "
	"cq_context.c_eqn_or_apu_element=0x10 cq_context.dbr_addr=0x50046040 pas[0]=0x7fd11000 -> "
	"OK "
	"cqn=0x880600\n";

/* Uses the trace file that SEED_TRACE names, or else small_trace. */
TEST(seed, of_a_trace_is_executed)
{
	const char *path = getenv("SEED_TRACE");
	static struct seed s;
	FILE *trace = path ? fopen(path, "r")
			   : fmemopen((void *)(uintptr_t)small_trace, sizeof(small_trace) - 1, "r");

	ASSERT_NE(NULL, trace);
	seed_build_trace(&s, trace);
	fclose(trace);
	expect_executed(&s, 4, 0);
	if (path)
		write_seed(&s, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
}

/* The corpus has commands that stock kernels, rdma-core and DPDK sent; all are still accepted. */
static const struct file {
	const char *name;
	unsigned n_commands;
	uint64_t n_packets;
} corpus[] = {
	{ "messages", 1, 0 },     { "traffic", 20, 9 },    { "umr", 12, 0 },
	{ "linux-6.12", 300, 0 }, { "linux-7.2", 400, 0 },
};

TEST_EACH(seed, of_the_corpus_is_executed, struct file, corpus)
{
	static struct seed s;
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", CORPUS, row->name);
	f = fopen(path, "r");
	SCOPED_TRACE("%s", path);
	ASSERT_NE(NULL, f);
	s.n = fread(s.bytes, 1, sizeof(s.bytes), f);
	fclose(f);
	expect_executed(&s, row->n_commands, row->n_packets);
}
