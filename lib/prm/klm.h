/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_KLM_H
#define PRM_KLM_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "prm/be.h"

/**
 * DOC: Entries in the list of an indirect mkey
 *
 *     KLMS           KLM | KLM | ...                      consecutive pieces
 *     KSM            KLM without byte_count | ...         pieces of 1 << log_page_size bytes each
 *     KLMS, strided  block | entry | entry | ...          repeat_count cycles of the entries
 *
 * One cycle of a block takes byte_count bytes from each of its entries. The address of an entry
 * advances by its stride from one cycle to the next.
 *
 * Source: Linux struct mlx5_klm, struct mlx5_ksm, struct mlx5_stride_block_ctrl_seg, struct
 * mlx5_stride_block_entry (include/linux/mlx5/qp.h); rdma-core mlx5dv_wr_mr_interleaved(3).
 */

enum { PRM_KLM_BYTES = 16 };

/** struct prm_klm - a piece: @byte_count bytes at @addr of mkey @key. In a KSM, @byte_count is 0 */
struct prm_klm {
	prm_be32 byte_count;
	prm_be32 key;
	prm_be64 addr;
};
static_assert(sizeof(struct prm_klm) == PRM_KLM_BYTES, "an entry has 16 bytes");

/** struct prm_stride_block - head of a strided pattern; @n_entries entries follow */
struct prm_stride_block {
	prm_be32 cycle_bytes; /* sum of byte_count of the entries */
	prm_be32 op;          /* PRM_STRIDE_BLOCK_OP */
	prm_be32 repeat_count;
	prm_be16 rsvd0c;
	prm_be16 n_entries;
};
static_assert(sizeof(struct prm_stride_block) == PRM_KLM_BYTES, "an entry has 16 bytes");
static_assert(offsetof(struct prm_stride_block, n_entries) == 0x0e, "n_entries is at Eh");

/** struct prm_stride_entry - one piece of each cycle */
struct prm_stride_entry {
	prm_be16 stride; /* bytes from a piece to the piece of the next cycle */
	prm_be16 byte_count;
	prm_be32 key;
	prm_be64 addr;
};
static_assert(sizeof(struct prm_stride_entry) == PRM_KLM_BYTES, "an entry has 16 bytes");

/* Replaces a key; no mkey has this number. Source: libdpcp, pattern_mkey::create. */
enum { PRM_STRIDE_BLOCK_OP = 0x400 };

#endif
