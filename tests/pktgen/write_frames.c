/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/flow.h"

/*
 * Reads lines "COUNT FIRST STRIDE SIZES HEADERS" and writes the frames of each such stream to
 * standard output: length (4 bytes, little-endian), frame. Each frame must also read back as good,
 * and as damaged after a change of any header byte. The MAC addresses are 02:00:00:00:00:01 and
 * 02:00:00:00:00:02. The first line is stream 0, the next one stream 1. The run has number
 * 0xabc.
 *
 * Exit status: 0 all is well, 1 a frame does not read back, 2 a line is invalid.
 */

enum { LINE_BYTES = 4096, TIME = 0x01020304, RUN = 0xabc };

static int refuse_line(const char *line, const char *why)
{
	fprintf(stderr, "%s: %s\n", line, why);
	return 2;
}

/* Does each damage of one header byte show? */
static bool finds_damage(const struct flow *f, uint64_t seq, uint32_t bytes, uint8_t *frame)
{
	struct sign_mark mark;

	for (uint32_t i = 0; i < f->recipe->bytes; i++) {
		enum sign_verdict v;

		frame[i] ^= 0x55;
		v = flow_read_frame(f, frame, bytes, seq + 1, &mark);
		frame[i] ^= 0x55;
		if (v == SIGN_GOOD) {
			fprintf(stderr, "stream %u, frame %u: damage of byte %u is not found\n",
				f->id, (unsigned)seq, i);
			return false;
		}
	}
	return true;
}

static bool write_frame(const struct flow *f, uint64_t seq)
{
	const uint32_t bytes = flow_compute_bytes(f, seq);
	uint8_t frame[PKTGEN_MAX_SIZE];
	struct sign_mark mark;

	if (f->varies) {
		flow_write_frame(f, seq, bytes, TIME, frame);
	} else {
		memcpy(frame, f->frame, bytes);
		sign_frame(&f->signer, frame, seq, TIME);
	}
	fwrite(&bytes, sizeof(bytes), 1, stdout);
	fwrite(frame, bytes, 1, stdout);
	if (flow_read_frame(f, frame, bytes, seq + 1, &mark) == SIGN_GOOD && mark.seq == seq)
		return finds_damage(f, seq, bytes, frame);
	fprintf(stderr, "stream %u, frame %u: does not read back\n", f->id, (unsigned)seq);
	return false;
}

/* Writes the frames of one line. Returns the exit status. */
static int write_stream(const char *line, uint32_t id)
{
	const uint8_t src[] = { 2, 0, 0, 0, 0, 1 }, dst[] = { 2, 0, 0, 0, 0, 2 };
	unsigned count, first, stride;
	char sizes[64], headers[LINE_BYTES];
	struct stack stack;
	struct size size;
	struct flow f;
	const char *why;
	bool ok = true;

	if (sscanf(line, "%u %u %u %63s %4095s", &count, &first, &stride, sizes, headers) != 5)
		return refuse_line(line, "not COUNT FIRST STRIDE SIZES HEADERS");
	why = size_parse(&size, sizes);
	if (!why)
		why = stack_parse(&stack, headers);
	if (!why && size.min < flow_compute_min_size(&stack))
		why = "the frames are too short";
	if (why)
		return refuse_line(line, why);
	stack_set_macs(&stack, src, dst);
	if (flow_init(&f, RUN, id, &stack, &size, first, stride))
		return refuse_line(line, "no memory");
	for (uint64_t seq = 0; seq < count && ok; seq++)
		ok = write_frame(&f, seq);
	flow_free(&f);
	stack_free(&stack);
	return !ok;
}

int main(void)
{
	char line[LINE_BYTES];
	uint16_t id = 0;
	int rc = 0;

	while (!rc && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		rc = write_stream(line, id++);
	}
	return rc;
}
