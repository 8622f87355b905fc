/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Creates a wire from its description, and passes frames through its faults.
 */
#include "emu/wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/wire/kind.h"

static const struct emu_wire_kind *const kinds[] = {
	&emu_wire_loop, &emu_wire_pair, &emu_wire_sink, &emu_wire_pcap, &emu_wire_tap,
};
enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const struct emu_wire_kind *find_kind(const char *name, const struct emu_why *why)
{
	char all[256] = "";

	for (unsigned i = 0; i < N_KINDS; i++) {
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
		strcat(strcat(all, i ? ", " : ""), kinds[i]->usage);
	}
	emu_say_why(why, "wire \"%s\": no such wire (valid: %s)", name, all);
	return NULL;
}

static bool deliver_out(void *arg, const struct emu_frame *f)
{
	struct emu *port = arg;
	const enum emu_wire_sent sent = port->wire->ops->tx(port->wire, port, f);

	/* emu_wire_send() has reported the frame as sent; all it can do now is count a drop */
	port->wire->faults.dropped += sent == EMU_WIRE_DOWN;
	return sent != EMU_WIRE_FULL;
}

static bool deliver_in(void *arg, const struct emu_frame *f)
{
	struct emu *port = arg;

	return emu_wire_deliver(port->wire, port, f);
}

/*
 * Creates the faults of both directions. A wire without ops->poll needs none for received frames:
 * a port sent them, so they have already passed the faults of that port.
 */
static int make_faults(struct emu_wire *w, struct emu *port, const struct emu_impair_config *cfg)
{
	const uint64_t salt = 2 * port->index;

	if (!emu_impair_any(cfg))
		return 0;
	w->out = emu_impair_new(cfg, salt, &(struct emu_impair_sink){ deliver_out, port },
				&w->faults);
	if (!w->out)
		return -1;
	if (!w->ops->poll)
		return 0;
	w->in = emu_impair_new(cfg, salt + 1, &(struct emu_impair_sink){ deliver_in, port },
			       &w->faults);
	return w->in ? 0 : -1;
}

struct emu_wire *emu_wire_open(struct emu_adapter *a, struct emu *port, const char *text,
			       char *why_text, size_t why_bytes)
{
	const struct emu_why why = { why_text, why_bytes };
	const struct emu_wire_kind *kind;
	struct emu_wire_spec spec;
	struct emu_wire *w;

	if (emu_wire_spec_parse(&spec, text, &why))
		return NULL;
	kind = find_kind(spec.kind, &why);
	w = kind ? kind->open(a, port, &spec, &why) : NULL;
	if (!w)
		return NULL;
	w->pause = spec.pause;
	if (make_faults(w, port, &spec.faults)) {
		emu_say_why(&why, "wire \"%s\": out of memory", spec.kind);
		emu_wire_close(w);
		return NULL;
	}
	return w;
}

int emu_check_wires(const struct emu_config *cfg, char *why_text, size_t why_bytes)
{
	const struct emu_why why = { why_text, why_bytes };

	for (unsigned i = 0; i < cfg->n_ports; i++) {
		const struct emu_wire_kind *kind;
		struct emu_wire_spec spec;

		if (emu_wire_spec_parse(&spec, cfg->port[i].wire, &why))
			return -EINVAL;
		kind = find_kind(spec.kind, &why);
		if (!kind || (kind->check && kind->check(cfg, i, &why)))
			return -EINVAL;
	}
	return 0;
}

int emu_set_wire_faults(struct emu *port, const char *options, char *why_text, size_t why_bytes)
{
	const struct emu_why why = { why_text, why_bytes };
	struct emu_wire *w = port->wire;
	struct emu_wire_spec spec;
	char text[EMU_WIRE_SPEC_BYTES];
	int rc;

	snprintf(text, sizeof(text), "%s%s%s", w->ops->name, *options ? "," : "", options);
	if (emu_wire_spec_parse(&spec, text, &why) || emu_wire_plain(&spec, &why))
		return -EINVAL;
	emu_lock(port->adapter);
	emu_impair_free(w->out);
	emu_impair_free(w->in);
	w->out = w->in = NULL;
	rc = make_faults(w, port, &spec.faults);
	emu_unlock(port->adapter);
	return rc ? -ENOMEM : 0;
}

bool emu_wire_is_cut(struct emu *port)
{
	const struct emu_wire *w = port->wire;

	return w->ops->is_cut && w->ops->is_cut(w);
}

void emu_wire_close(struct emu_wire *w)
{
	if (!w)
		return;
	emu_impair_free(w->out);
	emu_impair_free(w->in);
	w->ops->close(w);
}

enum emu_wire_sent emu_wire_send(struct emu *emu, const struct emu_frame *f)
{
	struct emu_wire *w = emu->wire;

	if (w->out)
		return emu_impair_send(w->out, f, emu->adapter->now_ns) ? EMU_WIRE_SENT
									: EMU_WIRE_FULL;
	return w->ops->tx(w, emu, f);
}

unsigned emu_wire_turn(struct emu *emu, unsigned budget)
{
	struct emu_wire *w = emu->wire;
	unsigned n = 0;

	if (w->out)
		n += emu_impair_turn(w->out, emu->adapter->now_ns, budget);
	if (w->in && n < budget)
		n += emu_impair_turn(w->in, emu->adapter->now_ns, budget - n);
	if (w->ops->poll && n < budget)
		n += w->ops->poll(w, emu, budget - n);
	return n;
}

uint64_t emu_wire_find_due(const struct emu *emu, uint64_t due_ns)
{
	const struct emu_wire *w = emu->wire;

	if (w->out)
		due_ns = emu_impair_find_due(w->out, emu->adapter->now_ns, due_ns);
	if (w->in)
		due_ns = emu_impair_find_due(w->in, emu->adapter->now_ns, due_ns);
	return due_ns;
}
