/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_WQ_H
#define DEVX_WQ_H

#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"
#include "devx/mem.h"
#include "devx/wq_state.h"
#include "prm/prm.h"

/* Functions that SQ and RQ share. Internal to the library; sq.h and rq.h have the contracts. */

struct mlx5dv_devx_obj;

/**
 * struct devx_wq - arguments of the commands that query and change the state of a work queue
 * @dev: device of the queue
 * @obj: the firmware object
 * @number: firmware's number of the SQ or RQ, 24 bits
 * @query_op: opcode of the command that reads the context of the queue
 * @modify_op: opcode of the command that changes the state of the queue
 */
struct devx_wq {
	struct devx_dev *dev;
	struct mlx5dv_devx_obj *obj;
	uint32_t number;
	uint16_t query_op, modify_op;
};

/** devx_wq_query_state - read the state into @state. Return: as devx_cmd_query() */
int devx_wq_query_state(const struct devx_wq *wq, enum prm_wq_state *state);

/** devx_wq_ready - change the state from RST to RDY. Return: as devx_cmd_modify() */
int devx_wq_ready(const struct devx_wq *wq);

/**
 * devx_wq_reset - change any state to RST
 * @wq: the queue
 * @record: word of the queue in the doorbell record; 0 afterwards, unchanged on failure
 *
 * Return: as devx_cmd_query() and devx_cmd_modify().
 */
int devx_wq_reset(const struct devx_wq *wq, prm_be32 *record);

/** devx_wq_ts_format - choose field ts_format; @clocks: enum prm_hca_cap_ts_format */
unsigned devx_wq_ts_format(uint8_t clocks);

/**
 * struct devx_wq_mailbox - the command that creates a work queue
 * @in: the mailbox, without ts_format
 * @in_bytes: length of @in
 * @out: all zero
 * @out_bytes: length of @out
 * @ctx: the context in @in
 */
struct devx_wq_mailbox {
	void *in;
	size_t in_bytes;
	void *out;
	size_t out_bytes;
	struct prm_sqc *ctx;
};

/**
 * devx_wq_create - create a work queue with time stamps that the device supports
 * @m: the command; receives ts_format and the answer
 * @clocks: sq_ts_format or rq_ts_format of @dev
 * @obj: receives the handle; unchanged on failure
 *
 * A device with both clocks that refuses a free-running queue is in real-time mode. The function
 * then creates the queue with the default format, and sets @clocks to "real time".
 *
 * Return: as devx_cmd_create().
 */
int devx_wq_create(struct devx_dev *dev, const struct devx_wq_mailbox *m, uint8_t *clocks,
		   struct mlx5dv_devx_obj **obj);

/**
 * devx_wq_fill - fill the work queue part of a context
 * @wq: all zero; receives the description of the ring
 * @buf: memory of ring and doorbell record
 * @offset: offset of the ring in its umem, in bytes
 * @pdn: number of the protection domain
 * @log2_n: log2 of the number of entries
 * @log2_stride: log2 of the bytes of an entry
 *
 * log_wq_pg_sz stays 0 (4 KiB), whatever the page size of the host.
 */
void devx_wq_fill(struct prm_wq *wq, const struct devx_buf *buf, size_t offset, uint32_t pdn,
		  uint8_t log2_n, uint8_t log2_stride);

#endif
