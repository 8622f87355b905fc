/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an input of the fuzzer as a capture (devtools/fuzz): as devx-pktgen, which must find each
 * frame again, and as the wire pcap of emu.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/wire/capture.h"
#include "model/capture.h"

enum { PATH_BYTES = 64, WHY_BYTES = 512 };

static void require_that(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "capture: %s\n", what);
	abort();
}

static void check_frames(const struct capture *c)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < c->n_frames; i++) {
		const struct capture_frame *f = &c->frames[i];
		const uint32_t found = capture_find(c, f->bytes, f->n_bytes);

		require_that(found <= i && c->frames[f->twin].n_bytes == f->n_bytes,
			     "a frame is not found");
		require_that(f->conversation < c->n_conversations, "a conversation has no number");
		require_that(f->previous < c->n_frames && f->at_ns >= before,
			     "frames are not in order");
		before = f->at_ns;
	}
}

/* @interface: as --interface, or NULL */
static void read_as_pktgen(const char *path, const char *interface)
{
	const struct rewrite none = { 0 };
	char why[WHY_BYTES] = "";
	struct capture c;

	if (capture_read(&c, path, interface, &none, why, sizeof(why))) {
		require_that(*why && !c.frames, "a refusal without a reason");
		return;
	}
	check_frames(&c);
	capture_free(&c);
}

static void read_as_wire(const char *path)
{
	char text[WHY_BYTES] = "";
	const struct emu_why why = { text, sizeof(text) };
	struct emu_capture c;

	if (emu_capture_read(&c, path, &why)) {
		require_that(*text && !c.frame, "a refusal without a reason");
		return;
	}
	for (uint64_t i = 0; i < c.n; i++)
		require_that(c.frame[i].bytes >= EMU_ETH_HEADER, "a frame is too short");
	emu_capture_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const int fd = memfd_create("capture", MFD_CLOEXEC);
	char path[PATH_BYTES];

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_as_pktgen(path, NULL);
	read_as_pktgen(path, "1");
	read_as_wire(path);
	close(fd);
	return 0;
}
