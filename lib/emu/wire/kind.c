/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helper functions of all kinds of wires: allocate a wire, and give received frames to a port.
 */
#include "emu/wire/kind.h"

#include <stdlib.h>

#include "emu/packet/pad.h"

int emu_wire_plain(const struct emu_wire_spec *spec, const struct emu_why *why)
{
	if (spec->argument)
		return emu_say_why(why, "wire \"%s\": unexpected argument \"%s\" (valid: none)",
				   spec->kind, spec->argument);
	if (spec->n)
		return emu_say_why(
			why, "wire \"%s\": unknown option \"%s\" (valid: " EMU_WIRE_OPTIONS ")",
			spec->kind, spec->option[0].key);
	return 0;
}

struct emu_wire *emu_wire_make(const struct emu_wire_ops *ops, size_t bytes,
			       const struct emu_wire_spec *spec, const struct emu_why *why)
{
	struct emu_wire *w;

	if (emu_wire_plain(spec, why))
		return NULL;
	w = calloc(1, bytes);
	if (w)
		w->ops = ops;
	else
		emu_say_why(why, "wire \"%s\": out of memory", spec->kind);
	return w;
}

void emu_wire_free(struct emu_wire *w)
{
	free(w);
}

bool emu_wire_arrive(struct emu_wire *w, struct emu *port, const struct emu_frame *f)
{
	struct emu_frame whole = *f;

	if (whole.bytes < EMU_ETH_MIN)
		emu_frame_pad(port, &whole);
	if (w->in)
		return emu_impair_send(w->in, &whole, port->adapter->now_ns);
	return emu_wire_deliver(w, port, &whole);
}
