/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_WQ_H
#define DEVX_WQ_H

#include "devx/caps.h"
#include "devx/mem.h"
#include "prm/prm.h"

/*
 * What the contexts of SQ and RQ have in common. Internal to the library.
 */

/* wq.wq_type; Source: Linux include/linux/mlx5/mlx5_ifc.h, MLX5_WQ_TYPE_* */
enum { DEVX_WQ_TYPE_CYCLIC = 1 };

/*
 * sqc.ts_format, rqc.ts_format; Source: Linux mlx5_ifc.h, MLX5_TIMESTAMP_FORMAT_*.
 * Only a device that knows other clocks than the free-running one knows the field.
 */
enum { DEVX_TS_FREE_RUNNING = 0, DEVX_TS_DEFAULT = 1 };

static inline unsigned devx_ts_format(uint8_t cap)
{
	return cap == DEVX_TS_CAP_FREE_RUNNING ? DEVX_TS_FREE_RUNNING : DEVX_TS_DEFAULT;
}

/**
 * devx_wq_fill - describe a ring
 * @wq: zeroed
 * @buf: memory of ring and record
 * @pdn: protection domain
 * @log2_n: log2 of the number of entries
 * @log2_stride: log2 of their bytes
 *
 * log_wq_pg_sz stays 0, that is 4 KiB, whatever the host's page is.
 */
static inline void
devx_wq_fill(struct prm_wq *wq, const struct devx_buf *buf, uint32_t pdn, uint8_t log2_n,
	     uint8_t log2_stride)
{
	prm_set(wq, wq_type, DEVX_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, pdn);
	prm_set(wq, dbr_umem_id, buf->umem_id);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_addr, buf->dbrec_offset);
	prm_set(wq, wq_umem_id, buf->umem_id);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, log_wq_stride, log2_stride);
	prm_set(wq, log_wq_sz, log2_n);
}

#endif
