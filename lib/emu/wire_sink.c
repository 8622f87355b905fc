/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink: what leaves a port is gone. The port has counted it.
 */
#include <stdlib.h>

#include "emu/wire_kind.h"

static bool tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	(void)w;
	(void)from;
	(void)f;
	return true;
}

static void close_sink(struct emu_wire *w)
{
	free(w);
}

static const struct emu_wire_ops ops = { .name = "sink", .tx = tx, .close = close_sink };

static struct emu_wire *open_sink(struct emu_adapter *a, struct emu *port,
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
		emu_why(why, "wire \"sink\": out of memory");
	return w;
}

const struct emu_wire_kind emu_wire_sink = { "sink", "sink", open_sink };
