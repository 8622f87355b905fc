/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SLOT_H
#define DEVX_SLOT_H

#include "devx/dev.h"

/**
 * DOC: Loss of a device
 *
 * The kernel reports every loss of an RDMA device alike: IBV_EVENT_DEVICE_FATAL. The function, on
 * the PCI or the auxiliary bus, shows the reason. After a fatal error and during a reload mlx5_core
 * keeps the function. When the function leaves, Linux first takes its driver away and then removes
 * its directory in sysfs.
 *
 * Source: Linux drivers/base/dd.c, __device_release_driver, which removes the link before it calls
 * the driver.
 */

enum { DEVX_SLOT_PATH_BYTES = 512 };

/** enum devx_slot_state - state of a function */
enum devx_slot_state {
	DEVX_SLOT_BOUND,   /* a driver has the function, or the device is not a function */
	DEVX_SLOT_UNBOUND, /* no driver has it */
	DEVX_SLOT_GONE,    /* the machine has no such function any more */
};

/**
 * struct devx_slot - the function of a device, beyond the close of the device
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

/** devx_slot_read - read the state of a function from sysfs; its device may be closed */
enum devx_slot_state devx_slot_read(const struct devx_slot *slot);

#ifdef __cplusplus
}
#endif

#endif
