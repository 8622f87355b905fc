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
 * Each of these functions records the syndrome and one line of text, and returns the status for
 * the command handler to return. The line has at most 159 characters and the form
 *
 *     field: what was found (valid: what is allowed)
 *
 * A trace shows it after the command's status and syndrome.
 *
 * Most refusals are ordinary. A driver may ask for a feature, a size or a number of objects that
 * this device or user does not have; or the state has changed meanwhile. Any other refusal is due
 * to a protocol mistake, which emu_run_command() counts.
 */

/** emu_mistake_of - the protocol mistake behind a refusal, or EMU_N_MISTAKES for an ordinary one */
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

/** emu_refuse_list - refuse @value of @field, which must be @n_listed. Return: @status */
uint8_t emu_refuse_list(struct emu *emu, uint8_t status, uint32_t syndrome, const char *field,
			uint64_t value, size_t n_listed);

/** emu_refuse_output - refuse an output mailbox shorter than @needed bytes. Return: BAD_OUTP_LEN */
uint8_t emu_refuse_output(struct emu *emu, size_t bytes, size_t needed);

/** emu_refuse_user - refuse a command that the kernel may send, but not user context @uid */
uint8_t emu_refuse_user(struct emu *emu, uint16_t uid);

/** emu_refuse_memory - refuse the command because malloc() failed. Return: NO_RES_ERR */
uint8_t emu_refuse_memory(struct emu *emu);

#endif
