/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair: a cable between ports 0 and 1, 2 and 3, and so on.
 */
#include "emu/wire/kind.h"

struct pair {
	struct emu_wire wire;
	struct emu_adapter *adapter;
};

static unsigned find_other_end(const struct emu *port)
{
	return port->index ^ 1;
}

static bool tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	struct emu *to = ((struct pair *)w)->adapter->port[find_other_end(from)];

	if (to->now_ns < from->now_ns)
		to->now_ns = from->now_ns; /* one clock for what the two ends stamp */
	return emu_wire_deliver(w, to, f);
}

static const struct emu_wire_ops ops = { .name = "pair", .tx = tx, .close = emu_wire_free };

static struct emu_wire *open_pair(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	struct emu_wire *w;

	if (find_other_end(port) >= a->n_ports) {
		emu_say_why(why,
			    "wire \"pair\" connects ports 0-1, 2-3, ...: port %u has no other end "
			    "among %u port(s); give an even number of ports",
			    port->index, a->n_ports);
		return NULL;
	}
	w = emu_wire_make(&ops, sizeof(struct pair), spec, why);
	if (w)
		((struct pair *)w)->adapter = a;
	return w;
}

const struct emu_wire_kind emu_wire_pair = { "pair", "pair", open_pair };
