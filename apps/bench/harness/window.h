/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_WINDOW_H
#define BENCH_WINDOW_H

#include "harness/engine.h"
#include "harness/gauge.h"

/**
 * DOC: A window is a number of bursts of one driver. Only the call in [ ] is measured
 *
 *     Rx    send frames, make the device move them;  [receive a burst]  free it;  repeat
 *     Tx    allocate a burst;  [send it]  make the device move it, receive and free it;  repeat
 *     ring  as Tx, but the packets are always in the send queue (harness/ring.h)
 *
 * With BENCH_KEPT, several bursts follow each other before the device moves packets again.
 */

enum {
	BENCH_POLLS = 16,         /* empty polls of a window if a gauge counts instructions */
	BENCH_WINDOW = 512,       /* packets of a window: a lap of the ring */
	BENCH_KEPT_PACKETS = 256, /* with BENCH_KEPT, packets from one step of emu to the next */
	BENCH_PREPARED = 64, /* frames that wait when a receive burst begins: at least a burst */
};

/**
 * struct bench_window - result of a window
 * @cycles: TSC cycles between the marks, the cost of the marks included; 0 for another gauge
 * @n_packets: packets that the measured calls moved
 * @n_calls: measured calls
 * @interrupted: one call took far longer than its packets explain, because of an interrupt
 */
struct bench_window {
	uint64_t cycles;
	unsigned int n_packets, n_calls;
	bool interrupted;
};

enum bench_direction { BENCH_RX, BENCH_TX, BENCH_POLL, BENCH_RING_TX };

/**
 * bench_window_run - measure a window
 * @port: the engine of emu is paused, and nothing is in flight
 * @burst: 1 to BENCH_MAX_BURST; with BENCH_POLL, the number of packets that each call asks for
 * @gauge: see harness/gauge.h
 * @out: is filled
 *
 * Return: 0; -EIO if the calls moved no packets, or frames were lost; or -ENOMEM without mbufs
 */
int bench_window_run(const struct bench_port *port, enum bench_direction direction, uint16_t burst,
		     enum bench_cache cache, enum bench_gauge gauge, struct bench_window *out);

#endif
