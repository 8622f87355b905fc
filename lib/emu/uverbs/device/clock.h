/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_CLOCK_H
#define EMU_UVERBS_DEVICE_CLOCK_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: The clock page
 *
 * With mlx5_ib, a user can map the page of the initialization segment with the registers of both
 * clocks: internal_timer_h and internal_timer_l at 0, real_time_h and real_time_l at 40h. The
 * engine writes them on each of its turns. All functions of an adapter have the same clocks.
 * Therefore all uverbs files map the same page, emu_shared.clock_page, which every process has.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/main.c, mlx5_ib_mmap(), MLX5_IB_MMAP_CORE_CLOCK.
 */

/** uv_clock_set_registers - configure an adapter to write its clocks to the page */
void uv_clock_set_registers(struct emu_config *cfg);

/** uv_clock_has_offset - check whether offset @off of a uverbs file is the clock page */
bool uv_clock_has_offset(uint64_t off);

/**
 * uv_clock_check_map - check the arguments of an mmap() of the clock page
 *
 * Return: 0; -EINVAL: no context, not one page, or MAP_PRIVATE; -EPERM: PROT_WRITE;
 * -EIO: the file has lost its device
 */
int uv_clock_check_map(const struct uv_file *file, size_t bytes, int prot, int flags);

/**
 * uv_clock_map - map the clock page, with arguments of mmap()
 * @addr: address if @flags has MAP_FIXED
 *
 * Return: the address, or MAP_FAILED with errno set
 */
void *uv_clock_map(void *addr, int prot, int flags);

#endif
