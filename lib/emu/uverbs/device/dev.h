/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_DEV_H
#define EMU_UVERBS_DEVICE_DEV_H

/**
 * DOC: The device: what mlx5_core and mlx5_ib set up when they meet a function
 *
 * Capabilities, a UAR, the event queues (eq.h), the kernel's flow tables, and a user context
 * for queries of contexts without DEVX.
 */

/** uv_dev_open - power on, and set up the device of a port, once. Lock held. Return: 0 or -errno */
int uv_dev_open(unsigned port);

#endif
