/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_REFUSE_H
#define EMU_FIRMWARE_REFUSE_H

#include <stddef.h>
#include <stdint.h>

#include "emu/firmware/syndrome.h"
#include "emu/mistake.h"

struct emu;

/**
 * DOC: Refusals
 *
 * Each of these functions records the syndrome and one line of text, and returns the status that
 * the command handler returns. The line has the form
 *
 *     field: what was found (valid: what is allowed)
 *
 * A trace shows it after the command's status and syndrome. It has at most 159 characters.
 *
 * Most refusals are answers. A driver may ask for a feature, a size or a number of objects that
 * this device or this user lacks. It may meet a state that changed meanwhile. A refusal for another
 * reason is a protocol mistake, and emu_run_command() counts it.
 */

/** emu_mistake_of - return the mistake behind a refusal; EMU_N_MISTAKES: it is an answer */
enum emu_mistake emu_mistake_of(uint32_t syndrome);

/**
 * emu_refuse - refuse the current command
 * @emu: the function
 * @status: enum prm_status
 * @syndrome: enum emu_syndrome
 * @fmt: the line, as for printf
 *
 * Return: @status
 */
uint8_t emu_refuse(struct emu *emu, uint8_t status, uint32_t syndrome, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** emu_refuse_value - refuse @value of @field; @valid names the valid values. Return: BAD_PARAM */
uint8_t emu_refuse_value(struct emu *emu, uint32_t syndrome, const char *field, uint64_t value,
			 const char *valid);

/** emu_refuse_range - refuse @value of @field, which is outside @min..@max. Return: BAD_PARAM */
uint8_t emu_refuse_range(struct emu *emu, uint32_t syndrome, const char *field, uint64_t value,
			 uint64_t min, uint64_t max);

/** emu_refuse_bits - refuse mask @value, which has bits outside @valid. Return: BAD_PARAM */
uint8_t emu_refuse_bits(struct emu *emu, uint32_t syndrome, const char *field, uint64_t value,
			uint64_t valid);

/** emu_refuse_feature - refuse @field, because the profile lacks @capability. Return: BAD_PARAM */
uint8_t emu_refuse_feature(struct emu *emu, const char *field, const char *capability);

/** emu_refuse_list - refuse @value of @field: @n_listed entries are listed. Return: @status */
uint8_t emu_refuse_list(struct emu *emu, uint8_t status, uint32_t syndrome, const char *field,
			uint64_t value, size_t n_listed);

/** emu_refuse_output - refuse an output mailbox shorter than @needed bytes. Return: BAD_OUTP_LEN */
uint8_t emu_refuse_output(struct emu *emu, size_t bytes, size_t needed);

/** emu_refuse_user - refuse a command of user context @uid that only the kernel may send */
uint8_t emu_refuse_user(struct emu *emu, uint16_t uid);

/** emu_refuse_memory - refuse the command because malloc() failed. Return: NO_RES_ERR */
uint8_t emu_refuse_memory(struct emu *emu);

#endif
