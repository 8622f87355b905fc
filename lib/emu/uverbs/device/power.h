/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_POWER_H
#define EMU_UVERBS_DEVICE_POWER_H

/**
 * uv_power_on - power the adapter on, unless it is on. The caller holds uv_front_lock()
 *
 * Return: 0, or -errno; emu_shared.why then says the reason
 */
int uv_power_on(void);
/**
 * uv_power_off - power the adapter off. The caller holds uv_front_lock()
 *
 * An ioctl on a uverbs file that is still open fails with EIO afterwards.
 */
void uv_power_off(void);
/** uv_set_command_time - give emu_shared.command_us to the adapter, under uv_front_lock() */
void uv_set_command_time(void);

#endif
