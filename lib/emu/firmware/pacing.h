/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_PACING_H
#define EMU_FIRMWARE_PACING_H

#include <stdint.h>

struct emu;

/**
 * emu_rate_check - check that SQs of @uid may use entry @index of the rate table
 *
 * Return: PRM_STATUS_OK, or PRM_STATUS_BAD_PARAM: no such entry, a free one, or another's
 */
uint8_t emu_rate_check(struct emu *emu, uint16_t uid, uint32_t index);

#endif
