/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes a seed from a trace: each line of a successful command becomes that command again.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/emu.h"
#include "fuzz.h"
#include "prm/prm.h"
#include "seed.h"

/* Maps a page address of the traced guest to a page of the fuzzer's smaller guest memory. */
static uint64_t fold_page(uint64_t addr)
{
	return FUZZ_MEM_AT + (addr & (FUZZ_QUEUE - 1) & ~0xfffull) % FUZZ_QUEUE;
}

static uint64_t fold_field(const char *field, uint64_t value, unsigned index, bool in_umem)
{
	const char *dot = strrchr(field, '.');
	const char *name = dot ? dot + 1 : field;

	if (!strncmp(name, "pas[", 4) || (!strcmp(name, "dbr_addr") && !in_umem))
		return fold_page(value) | (value & 0xfff);
	if (!strcmp(name, "pa_l"))
		return fold_page(value << 12) >> 12;
	if (!strcmp(name, "db_record_addr_l"))
		return (fold_page(value << 2) | (value << 2 & 0xfff)) >> 2;
	if (!strcmp(name, "ptag_31_8"))
		return fold_page(value << 8) >> 8;
	if (!strcmp(name, "pa_h") || !strcmp(name, "ptag_63_32") ||
	    !strcmp(name, "db_record_addr_h"))
		return 0;
	if (!strncmp(name, "klm_pas_mtt[", 12))
		return index % 2 ? fold_page(value) | (value & 0xfff) : 0;
	return value;
}

/*
 * Writes the field with the dotted name @name, such as "a.b[2].c", of @layout. An index may lie
 * beyond the end of its list. Return: the end of the field in bytes; 0: unknown field
 */
static size_t set_field(uint8_t *in, const struct prm_layout *layout, size_t base, const char *name,
			uint64_t value)
{
	const size_t len = strcspn(name, ".[");
	unsigned index = 0;
	size_t at;

	for (const struct prm_row *r = layout->rows; r->name; r++) {
		const size_t width = r->sub ? r->sub->bytes * 8 : r->width;
		const char *rest = name + len;

		if (strlen(r->name) != len || strncmp(r->name, name, len))
			continue;
		if (*rest == '[')
			index = (unsigned)strtoul(rest + 1, (char **)(uintptr_t)&rest, 10);
		rest += *rest == ']';
		at = base + r->bit + index * width;
		if (*rest == '.' && r->sub)
			return set_field(in, r->sub, at, rest + 1, value);
		if (*rest || r->sub || at / 8 + 8 > FUZZ_COMMAND_BYTES)
			return 0;
		prm_set_((prm_be32 *)(void *)in, at, width, value);
		return (at + width + 31) / 32 * 4;
	}
	return 0;
}

/* A trace line can be cut inside a list of pages; adds pages in place of the missing ones. */
static size_t add_cut_pages(uint8_t *in, const struct prm_command *cmd, size_t bytes)
{
	const struct prm_create_eq_in *eq = (const void *)in;
	const struct prm_create_umem_in *umem = (const void *)in;
	size_t want = bytes;
	unsigned rights = 0; /* access bits in the addresses of a umem's pages */

	if (cmd->opcode == PRM_OP_create_eq)
		want = sizeof(*eq) +
		       (64ull << prm_get(prm_sub(eq, eq_context_entry), log_eq_size)) / 512;
	if (cmd->opcode == PRM_OP_create_umem) {
		want = sizeof(*umem) + prm_get(prm_sub(umem, umem), num_of_mtt) * 8;
		rights = 3;
		bytes -= sizeof(prm_be64); /* the line is cut inside an 8-byte list entry */
	}
	for (; bytes < want && want < FUZZ_COMMAND_BYTES; bytes += 8)
		((prm_be64 *)(void *)in)[bytes / 8] = prm_be64_of(fold_page(bytes << 9) | rights);
	return bytes;
}

static const struct prm_command *find_command(const char *name)
{
	static const struct {
		const char *name;
		uint16_t opcode;
	} commands[] = {
/* clang-format off */
#define CMD(op, name) { #name, op },
#include "prm/commands.def"
		/* clang-format on */
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return prm_command_of(commands[i].opcode);
	return NULL;
}

/*
 * Appends to the list of SET_FTE, whose fields a trace prints without an index. Every field but
 * destination_id begins a new list entry. Return: the size of the input in bytes
 */
static size_t set_destination(uint8_t *in, size_t bytes, const char *name, uint64_t value)
{
	const bool begins = strcmp(name, "destination_id");
	const struct prm_layout *layout = &prm_layout_dest_format_struct;

	if (bytes < sizeof(struct prm_set_fte_in))
		bytes = sizeof(struct prm_set_fte_in);
	if (begins)
		bytes += sizeof(prm_be64);
	if (!strcmp(name, "flow_counter_id"))
		layout = &prm_layout_flow_counter_list;
	set_field(in, layout, (bytes - sizeof(prm_be64)) * 8, name, value);
	return bytes;
}

/* Adds the command of a trace line. @text begins at "port ", after time and process id. */
static void convert_line(struct seed *s, char *text)
{
	static uint8_t in[FUZZ_COMMAND_BYTES];
	enum { REGISTER_ROOM = 0x110 };
	char *end = strstr(text, " -> OK"), *word = strtok(text, " ");
	const bool cut = strstr(text + 5, " ... ->"),
		   in_umem = strstr(text + 5, "dbr_umem_valid=0x1");
	const struct prm_command *cmd = NULL;
	size_t bytes = 0;

	if (!end)
		return; /* emu refused the command in the trace and would again */
	memset(in, 0, sizeof(in));
	for (int i = 0; word && word < end; i++, word = strtok(NULL, " ")) {
		char *value = strchr(word, '=');
		size_t n;

		if (i == 2)
			cmd = find_command(word);
		if (i == 2 && (!cmd || cmd->opcode == PRM_OP_destroy_uctx ||
			       (cut && (cmd->opcode == PRM_OP_set_hca_cap ||
					cmd->opcode == PRM_OP_modify_rqt))))
			return; /* unknown, DESTROY_UCTX, or cut beyond repair */
		if (!cmd || !value)
			continue;
		*value = '\0';
		if (cmd->opcode == PRM_OP_set_fte && !strchr(word, '.') &&
		    (strstr(word, "destination_") == word || !strcmp(word, "flow_counter_id"))) {
			bytes = set_destination(in, bytes, word, strtoull(value + 1, NULL, 16));
			continue;
		}
		n = strtoul(strchr(word, '[') ? strrchr(word, '[') + 1 : "0", NULL, 10);
		n = set_field(
			in, cmd->in, 0, word,
			fold_field(word, strtoull(value + 1, NULL, 16), (unsigned)n, in_umem));
		bytes = n > bytes ? n : bytes;
	}
	if (!cmd)
		return;
	bytes = bytes < cmd->in->bytes ? cmd->in->bytes : bytes;
	if (cut)
		bytes = add_cut_pages(in, cmd, bytes);
	if (cmd->opcode == PRM_OP_access_register)
		bytes = REGISTER_ROOM;
	prm_set((struct prm_nop_in *)(void *)in, opcode, cmd->opcode);
	seed_add_command(s, in, bytes);
}

void seed_build_trace(struct seed *s, FILE *trace)
{
	static char text[EMU_TRACE_BYTES + 2];

	while (fgets(text, sizeof(text), trace)) {
		char *command = strstr(text, "port ");

		if (command)
			convert_line(s, command);
	}
}
