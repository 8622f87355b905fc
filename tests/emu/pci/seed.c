/* SPDX-License-Identifier: BSD-3-Clause */
#include "seed.h"

#include <stdlib.h>
#include <string.h>

#include "emu/pci/state.h"
#include "fuzz.h"
#include "prm/prm.h"

static void append_bytes(struct seed *s, const void *bytes, size_t n)
{
	if (n > sizeof(s->bytes) - s->n)
		abort();
	if (n)
		memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

static void append_u8(struct seed *s, uint8_t v)
{
	append_bytes(s, &v, sizeof(v));
}
static void append_u16(struct seed *s, uint16_t v)
{
	append_bytes(s, &v, sizeof(v));
}
static void append_u32(struct seed *s, uint32_t v)
{
	append_bytes(s, &v, sizeof(v));
}

void seed_add_message(struct seed *s, uint8_t command, const void *body, uint16_t n,
		      uint8_t n_files, bool eventfds)
{
	append_u8(s, FUZZ_MESSAGE);
	append_u8(s, command);
	append_u8(s, 0);
	append_u8(s, (uint8_t)(n_files + (eventfds ? FUZZ_EVENTFDS : 0)));
	append_u8(s, 0);
	append_u16(s, n);
	append_bytes(s, body, n);
}

void seed_add_command(struct seed *s, const void *in, size_t in_bytes)
{
	enum { LIST_ROOM = 0x400 };
	const prm_be32 *dw = in;
	const struct prm_command *cmd =
		prm_command_of((uint16_t)prm_get((const struct prm_nop_in *)in, opcode));
	unsigned n = 0;

	for (size_t i = 0; i < in_bytes / 4; i++)
		n += dw[i].raw != 0;
	if (!cmd || n > UINT8_MAX || in_bytes >= FUZZ_COMMAND_BYTES)
		return;
	append_u8(s, FUZZ_COMMAND);
	append_u8(s, 0);
	append_u16(s, (uint16_t)in_bytes);
	append_u16(s, (uint16_t)(cmd->out->bytes + (prm_tail_bytes(cmd->out) ? LIST_ROOM : 0)));
	append_u8(s, (uint8_t)n);
	for (uint16_t i = 0; i < in_bytes / 4; i++) {
		if (!dw[i].raw)
			continue;
		append_u16(s, i);
		append_bytes(s, &dw[i], sizeof(dw[i]));
	}
}

void seed_add_memory(struct seed *s, const uint8_t *mem, size_t bytes)
{
	static const uint8_t zeros[64];
	size_t end;

	for (size_t at = 0; at < bytes; at = end + sizeof(zeros)) {
		end = at;
		while (end < bytes && end - at < UINT16_MAX / 2 &&
		       memcmp(mem + end, zeros, sizeof(zeros)))
			end += sizeof(zeros);
		if (end == at)
			continue;
		append_u8(s, FUZZ_MEMORY);
		append_u32(s, (uint32_t)at);
		append_u16(s, (uint16_t)(end - at));
		append_bytes(s, mem + at, end - at);
	}
}

void seed_add_doorbell(struct seed *s, uint32_t uar, uint16_t reg, const void *bytes, uint8_t n)
{
	append_u8(s, FUZZ_DOORBELL);
	append_u8(s, (uint8_t)(uar - PCI_FIRST_UAR));
	append_u16(s, reg);
	append_u8(s, n);
	append_bytes(s, bytes, n);
}

void seed_add_poll(struct seed *s, uint8_t packets)
{
	append_u8(s, FUZZ_POLL);
	append_u8(s, packets);
}
