/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/timestamps.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/messages.h"

/*
 * A reading is the most exact of TRIES attempts, or of those that TRIES_MS allows. The clock must
 * advance within CHANGE_MS. The first two readings are FIRST_MS apart.
 */
enum { TRIES = 16, TRIES_MS = 2, CHANGE_MS = 1000, FIRST_MS = 100 };

static bool is_needed(const struct job *j, const struct ports *p, const struct port *port)
{
	for (unsigned i = 0; i < j->n_flows; i++) {
		if (!j->flows[i].capture && &p->port[j->flows[i].rx] == port)
			return true;
	}
	return false;
}

/* Returns NULL, or the reason why a port has no timestamps. */
static const char *find_stamps(struct port *port)
{
	if (!(port->rx_offloads & RTE_ETH_RX_OFFLOAD_TIMESTAMP))
		return "the port has no timestamps";
	if (rte_mbuf_dyn_rx_timestamp_register(&port->stamps.offset, &port->stamps.flag))
		return "mbufs have no room for timestamps";
	return NULL;
}

/* Makes a port use the TSC. This is an error only if the user asked for timestamps. */
static enum pktgen_exit refuse_stamps(struct port *port, const struct options *o, const char *why)
{
	port->stamps.on = false;
	port->stamps.why = why;
	if (o->timestamps == TIMESTAMPS_DEVICE)
		return report_error(PKTGEN_USAGE,
				    "--timestamps device: port %s: %s; give --timestamps tsc or "
				    "auto",
				    port->device, why);
	return PKTGEN_MET;
}

enum pktgen_exit timestamps_choose(struct ports *p, const struct job *j, const struct options *o)
{
	enum pktgen_exit e = PKTGEN_MET;

	for (unsigned i = 0; i < p->n && !e; i++) {
		struct port *port = &p->port[i];
		const char *why;

		if (!is_needed(j, p, port) || o->send_only)
			continue;
		if (o->timestamps == TIMESTAMPS_TSC) {
			port->stamps.why = "--timestamps tsc";
			continue;
		}
		why = find_stamps(port);
		port->stamps.on = !why;
		if (why)
			e = refuse_stamps(port, o, why);
	}
	return e;
}

/*
 * Reads the clock until it changes. Some clocks advance in steps (that of emu: once per round of
 * its engine); this finds the time of a step. Returns 0, or -errno.
 */
static int read_change(uint16_t port, struct clock_reading *r)
{
	const uint64_t end = clock_read() + clock_get_hz() * CHANGE_MS / 1000;
	uint64_t old, start = clock_read(), after;
	int rc = rte_eth_read_clock(port, &old);

	while (!rc) {
		const uint64_t at = clock_read();

		rc = rte_eth_read_clock(port, &r->cycles);
		after = clock_read();
		r->error = (after - start) / 2;
		r->tsc = start + r->error;
		if (rc || r->cycles != old)
			break;
		rc = after > end ? -ETIMEDOUT : 0;
		start = at;
	}
	return rc;
}

/* Reads the clock a few times, and keeps the most exact reading. Returns 0, or -errno. */
static int read_clock(uint16_t port, struct clock_reading *best)
{
	const uint64_t end = clock_read() + clock_get_hz() * TRIES_MS / 1000;
	struct clock_reading r;
	int rc = read_change(port, best);

	for (unsigned i = 1; i < TRIES && !rc && clock_read() < end; i++) {
		rc = read_change(port, &r);
		if (!rc && r.error < best->error)
			*best = r;
	}
	return rc;
}

/* Adds a reading of the clock of a port. Returns 0, or -errno. */
static int add_reading(struct port *port)
{
	struct clock_reading r;
	const int rc = read_clock(port->id, &r);

	if (!rc)
		device_clock_add(&port->stamps.clock, &r);
	return rc;
}

/* Adds a reading of each port. */
static enum pktgen_exit add_readings(struct ports *p, const struct options *o)
{
	enum pktgen_exit e = PKTGEN_MET;

	for (unsigned i = 0; i < p->n && !e; i++) {
		struct port *port = &p->port[i];
		const int rc = port->stamps.on ? add_reading(port) : 0;

		if (rc)
			e = refuse_stamps(port, o, "its clock cannot be read");
	}
	return e;
}

/* Forgets all readings. Returns whether a port has timestamps. */
static bool forget_readings(struct ports *p)
{
	bool any = false;

	for (unsigned i = 0; i < p->n; i++) {
		device_clock_begin(&p->port[i].stamps.clock);
		any |= p->port[i].stamps.on;
	}
	return any;
}

enum pktgen_exit timestamps_begin(struct ports *p, const struct options *o)
{
	enum pktgen_exit e;

	if (!forget_readings(p))
		return PKTGEN_MET;
	e = add_readings(p, o);
	if (e)
		return e;
	usleep(FIRST_MS * 1000);
	return add_readings(p, o);
}

void timestamps_resume(struct ports *p)
{
	if (!forget_readings(p))
		return;
	timestamps_update(p);
	usleep(FIRST_MS * 1000);
	timestamps_update(p);
}

void timestamps_update(struct ports *p)
{
	/* If reading fails because the port was removed, the last conversion stays in use. */
	for (unsigned i = 0; i < p->n; i++) {
		if (p->port[i].stamps.on)
			add_reading(&p->port[i]);
	}
}
