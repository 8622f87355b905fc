/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/messages.h"

int launcher_fail(int status, const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fputs("devx-emu: ", stderr);
	va_start(args, fmt);
	report_text(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

uint64_t launcher_report_mistakes(const struct emu_mistakes *m)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EMU_N_MISTAKES; i++) {
		if (!m->n[i])
			continue;
		sum += m->n[i];
		fprintf(stderr, "devx-emu: %" PRIu64 " x %s; the first: %.*s\n", m->n[i],
			emu_mistake_text(i), (int)sizeof(m->first[i]), m->first[i]);
	}
	return sum;
}

/** struct part - a count and its description */
struct part {
	const char *name;
	uint64_t n;
};

/* Prints "; TITLE: 3 dropped, 1 delayed" without zero counts, or nothing if every count is 0. */
static void print_parts(const char *title, const struct part *parts, size_t n)
{
	bool is_first = true;

	for (size_t i = 0; i < n; i++) {
		if (!parts[i].n)
			continue;
		fprintf(stderr, "%s%s %" PRIu64 " %s", is_first ? "; " : "", is_first ? title : ",",
			parts[i].n, parts[i].name);
		is_first = false;
	}
}

void launcher_report_traffic(unsigned port, const char *wire, const struct emu_traffic *t)
{
	const struct emu_vport_counters *v = &t->vport;
	const struct part dropped[] = {
		{ "without a receive buffer", v->rx_out_of_buffer },
		{ "without a matching rule", v->rx_steering_miss },
		{ "to other addresses, by the switch before the port", v->rx_filtered },
		{ "by a rule without destination", v->rx_dropped },
		{ "too long for the MTU (received)", v->rx_oversize },
		{ "too long for the MTU (sent)", v->tx_oversize },
		{ "while the link was down (received)", v->rx_link_down },
		{ "while the link was down (sent)", v->tx_link_down },
		{ "too short, too long for their WQE, or without a working RQ and CQ",
		  v->rx_error },
	};
	const struct part faults[] = {
		{ "dropped", t->wire.dropped },     { "duplicated", t->wire.duplicated },
		{ "reordered", t->wire.reordered }, { "corrupted", t->wire.corrupted },
		{ "delayed", t->wire.delayed },
	};

	fprintf(stderr,
		"devx-emu: port %u, wire %s: frames sent %" PRIu64 " (%" PRIu64
		" bytes), received %" PRIu64 " (%" PRIu64 " bytes)",
		port, wire, v->tx_uc_packets + v->tx_mc_packets + v->tx_bc_packets,
		v->tx_uc_bytes + v->tx_mc_bytes + v->tx_bc_bytes,
		v->rx_uc_packets + v->rx_mc_packets + v->rx_bc_packets,
		v->rx_uc_bytes + v->rx_mc_bytes + v->rx_bc_bytes);
	print_parts("dropped by the port:", dropped, sizeof(dropped) / sizeof(dropped[0]));
	print_parts("faults of the wire:", faults, sizeof(faults) / sizeof(faults[0]));
	fputc('\n', stderr);
}

void launcher_report_end(uint64_t n_mistakes, const char *program, int wait_status)
{
	fprintf(stderr, "devx-emu: %" PRIu64 " protocol mistake%s", n_mistakes,
		n_mistakes == 1 ? "" : "s");
	if (program && WIFSIGNALED(wait_status))
		fprintf(stderr, "; %s was ended by signal %d (%s)", program, WTERMSIG(wait_status),
			strsignal(WTERMSIG(wait_status)));
	else if (program && WEXITSTATUS(wait_status))
		fprintf(stderr, "; %s exited with status %d", program, WEXITSTATUS(wait_status));
	fputc('\n', stderr);
}

void launcher_report_warnings(const struct emu_shared *shared)
{
	for (unsigned i = 0; i < EMU_N_WARNINGS; i++)
		if (shared->warning[i].text[0])
			launcher_fail(0, "warning: %.*s", (int)sizeof(shared->warning[i].text),
				      shared->warning[i].text);
}
