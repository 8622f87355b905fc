/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_POWER_H
#define EMU_UVERBS_DEVICE_POWER_H

/** uv_power_on - power on, once. Lock held. Return: 0 or -errno; shared->why says why */
int uv_power_on(void);
/** uv_power_off - power off: open files answer EIO from now on. Lock held */
void uv_power_off(void);

#endif
