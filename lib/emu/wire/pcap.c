/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap: a port receives the frames of one capture, and the wire writes the frames that the port
 * sends to another.
 *
 * Opening the wire reads the whole input capture, to report errors early. The frames are played
 * once the driver is ready to receive: a steering rule leads to a TIR, and then either no firmware
 * command arrives for QUIET_NS, or PATIENCE_NS have passed since the rule. They arrive as fast as
 * the port can receive them. With pause=on, no frame is dropped for lack of a buffer.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/clock.h"
#include "emu/wire/capture.h"
#include "emu/wire/kind.h"

enum {
	QUIET_NS = 100000000,     /* no firmware command for this long: the driver is ready */
	PATIENCE_NS = 2000000000, /* this long after the first steering rule: play anyway */
	FLUSH_NS = 100000000,     /* from the last frame to the flush of the output file */
	NS_PER_S = 1000000000,
};

struct pcap_wire {
	struct emu_wire wire;
	struct emu_capture in;
	uint64_t next;   /* index of the next frame to play */
	uint64_t rounds; /* number of rounds left, the current one included */
	bool started;
	uint64_t stands_since_ns; /* time of the first steering rule, or 0 */
	uint64_t quiet_since_ns;  /* time of the last firmware command */
	uint64_t n_commands;      /* number of commands of the port at quiet_since_ns */

	const struct emu_pcap *pcap;
	pcap_t *format;
	pcap_dumper_t *out;
	char *out_path;
	uint64_t epoch_ns;            /* from 1970 to time 0 of the adapter */
	uint64_t unflushed_ns;        /* time of the last frame, if it is not flushed yet; else 0 */
	uint8_t frame[EMU_FRAME_MAX]; /* the frame that is being written */
};

static enum emu_wire_sent tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	struct pcap_wire *p = (struct pcap_wire *)w;
	struct pcap_pkthdr header = { .caplen = f->bytes, .len = f->bytes };
	const uint64_t ns = p->epoch_ns + from->adapter->now_ns;

	if (p->out) {
		/* copied first: after a fault inside dump(), stdio's lock would stay held */
		memcpy(p->frame, f->data, f->bytes);
		header.ts = (struct timeval){ (time_t)(ns / NS_PER_S), ns % NS_PER_S / 1000 };
		p->pcap->dump((u_char *)p->out, &header, p->frame);
		p->unflushed_ns = from->adapter->now_ns;
	}
	return EMU_WIRE_SENT;
}

static bool is_steered_to(const struct emu *port)
{
	const struct emu_table *t = &port->table[EMU_TIR];

	for (uint32_t i = 0; i < t->n_slots; i++)
		if (t->slot[i] && t->slot[i]->refs)
			return port->rx_root;
	return false;
}

static bool receiver_stands(struct pcap_wire *p, const struct emu *port)
{
	if (!is_steered_to(port)) {
		p->stands_since_ns = 0;
		return false;
	}
	if (!p->stands_since_ns)
		p->stands_since_ns = p->quiet_since_ns = port->adapter->now_ns;
	if (p->n_commands != port->n_commands) {
		p->n_commands = port->n_commands;
		p->quiet_since_ns = port->adapter->now_ns;
	}
	return port->adapter->now_ns - p->quiet_since_ns >= QUIET_NS ||
	       port->adapter->now_ns - p->stands_since_ns >= PATIENCE_NS;
}

static unsigned play_capture(struct pcap_wire *p, struct emu *port, unsigned budget)
{
	unsigned n = 0;

	for (; n < budget && p->rounds; n++) {
		if (!emu_wire_arrive(&p->wire, port, &p->in.frame[p->next]))
			break;
		if (++p->next == p->in.n) {
			p->next = 0;
			p->rounds--;
		}
	}
	return n;
}

static unsigned poll_pcap(struct emu_wire *w, struct emu *port, unsigned budget)
{
	struct pcap_wire *p = (struct pcap_wire *)w;

	if (p->unflushed_ns && port->adapter->now_ns - p->unflushed_ns >= FLUSH_NS) {
		p->pcap->dump_flush(p->out);
		p->unflushed_ns = 0;
	}
	if (!p->rounds)
		return 0;
	if (!p->started)
		p->started = receiver_stands(p, port);
	return p->started ? play_capture(p, port, budget) : 0;
}

static void close_pcap(struct emu_wire *w)
{
	struct pcap_wire *p = (struct pcap_wire *)w;

	if (p->out)
		p->pcap->dump_close(p->out);
	if (p->format)
		p->pcap->close(p->format);
	emu_capture_free(&p->in);
	free(p->out_path);
	free(p);
}

static const struct emu_wire_ops ops = {
	.name = "pcap",
	.tx = tx,
	.poll = poll_pcap,
	.close = close_pcap,
};

/* A link that another user created, such as in /tmp, may lead to any file of this user. */
static bool is_link_of_another(const char *path)
{
	enum { UNMAPPED = 65534 }; /* owner of root's files in a user namespace without root */
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode) && st.st_uid && st.st_uid != geteuid() &&
	       st.st_uid != UNMAPPED;
}

static int open_output(struct pcap_wire *p, struct emu_adapter *a, struct emu *port,
		       const char *path, const struct emu_why *why)
{
	for (unsigned i = 0; i < port->index; i++) {
		const struct pcap_wire *other = (const struct pcap_wire *)a->port[i]->wire;

		if (other->wire.ops == &ops && other->out_path && !strcmp(other->out_path, path))
			return emu_say_why(
				why,
				"wire \"pcap\": ports %u and %u have the same output file %s; "
				"use a different file for each port",
				i, port->index, path);
	}
	if (is_link_of_another(path))
		return emu_say_why(why,
				   "wire \"pcap\": cannot write %s: it is a symbolic link of "
				   "another user; name the file itself",
				   path);
	p->out_path = strdup(path);
	p->format = p->pcap->open_dead(DLT_EN10MB, UINT16_MAX);
	p->out = p->format ? p->pcap->dump_open(p->format, path) : NULL;
	if (!p->out)
		return emu_say_why(why, "wire \"pcap\": cannot write %s: %s", path,
				   p->format ? p->pcap->geterr(p->format) : "out of memory");
	return 0;
}

static int take_options(struct pcap_wire *p, struct emu_adapter *a, struct emu *port,
			const struct emu_wire_spec *spec, const struct emu_why *why)
{
	const char *in = NULL, *out = NULL;
	uint64_t rounds = 1;

	for (unsigned i = 0; i < spec->n; i++) {
		const char *key = spec->option[i].key, *value = spec->option[i].value;

		if (!strcmp(key, "in"))
			in = value;
		else if (!strcmp(key, "out"))
			out = value;
		else if (strcmp(key, "loop"))
			return emu_say_why(why,
					   "wire \"pcap\": unknown option \"%s\" (valid: in, out, "
					   "loop, " EMU_WIRE_OPTIONS ")",
					   key);
		else if (!emu_parse_number(value, UINT32_MAX, &rounds) || !rounds)
			return emu_say_why(
				why,
				"wire option loop=%s: invalid number of rounds (valid: 1 to "
				"4294967295)",
				value);
	}
	if (spec->argument || (!in && !out))
		return emu_say_why(why, "wire \"pcap\": no in=FILE and no out=FILE (valid: "
					"pcap:in=FILE, pcap:out=FILE, pcap:in=FILE,out=FILE)");
	if (in && out && !strcmp(in, out))
		return emu_say_why(why, "wire \"pcap\": in and out are both %s; use two files", in);
	if (in && emu_capture_read(&p->in, in, why))
		return -1;
	p->rounds = in ? rounds : 0;
	return out ? open_output(p, a, port, out, why) : 0;
}

static struct emu_wire *open_pcap(struct emu_adapter *a, struct emu *port,
				  const struct emu_wire_spec *spec, const struct emu_why *why)
{
	struct pcap_wire *p = calloc(1, sizeof(*p));

	if (!p) {
		emu_say_why(why, "wire \"pcap\": out of memory");
		return NULL;
	}
	p->wire.ops = &ops;
	p->epoch_ns = emu_read_epoch();
	p->pcap = emu_load_pcap(why);
	if (!p->pcap || take_options(p, a, port, spec, why)) {
		close_pcap(&p->wire);
		return NULL;
	}
	return &p->wire;
}

const struct emu_wire_kind emu_wire_pcap = {
	.name = "pcap",
	.usage = "pcap:in=FILE,out=FILE",
	.open = open_pcap,
};
