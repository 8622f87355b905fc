/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/exec.h"

#include <errno.h>

/*
 * Refuses a length that is not a multiple of 4 before firmware sees the command, as mlx5_core does.
 * Source: Linux drivers/net/ethernet/mellanox/mlx5/core/cmd.c, deliv_status_to_err.
 */
int uv_exec_user(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	if (in_bytes % sizeof(prm_be32) || out_bytes % sizeof(prm_be32))
		return -ENOMSG;
	return emu_exec(dev->emu, in, in_bytes, out, out_bytes) ? -EREMOTEIO : 0;
}

/* Source: Linux drivers/net/ethernet/mellanox/mlx5/core/cmd.c, cmd_status_to_err. */
static int convert_status(uint8_t status)
{
	switch ((enum prm_status)status) {
	case PRM_STATUS_OK:
		return 0;
	case PRM_STATUS_BAD_OP:
	case PRM_STATUS_BAD_PARAM:
	case PRM_STATUS_BAD_RES:
	case PRM_STATUS_BAD_RES_STATE:
	case PRM_STATUS_IX_ERR:
	case PRM_STATUS_BAD_QP_STATE:
	case PRM_STATUS_BAD_PKT:
	case PRM_STATUS_BAD_SIZE_OUTS_CQES:
		return -EINVAL;
	case PRM_STATUS_RES_BUSY:
		return -EBUSY;
	case PRM_STATUS_LIM_ERR:
		return -ENOMEM;
	case PRM_STATUS_NO_RES_ERR:
		return -EAGAIN;
	case PRM_STATUS_INT_ERR:
	case PRM_STATUS_BAD_SYS_STATE:
	case PRM_STATUS_BAD_INP_LEN:
	case PRM_STATUS_BAD_OUTP_LEN:
		break;
	}
	return -EIO;
}

int uv_exec_kernel(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	return convert_status(emu_exec(dev->emu, in, in_bytes, out, out_bytes));
}
