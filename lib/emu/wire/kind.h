/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_KIND_H
#define EMU_WIRE_KIND_H

#include "emu/base/dev.h"
#include "emu/wire/spec.h"
#include "emu/wire/wire.h"

/**
 * struct emu_wire_kind - one kind of wire
 * @check: optional; checks that the wire of port @i fits the wires of the other ports in @cfg.
 *	Returns 0, or -1 with one line in @why
 * @open: allocates and connects a wire that @check accepted. Returns NULL on failure, with one
 *	line in @why. The caller sets pause and the faults
 */
struct emu_wire_kind {
	const char *name, *usage;
	int (*check)(const struct emu_config *cfg, unsigned i, const struct emu_why *why);
	struct emu_wire *(*open)(struct emu_adapter *a, struct emu *port,
				 const struct emu_wire_spec *spec, const struct emu_why *why);
};

extern const struct emu_wire_kind emu_wire_loop, emu_wire_pair, emu_wire_sink, emu_wire_pcap,
	emu_wire_tap;

/* options of every wire, for messages */
#define EMU_WIRE_OPTIONS "pause, drop, dup, reorder, corrupt, delay, seed"

/** emu_wire_plain - refuse an argument, and options other than EMU_WIRE_OPTIONS. Return: 0 or -1 */
int emu_wire_plain(const struct emu_wire_spec *spec, const struct emu_why *why);

/**
 * emu_wire_make - allocate a wire whose kind has neither an argument nor its own options
 * @ops: operations of the kind; ops->close must call emu_wire_free()
 * @bytes: size of the struct of this kind, whose first member is a struct emu_wire; the memory is
 *	zeroed
 *
 * Return: the wire, or NULL with a line in @why
 */
struct emu_wire *emu_wire_make(const struct emu_wire_ops *ops, size_t bytes,
			       const struct emu_wire_spec *spec, const struct emu_why *why);
void emu_wire_free(struct emu_wire *w);

/** emu_wire_deliver - deliver a frame to @port. Return: like emu_callbacks.frame_arrived */
static inline bool emu_wire_deliver(const struct emu_wire *w, struct emu *port,
				    const struct emu_frame *f)
{
	return port->adapter->callbacks->frame_arrived(port, f, w->pause);
}

/**
 * emu_wire_arrive - pass a frame from a capture or a netdev through the faults to @port
 *
 * Pads a frame that is too short for Ethernet, as a sending adapter would have done.
 *
 * Return: like emu_wire_deliver()
 */
bool emu_wire_arrive(struct emu_wire *w, struct emu *port, const struct emu_frame *f);

#endif
