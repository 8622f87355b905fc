/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SHARE_FORMAT_H
#define DEVX_SHARE_FORMAT_H

#include <assert.h>
#include <stdint.h>

#include "devx/dev.h"
#include "devx/share.h"

/**
 * DOC: Format of exported attributes
 *
 * Internal to the library. Native byte order, because both processes run on one machine. Device
 * number and PD number together identify a context: each context has its own protection domain, and
 * PD numbers are unique on a device.
 */

/* Every change of the format must increase the version. */
enum { DEVX_SHARE_MAGIC = 0x44565853, DEVX_SHARE_VERSION = 1, DEVX_SHARE_RDMA_BYTES = 64 };

enum devx_share_kind { DEVX_SHARE_DEV, DEVX_SHARE_OBJ, DEVX_SHARE_UMEM, DEVX_SHARE_UAR };

/**
 * struct devx_share_format - the bytes of a struct devx_share
 * @magic: DEVX_SHARE_MAGIC
 * @version: DEVX_SHARE_VERSION
 * @kind: enum devx_share_kind; selects the member of the union
 * @bytes: length of the format
 * @rdma_bytes: length of the attributes of rdma-core; 0: none
 * @rdev: device number of the device file
 * @pdn: PD number of the context
 */
struct devx_share_format {
	uint32_t magic;
	uint16_t version;
	uint16_t kind;
	uint32_t bytes;
	uint32_t rdma_bytes;
	uint64_t rdev;
	uint32_t pdn;
	uint32_t reserved;
	union {
		struct {
			uint32_t pd_handle;
		} dev;
		struct {
			uint8_t rdma[DEVX_SHARE_RDMA_BYTES];
		} obj;
		struct {
			uint64_t bytes;
			uint32_t id;
			uint32_t reserved;
			uint8_t rdma[DEVX_SHARE_RDMA_BYTES];
		} umem;
		struct {
			uint64_t mmap_offset;
			uint32_t page_id;
			uint32_t reg_offset;
			uint16_t bf_bytes;
			uint8_t nc;
			uint8_t shared;
		} uar;
		uint8_t room[DEVX_SHARE_BYTES - 32];
	};
};
static_assert(sizeof(struct devx_share_format) == DEVX_SHARE_BYTES, "struct devx_share");

/**
 * devx_share_init - set the fields that all kinds of attributes have, and zero all others
 *
 * Return: 0 or -errno, with the reason in @dev
 */
int devx_share_init(struct devx_dev *dev, enum devx_share_kind kind, uint32_t rdma_bytes,
		    struct devx_share_format *f);

/**
 * devx_share_read - copy @share to @f, and check that it has @kind and @rdma_bytes
 *
 * Return: 0, -EINVAL or -EPROTO
 */
int devx_share_read(struct devx_dev *dev, const struct devx_share *share, enum devx_share_kind kind,
		    uint32_t rdma_bytes, struct devx_share_format *f);

/** devx_share_match - check that @f belongs to the context of @dev. Return: 0 or -EXDEV */
int devx_share_match(struct devx_dev *dev, const struct devx_share_format *f);

/**
 * devx_share_match_fd - check that @fd is open on the same device as @f
 *
 * Return: 0, -EBADF, -EINVAL or -EXDEV, with the reason in @dev
 */
int devx_share_match_fd(struct devx_dev *dev, int fd, const struct devx_share_format *f);

#endif
