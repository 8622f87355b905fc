/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_DEV_H
#define DEVX_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/caps.h"
#include "devx/error.h"

/**
 * DOC: Device
 *
 *     devx_dev_open("mlx5_0" | "0000:08:00.0" | "mlx5_core.sf.4")
 *          |
 *     struct devx_dev --- ibverbs context with DEVX rights (a user id in firmware)
 *          |---------- protection domain of all objects and memory regions
 *          |---------- capabilities, read once
 *          '---------- reason why the last call failed: devx_strerror()
 *
 * At most one thread at a time may call functions with a device, or control path functions with an
 * object of the device. Only the thread that polls a queue may call its data path functions. The
 * caller destroys every object before it closes the device. Several processes can share a device
 * and its objects: devx/share.h.
 *
 * Source: rdma-core man pages mlx5dv_open_device(3), mlx5dv_devx_obj_create(3).
 */

struct devx_account;
struct devx_import;
struct ibv_context;
struct ibv_pd;

enum { DEVX_NAME_BYTES = 64, DEVX_PCI_BYTES = 16, DEVX_NETDEV_BYTES = 16 };
enum { DEVX_MAX_FDS = 64 };

/**
 * struct devx_dev - an open device
 * @ctx: the verbs context
 * @pd: protection domain of all objects and memory regions
 * @pdn: number of the protection domain in firmware
 * @caps: capabilities
 * @sq_ts_format: clocks for time stamps of the next SQ: @caps.sq_ts_format, except that "both"
 *                becomes "real time" once firmware has refused an SQ with the free-running clock
 * @rq_ts_format: as @sq_ts_format, for an RQ
 * @refusal: reason why the last call failed
 * @n_stuck: number of objects that the kernel refused to destroy; they exist until close. Objects
 *           of a removed device do not count
 * @numa_node: NUMA node of the PCI slot; -1: unknown
 * @ibdev: name of the RDMA device, such as "mlx5_0"
 * @pci: PCI address, such as "0000:08:00.0"; empty: not a PCI function, such as a sub-function
 * @netdev: name of the kernel's network interface for the port; empty: the kernel has none
 * @fw_version: firmware version, such as "22.36.1010"
 * @shared: exported or imported; devx_dev_close() leaves the protection domain to the kernel
 * @imports: list of imported objects (devx/share.h)
 * @account: firmware commands since the device was opened (devx/account.h)
 */
struct devx_dev {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	uint32_t pdn;
	struct devx_caps caps;
	uint8_t sq_ts_format, rq_ts_format;
	struct devx_refusal refusal;
	unsigned n_stuck;
	int numa_node;
	char ibdev[DEVX_NAME_BYTES];
	char pci[DEVX_PCI_BYTES];
	char netdev[DEVX_NETDEV_BYTES];
	char fw_version[DEVX_NAME_BYTES];
	bool shared;
	struct devx_import *imports;
	struct devx_account *account;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_dev_open - open a device
 * @dev: all zero; all zero again on failure, except @dev->refusal
 * @name: name of the RDMA device ("mlx5_0"), PCI address ("0000:08:00.0", "08:00.0"), or name of a
 *        sub-function on the auxiliary bus ("mlx5_core.sf.4")
 *
 * Context: control path; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      @name is NULL, empty or longer than DEVX_NAME_BYTES - 1
 *   -ENODEV      the machine has no RDMA device
 *   -ENOENT      no RDMA device is called @name; devx_strerror() lists the devices
 *   -ENOTSUP     @name is not an mlx5 device, or its firmware or kernel does not support DEVX
 *   -EPERM, -EACCES   the process has no permission to open the device
 *   -EREMOTEIO   firmware refused the query of its capabilities
 *   -ENOMEM      out of memory
 *   others       as the kernel returned them
 */
int devx_dev_open(struct devx_dev *dev, const char *name);

/**
 * struct devx_dev_attr - arguments of devx_dev_open_attr()
 * @fds: open descriptors of user capabilities, such as /dev/infiniband/mlx5_perm_ctrl_local; the
 *       caller owns them and may close them after the call
 * @n_fds: number of descriptors in @fds; 0: open as devx_dev_open() does
 *
 * Each descriptor allows the context to send commands that Linux denies to other users. Linux reads
 * the array from 6.15 on; an older kernel ignores it.
 *
 * Source: rdma-core mlx5dv_open_device(3), MLX5DV_CONTEXT_ATTR_MASK_FD_ARRAY; Linux,
 * drivers/infiniband/core/ucaps.c.
 */
struct devx_dev_attr {
	const int *fds;
	uint32_t n_fds;
};

/**
 * devx_dev_open_attr - open a device with descriptors of user capabilities
 * @dev: all zero; all zero again on failure, except @dev->refusal
 * @name: as in devx_dev_open()
 * @attr: the descriptors
 *
 * Context: control path; may sleep.
 *
 * Return: as devx_dev_open(), and
 *   -EINVAL      @attr is NULL; @attr->fds is NULL, or has more than DEVX_MAX_FDS descriptors or a
 *                negative one
 *   -ENOTSUP     the library was built with rdma-core before 57, which cannot pass descriptors
 *   -EBADF, -EINVAL   a descriptor is not open or not a user capability (Linux chooses the number)
 *   -EOPNOTSUPP  the firmware does not have the user capability
 */
int devx_dev_open_attr(struct devx_dev *dev, const char *name, const struct devx_dev_attr *attr);

/**
 * devx_dev_close - close a device
 * @dev: an open device, a partly opened one, or all zero; all zero afterwards
 *
 * Also ends all imports. If the device is shared, its protection domain and the objects that were
 * not destroyed exist until every process has closed the device (devx/share.h).
 *
 * Context: control path; first destroy every object of @dev; no thread uses @dev.
 */
void devx_dev_close(struct devx_dev *dev);

/**
 * devx_dev_is_vf - check whether a device is a virtual function (VF) of PCI SR-IOV
 * @dev: an open device
 *
 * The e-switch of the adapter passes a frame to a VF only if the netdev of the VF has its address;
 * see devx_netdev_add_mac(). Source: sysfs, attributes `physfn` and `device` of the PCI function.
 *
 * Context: control path; may sleep.
 *
 * Return: true for a VF; false for a physical function, or if sysfs lacks the attributes.
 */
bool devx_dev_is_vf(const struct devx_dev *dev);

/**
 * devx_dev_list - list the RDMA devices of this machine
 * @buf: receives "mlx5_0 (0000:08:00.0), mlx5_1 (mlx5_core.sf.4)", truncated to @bytes, with a
 *       terminating zero
 * @bytes: size of @buf, at least 1
 *
 * Context: any thread; may sleep.
 *
 * Return: the number of devices, or
 *   -ENOMEM   out of memory
 *   -ENOSYS   the kernel does not support RDMA
 *   others    as the kernel returned them
 */
int devx_dev_list(char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
