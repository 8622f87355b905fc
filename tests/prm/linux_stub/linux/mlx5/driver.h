/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stand-ins for the kernel's own headers, so that qp.h compiles in user space. No test compares a
 * structure that contains one of them.
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
