/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop: what leaves a port comes back in at it.
 */
#include <stdlib.h>

#include "emu/wire_kind.h"

static bool tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	return emu_port_rx(from, f, w->pause);
}

static void close_loop(struct emu_wire *w)
{
	free(w);
}

static const struct emu_wire_ops ops = { .name = "loop", .tx = tx, .close = close_loop };

static struct emu_wire *open_loop(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	struct emu_wire *w;

	(void)a;
	(void)port;
	if (emu_wire_plain(spec, why))
		return NULL;
	w = calloc(1, sizeof(*w));
	if (w)
		w->ops = &ops;
	else
		emu_why(why, "wire \"loop\": out of memory");
	return w;
}

const struct emu_wire_kind emu_wire_loop = { "loop", "loop", open_loop };
