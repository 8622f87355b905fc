/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_KIND_H
#define EMU_WIRE_KIND_H

#include "emu/queue/engine.h"
#include "emu/wire/impair.h"

/**
 * DOC: How a wire is described and made
 *
 *     tap:emu0,pause=on,drop=1/100
 *     kind argument, options; the options that every wire has are taken out by spec.c
 */

enum { EMU_WIRE_MAX_OPTIONS = 16, EMU_WIRE_SPEC_BYTES = 1024 };

/** struct emu_wire_spec - a wire's description, taken apart; strings lie in text */
struct emu_wire_spec {
	char text[EMU_WIRE_SPEC_BYTES];
	const char *kind, *argument;     /* argument: from colon to comma, or NULL */
	bool pause;
	struct emu_impair_config faults;
	unsigned n;                      /* the kind's own options */
	struct { const char *key, *value; } option[EMU_WIRE_MAX_OPTIONS];
};

/** struct emu_why - where the one line about what is wrong goes */
struct emu_why {
	char *text;
	size_t bytes;
};

/** emu_why - write the line. Return: -1, for the caller to pass on */
int emu_why(const struct emu_why *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** emu_wire_spec_parse - take @text apart. Return: 0, or -1 with a line in @why */
int emu_wire_spec_parse(struct emu_wire_spec *spec, const char *text, const struct emu_why *why);

/** emu_parse_number - a whole decimal number. Return: whether @text is one, and nothing else */
bool emu_parse_number(const char *text, uint64_t max, uint64_t *number);

/**
 * struct emu_wire_kind - one kind of wire
 * @open: allocate and connect it; NULL with a line in @why. The caller fills in pause and faults
 */
struct emu_wire_kind {
	const char *name, *usage;
	struct emu_wire *(*open)(struct emu_adapter *a, struct emu *port,
				 const struct emu_wire_spec *spec, const struct emu_why *why);
};

extern const struct emu_wire_kind emu_wire_loop, emu_wire_pair, emu_wire_sink, emu_wire_pcap,
	emu_wire_tap;

/** struct emu_capture - frames of a capture file */
struct emu_capture {
	struct emu_frame *frame;
	uint64_t n;
};

/** emu_capture_read - read a whole capture. Return: 0, or -1 with a line in @why */
int emu_capture_read(struct emu_capture *c, const char *path, const struct emu_why *why);
void emu_capture_free(struct emu_capture *c);

/** emu_wire_plain - refuse arguments and options that a kind does not have. Return: 0 or -1 */
int emu_wire_plain(const struct emu_wire_spec *spec, const struct emu_why *why);

/**
 * emu_wire_make - allocate a wire whose kind has no argument and no option of its own
 * @ops: of the kind; its close is, or ends with, emu_wire_free()
 * @bytes: size of the kind's struct, which begins with struct emu_wire; zeroed
 *
 * Return: the wire, or NULL with a line in @why
 */
struct emu_wire *emu_wire_make(const struct emu_wire_ops *ops, size_t bytes,
			       const struct emu_wire_spec *spec, const struct emu_why *why);
void emu_wire_free(struct emu_wire *w);

/** emu_wire_deliver - hand a frame to @port. Return: as emu_callbacks.frame_arrived */
bool emu_wire_deliver(const struct emu_wire *w, struct emu *port, const struct emu_frame *f);

/**
 * emu_wire_arrive - a frame comes in from outside, through the faults
 *
 * What is shorter than an Ethernet frame may be is padded, as who put it on the wire would have.
 *
 * Return: as emu_wire_deliver()
 */
bool emu_wire_arrive(struct emu_wire *w, struct emu *port, const struct emu_frame *f);

#endif
