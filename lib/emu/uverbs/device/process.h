/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_PROCESS_H
#define EMU_UVERBS_DEVICE_PROCESS_H

#include <sched.h>
#include <stdbool.h>

/**
 * uv_is_launched - tell whether a devx-emu of the same build launched this process
 *
 * The first call maps the shared file. A function that uses uv_front.shared may run only after
 * this one has returned true.
 */
bool uv_is_launched(void);

/** uv_process_get_cpus - CPUs that the process could use when it started. Return: NULL: unknown */
const cpu_set_t *uv_process_get_cpus(void);

#endif
