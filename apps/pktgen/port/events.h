/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EVENTS_H
#define PKTGEN_EVENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { EVENTS_MAX = 64 };

enum port_event_kind { PORT_LINK_DOWN, PORT_LINK_UP, PORT_REMOVED };

/** struct port_event - one event of a port. @tsc: its time; @is_set: the event can be read */
struct port_event {
	enum port_event_kind kind;
	uint64_t tsc;
	atomic_bool is_set;
};

/**
 * struct port_events - the events of one port, in order
 *
 * EAL's interrupt thread records events; the controller does so for ports without link interrupts.
 * Any thread may read @is_down, @is_removed and complete events.
 *
 * @id: number of the port in EAL
 * @at: the first EVENTS_MAX events; @n: number of all events
 * @n_taken: number of events that events_take() returned
 * @is_polled: the port has no link interrupt, so events_poll() checks the link
 */
struct port_events {
	uint16_t id;
	atomic_bool is_down, is_removed;
	bool is_polled;
	struct port_event at[EVENTS_MAX];
	atomic_uint n;
	unsigned n_taken;
};

/**
 * events_begin - record the events of a port from now on
 * @e: zeroed
 * @id: number of the port in EAL; its link is up
 */
void events_begin(struct port_events *e, uint16_t id);

/** events_end - stop recording; @e keeps its events. Harmless without events_begin() */
void events_end(struct port_events *e);

/** events_poll - record a change of the link if the port has no link interrupt */
void events_poll(struct port_events *e);

/** events_take - get the next event, valid as long as @e. Return: the event, or NULL without one */
const struct port_event *events_take(struct port_events *e);

/** struct link_account - @n_down: how often the link went down; @cycles: for how many TSC cycles */
struct link_account {
	unsigned n_down;
	uint64_t cycles;
};

/** events_sum_links - sum up the time without link until @end, from the first EVENTS_MAX events */
struct link_account events_sum_links(const struct port_events *e, uint64_t end);

#endif
