/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_PARCEL_H
#define EMU_WIRE_PARCEL_H

#include <stdbool.h>

#include "emu/packet/frame.h"

/** struct emu_impair_sink - where frames go on to. Return: false: not now */
struct emu_impair_sink {
	bool (*deliver)(void *arg, const struct emu_frame *f);
	void *arg;
};

/** struct emu_parcel - a copy of a frame that waits; bits[] is the frame */
struct emu_parcel {
	struct emu_parcel *next;
	uint64_t due_ns;
	uint32_t bytes;
	uint8_t bits[];
};

/** struct emu_parcels - those on their way, first out first */
struct emu_parcels {
	struct emu_parcel *first, *last;
	uint64_t bytes;
};

/** emu_parcel_new - copy a frame; free() it. Return: NULL when there is no memory */
struct emu_parcel *emu_parcel_new(const struct emu_frame *f, uint64_t due_ns);
/** emu_parcels_add - append a copy. Return: false: no memory, or 64 MiB wait already */
bool emu_parcels_add(struct emu_parcels *q, const struct emu_frame *f, uint64_t due_ns);
/** emu_parcels_deliver - deliver those that are due. Return: how many */
unsigned emu_parcels_deliver(struct emu_parcels *q, const struct emu_impair_sink *sink,
			     uint64_t now_ns, unsigned budget);
void emu_parcels_free(struct emu_parcels *q);

#endif
