/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/eal_args.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_config.h>

#include "ct.h"

enum { TEXT_BYTES = 1024 };

/* Ports and EAL options of a command line, and the arguments that EAL gets; %d: the process. */
static const struct args_case {
	const char *name, *port, *eal; /* with blanks */
	bool is_huge_asked;            /* without --no-huge */
	const char *want;
} cases[] = {
	{ "no_option", "net_ring0", "", false,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) "
	  "--no-shconf -m 77 --no-huge" },
	{ "a_pci_device", "0000:08:00.0", "", false,
	  "--file-prefix=pktgen-%d --no-telemetry --lcores (0,1)@(3) --no-shconf -m 77 --no-huge" },
	{ "a_short_pci_address", "08:00.0,driver=x", "", false,
	  "--file-prefix=pktgen-%d --no-telemetry --lcores (0,1)@(3) --no-shconf -m 77 --no-huge" },
	{ "a_bus", "pci:08:00.0", "", false,
	  "--file-prefix=pktgen-%d --no-telemetry --lcores (0,1)@(3) --no-shconf -m 77 --no-huge" },
	{ "an_allowed_device", "net_ring0", "-a 08:00.0", false,
	  "--file-prefix=pktgen-%d --no-telemetry --lcores (0,1)@(3) --no-shconf -m 77 --no-huge "
	  "-a 08:00.0" },
	{ "a_blocked_device", "net_ring0", "--block=08:00.0", false,
	  "--file-prefix=pktgen-%d --no-telemetry --lcores (0,1)@(3) --no-shconf -m 77 --no-huge "
	  "--block=08:00.0" },
	{ "telemetry", "net_ring0", "--telemetry", false,
	  "--no-pci --iova-mode=va --lcores (0,1)@(3) --no-shconf -m 77 --no-huge --telemetry" },
	{ "no_telemetry", "net_ring0", "--no-telemetry", false,
	  "--file-prefix=pktgen-%d --no-pci --iova-mode=va --lcores (0,1)@(3) --no-shconf -m 77 "
	  "--no-huge --no-telemetry" },
	{ "another_prefix", "net_ring0", "--file-prefix=x", false,
	  "--no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) --no-shconf -m 77 --no-huge "
	  "--file-prefix=x" },
	{ "no_pci_and_iova_mode", "net_ring0", "--no-pci --iova-mode=pa", false,
	  "--file-prefix=pktgen-%d --no-telemetry --lcores (0,1)@(3) --no-shconf -m 77 --no-huge "
	  "--no-pci --iova-mode=pa" },
	{ "lcores", "net_ring0", "-l 0-3", false,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --no-shconf -m 77 "
	  "--no-huge -l 0-3" },
	{ "a_mask_of_cores", "net_ring0", "-c 3", false,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --no-shconf -m 77 "
	  "--no-huge -c 3" },
	{ "memory", "net_ring0", "-m 50", false,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) "
	  "--no-shconf --no-huge -m 50" },
	{ "memory_of_a_socket", "net_ring0", "--socket-mem=50", false,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) "
	  "--no-shconf --no-huge --socket-mem=50" },
	{ "ordinary_memory", "net_ring0", "--no-huge", true,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) "
	  "--no-shconf -m 77 --no-huge" },
	{ "legacy_memory", "net_ring0", "--legacy-mem --no-shconf", true,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) "
	  "-m 77 --legacy-mem --no-shconf" },
	{ "memory_of_this_process", "net_ring0", "--in-memory", true,
	  "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores (0,1)@(3) "
	  "--in-memory" },
};

/* Copies the words of @text to @words, and returns their number. */
static int split_words(char *text, char *words[8])
{
	int n = 0;

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	return n;
}

static void join_args(const struct eal_args *a, char text[TEXT_BYTES])
{
	size_t n = 0;

	EXPECT_STREQ("devx-pktgen", a->v[0]);
	text[0] = '\0';
	for (int i = 1; i < a->n; i++)
		n += (size_t)snprintf(text + n, TEXT_BYTES - n, "%s%s", i > 1 ? " " : "", a->v[i]);
}

TEST_EACH(eal_args, are_those_of, struct args_case, cases)
{
	const struct cores cores = { .is_loose = true, .n_cpus = 1, .cpus = { 3 }, .n_workers = 1 };
	char words[256], *eal[8], want[TEXT_BYTES], got[TEXT_BYTES];
	struct options o = { .ports = { row->port }, .n_ports = 1, .no_huge = !row->is_huge_asked };
	struct eal_args args;

	snprintf(words, sizeof(words), "%s", row->eal);
	o.n_eal = split_words(words, eal);
	o.eal = eal;
	EXPECT_EQ(PKTGEN_MET, eal_args_make(&args, &o, &cores, 77));
	EXPECT_FALSE(args.asks);
	join_args(&args, got);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(want, sizeof(want), row->want, getpid());
#pragma GCC diagnostic pop
	EXPECT_STREQ(want, got);
}

static const struct asks_case {
	const char *name, *eal;
	bool asks, has_user_cores;
} asks[] = {
	{ "h", "-h", true, false },
	{ "help", "--help", true, false },
	{ "v", "-v", true, false },
	{ "version", "--version", true, false },
	{ "l", "-l", false, true },
	{ "c", "-c", false, true },
	{ "lcores", "--lcores", false, true },
	{ "coremask", "--coremask", false, true },
	{ "s", "-s", false, true },
	{ "service_corelist", "-S", false, true },
	{ "service_core", "--service-core", false, true },
	{ "another_one", "--main-lcore", false, false },
};

TEST_EACH(eal_args, knows, struct asks_case, asks)
{
	static const struct cores cores = { .n_workers = 1 };
	char *eal[] = { (char *)row->eal };
	struct options o = { .no_huge = true, .n_eal = 1, .eal = eal };
	struct eal_args args;

	EXPECT_EQ(PKTGEN_MET, eal_args_make(&args, &o, &cores, 1));
	EXPECT_EQ(row->asks, args.asks);
	EXPECT_EQ(row->has_user_cores, args.has_user_cores);
	o.cores.n_workers = 1;
	EXPECT_EQ(row->has_user_cores ? PKTGEN_USAGE : PKTGEN_MET,
		  eal_args_make(&args, &o, &cores, 1));
}

/* A run with --allow-monitor has files of its own, which a second process finds by its number. */
TEST(eal_args, a_monitor_gets_the_prefix_of_the_run)
{
	static const struct cores cores = { .is_loose = true, .n_cpus = 1, .n_workers = 1 };
	struct options o = { .allow_monitor = true };
	char want[TEXT_BYTES], got[TEXT_BYTES], list[TEXT_BYTES / 2] = "";
	struct eal_args args;
	cpu_set_t cpus;
	size_t n = 0;

	EXPECT_EQ(PKTGEN_MET, eal_args_make(&args, &o, &cores, 0));
	join_args(&args, got);
	snprintf(want, sizeof(want),
		 "--file-prefix=pktgen-%d --no-telemetry --no-pci --iova-mode=va --lcores "
		 "(0,1)@(0) -m 0",
		 getpid());
	EXPECT_STREQ(want, got);
	o.no_huge = true;
	EXPECT_EQ(PKTGEN_USAGE, eal_args_make(&args, &o, &cores, 0));
	o.no_huge = false;
	EXPECT_EQ(PKTGEN_ENVIRONMENT, eal_args_make(&args, &o, &cores, SIZE_MAX));

	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &cpus))
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%d", n ? "," : "", i);
	snprintf(want, sizeof(want),
		 "--proc-type=secondary --file-prefix=pktgen-4711 --no-telemetry --no-pci "
		 "--lcores=%d@(%s)",
		 RTE_MAX_LCORE - 1, list);
	eal_args_make_secondary(&args, 4711);
	join_args(&args, got);
	EXPECT_EQ(0, strncmp(want, got, strlen(want))); /* "-d", if there is a net_devx, follows */
}
