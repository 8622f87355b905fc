/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_REFUSE_H
#define EMU_FIRMWARE_REFUSE_H

#include <stdint.h>

#include "emu/firmware/syndrome.h"

struct emu;

/**
 * emu_refuse - say why a command is refused
 * @emu: the function
 * @status: enum prm_status
 * @syndrome: enum emu_syndrome
 * @fmt: one line: what was wrong, what is allowed
 *
 * Return: @status
 */
uint8_t emu_refuse(struct emu *emu, uint8_t status, uint32_t syndrome, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
