/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The trace: a header line per adapter, and one line per command with its nonzero fields, the
 * status, and the reason for a refusal.
 */
#include "emu/firmware/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct line {
	char text[EMU_TRACE_BYTES];
	size_t used, limit; /* no more fields after @limit, to leave room for the status */
};

__attribute__((format(printf, 2, 3))) static void append_text(struct line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->used, sizeof(l->text) - l->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->used += (size_t)n;
	if (l->used >= sizeof(l->text))
		l->used = sizeof(l->text) - 1;
}

static int append_field(const char *name, uint64_t value, void *arg)
{
	struct line *l = arg;

	if (!strcmp(name, "opcode") || !strcmp(name, "uid") || !strcmp(name, "status") ||
	    !strcmp(name, "syndrome"))
		return 0;
	if (l->used > l->limit) {
		append_text(l, " ...");
		return 1;
	}
	append_text(l, " %s=0x%" PRIx64, name, value);
	return 0;
}

/*
 * Writes the destinations and counters of SET_FLOW_TABLE_ENTRY one by one, because Linux declares
 * the list in the extended format, which emu does not model.
 */
static void append_fte(struct line *l, const struct emu_call *c)
{
	const struct prm_set_fte_in *in = (const void *)c->in;
	const struct prm_flow_context *ctx = prm_sub(in, flow_context);
	const size_t n = prm_get(ctx, destination_list_size);

	prm_each_set(c->cmd->in, c->in, sizeof(*in), append_field, l);
	for (size_t i = 0; sizeof(*in) + (i + 1) * sizeof(prm_be64) <= c->in_bytes; i++)
		prm_each_set(i < n ? &prm_layout_dest_format_struct : &prm_layout_flow_counter_list,
			     in->dw + sizeof(*in) / 4 + i * 2, sizeof(prm_be64), append_field, l);
}

void emu_trace_begin(struct emu_adapter *a, const char *profile)
{
	struct line l = { .limit = sizeof(l.text) };
	const time_t now = time(NULL);
	char date[64] = "";
	struct tm tm;

	localtime_r(&now, &tm);
	a->trace_utc_offset_s = tm.tm_gmtoff;
	strftime(date, sizeof(date), "%F %T %z", &tm);
	append_text(&l, "# devx-emu trace: program %s, pid %d, %s, profile %s, %u port%s",
		    program_invocation_short_name, (int)getpid(), date, profile, a->n_ports,
		    a->n_ports == 1 ? "" : "s");
	a->trace(a->trace_arg, l.text);
}

/*
 * "13:13:28.123456 pid 1234", in the time zone of the header line. Does not call localtime_r(),
 * because a child of fork() may inherit its lock from a thread that held it.
 */
static void append_stamp(struct line *l, const struct emu_adapter *a)
{
	enum { DAY_S = 86400 };
	struct timespec now;
	long s;

	clock_gettime(CLOCK_REALTIME, &now);
	s = (long)((now.tv_sec + a->trace_utc_offset_s) % DAY_S);
	append_text(l, "%02ld:%02ld:%02ld.%06ld pid %d ", s / 3600, s / 60 % 60, s % 60,
		    now.tv_nsec / 1000, (int)getpid());
}

void emu_trace_command(struct emu *emu, const struct emu_call *c, uint8_t status)
{
	enum { FIRST_BYTES = sizeof(struct prm_nop_out) };
	struct line l;

	l.used = 0;
	l.limit = sizeof(l.text) * 2 / 3;
	append_stamp(&l, emu->adapter);
	append_text(&l, "port %u %s uid=0x%x", emu->index, c->cmd ? c->cmd->name : "?", c->uid);
	if (c->opcode == PRM_OP_set_fte && c->in_bytes >= sizeof(struct prm_set_fte_in))
		append_fte(&l, c);
	else if (c->cmd)
		prm_each_set(c->cmd->in, c->in, c->in_bytes, append_field, &l);
	l.limit = sizeof(l.text);
	append_text(&l, " -> %s", prm_status_name(status));
	if (status != PRM_STATUS_OK)
		append_text(&l, " syndrome=0x%x: %s", emu->syndrome, emu->detail);
	else /* only the first dwords, with the number of a new object */
		prm_each_set(c->cmd->out, c->out,
			     c->out_bytes < FIRST_BYTES ? c->out_bytes : FIRST_BYTES, append_field,
			     &l);
	emu->adapter->trace(emu->adapter->trace_arg, l.text);
}
