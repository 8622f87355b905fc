/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel's lists of opcodes: which of the opcodes 0 to 0xfff the kernel allows.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probes.h"

/* Longer than every create command, so that the kernel can write its umem bits. */
enum { IN_BYTES = 0x600, OPCODES = 0x1000, PER_LINE = 0x80 };

static bool passes_list(int fd, enum entry by, uint16_t opcode)
{
	static const uint8_t zero[IN_BYTES];
	uint8_t in[IN_BYTES];
	const struct command c = { .by = by,
				   .fd = fd,
				   .in = in,
				   .in_bytes = sizeof(in),
				   .out_bytes = sizeof(struct prm_general_obj_out_cmd_hdr) };

	memcpy(in, zero, sizeof(in));
	prm_set((struct prm_general_obj_in_cmd_hdr *)in, opcode, opcode);
	return command_run(&c).error != EINVAL;
}

static void print_line(int fd, enum entry by, const char *list, uint16_t first)
{
	const uint16_t end = (uint16_t)(first + PER_LINE);
	char name[64];
	bool any = false;

	snprintf(name, sizeof(name), "%s %03x to %03x", list, first, end - 1);
	printf("%-52s ", name);
	for (uint16_t op = first; op < end; op++) {
		const uint16_t begin = op;

		while (op < end && passes_list(fd, by, op))
			op++;
		if (op == begin)
			continue;
		any = true;
		printf(" %03x", begin);
		if (op > begin + 1)
			printf("-%03x", op - 1);
	}
	puts(any ? "" : " none");
}

void probe_lists(const struct world *w)
{
	for (unsigned first = 0; first < OPCODES; first += PER_LINE)
		print_line(w->mine.fd, BY_CREATE, "listed create", (uint16_t)first);
	for (unsigned first = 0; first < OPCODES; first += PER_LINE)
		print_line(w->mine.fd, BY_GENERAL, "listed general", (uint16_t)first);
	for (unsigned first = 0; first < OPCODES; first += PER_LINE)
		print_line(w->no_devx, BY_GENERAL, "listed no-devx general", (uint16_t)first);
}
