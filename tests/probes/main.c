/* SPDX-License-Identifier: BSD-3-Clause
 *
 * devx-probes: prints the answers of the kernel, or of emu, to valid and invalid uverbs ioctls.
 *
 *     devx-probes              all other probes, as a user with CAP_NET_RAW
 *     devx-probes no-net-raw   only the probes that need a user without CAP_NET_RAW
 *     devx-probes process ...  the second process of some probes; only devx-probes starts it
 *
 * One line per probe: its name, two spaces or more, the answer. No line depends on addresses,
 * numbers or time, so that the lines of two kernels can be compared.
 */
#include <stdio.h>
#include <string.h>

#include "probes.h"
#include "process.h"

static int run_process(int argc, char **argv)
{
	struct process p;

	if (!process_begin(&p, argc, argv)) {
		fputs("devx-probes: process: only devx-probes itself gives this argument\n",
		      stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	probe_process(&p);
	return 0;
}

int main(int argc, char **argv)
{
	static struct world w;
	const char *why;

	if (argc > 1 && !strcmp(argv[1], "process"))
		return run_process(argc, argv);
	if (argc > 2 || (argc == 2 && strcmp(argv[1], "no-net-raw"))) {
		fputs("usage: devx-probes [no-net-raw]\n", stderr);
		return 2;
	}
	/* writes each line when it is complete, in case the kernel crashes */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	why = world_open(&w);
	if (why) {
		fprintf(stderr, "devx-probes: set-up failed: %s\n", why);
		return 3;
	}
	if (argc == 2) {
		probe_unprivileged(&w);
	} else {
		probe_commands(&w);
		probe_lists(&w);
		probe_contexts(&w);
		probe_no_devx(&w);
		probe_subjects(&w);
		probe_strangers(&w);
		probe_destroy(&w);
		probe_memory(&w);
		probe_values(&w);
		probe_events(&w);
		probe_flows(&w);
		probe_pacing(&w);
		probe_frames(&w);
		probe_dmabufs(&w);
		probe_mappings(&w);
		probe_channels(&w);
		probe_deliveries(&w);
		probe_processes(&w);
	}
	world_close(&w);
	return 0;
}
