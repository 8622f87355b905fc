/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_DEV_H
#define EMU_UVERBS_DEVICE_DEV_H

struct uv_dev;

/**
 * DOC: Set-up of a device, as mlx5_core and mlx5_ib do it for a PCI function
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

#endif
