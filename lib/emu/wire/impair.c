/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Faults of a wire: decides which frame gets which fault, and holds delayed and reordered frames.
 */
#include "emu/wire/impair.h"

#include <stdlib.h>
#include <string.h>

#include "emu/packet/match.h"

enum { HOLD_NS = 10000000 };

/* State of one kind of fault: a random number for a probability, counters for 1/N. */
struct dice {
	struct emu_chance chance;
	uint64_t random; /* state of next_random() */
	uint64_t until;  /* 1/N: frames before the next hit */
	uint64_t owed;   /* 1/N: hits put off because the frame already had another fault */
};

struct emu_impair {
	struct emu_impair_sink sink;
	struct emu_wire_faults *faults;
	struct dice drop, corrupt, dup, reorder;
	uint64_t random, delay_ns;
	struct emu_parcel *held; /* the frame to be reordered, or NULL */
	struct emu_parcels way;  /* frames that are delayed, or whose receiver has no buffer */
};

/* The splitmix64 generator, chosen because every seed is good, 0 included. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void init_dice(struct dice *d, const struct emu_chance *chance, uint64_t *seeds)
{
	*d = (struct dice){ .chance = *chance, .random = next_random(seeds) };
	if (chance->one_in)
		d->until = next_random(&d->random) % chance->one_in;
}

/*
 * Whether this fault hits the next frame. The caller asks for every frame, even if another fault
 * hits it: otherwise 1/N would not be exact.
 */
static bool hits_frame(struct dice *d)
{
	if (d->chance.one_in) {
		if (d->until--)
			return d->owed;
		d->until = d->chance.one_in - 1;
		d->owed++;
		return true;
	}
	return d->chance.always || (d->chance.below && next_random(&d->random) < d->chance.below);
}

static bool settle_hit(struct dice *d)
{
	d->owed -= d->owed > 0;
	return true;
}

bool emu_impair_any(const struct emu_impair_config *cfg)
{
	const struct emu_chance *all[] = { &cfg->drop, &cfg->corrupt, &cfg->dup, &cfg->reorder };
	bool any = cfg->delay_ns;

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		any |= all[i]->one_in || all[i]->below || all[i]->always;
	return any;
}

struct emu_impair *emu_impair_new(const struct emu_impair_config *cfg, uint64_t salt,
				  const struct emu_impair_sink *sink,
				  struct emu_wire_faults *faults)
{
	struct emu_impair *i = calloc(1, sizeof(*i));
	uint64_t seeds = cfg->seed + (salt << 32);

	if (!i)
		return NULL;
	i->sink = *sink;
	i->faults = faults;
	i->delay_ns = cfg->delay_ns;
	i->random = next_random(&seeds);
	init_dice(&i->drop, &cfg->drop, &seeds);
	init_dice(&i->corrupt, &cfg->corrupt, &seeds);
	init_dice(&i->dup, &cfg->dup, &seeds);
	init_dice(&i->reorder, &cfg->reorder, &seeds);
	return i;
}

void emu_impair_free(struct emu_impair *i)
{
	if (!i)
		return;
	emu_parcels_free(&i->way);
	free(i->held);
	free(i);
}

/* Queues a frame until @due_ns. Drops and counts it if the queue is full or memory runs out. */
static void enqueue_frame(struct emu_impair *i, const struct emu_frame *f, uint64_t due_ns)
{
	if (!emu_parcels_add(&i->way, f, due_ns))
		i->faults->dropped++;
}

/* Delivers a frame; queues it if it is delayed, others are queued, or the receiver refuses it. */
static void emit_frame(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns)
{
	if (i->delay_ns) {
		i->faults->delayed++;
		enqueue_frame(i, f, now_ns + i->delay_ns);
	} else if (i->way.first || !i->sink.deliver(i->sink.arg, f)) {
		enqueue_frame(i, f, now_ns);
	}
}

/*
 * Inverts one bit of the payload, not of the headers, so that the frame reaches its receiver. In a
 * frame without payload, inverts any bit after the Ethernet header.
 */
static void emit_corrupted(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns)
{
	struct emu_parcel *p = emu_parcel_new(f, now_ns);
	struct emu_parsed parsed;

	if (!p) {
		i->faults->dropped++;
		return;
	}
	emu_parse_frame(f, NULL, &parsed);
	uint32_t first = parsed.outer.payload_off, end = parsed.outer.ip_end;
	if (first >= end) {
		first = EMU_ETH_HEADER;
		end = f->bytes;
	}
	if (first != end) {
		const uint64_t bit = next_random(&i->random) % (8 * (uint64_t)(end - first));

		p->bits[first + bit / 8] ^= (uint8_t)(1 << bit % 8);
		i->faults->corrupted++;
	}
	emit_frame(i, &(struct emu_frame){ p->bits, p->bytes }, now_ns);
	free(p);
}

/* Position and number of the IP address dwords in the match parameters of steering. */
#define FIRST_ADDRESS_DW                                                                           \
	(prm_bit((const struct prm_fte_match_set_lyr_2_4 *)0, src_ipv4_src_ipv6) / 32)
#define ADDRESS_DWS (2 * prm_ipv6_layout_bytes / 4)

/*
 * Frames belong to one flow if their MACs, VLAN tags and EtherTypes are equal. For IP, the
 * addresses, the protocol and the ports must also be equal.
 */
static bool is_same_flow(const struct emu_frame *a, const struct emu_frame *b)
{
	static const unsigned ports_bytes = 4;
	struct emu_parsed pa, pb;

	emu_parse_frame(a, NULL, &pa);
	emu_parse_frame(b, NULL, &pb);
	if (pa.outer.l3 != pb.outer.l3 || pa.outer.l3_off != pb.outer.l3_off ||
	    pa.outer.l4_off != pb.outer.l4_off || pa.outer.l4_proto != pb.outer.l4_proto ||
	    memcmp(a->data, b->data, pa.outer.l3_off))
		return false;
	if (pa.outer.l3 == PRM_CQE_L3_NONE)
		return true;
	/* Compares addresses only: lengths and checksums of the IP header differ within a flow. */
	for (unsigned dw = FIRST_ADDRESS_DW; dw < FIRST_ADDRESS_DW + ADDRESS_DWS; dw++)
		if (emu_match_dword(dw, a, &pa) != emu_match_dword(dw, b, &pb))
			return false;
	return !pa.outer.l4 ||
	       !memcmp(a->data + pa.outer.l4_off, b->data + pb.outer.l4_off, ports_bytes);
}

static void release_held(struct emu_impair *i, uint64_t now_ns)
{
	struct emu_parcel *p = i->held;

	i->held = NULL;
	emit_frame(i, &(struct emu_frame){ p->bits, p->bytes }, now_ns);
	free(p);
}

/* Delivers the held frame if @f, which has just been delivered, belongs to the same flow. */
static void release_overtaken(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns)
{
	if (!i->held || !is_same_flow(&(struct emu_frame){ i->held->bits, i->held->bytes }, f))
		return;
	i->faults->reordered++;
	release_held(i, now_ns);
}

static bool hold_frame(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns)
{
	if (i->held)
		return false;
	i->held = emu_parcel_new(f, now_ns + HOLD_NS);
	return i->held;
}

bool emu_impair_send(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns)
{
	if (!i->delay_ns) {
		emu_parcels_deliver(&i->way, &i->sink, now_ns, UINT32_MAX);
		if (i->way.first)
			return false;
	}
	const bool drop = hits_frame(&i->drop), corrupt = hits_frame(&i->corrupt),
		   dup = hits_frame(&i->dup), reorder = hits_frame(&i->reorder);

	if (drop && settle_hit(&i->drop)) {
		i->faults->dropped++;
	} else if (corrupt && settle_hit(&i->corrupt)) {
		emit_corrupted(i, f, now_ns);
	} else if (dup && settle_hit(&i->dup)) {
		emit_frame(i, f, now_ns);
		emit_frame(i, f, now_ns);
		i->faults->duplicated++;
		release_overtaken(i, f, now_ns);
	} else if (reorder && hold_frame(i, f, now_ns)) {
		settle_hit(&i->reorder);
	} else {
		emit_frame(i, f, now_ns);
		release_overtaken(i, f, now_ns);
	}
	return true;
}

unsigned emu_impair_turn(struct emu_impair *i, uint64_t now_ns, unsigned budget)
{
	if (i->held && i->held->due_ns <= now_ns)
		release_held(i, now_ns);
	return emu_parcels_deliver(&i->way, &i->sink, now_ns, budget);
}

uint64_t emu_impair_find_due(const struct emu_impair *i, uint64_t now, uint64_t due)
{
	return emu_parcel_find_due(i->held, now, emu_parcel_find_due(i->way.first, now, due));
}
