/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_CLOCK_H
#define EMU_UVERBS_DEVICE_CLOCK_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: The clock page
 *
 * mlx5_ib lets a user map the page of the initialization segment that has the registers of both
 * clocks: internal_timer_h and internal_timer_l at 0, real_time_h and real_time_l at 40h. The
 * engine writes them at each of its turns. All functions of the adapter have the same clocks, so
 * all files map the same page: that of the file that devx-emu shares (shared.h), which every
 * process has.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/main.c, mlx5_ib_mmap(), MLX5_IB_MMAP_CORE_CLOCK.
 */

/** uv_clock_set_registers - make an adapter write its clocks to the page */
void uv_clock_set_registers(struct emu_config *cfg);

/** uv_clock_has_offset - check whether offset @off of a uverbs file is that of the clock page */
bool uv_clock_has_offset(uint64_t off);

/**
 * uv_clock_check_map - check an mmap() of the clock page
 *
 * Return: 0; -EINVAL: no context, not one page, or not shared; -EPERM: with the right to write;
 * -EIO: the file has lost its device
 */
int uv_clock_check_map(const struct uv_file *file, size_t bytes, int prot, int flags);

/**
 * uv_clock_map - map the clock page once more
 * @addr: address for MAP_FIXED
 * @prot: access rights
 * @flags: flags of mmap()
 *
 * Return: the address; MAP_FAILED: errno says why
 */
void *uv_clock_map(void *addr, int prot, int flags);

#endif
