/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_trip NAME: measures how long a firmware command takes, from a program and back.
 *
 * The command is QUERY_HCA_CAP through DEVX: 16 bytes of input, 4112 bytes of output.
 */
#include <infiniband/mlx5dv.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prm/prm.h"

enum { COMMANDS = 1000, WARM = 20 };

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = list && list[0] ? mlx5dv_open_device(list[0], &attr) : NULL;
	struct prm_query_hca_cap_in in = { 0 };
	static struct prm_query_hca_cap_out out;
	static double us[COMMANDS];

	if (!ctx) {
		perror("no RDMA device with DEVX");
		return 1;
	}
	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_OP_MOD_CURRENT);
	for (int i = -WARM; i < COMMANDS; i++) {
		const double began = now_us();

		if (mlx5dv_devx_general_cmd(ctx, &in, sizeof(in), &out, sizeof(out))) {
			perror("QUERY_HCA_CAP");
			return 1;
		}
		if (i >= 0)
			us[i] = now_us() - began;
	}
	qsort(us, COMMANDS, sizeof(us[0]), by_size);
	printf("FIGURE: %s: a firmware command takes %.1f us (median of %d), %.1f at best\n",
	       argc > 1 ? argv[1] : "here", us[COMMANDS / 2], COMMANDS, us[0]);
	return ibv_close_device(ctx) ? 1 : 0;
}
