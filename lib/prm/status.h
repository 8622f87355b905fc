/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_STATUS_H
#define PRM_STATUS_H

/**
 * enum prm_status - status of a command: the first byte of its output
 *
 * Source: Linux include/linux/mlx5/device.h, MLX5_CMD_STAT_*.
 */
enum prm_status {
	PRM_STATUS_OK = 0x00,
	PRM_STATUS_INT_ERR = 0x01,
	PRM_STATUS_BAD_OP = 0x02,
	PRM_STATUS_BAD_PARAM = 0x03,
	PRM_STATUS_BAD_SYS_STATE = 0x04,
	PRM_STATUS_BAD_RES = 0x05,
	PRM_STATUS_RES_BUSY = 0x06,
	PRM_STATUS_LIM_ERR = 0x08,
	PRM_STATUS_BAD_RES_STATE = 0x09,
	PRM_STATUS_IX_ERR = 0x0a,
	PRM_STATUS_NO_RES_ERR = 0x0f,
	PRM_STATUS_BAD_INP_LEN = 0x50,
	PRM_STATUS_BAD_OUTP_LEN = 0x51,
	PRM_STATUS_BAD_QP_STATE = 0x10,
	PRM_STATUS_BAD_PKT = 0x30,
	PRM_STATUS_BAD_SIZE_OUTS_CQES = 0x40,
};

#endif
