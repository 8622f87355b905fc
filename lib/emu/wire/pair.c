/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair: connects ports 0 and 1, ports 2 and 3, and so on.
 */
#include <string.h>

#include "emu/wire/kind.h"

struct pair {
	struct emu_wire wire;
	struct emu_adapter *adapter;
};

static unsigned find_other_end(unsigned port)
{
	return port ^ 1;
}

static enum emu_wire_sent tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	const struct emu_adapter *a = ((struct pair *)w)->adapter;
	const bool taken = emu_wire_deliver(w, a->port[find_other_end(from->index)], f);

	return taken ? EMU_WIRE_SENT : EMU_WIRE_FULL;
}

static const struct emu_wire_ops ops = { .name = "pair", .tx = tx, .close = emu_wire_free };

static int check_pair(const struct emu_config *cfg, unsigned i, const struct emu_why *why)
{
	const unsigned other = find_other_end(i);
	struct emu_wire_spec spec;

	if (other >= cfg->n_ports)
		return emu_say_why(why,
				   "port %u: wire \"pair\" needs port %u at its other end; use an "
				   "even number of ports",
				   i, other);
	if (emu_wire_spec_parse(&spec, cfg->port[other].wire, why))
		return -1;
	if (strcmp(spec.kind, "pair"))
		return emu_say_why(
			why,
			"port %u: wire \"pair\" needs port %u at its other end, whose wire "
			"is \"%s\"; use wire \"pair\" for both ports",
			i, other, spec.kind);
	return 0;
}

static struct emu_wire *open_pair(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	struct emu_wire *w = emu_wire_make(&ops, sizeof(struct pair), spec, why);

	(void)port;
	if (w)
		((struct pair *)w)->adapter = a;
	return w;
}

const struct emu_wire_kind emu_wire_pair = {
	.name = "pair",
	.usage = "pair",
	.check = check_pair,
	.open = open_pair,
};
