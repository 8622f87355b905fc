/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop: a frame that a port sends arrives at the same port.
 */
#include "emu/wire/kind.h"

static enum emu_wire_sent tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	return emu_wire_deliver(w, from, f) ? EMU_WIRE_SENT : EMU_WIRE_FULL;
}

static const struct emu_wire_ops ops = { .name = "loop", .tx = tx, .close = emu_wire_free };

static struct emu_wire *open_loop(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	(void)a;
	(void)port;
	return emu_wire_make(&ops, sizeof(struct emu_wire), spec, why);
}

const struct emu_wire_kind emu_wire_loop = { .name = "loop", .usage = "loop", .open = open_loop };
