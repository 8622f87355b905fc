/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_MKEY_H
#define DEVX_MKEY_H

#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Indirect memory key
 *
 * An indirect mkey presents pieces of other mkeys as one range of addresses, without a copy. A data
 * segment names its lkey, and the device follows the list.
 *
 *     addresses:   addr ................... addr + bytes
 *     list               | piece 0 | piece 1 | piece 2 |   each in an mkey of its own
 *     fixed              | piece 0 | piece 1 | piece 2 |   each 1 << log2_bytes
 *     strided            | a b | a b | a b |               a, b: bytes every stride
 *
 * The mkeys of the pieces determine the access rights; CREATE_MKEY does not check that they exist.
 * An access through a piece whose mkey is destroyed, has another PD or does not cover the piece
 * ends with the error CQE PRM_SYND_LOCAL_PROT. The list of an mkey cannot be changed.
 *
 * Source: PRM, "Memory Key Context", "Indirect Memory Keys"; Linux struct mlx5_klm, struct
 * mlx5_stride_block_ctrl_seg; rdma-core mlx5dv_wr_post(3).
 */

struct mlx5dv_devx_obj;

/*
 * Maximum number of pieces of an mkey, because a command has at most 65535 bytes (struct
 * ib_uverbs_attr). A device may allow fewer: 1 << caps.log_max_klm_list_size.
 */
enum { DEVX_MKEY_PIECES_MAX = 4076 };

/* Maximum length of a piece. Source: Linux drivers/vdpa/mlx5/core/mr.c, MAX_KLM_SIZE. */
#define DEVX_MKEY_PIECE_BYTES_MAX (1u << 31)

/** struct devx_mkey_piece - @bytes at @addr of the mkey or memory region @lkey */
struct devx_mkey_piece {
	uint32_t lkey;
	uint32_t bytes;
	uint64_t addr;
};

/**
 * struct devx_mkey_stride - a piece of each cycle of a strided mkey
 * @lkey: mkey or memory region of the pieces
 * @addr: address of the piece of the first cycle
 * @bytes: length of each piece, at least 1
 * @stride: distance from a piece to that of the next cycle, in bytes; 0: the same piece again
 */
struct devx_mkey_stride {
	uint32_t lkey;
	uint16_t bytes;
	uint16_t stride;
	uint64_t addr;
};

/**
 * struct devx_mkey - an indirect mkey
 * @lkey: memory key for data segments, host byte order
 * @addr: first address, as in data segments
 * @bytes: length
 * @obj: the firmware object, or NULL
 * @dev: device of the mkey
 */
struct devx_mkey {
	uint32_t lkey;
	uint64_t addr;
	uint64_t bytes;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * devx_mkey_create_list(), devx_mkey_create_fixed() and devx_mkey_create_strided():
 *
 * @mkey: all zero; all zero again on failure
 * @dev: open device; must outlive @mkey
 * @addr: address of the first byte in data segments; @addr plus the length must not wrap
 * @n: number of pieces, 1..DEVX_MKEY_PIECES_MAX and at most 1 << caps.log_max_klm_list_size
 *
 * The mkeys of the pieces belong to the PD of @dev, and must outlive @mkey.
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL   @n or the length of a piece is out of range, or a range wraps
 *   -ENOTSUP  the device lacks indirect mkeys (caps.max_indirection)
 *   -ENOMEM   out of memory
 *   others    as devx_cmd_create()
 */

/**
 * devx_mkey_create_list - create an mkey of pieces of any length
 * @pieces: the pieces in the order of their addresses, 1..DEVX_MKEY_PIECE_BYTES_MAX bytes each
 */
int devx_mkey_create_list(struct devx_mkey *mkey, struct devx_dev *dev, uint64_t addr,
			  const struct devx_mkey_piece *pieces, size_t n);

/**
 * devx_mkey_create_fixed - create an mkey of pieces of one length
 * @addr: multiple of 1 << @log2_bytes
 * @log2_bytes: log2 of the length of each piece, 12..31
 * @pieces: the pieces; their field bytes is 0
 *
 * The device finds a piece by a shift; pieces of different lengths need a search.
 *
 * Return: also -ENOTSUP without caps.fixed_buffer_size.
 */
int devx_mkey_create_fixed(struct devx_mkey *mkey, struct devx_dev *dev, uint64_t addr,
			   unsigned log2_bytes, const struct devx_mkey_piece *pieces, size_t n);

/**
 * devx_mkey_create_strided - create an mkey that repeats pieces with a stride
 * @cycles: number of repetitions, at least 1
 * @strides: the @n pieces of one cycle; @n is at most DEVX_MKEY_PIECES_MAX - 1
 *
 * Source: libdpcp, pattern_mkey::create.
 */
int devx_mkey_create_strided(struct devx_mkey *mkey, struct devx_dev *dev, uint64_t addr,
			     uint32_t cycles, const struct devx_mkey_stride *strides, size_t n);

/**
 * devx_mkey_destroy - destroy an indirect mkey, but not the mkeys of its pieces
 * @mkey: an mkey, or all zero; all zero afterwards
 *
 * Context: control path; no posted WQE names its lkey.
 */
void devx_mkey_destroy(struct devx_mkey *mkey);

#ifdef __cplusplus
}
#endif

#endif
