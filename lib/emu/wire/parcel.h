/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_PARCEL_H
#define EMU_WIRE_PARCEL_H

#include <stdbool.h>

#include "emu/packet/frame.h"

/** struct emu_impair_sink - receives frames; deliver() returns false to refuse one for now */
struct emu_impair_sink {
	bool (*deliver)(void *arg, const struct emu_frame *f);
	void *arg;
};

/** struct emu_parcel - a copy of a frame that waits for delivery */
struct emu_parcel {
	struct emu_parcel *next;
	uint64_t due_ns; /* time of delivery */
	uint32_t bytes;
	uint8_t bits[];
};

/** struct emu_parcels - a queue of frames, in the order of delivery */
struct emu_parcels {
	struct emu_parcel *first, *last;
	uint64_t bytes; /* sum of all frames */
};

/** emu_parcel_new - copy a frame; release with free(). Return: NULL if memory runs out */
struct emu_parcel *emu_parcel_new(const struct emu_frame *f, uint64_t due_ns);
/** emu_parcel_find_due - time of @p if it is after @now_ns and before @due_ns, else @due_ns */
uint64_t emu_parcel_find_due(const struct emu_parcel *p, uint64_t now_ns, uint64_t due_ns);
/** emu_parcels_add - append a copy of @f. Return: false if memory runs out, or 64 MiB are queued */
bool emu_parcels_add(struct emu_parcels *q, const struct emu_frame *f, uint64_t due_ns);
/** emu_parcels_deliver - deliver up to @budget frames that are due. Return: their number */
unsigned emu_parcels_deliver(struct emu_parcels *q, const struct emu_impair_sink *sink,
			     uint64_t now_ns, unsigned budget);
void emu_parcels_free(struct emu_parcels *q);

#endif
