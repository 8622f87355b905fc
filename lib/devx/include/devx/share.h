/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SHARE_H
#define DEVX_SHARE_H

#include <stdint.h>

#include "devx/dev.h"
#include "devx/uar.h"
#include "devx/umem.h"

/**
 * DOC: Devices and objects that several processes share
 *
 *     owner                                            other process
 *     devx_dev_export()  -- descriptor, SCM_RIGHTS -->  devx_dev_import()
 *                        -- struct devx_share ------>
 *     devx_obj_export(), ..  -- struct devx_share -->  devx_obj_import(), ..
 *
 * Both devices then use the same kernel context: one user id in firmware, one protection domain,
 * one table of handles. Only the device that created an object can destroy it; ending an import
 * does not call the kernel. doc/devx.md, "Objects of several processes", has the rules.
 *
 * Source: rdma-core ibv_import_device(3), mlx5dv_devx_obj_export(3), mlx5dv_devx_umem_export(3),
 * mlx5dv_devx_alloc_uar(3); Linux drivers/infiniband/core/rdma_core.c.
 */

struct mlx5dv_devx_obj;

enum { DEVX_SHARE_BYTES = 128 };

/**
 * struct devx_share - exported attributes of a device, an object, a umem or a UAR
 * @bytes: pass them unchanged to another process on this machine
 *
 * The attributes are numbers and do not keep an object alive. After the object is destroyed, they
 * name no object, or a new one with the same number.
 */
struct devx_share {
	uint8_t bytes[DEVX_SHARE_BYTES];
};

/**
 * struct devx_import - an imported object
 * @obj: handle for devx_cmd_query(), devx_cmd_modify(), devx_async_query() and events, or NULL
 * @dev: device of the import
 * @next: next import of @dev
 * @share: the exported attributes
 */
struct devx_import {
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
	struct devx_import *next;
	struct devx_share share;
};

/*
 * Every function of this header:
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Every import also returns, if it rejects the exported attributes:
 *   -EINVAL   no function of this header wrote them, or they describe another kind of object
 *   -EPROTO   another version of this library or of rdma-core wrote them
 *   -EXDEV    they belong to another device, or to another context of the same device
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_dev_export - allow another process to import a device
 * @dev: open device. From now on @dev->shared is true
 * @share: receives the exported attributes
 * @fd: receives a descriptor, close-on-exec. The caller sends it with SCM_RIGHTS (unix(7)) and
 *      closes it; while it is open, the kernel context exists
 *
 * A process with the descriptor has all rights of @dev.
 *
 * Return: 0, or
 *   -EMFILE   the process has no free descriptor
 */
int devx_dev_export(struct devx_dev *dev, struct devx_share *share, int *fd);

/**
 * devx_dev_import - open a device over the context of another process
 * @dev: all zero; all zero again on failure, except @dev->refusal. devx_dev_close() closes it
 * @fd: descriptor of devx_dev_export(). The caller owns it and may close it after the call
 * @share: the exported attributes
 *
 * @dev uses the protection domain of the exporter: queues of each device may use memory regions of
 * the other. Objects of each device may refer to objects of the other by number.
 *
 * Return: 0, or an error that every import has (see above), and
 *   -EBADF       @fd is not open
 *   -EINVAL      @fd is not a device file, or has no context that can be imported
 *   -ENODEV      the machine has no RDMA device for @fd
 *   -EIO         the device was removed
 *   -EREMOTEIO   firmware refused the query of its capabilities
 *   -ENOMEM      out of memory
 *   others       as the kernel returned them
 */
int devx_dev_import(struct devx_dev *dev, int fd, const struct devx_share *share);

/**
 * devx_obj_export - allow other processes to import an object
 * @dev: device that created @obj
 * @obj: handle from devx_cmd_create(), or the member obj of an object of this library
 * @share: receives the exported attributes
 *
 * Return: 0, or
 *   -EINVAL    @obj is NULL
 *   -ENOTSUP   the library was built with rdma-core before 63
 */
int devx_obj_export(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, struct devx_share *share);

/**
 * devx_obj_import - import an object
 * @import: all zero; all zero again on failure. Must not move until devx_obj_unimport()
 * @dev: device over the context of the exporter; must outlive @import
 * @share: the exported attributes
 *
 * Does not call the kernel. Query, modify, asynchronous query and events work with @import->obj as
 * in the device that created the object. devx_cmd_destroy() does not destroy the object, and stores
 * a reason with -EPERM. Once the owner has destroyed the object, a command returns -ENOENT, or
 * -EINVAL if another object has the handle.
 *
 * Return: 0, or an error that every import has (see above), and
 *   -EINVAL    @import is not all zero
 *   -EEXIST    @dev has imported the object already
 *   -ENOTSUP   the library was built with rdma-core before 63
 *   -ENOMEM    out of memory
 */
int devx_obj_import(struct devx_import *import, struct devx_dev *dev,
		    const struct devx_share *share);

/**
 * devx_obj_unimport - end an import, without destroying the object
 * @import: an import, or all zero; all zero afterwards
 *
 * The owner may already have destroyed the object.
 */
void devx_obj_unimport(struct devx_import *import);

/**
 * devx_umem_export - allow other processes to place rings in a umem
 * @dev: device of @umem
 * @umem: the umem
 * @share: receives the exported attributes
 *
 * Return: 0, or
 *   -EINVAL   @umem is not registered, or belongs to another device
 */
int devx_umem_export(struct devx_dev *dev, const struct devx_umem *umem, struct devx_share *share);

/**
 * devx_umem_import - import a umem; works with any rdma-core
 * @umem: all zero; all zero again on failure. devx_umem_destroy() ends the import, but not the
 *        registration
 * @dev: device that shares the exporter's context; must outlive @umem
 * @share: the exported attributes
 * @addr: the same memory in this process, aligned to a page of the CPU. The library cannot check
 *        that it is the same memory
 *
 * The owner destroys the umem after all processes have destroyed their queues in it.
 *
 * Return: 0, or an error that every import has (see above), and
 *   -EINVAL   @addr is NULL or unaligned
 *   -ENOMEM   out of memory
 */
int devx_umem_import(struct devx_umem *umem, struct devx_dev *dev, const struct devx_share *share,
		     void *addr);

/**
 * devx_uar_export - allow other processes to map a UAR
 * @dev: device of @uar
 * @uar: a UAR of devx_uar_create()
 * @share: receives the exported attributes
 *
 * Return: 0, or
 *   -EINVAL   @uar was not created, or is a mapping of devx_uar_map()
 */
int devx_uar_export(struct devx_dev *dev, const struct devx_uar *uar, struct devx_share *share);

/**
 * devx_uar_map - map a UAR of another process, without a device
 * @uar: all zero; all zero again on failure. devx_uar_destroy() ends only the mapping
 * @dev: an imported device, or one that is not open and only stores the reason of a failure
 * @fd: descriptor of devx_dev_export(); -1: use the descriptor of @dev. The caller may close it
 *      after the call
 * @share: the exported attributes
 *
 * @uar can ring queues that were created with the owner's UAR, and can be used to create others.
 * Unless @uar->shared is true, the register has one user among all processes. The page stays mapped
 * until devx_uar_destroy(); a doorbell has no effect once the owner has destroyed the queue.
 *
 * Return: 0, or an error that every import has (see above), and
 *   -EBADF    @fd is not open
 *   -EINVAL   @fd is not a device file, or its context has no such page
 *   -ENOMEM   out of memory
 *   others    as the kernel returned them
 */
int devx_uar_map(struct devx_uar *uar, struct devx_dev *dev, int fd,
		 const struct devx_share *share);

/**
 * devx_uar_map_at - devx_uar_map() at an address that the caller chooses
 * @uar, @dev, @fd, @share: as in devx_uar_map()
 * @base: unmapped address for the page, aligned to a page of the CPU
 *
 * A queue in shared memory contains the address of its register. It works in several processes if
 * all of them map the page at this address. The owner also calls this function, with the attributes
 * that it exported.
 *
 * Return: 0, or the errors of devx_uar_map(), and
 *   -EINVAL   @base is NULL or unaligned
 *   -EEXIST   something is mapped at @base
 */
int devx_uar_map_at(struct devx_uar *uar, struct devx_dev *dev, int fd,
		    const struct devx_share *share, void *base);

#ifdef __cplusplus
}
#endif

#endif
