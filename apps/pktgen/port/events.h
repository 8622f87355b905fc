/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EVENTS_H
#define PKTGEN_EVENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { EVENTS_MAX = 64 };

/** enum port_event_kind - what happened to a port */
enum port_event_kind { PORT_LINK_DOWN, PORT_LINK_UP, PORT_REMOVED };

/** struct port_event - something that happened to a port. @tsc: when; @is_set: it is complete */
struct port_event {
	enum port_event_kind kind;
	uint64_t tsc;
	atomic_bool is_set;
};

/**
 * struct port_events - what happened to one port, in order
 *
 * EAL's interrupt thread writes, and the controller for ports without interrupts. Any thread may
 * read @is_down, @is_removed and complete events.
 *
 * @id: number of the port in EAL
 * @at: the first EVENTS_MAX events; @n: number of all events
 * @n_taken: number of events that events_take() returned
 * @is_polled: the port has no interrupt for its link: events_poll() looks
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
 * events_begin - note from now on what happens to a port
 * @e: zeroed
 * @id: number of the port in EAL; its link is up
 */
void events_begin(struct port_events *e, uint16_t id);

/** events_end - stop noting. @e keeps its events. Also if events_begin() was not called */
void events_end(struct port_events *e);

/** events_poll - note changes of the link of a port that has no interrupt for it */
void events_poll(struct port_events *e);

/** events_take - get the next event. Return: the event, valid as long as @e; or NULL: none */
const struct port_event *events_take(struct port_events *e);

/** struct link_account - @n_down: how often the link went down; @cycles: TSC cycles without link */
struct link_account {
	unsigned n_down;
	uint64_t cycles;
};

/** events_sum_links - add up the time without link until @end, from the first EVENTS_MAX events */
struct link_account events_sum_links(const struct port_events *e, uint64_t end);

#endif
