/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_POWER_H
#define EMU_UVERBS_DEVICE_POWER_H

/** uv_adapter_get - power on, once. Lock held. Return: 0 or -errno; shared->why says why */
int uv_adapter_get(void);
/** uv_adapter_put - power off: open files answer EIO from now on. Lock held */
void uv_adapter_put(void);

#endif
