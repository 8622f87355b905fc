/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/placement.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/units.h"

static bool add_queue(uint16_t *n, uint16_t most, bool is_used, bool is_asked)
{
	if (!is_used || is_asked || *n >= most)
		return false;
	(*n)++;
	return true;
}

/* Adds queues until each worker has one, or no port can use another. */
static void spread_queues(struct placement *p, unsigned n, unsigned n_workers)
{
	unsigned n_queues = 0;
	bool is_added = true;

	for (unsigned i = 0; i < n; i++)
		n_queues += (p[i].sends ? p[i].n_tx : 0) + (p[i].receives ? p[i].n_rx : 0);
	while (is_added) {
		is_added = false;
		for (unsigned i = 0; i < n && n_queues < n_workers; i++) {
			if (add_queue(&p[i].n_tx, p[i].most_tx, p[i].sends, p[i].asked.tx)) {
				n_queues++;
				is_added = true;
			}
		}
		for (unsigned i = 0; i < n && n_queues < n_workers; i++) {
			if (add_queue(&p[i].n_rx, p[i].most_rx, p[i].receives, p[i].asked.rx)) {
				n_queues++;
				is_added = true;
			}
		}
	}
}

/*
 * Finds the worker for the next queue of a port on @node. A queue of @cost 0 goes to a worker that
 * already has a queue with a cost.
 */
static uint16_t find_worker(const struct cores *c, const unsigned *load, int node, unsigned cost)
{
	unsigned best = 0, least = UINT32_MAX;

	for (unsigned i = 0; i < c->n_workers; i++) {
		const bool is_far = node >= 0 && c->workers[i].node != node;
		const unsigned rank = load[i] * 2 + is_far;

		if (rank < least && (cost || load[i])) {
			best = i;
			least = rank;
		}
	}
	return (uint16_t)best;
}

static void place_queues(uint16_t *worker, unsigned n, int node, const struct cores *c,
			 unsigned *load, unsigned cost)
{
	for (unsigned i = 0; i < n; i++) {
		worker[i] = find_worker(c, load, node, cost);
		load[worker[i]] += cost;
	}
}

void placement_make(struct placement *p, unsigned n, const struct cores *c, bool is_spread)
{
	unsigned load[CORES_MAX_WORKERS] = { 0 };

	for (unsigned i = 0; i < n; i++) {
		p[i].n_tx = p[i].asked.tx ? p[i].asked.tx : 1;
		p[i].n_rx = p[i].asked.rx ? p[i].asked.rx : 1;
	}
	if (is_spread)
		spread_queues(p, n, c->n_workers);
	for (unsigned i = 0; i < n; i++) {
		if (p[i].receives)
			place_queues(p[i].rx_worker, p[i].n_rx, p[i].node, c, load, 1);
	}
	for (unsigned i = 0; i < n; i++)
		place_queues(p[i].tx_worker, p[i].n_tx, p[i].node, c, load, p[i].sends);
	for (unsigned i = 0; i < n; i++) {
		if (!p[i].receives)
			place_queues(p[i].rx_worker, p[i].n_rx, p[i].node, c, load, 0);
	}
}

/* ---- Text ----------------------------------------------------------------------- */

/** struct text - a text that grows up to @bytes, its terminator included */
struct text {
	char *at;
	size_t bytes, used;
};

__attribute__((format(printf, 2, 3))) static void append_text(struct text *t, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(t->at + t->used, t->bytes - t->used, fmt, args);
	va_end(args);
	t->used += n < 0 ? 0 : (size_t)n;
	if (t->used >= t->bytes)
		t->used = t->bytes - 1;
}

/* Appends the queues of a port that @worker polls: "port 1 queue 0, 2". Returns false for none. */
static bool append_queues(struct text *t, const char *verb, unsigned port, const uint16_t *workers,
			  unsigned n, unsigned worker)
{
	bool is_first = true;

	for (unsigned i = 0; i < n; i++) {
		if (workers[i] != worker)
			continue;
		if (is_first)
			append_text(t, "%s port %u queue %u", verb, port, i);
		else
			append_text(t, ", %u", i);
		is_first = false;
	}
	return !is_first;
}

bool placement_format_worker(const struct placement *p, unsigned n, const struct cores *c,
			     unsigned worker, char *text, size_t bytes)
{
	struct text t = { text, bytes, 0 };
	bool has_queue = false;

	if (c->is_loose)
		append_text(&t, "any of %u CPU%s:", c->n_cpus, units_get_plural(c->n_cpus));
	else
		append_text(&t, "CPU %u (NUMA node %d):", c->workers[worker].cpu,
			    c->workers[worker].node);
	for (unsigned i = 0; i < n; i++) {
		if (p[i].receives)
			has_queue |= append_queues(&t, has_queue ? "; receives" : " receives",
						   p[i].id, p[i].rx_worker, p[i].n_rx, worker);
	}
	for (unsigned i = 0; i < n; i++) {
		if (p[i].sends)
			has_queue |= append_queues(&t, has_queue ? "; sends" : " sends", p[i].id,
						   p[i].tx_worker, p[i].n_tx, worker);
	}
	return has_queue;
}

static bool is_far(const struct placement *p, const struct cores *c, unsigned worker)
{
	return !c->is_loose && c->workers[worker].node != p->node;
}

unsigned placement_count_far(const struct placement *p, const struct cores *c)
{
	unsigned n = 0;

	for (unsigned i = 0; p->sends && i < p->n_tx; i++)
		n += is_far(p, c, p->tx_worker[i]);
	for (unsigned i = 0; p->receives && i < p->n_rx; i++)
		n += is_far(p, c, p->rx_worker[i]);
	return n;
}
