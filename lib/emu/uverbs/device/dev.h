/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_DEV_H
#define EMU_UVERBS_DEVICE_DEV_H

#include <sched.h>
#include <stdbool.h>

struct uv_dev;

/**
 * DOC: Set-up of a device, as in mlx5_core and mlx5_ib
 *
 * uv_dev_open() reads the capabilities and creates a UAR, the event queues (eq.h), the kernel's own
 * receive table and a user context. Contexts without DEVX query capabilities in that user context.
 */

/**
 * uv_dev_open - power the adapter on and set up the device of a port, unless both are done
 *
 * The caller holds uv_front_lock().
 *
 * Return: 0 or -errno
 */
int uv_dev_open(unsigned port);
/** uv_dev_read_caps - read the capabilities of a device from firmware. Return: 0 or -errno */
int uv_dev_read_caps(struct uv_dev *dev);

/**
 * uv_is_launched - check whether a devx-emu of the same build launched this process
 *
 * The first call maps the shared file. uv_front.shared may be used only after this function has
 * returned true.
 */
bool uv_is_launched(void);

/** uv_process_get_cpus - CPUs that the process was allowed to use at its start; NULL if unknown */
const cpu_set_t *uv_process_get_cpus(void);

/**
 * uv_power_on - power the adapter on, unless it is on. The caller holds uv_front_lock()
 *
 * Return: 0, or -errno with the reason in emu_shared.why
 */
int uv_power_on(void);
/**
 * uv_power_off - power the adapter off. The caller holds uv_front_lock()
 *
 * Afterwards, an ioctl on a uverbs file that is still open fails with EIO.
 */
void uv_power_off(void);
/** uv_set_command_time - pass emu_shared.command_us to the adapter, under uv_front_lock() */
void uv_set_command_time(void);

#endif
