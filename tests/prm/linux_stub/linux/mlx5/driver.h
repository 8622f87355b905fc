/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What qp.h takes from the kernel's own headers, as little of it as makes it compile in user
 * space. None of it reaches a structure that is compared.
 */
#ifndef LINUX_STUB_DRIVER_H
#define LINUX_STUB_DRIVER_H

#define struct_group(NAME, ...)                                                                    \
	union {                                                                                    \
		struct {                                                                           \
			__VA_ARGS__                                                                \
		};                                                                                 \
		struct {                                                                           \
			__VA_ARGS__                                                                \
		} NAME;                                                                            \
	}
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))
struct ib_ah {
	int unused;
};
struct mlx5_core_rsc_common {
	int unused;
};
struct completion {
	int unused;
};
#undef MLX5_CAP_GEN
#undef MLX5_CAP_ROCE
#define MLX5_CAP_GEN(dev, cap) ((void)(dev), 0)
#define MLX5_CAP_ROCE(dev, cap) ((void)(dev), 0)
#define mlx5_get_roce_state(dev) ((void)(dev), 0)

#endif
