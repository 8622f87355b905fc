/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file of its own, so that a test can replace it by drivers with known costs.
 */
#include "harness/port.h"

const struct bench_driver bench_drivers[BENCH_N_DRIVERS] = {
	[BENCH_MLX5] = { "net_mlx5", "pci", "0000:c1:00.0", "", 0 },
	[BENCH_DEVX] = { "net_devx", "vdev", "net_devx0", "pci=0000:c1:00.1", 1 },
};
