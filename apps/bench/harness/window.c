/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/window.h"

#include <errno.h>
#include <string.h>

#include "harness/ring.h"

#define INLINE inline __attribute__((always_inline))

enum {
	DRAIN = 64,
	MAX_EMPTY_CALLS = 8, /* in a row; then the driver is taken to move no packets */
	LONG_CALL = 5000,    /* TSC cycles; an interrupt of a virtual machine takes more */
	LONG_PACKET = 200,   /* TSC cycles; more than a packet whose lines are all in memory */
};

/* Receives and frees all waiting packets. Returns their number. */
static unsigned int drain_port(const struct bench_port *port)
{
	struct rte_mbuf *m[DRAIN];
	unsigned int total = 0, n;

	do {
		n = rte_eth_rx_burst(port->id, 0, m, DRAIN);
		rte_pktmbuf_free_bulk(m, n);
		total += n;
	} while (n);
	return total;
}

/* Sends @n frames, for a window of the other direction. */
static int send_frames(const struct bench_port *port, uint16_t n, enum bench_cache cache)
{
	struct rte_mbuf *m[BENCH_MAX_BURST];
	uint16_t sent = 0;

	if (port->driver->emu_port < 0)
		return 0;
	if (bench_port_alloc(port, m, n))
		return -ENOMEM;
	sent = rte_eth_tx_burst(port->id, 0, m, n);
	if (sent < n)
		rte_pktmbuf_free_bulk(m + sent, n - sent);
	bench_engine_run(port, cache);
	return sent == n ? 0 : -EIO;
}

/* Adds a call to the window, and notices calls with an interrupt or a page fault. */
static INLINE void add_call(struct bench_window *w, uint64_t cycles, uint16_t n)
{
	w->cycles += cycles;
	w->n_packets += n;
	w->n_calls++;
	w->interrupted |= cycles > LONG_CALL + (uint64_t)LONG_PACKET * n;
}

static INLINE int receive_prepared(const struct bench_port *port, uint16_t burst,
				   unsigned int prepared, enum bench_gauge gauge,
				   struct bench_window *w)
{
	struct rte_mbuf *m[BENCH_MAX_BURST];
	unsigned int got = 0, n_empty = 0;

	while (got < prepared && n_empty < MAX_EMPTY_CALLS) {
		const uint64_t begin = bench_gauge_begin(gauge);
		const uint16_t n = rte_eth_rx_burst(port->id, 0, m, burst);
		const uint64_t cycles = bench_gauge_end(gauge, begin);

		add_call(w, cycles, n);
		n_empty = n ? 0 : n_empty + 1;
		got += n;
		rte_pktmbuf_free_bulk(m, n);
	}
	return got < prepared ? -EIO : 0;
}

static INLINE int run_rx(const struct bench_port *port, uint16_t burst, enum bench_cache cache,
			 enum bench_gauge gauge, struct bench_window *w)
{
	const uint16_t wanted =
		cache == BENCH_KEPT ? BENCH_KEPT_PACKETS : RTE_MAX(burst, (uint16_t)BENCH_PREPARED);
	const uint16_t prepared = RTE_MIN(wanted, port->room);
	int rc = 0;

	for (unsigned int done = 0; done < BENCH_WINDOW; done += prepared) {
		const int sent = send_frames(port, prepared, cache);

		if (!rc)
			rc = sent;
		if (!rc)
			rc = receive_prepared(port, burst, prepared, gauge, w);
		/* also after a failure, so that a lap ends where it began: counts depend on it */
		if (rc && port->driver->emu_port >= 0)
			drain_port(port);
	}
	return rc;
}

/* struct flight - packets that were sent, and that the device has not moved yet */
struct flight {
	const struct bench_port *port;
	enum bench_cache cache;
	unsigned int n;
};

/* Makes the device move all packets, and receives them. */
static INLINE int land_all(struct flight *f)
{
	const unsigned int n = f->n;

	f->n = 0;
	bench_engine_run(f->port, f->cache);
	return f->port->driver->emu_port >= 0 && drain_port(f->port) < n ? -EIO : 0;
}

/* Adds the @n packets of a call. */
static INLINE int add_flight(struct flight *f, unsigned int n)
{
	f->n += n;
	if (f->cache == BENCH_KEPT && n && f->n < BENCH_KEPT_PACKETS)
		return 0;
	return land_all(f);
}

static INLINE int end_flight(struct flight *f)
{
	return f->n ? land_all(f) : 0;
}

static INLINE int run_tx(const struct bench_port *port, uint16_t burst, enum bench_cache cache,
			 enum bench_gauge gauge, struct bench_window *w)
{
	struct flight flight = { port, cache, 0 };
	struct rte_mbuf *m[BENCH_MAX_BURST];
	unsigned int n_empty = 0;

	for (unsigned int done = 0; done < BENCH_WINDOW && n_empty < MAX_EMPTY_CALLS;) {
		if (bench_port_alloc(port, m, burst))
			return -ENOMEM;

		const uint64_t begin = bench_gauge_begin(gauge);
		const uint16_t n = rte_eth_tx_burst(port->id, 0, m, burst);
		const uint64_t cycles = bench_gauge_end(gauge, begin);

		add_call(w, cycles, n);
		rte_pktmbuf_free_bulk(m + n, burst - n);
		n_empty = n ? 0 : n_empty + 1;
		done += n;
		if (add_flight(&flight, n))
			return -EIO;
	}
	return n_empty < MAX_EMPTY_CALLS ? end_flight(&flight) : -EIO;
}

static INLINE int run_ring(const struct bench_port *port, uint16_t burst, enum bench_cache cache,
			   enum bench_gauge gauge, struct bench_window *w)
{
	struct flight flight = { port, cache, 0 };
	unsigned int n_empty = 0;

	for (unsigned int done = 0; done < BENCH_WINDOW && n_empty < MAX_EMPTY_CALLS;) {
		const uint64_t begin = bench_gauge_begin(gauge);
		const uint16_t n = bench_ring_send(port->ring, burst);
		const uint64_t cycles = bench_gauge_end(gauge, begin);

		add_call(w, cycles, n);
		n_empty = n ? 0 : n_empty + 1;
		done += n;
		if (add_flight(&flight, n))
			return -EIO;
	}
	return n_empty < MAX_EMPTY_CALLS ? end_flight(&flight) : -EIO;
}

static INLINE int run_poll(const struct bench_port *port, uint16_t burst, enum bench_gauge gauge,
			   struct bench_window *w)
{
	struct rte_mbuf *m[BENCH_MAX_BURST];

	/* every empty poll executes the same instructions, so counts only a few */
	for (unsigned int i = 0; i < (gauge == BENCH_TSC ? BENCH_WINDOW : BENCH_POLLS); i++) {
		const uint64_t begin = bench_gauge_begin(gauge);
		const uint16_t n = rte_eth_rx_burst(port->id, 0, m, burst);
		const uint64_t cycles = bench_gauge_end(gauge, begin);

		add_call(w, cycles, n);
		if (n) {
			rte_pktmbuf_free_bulk(m, n);
			return -EIO;
		}
	}
	return 0;
}

static INLINE int run_window(const struct bench_port *port, enum bench_direction direction,
			     uint16_t burst, enum bench_cache cache, enum bench_gauge gauge,
			     struct bench_window *w)
{
	if (direction == BENCH_TX)
		return run_tx(port, burst, cache, gauge, w);
	if (direction == BENCH_RING_TX)
		return run_ring(port, burst, cache, gauge, w);
	if (direction == BENCH_POLL)
		return run_poll(port, burst, gauge, w);
	return run_rx(port, burst, cache, gauge, w);
}

int bench_window_run(const struct bench_port *port, enum bench_direction direction, uint16_t burst,
		     enum bench_cache cache, enum bench_gauge gauge, struct bench_window *out)
{
	memset(out, 0, sizeof(*out));
	switch (gauge) {
	case BENCH_TSC:
		return run_window(port, direction, burst, cache, BENCH_TSC, out);
	case BENCH_CALLGRIND:
		return run_window(port, direction, burst, cache, BENCH_CALLGRIND, out);
	case BENCH_STEP:
		return run_window(port, direction, burst, cache, BENCH_STEP, out);
	}
	return -EINVAL;
}
