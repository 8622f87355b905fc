/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink: drops every frame. The counters of the port include it.
 */
#include "emu/wire/kind.h"

static enum emu_wire_sent tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	(void)w;
	(void)from;
	(void)f;
	return EMU_WIRE_SENT;
}

static const struct emu_wire_ops ops = { .name = "sink", .tx = tx, .close = emu_wire_free };

static struct emu_wire *open_sink(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	(void)a;
	(void)port;
	return emu_wire_make(&ops, sizeof(struct emu_wire), spec, why);
}

const struct emu_wire_kind emu_wire_sink = { .name = "sink", .usage = "sink", .open = open_sink };
