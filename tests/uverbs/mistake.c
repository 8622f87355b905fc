/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A driver that makes one protocol mistake, for tests/scripts/emu-launcher.sh. The first argument
 * says how it ends: return, _exit or kill.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "prm/prm.h"

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = list && list[0] ? mlx5dv_open_device(list[0], &attr) : NULL;
	struct prm_nop_in in = { 0 };
	struct prm_nop_out out = { 0 };

	if (!ctx)
		return 1;
	prm_set(&in, opcode, PRM_OP_nop);
	in.dw[3] = prm_be32_of(1); /* a reserved bit */
	if (mlx5dv_devx_general_cmd(ctx, &in, sizeof(in), &out, sizeof(out)) != EREMOTEIO)
		return 1;
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "_exit"))
		_exit(7);
	return 0;
}
