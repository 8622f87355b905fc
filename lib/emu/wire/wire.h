/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_WIRE_H
#define EMU_WIRE_WIRE_H

#include "emu/control.h"
#include "emu/packet/frame.h"

/**
 * DOC: Wires
 *
 * A wire carries the frames that a port sends and receives.
 *
 *     loop              a sent frame arrives at the same port
 *     pair              port 0 is connected to port 1, port 2 to port 3, ...
 *     sink              sent frames are dropped; no frame arrives
 *     pcap:in=F,out=F   frames arrive from capture F; sent frames are written to capture F
 *     tap:NAME          a TAP netdev of this network namespace
 *
 * If the receiver has no buffer, the frame is dropped; with ",pause=on" its sender waits instead.
 * ",drop=P" ",dup=P" ",reorder=P" ",corrupt=P" ",delay=T" ",seed=N" add faults (impair.h), which
 * struct emu_wire_faults counts. P is a probability from 0 to 1, or 1/N. A wire with faults never
 * reports EMU_WIRE_DOWN: it drops and counts a frame if the other end's netdev is down.
 */

struct emu_wire;

/** enum emu_wire_sent - result of sending a frame to the wire of a port */
enum emu_wire_sent {
	EMU_WIRE_FULL, /* pause=on: no receive buffer, or netdev queue full; send again later */
	EMU_WIRE_SENT, /* the wire accepted the frame, or dropped it: a fault, or lack of room */
	EMU_WIRE_DOWN, /* the netdev at the other end is down or deleted */
};

struct emu_wire_ops {
	const char *name;
	/** @tx: sends a frame of port @from; copies @f if the wire needs it after the call */
	enum emu_wire_sent (*tx)(struct emu_wire *w, struct emu *from, const struct emu_frame *f);
	/** @poll: optional; receives up to @budget frames from outside. Return: their number */
	unsigned (*poll)(struct emu_wire *w, struct emu *port, unsigned budget);
	/** @is_cut: optional; whether the other end is gone forever, such as a deleted netdev */
	bool (*is_cut)(const struct emu_wire *w);
	void (*close)(struct emu_wire *w);
};

struct emu_wire {
	const struct emu_wire_ops *ops;
	bool pause;
	struct emu_wire_faults faults;
	struct emu_impair *out, *in; /* faults, or NULL; in is NULL for a wire without ops->poll */
};

/** emu_wire_open - open the wire that @spec describes. Return: NULL with one line in @why */
struct emu_wire *emu_wire_open(struct emu_adapter *a, struct emu *port, const char *spec, char *why,
			       size_t why_bytes);

/** emu_wire_close - close and free a wire; @w may be NULL */
void emu_wire_close(struct emu_wire *w);

/** emu_wire_send - send a frame through the faults, which may delay or drop it, to the wire */
enum emu_wire_sent emu_wire_send(struct emu *emu, const struct emu_frame *f);
/**
 * emu_wire_turn - receive frames from the wire, and deliver frames that its faults held back
 * @budget: maximum number of frames to deliver
 *
 * Return: number of frames delivered
 */
unsigned emu_wire_turn(struct emu *emu, unsigned budget);
/** emu_wire_find_due - earliest time, in ns, when a held frame is due, or @due_ns if earlier */
uint64_t emu_wire_find_due(const struct emu *emu, uint64_t due_ns);

#endif
