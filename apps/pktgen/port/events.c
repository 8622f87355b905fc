/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/events.h"

#include <rte_ethdev.h>

#include "base/clock.h"

static void add_event(struct port_events *e, enum port_event_kind kind)
{
	const unsigned i = atomic_fetch_add(&e->n, 1);

	if (i >= EVENTS_MAX)
		return;
	e->at[i].kind = kind;
	e->at[i].tsc = clock_read();
	atomic_store_explicit(&e->at[i].is_set, true, memory_order_release);
}

/* Records an event if the state of the link has changed. */
static void check_link(struct port_events *e)
{
	struct rte_eth_link link = { 0 };
	bool is_down;

	if (rte_eth_link_get_nowait(e->id, &link))
		return;
	is_down = link.link_status == RTE_ETH_LINK_DOWN;
	if (atomic_exchange(&e->is_down, is_down) != is_down)
		add_event(e, is_down ? PORT_LINK_DOWN : PORT_LINK_UP);
}

/* Runs on EAL's interrupt thread, or on the thread that starts or stops the port. */
static int note_event(uint16_t id, enum rte_eth_event_type type, void *arg, void *unused)
{
	struct port_events *e = arg;

	(void)id;
	(void)unused;
	if (type == RTE_ETH_EVENT_INTR_LSC)
		check_link(e);
	else if (type == RTE_ETH_EVENT_INTR_RMV && !atomic_exchange(&e->is_removed, true))
		add_event(e, PORT_REMOVED);
	return 0;
}

static const enum rte_eth_event_type types[] = { RTE_ETH_EVENT_INTR_LSC, RTE_ETH_EVENT_INTR_RMV };

enum { N_TYPES = sizeof(types) / sizeof(types[0]) };

void events_begin(struct port_events *e, uint16_t id)
{
	struct rte_eth_dev_info dev;

	e->id = id;
	e->is_polled = rte_eth_dev_info_get(id, &dev) || !dev.dev_flags ||
		       !(*dev.dev_flags & RTE_ETH_DEV_INTR_LSC);
	for (unsigned i = 0; i < N_TYPES; i++)
		rte_eth_dev_callback_register(id, types[i], note_event, e);
	check_link(e);
}

void events_end(struct port_events *e)
{
	for (unsigned i = 0; i < N_TYPES; i++)
		rte_eth_dev_callback_unregister(e->id, types[i], note_event, e);
}

void events_poll(struct port_events *e)
{
	if (e->is_polled && !atomic_load(&e->is_removed))
		check_link(e);
}

static bool is_set(const struct port_events *e, unsigned i)
{
	return i < EVENTS_MAX && atomic_load_explicit(&e->at[i].is_set, memory_order_acquire);
}

const struct port_event *events_take(struct port_events *e)
{
	return is_set(e, e->n_taken) ? &e->at[e->n_taken++] : NULL;
}

struct link_account events_sum_links(const struct port_events *e, uint64_t end)
{
	struct link_account sum = { 0 };
	uint64_t down = 0;

	for (unsigned i = 0; is_set(e, i); i++) {
		const struct port_event *event = &e->at[i];

		if (event->kind == PORT_LINK_DOWN) {
			sum.n_down++;
			down = event->tsc;
		} else if (event->kind == PORT_LINK_UP && down) {
			sum.cycles += event->tsc - down;
			down = 0;
		}
	}
	if (down && end > down)
		sum.cycles += end - down;
	return sum;
}
