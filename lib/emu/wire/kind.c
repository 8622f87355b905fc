/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that all kinds of wires share, and the two kinds without an argument: loop and sink.
 */
#include "emu/wire/kind.h"

#include <stdlib.h>

#include "emu/packet/frame.h"

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

/* ---- loop: a frame that a port sends arrives at the same port --------------------------- */

static enum emu_wire_sent tx_loop(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	return emu_wire_deliver(w, from, f) ? EMU_WIRE_SENT : EMU_WIRE_FULL;
}

static const struct emu_wire_ops loop_ops = { .name = "loop",
					      .tx = tx_loop,
					      .close = emu_wire_free };

static struct emu_wire *open_loop(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	(void)a;
	(void)port;
	return emu_wire_make(&loop_ops, sizeof(struct emu_wire), spec, why);
}

const struct emu_wire_kind emu_wire_loop = { .name = "loop", .usage = "loop", .open = open_loop };

/* ---- sink: drops every frame, but the port counts it as sent ----------------------------- */

static enum emu_wire_sent tx_sink(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	(void)w;
	(void)from;
	(void)f;
	return EMU_WIRE_SENT;
}

static const struct emu_wire_ops sink_ops = { .name = "sink",
					      .tx = tx_sink,
					      .close = emu_wire_free };

static struct emu_wire *open_sink(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	(void)a;
	(void)port;
	return emu_wire_make(&sink_ops, sizeof(struct emu_wire), spec, why);
}

const struct emu_wire_kind emu_wire_sink = { .name = "sink", .usage = "sink", .open = open_sink };
