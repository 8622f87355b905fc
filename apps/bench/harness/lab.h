/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_LAB_H
#define BENCH_LAB_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/run.h"
#include "emu/uverbs/emu_ctl.h"

/**
 * DOC: The process that measures
 *
 * It has one lcore on one CPU. While packets move, the engine of emu is paused, and this thread or
 * a helper on another CPU steps it. So emu never works while a burst is measured.
 */

/**
 * struct bench_lab - what all ports of the process share
 * @emu: controls of emu; NULL on an adapter
 * @cpu: CPU of the lcore; the thread stays on it
 * @other_cpu: another CPU that this process may use, or -1
 * @cpus: all CPUs that the process may use
 * @huge: packet memory is in huge pages; otherwise in pages of 4 KiB
 * @why_no_devx: the reason why librte_net_devx.so was not found; "" if it is loaded
 */
struct bench_lab {
	const struct devx_emu_ctl *emu;
	int cpu, other_cpu;
	cpu_set_t cpus;
	bool huge;
	char why_no_devx[96];
};

/**
 * bench_lab_open - start EAL, once in a process
 * @lab: is filled
 * @run: options for EAL, and whether huge pages may be used
 * @why: receives one line on failure
 * @why_bytes: size of @why
 *
 * Holds back the log of EAL and the drivers unless the run is verbose. Probes no device.
 * LD_LIBRARY_PATH may name the folder of librte_net_devx.so in a build tree.
 *
 * Return: 0, or -ENODEV if EAL does not start
 */
int bench_lab_open(struct bench_lab *lab, const struct bench_run *run, char *why, size_t why_bytes);

#endif
