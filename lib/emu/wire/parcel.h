/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_PARCEL_H
#define EMU_WIRE_PARCEL_H

#include <stdbool.h>

#include "emu/packet/frame.h"

/** struct emu_impair_sink - receives the frames. deliver() returns false: try again later */
struct emu_impair_sink {
	bool (*deliver)(void *arg, const struct emu_frame *f);
	void *arg;
};

/** struct emu_parcel - a copy of a frame that waits; bits[] is the frame */
struct emu_parcel {
	struct emu_parcel *next;
	uint64_t due_ns; /* time of delivery */
	uint32_t bytes;
	uint8_t bits[];
};

/** struct emu_parcels - a queue of waiting frames, in the order of delivery */
struct emu_parcels {
	struct emu_parcel *first, *last;
	uint64_t bytes; /* sum of all frames */
};

/** emu_parcel_new - copy a frame; the caller frees it with free(). Return: NULL without memory */
struct emu_parcel *emu_parcel_new(const struct emu_frame *f, uint64_t due_ns);
/**
 * emu_parcel_find_due - earlier one of @due_ns and the time of @p
 *
 * Return: @due_ns also if @p is NULL, or if its time is not after @now_ns
 */
uint64_t emu_parcel_find_due(const struct emu_parcel *p, uint64_t now_ns, uint64_t due_ns);
/** emu_parcels_add - append a copy of @f. Return: false if memory ran out, or 64 MiB wait */
bool emu_parcels_add(struct emu_parcels *q, const struct emu_frame *f, uint64_t due_ns);
/** emu_parcels_deliver - deliver up to @budget frames that are due. Return: their number */
unsigned emu_parcels_deliver(struct emu_parcels *q, const struct emu_impair_sink *sink,
			     uint64_t now_ns, unsigned budget);
void emu_parcels_free(struct emu_parcels *q);

#endif
