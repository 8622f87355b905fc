/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_WIRE_H
#define EMU_WIRE_WIRE_H

#include "emu/control.h"
#include "emu/packet/frame.h"

/**
 * DOC: Wires
 *
 * What a port's frames go to and come from.
 *
 *     loop              out comes back in at the same port
 *     pair              ports 0-1, 2-3, ... are connected
 *     sink              out is counted and gone
 *     pcap:in=F,out=F   in from a capture, out to one
 *     tap:NAME          a TAP netdev of this network namespace
 *
 * A wire is lossy by nature. ",pause=on" makes the sender wait while the receiver has no
 * buffer. ",drop=P" ",dup=P" ",reorder=P" ",corrupt=P" (P a probability 0..1, or 1/N) and
 * ",delay=T" with ",seed=N" make a bad cable (impair.h); struct emu_wire_faults counts what
 * was done.
 */

struct emu_impair;
struct emu_wire;

struct emu_wire_ops {
	const char *name;
	/**
	 * @tx: a frame leaves port @from; copied if it must outlive the call
	 *
	 * Return: false: not now (only with pause=on); offer it again later
	 */
	bool (*tx)(struct emu_wire *w, struct emu *from, const struct emu_frame *f);
	/** @poll: bring in what comes from outside. Return: frames brought in */
	unsigned (*poll)(struct emu_wire *w, struct emu *port, unsigned budget);
	/** @is_cut: optional; whether the other end is gone for good, such as a deleted netdev */
	bool (*is_cut)(const struct emu_wire *w);
	void (*close)(struct emu_wire *w);
};

struct emu_wire {
	const struct emu_wire_ops *ops;
	bool pause;
	struct emu_wire_faults faults;
	struct emu_impair *out, *in; /* the bad cable, or NULL; in: only where ops->poll is */
};

/** emu_wire_open - make the wire that @spec describes. Return: NULL with one line in @why */
struct emu_wire *emu_wire_open(struct emu_adapter *a, struct emu *port, const char *spec, char *why,
			       size_t why_bytes);

/** emu_wire_close - let go of a wire; NULL is fine */
void emu_wire_close(struct emu_wire *w);

/** emu_wire_send - hand a frame to the port's wire, faults and all. Return: as emu_wire_ops.tx */
bool emu_wire_send(struct emu *emu, const struct emu_frame *f);
/** emu_wire_turn - bring in what the wire has, and what its faults held back. Return: frames */
unsigned emu_wire_turn(struct emu *emu, unsigned budget);

#endif
