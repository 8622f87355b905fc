/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/refuse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "emu/base/dev.h"

enum emu_mistake emu_mistake_of(uint32_t syndrome)
{
	switch (syndrome) {
	case EMU_SYND_LENGTH:
		return EMU_MISTAKE_bad_length;
	case EMU_SYND_RESERVED:
		return EMU_MISTAKE_reserved_bit;
	case EMU_SYND_UID:
	case EMU_SYND_NO_OBJECT:
	case EMU_SYND_FLOW_TABLE_ID:
		return EMU_MISTAKE_no_object;
	case EMU_SYND_MKEY_ZERO_SIZE:
	case EMU_SYND_UMEM_RANGE:
	case EMU_SYND_TRANSITION:
	case EMU_SYND_NOT_COMPLETION_EQ:
	case EMU_SYND_VALUE:
	case EMU_SYND_ACTION:
	case EMU_SYND_KLM:
		return EMU_MISTAKE_contradiction;
	default:
		return EMU_N_MISTAKES;
	}
}

uint8_t emu_refuse(struct emu *emu, uint8_t status, uint32_t syndrome, const char *fmt, ...)
{
	va_list ap;

	emu->syndrome = syndrome;
	va_start(ap, fmt);
	vsnprintf(emu->detail, sizeof(emu->detail), fmt, ap);
	va_end(ap);
	return status;
}

uint8_t emu_refuse_value(struct emu *emu, uint32_t syndrome, const char *field, uint64_t value,
			 const char *valid)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, syndrome,
			  "%s: %" PRIu64 " is invalid (valid: %s)", field, value, valid);
}

uint8_t emu_refuse_range(struct emu *emu, uint32_t syndrome, const char *field, uint64_t value,
			 uint64_t min, uint64_t max)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, syndrome,
			  "%s: %" PRIu64 " is invalid (valid: %" PRIu64 " to %" PRIu64 ")", field,
			  value, min, max);
}

uint8_t emu_refuse_bits(struct emu *emu, uint32_t syndrome, const char *field, uint64_t value,
			uint64_t valid)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, syndrome,
			  "%s: 0x%" PRIx64 " has unsupported bits (valid: bits of 0x%" PRIx64 ")",
			  field, value, valid);
}

uint8_t emu_refuse_feature(struct emu *emu, const char *field, const char *capability)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP,
			  "%s: unsupported, because capability %s is 0", field, capability);
}

uint8_t emu_refuse_list(struct emu *emu, uint8_t status, uint32_t syndrome, const char *field,
			uint64_t value, size_t n_listed)
{
	return emu_refuse(emu, status, syndrome,
			  "%s: %" PRIu64 " is invalid (valid: %zu, the number of entries listed)",
			  field, value, n_listed);
}

uint8_t emu_refuse_output(struct emu *emu, size_t bytes, size_t needed)
{
	return emu_refuse(emu, PRM_STATUS_BAD_OUTP_LEN, EMU_SYND_LENGTH,
			  "output: %zu bytes are too few (valid: at least %zu)", bytes, needed);
}

uint8_t emu_refuse_user(struct emu *emu, uint16_t uid)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_KERNEL_ONLY,
			  "uid: 0x%x may not send this command (valid: 0, the kernel)", uid);
}

uint8_t emu_refuse_memory(struct emu *emu)
{
	return emu_refuse(emu, PRM_STATUS_NO_RES_ERR, EMU_SYND_NO_MEMORY,
			  "emu: out of memory in the process that runs it");
}
