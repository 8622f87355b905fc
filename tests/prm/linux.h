/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Includes Linux' description of the device: include/linux/mlx5/ of the kernel headers package.
 * In mlx5_ifc.h a field of n bits is an array of n bytes, so offsetof and sizeof count bits.
 */
#ifndef TESTS_PRM_LINUX_H
#define TESTS_PRM_LINUX_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#define BIT(n) (1u << (n))
#define BIT_ULL(n) (1ull << (n))
#define PAGE_SIZE 4096
#define __packed __attribute__((packed))
#define be16_to_cpu be16toh
#define be32_to_cpu be32toh
#define be64_to_cpu be64toh

#define DECLARE_FLEX_ARRAY(type, name) type name[0]

#include "mlx5_ifc.h"

#endif
