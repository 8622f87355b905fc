/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SLOT_H
#define DEVX_SLOT_H

#include "devx/dev.h"

/**
 * DOC: Loss of a device
 *
 * The kernel reports every loss of an RDMA device with the same event, IBV_EVENT_DEVICE_FATAL. The
 * state of its function on the PCI or the auxiliary bus reveals the cause. After a fatal error and
 * during a reload, the function stays bound to mlx5_core. If the function is removed, Linux first
 * unbinds its driver and then removes its directory in sysfs.
 *
 * Source: Linux drivers/base/dd.c, __device_release_driver, which removes the link before it calls
 * the driver.
 */

enum { DEVX_SLOT_PATH_BYTES = 512 };

/** enum devx_slot_state - state of a function */
enum devx_slot_state {
	DEVX_SLOT_BOUND,   /* bound to a driver, or the device is not a function */
	DEVX_SLOT_UNBOUND, /* not bound to a driver */
	DEVX_SLOT_GONE,    /* the machine no longer has the function */
};

/**
 * struct devx_slot - the function of a device; stays valid after the device is closed
 * @path: its directory in sysfs; "": the device is not a function
 */
struct devx_slot {
	char path[DEVX_SLOT_PATH_BYTES];
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_slot_find - find the function of a device
 * @slot: receives the function
 * @dev: an open device
 *
 * Context: control path; any thread.
 */
void devx_slot_find(struct devx_slot *slot, const struct devx_dev *dev);

/** devx_slot_read - read the state of a function from sysfs, even after its device was closed */
enum devx_slot_state devx_slot_read(const struct devx_slot *slot);

#ifdef __cplusplus
}
#endif

#endif
