/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/share.h"
#include "prm/prm.h"

/* All commands have opcode, status and syndrome where NOP has them. */
typedef struct prm_nop_in any_in;
typedef struct prm_nop_out any_out;

/* Returns the object number from the low bits of the third dword; 0 if the layout has no number. */
static uint32_t get_object_number(const struct prm_command *cmd, const any_in *in)
{
	enum { OBJECT_DWORD = 2, DWORD_BITS = 32 };

	for (const struct prm_row *row = cmd->in->rows; row->name; row++)
		if (row->bit / DWORD_BITS == OBJECT_DWORD && row->width &&
		    row->bit % DWORD_BITS + row->width == DWORD_BITS)
			return (uint32_t)prm_get_(in->dw, row->bit, row->width);
	return 0;
}

/* Combines the ioctl's errno and the status in @out into a return value; stores the reason. */
static int take_answer(struct devx_dev *dev, int err, const void *in, const void *out)
{
	const uint16_t opcode = (uint16_t)prm_get((const any_in *)in, opcode);
	const struct prm_command *cmd = prm_command_of(opcode);
	const uint8_t status = (uint8_t)prm_get((const any_out *)out, status);
	const struct devx_account_record record = {
		.rc = status == PRM_STATUS_OK ? -err : -EREMOTEIO,
		.opcode = opcode,
		.op_mod = (uint16_t)prm_get((const any_in *)in, op_mod),
		.status = status,
		.syndrome = (uint32_t)prm_get((const any_out *)out, syndrome),
		.object = cmd ? get_object_number(cmd, in) : 0,
	};

	devx_account_add(dev->account, &record);
	if (record.rc)
		dev->refusal = (struct devx_refusal){
			.rc = record.rc,
			.opcode = opcode,
			.status = status,
			.syndrome = record.syndrome,
			.object = record.object,
		};
	return record.rc;
}

int devx_cmd_create(struct devx_dev *dev, const void *in, size_t in_bytes, void *out,
		    size_t out_bytes, struct mlx5dv_devx_obj **obj)
{
	struct mlx5dv_devx_obj *made;
	int rc;

	errno = 0;
	made = mlx5dv_devx_obj_create(dev->ctx, in, in_bytes, out, out_bytes);
	rc = take_answer(dev, made ? 0 : errno ? errno : EIO, in, out);
	if (!rc)
		*obj = made;
	return rc;
}

int devx_cmd_modify(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		    size_t in_bytes, void *out, size_t out_bytes)
{
	return take_answer(dev, mlx5dv_devx_obj_modify(obj, in, in_bytes, out, out_bytes), in, out);
}

int devx_cmd_query(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		   size_t in_bytes, void *out, size_t out_bytes)
{
	return take_answer(dev, mlx5dv_devx_obj_query(obj, in, in_bytes, out, out_bytes), in, out);
}

int devx_cmd_general(struct devx_dev *dev, const void *in, size_t in_bytes, void *out,
		     size_t out_bytes)
{
	return take_answer(dev, mlx5dv_devx_general_cmd(dev->ctx, in, in_bytes, out, out_bytes), in,
			   out);
}

static bool is_imported(const struct devx_dev *dev, const struct mlx5dv_devx_obj *obj)
{
	for (const struct devx_import *i = dev->imports; i; i = i->next)
		if (i->obj == obj)
			return true;
	return false;
}

void devx_cmd_destroy(struct devx_dev *dev, struct mlx5dv_devx_obj *obj)
{
	if (!obj)
		return;
	if (is_imported(dev, obj))
		devx_fail(dev, -EPERM,
			  "object: it is imported, so only the device that created it can destroy "
			  "it; call devx_obj_unimport()");
	else if (mlx5dv_devx_obj_destroy(obj))
		devx_stuck_count(dev);
	else if (dev->account)
		dev->account->n_destroyed++;
}

void devx_obj_unimport(struct devx_import *import)
{
#ifdef DEVX_HAS_OBJ_EXPORT
	if (import->obj) {
		struct devx_import **at = &import->dev->imports;

		while (*at != import)
			at = &(*at)->next;
		*at = import->next;
		mlx5dv_devx_obj_unimport(import->obj);
	}
#endif
	*import = (struct devx_import){ 0 };
}
