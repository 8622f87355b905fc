/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_DEV_H
#define DEVX_DEV_H

#include <stddef.h>
#include <stdint.h>

#include "devx/caps.h"
#include "devx/error.h"

/**
 * DOC: Device
 *
 *     devx_dev_open("mlx5_0" | "0000:08:00.0")
 *          |
 *     struct devx_dev --- ibverbs context with DEVX rights (a user id in firmware)
 *          |---------- protection domain: everything created here lives in it
 *          |---------- capabilities, asked once
 *          '---------- why the last call failed: devx_strerror()
 *
 * A device is not shared between threads: one thread at a time calls functions that take it, or
 * an object of it on the control path. The data path of a queue needs no device: it belongs to
 * the thread that polls the queue. Every object is destroyed before its device is closed.
 *
 * The library never prints, aborts or exits. A call that fails returns -errno and leaves
 * the reason in the device.
 *
 * Source: rdma-core man pages mlx5dv_open_device(3), mlx5dv_devx_obj_create(3).
 */

struct ibv_context;
struct ibv_pd;

enum { DEVX_NAME_BYTES = 64, DEVX_PCI_BYTES = 16, DEVX_NETDEV_BYTES = 16 };

/**
 * struct devx_dev - an open device
 * @ctx: the verbs context
 * @pd: protection domain of every object and memory region
 * @pdn: its number in firmware
 * @caps: what the device can do
 * @refusal: why the last call failed
 * @n_stuck: objects whose destruction was refused; they live until the device is closed
 * @numa_node: node of the PCI slot, or -1
 * @ibdev: name of the RDMA device, "mlx5_0"
 * @pci: its PCI address, "0000:08:00.0", or empty
 * @netdev: the kernel's network interface of its port, or empty when there is none
 * @fw_version: "22.36.1010"
 */
struct devx_dev {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	uint32_t pdn;
	struct devx_caps caps;
	struct devx_refusal refusal;
	unsigned n_stuck;
	int numa_node;
	char ibdev[DEVX_NAME_BYTES];
	char pci[DEVX_PCI_BYTES];
	char netdev[DEVX_NETDEV_BYTES];
	char fw_version[DEVX_NAME_BYTES];
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_dev_open - open a device by name
 * @dev: all zero; on failure all zero again but for @dev->refusal
 * @name: of the RDMA device ("mlx5_0") or of its PCI function ("0000:08:00.0", "08:00.0")
 *
 * Context: control path; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      @name is NULL, empty or longer than any name
 *   -ENODEV      the machine has no RDMA device at all
 *   -ENOENT      it has, but none of that name; the text lists them
 *   -ENOTSUP     the device is no mlx5 device, or its firmware or kernel has no DEVX
 *   -EPERM, -EACCES   this process may not open it
 *   -EREMOTEIO   firmware refused to tell its capabilities
 *   -ENOMEM      out of memory
 *   others       as the kernel returned them
 */
int devx_dev_open(struct devx_dev *dev, const char *name);

/**
 * devx_dev_close - give everything back
 * @dev: an open device, a part of one, or all zero; all zero afterwards
 *
 * Context: control path; no object of @dev is left, no thread uses it.
 */
void devx_dev_close(struct devx_dev *dev);

/**
 * devx_dev_list - name the RDMA devices of this machine
 * @buf: receives "mlx5_0 (0000:08:00.0), mlx5_1 (0000:08:00.1)", always terminated, cut if long
 * @bytes: size of @buf, at least 1
 *
 * Return: how many there are, or -errno (-ENOMEM, -ENOSYS: the kernel has no RDMA).
 */
int devx_dev_list(char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
