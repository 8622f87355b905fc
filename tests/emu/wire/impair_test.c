/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emu/wire/impair.h"
#include "ct.h"
#include "udp_frame.h"

enum { FRAME = 80, PAYLOAD = 42, MAX_FRAMES = 40000 };

/* A receiver of numbered frames. Its counts must equal the counters of the faults. */
struct receiver {
	unsigned n, duplicates, late, corrupted;
	uint64_t digest; /* digest of all received bytes, in order */
	unsigned seen[MAX_FRAMES];
	unsigned next; /* one more than the highest number seen */
	bool full;     /* receive_frame() refuses every frame */
};

static bool receive_frame(void *arg, const struct emu_frame *f)
{
	struct receiver *r = arg;
	uint32_t number, copy;

	if (r->full)
		return false;
	memcpy(&number, f->data + PAYLOAD, sizeof(number));
	memcpy(&copy, f->data + PAYLOAD + 4, sizeof(copy));
	for (uint32_t i = 0; i < f->bytes; i++)
		r->digest = (r->digest ^ f->data[i]) * 0x100000001b3;
	r->n++;
	for (unsigned i = 8; number == ~copy && i < FRAME - PAYLOAD; i++)
		if (f->data[PAYLOAD + i] != 0x5a)
			copy = number;
	if (number != ~copy) {
		r->corrupted++;
	} else if (r->seen[number]++) {
		r->duplicates++;
	} else if (number < r->next) {
		r->late++;
	} else {
		r->next = number + 1;
	}
	return true;
}

static void make_frame(uint8_t *frame, uint32_t number)
{
	const uint32_t words[2] = { number, ~number };

	udp_frame_write(frame, FRAME, &(struct udp_frame){ .fill = 0x5a, .no_csum = true });
	memcpy(frame + PAYLOAD, words, sizeof(words));
}

struct cable {
	struct emu_wire_faults faults;
	struct receiver *to;
	struct emu_impair *i;
};

static void open_cable(struct cable *c, const struct emu_impair_config *cfg, uint64_t salt)
{
	*c = (struct cable){ .to = calloc(1, sizeof(struct receiver)) };
	c->i = emu_impair_new(cfg, salt, &(struct emu_impair_sink){ receive_frame, c->to },
			      &c->faults);
}

static void send_over_cable(struct cable *c, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		uint8_t frame[FRAME];

		make_frame(frame, k);
		EXPECT_TRUE(emu_impair_send(c->i, &(struct emu_frame){ frame, FRAME }, k));
	}
	emu_impair_turn(c->i, UINT64_MAX, UINT32_MAX);
}

static void close_cable(struct cable *c)
{
	emu_impair_free(c->i);
	free(c->to);
}

/* The receiver must see exactly the faults that struct emu_wire_faults counted. */
static void expect_agreement(const struct cable *c, unsigned sent)
{
	EXPECT_EQ(sent - c->faults.dropped + c->faults.duplicated, c->to->n);
	EXPECT_EQ(c->faults.duplicated, c->to->duplicates);
	EXPECT_EQ(c->faults.reordered, c->to->late);
	EXPECT_EQ(c->faults.corrupted, c->to->corrupted);
}

static const struct fault {
	const char *name;
	struct emu_impair_config cfg;
	uint64_t dropped, duplicated, reordered, corrupted; /* counts per 10000 frames */
} exact[] = {
	{ "drop", { .drop = { .one_in = 100 }, .seed = 1 }, 100, 0, 0, 0 },
	{ "dup", { .dup = { .one_in = 50 }, .seed = 2 }, 0, 200, 0, 0 },
	{ "reorder", { .reorder = { .one_in = 10 }, .seed = 3 }, 0, 0, 1000, 0 },
	{ "corrupt", { .corrupt = { .one_in = 20 }, .seed = 4 }, 0, 0, 0, 500 },
	{ "drop_all", { .drop = { .one_in = 1 }, .seed = 5 }, 10000, 0, 0, 0 },
	{ "together",
	  { .drop = { .one_in = 10 },
	    .dup = { .one_in = 10 },
	    .corrupt = { .one_in = 10 },
	    .reorder = { .one_in = 20 },
	    .seed = 6 },
	  1000,
	  1000,
	  500,
	  1000 },
};

TEST_EACH(impair, one_of_n_is_exact, struct fault, exact)
{
	struct cable c;

	open_cable(&c, &row->cfg, 0);
	send_over_cable(&c, 10000);
	EXPECT_EQ(row->dropped, c.faults.dropped);
	EXPECT_EQ(row->duplicated, c.faults.duplicated);
	EXPECT_EQ(row->corrupted, c.faults.corrupted);
	/* the last frame may be held, and no frame follows that could overtake it */
	EXPECT_LE(row->reordered, c.faults.reordered + 1);
	EXPECT_LE(c.faults.reordered, row->reordered);
	expect_agreement(&c, 10000);
	close_cable(&c);
}

TEST(impair, a_probability_hits_its_share_of_frames)
{
	const struct emu_chance half_percent = { .below = (uint64_t)(0.005 * 0x1p64) };
	const struct emu_impair_config cfg = { .drop = half_percent,
					       .dup = half_percent,
					       .corrupt = half_percent,
					       .reorder = half_percent,
					       .seed = 42 };
	struct cable c;

	open_cable(&c, &cfg, 0);
	send_over_cable(&c, MAX_FRAMES);
	expect_agreement(&c, MAX_FRAMES);
	/* 200 of each are expected; the limits are six standard deviations away */
	EXPECT_LT(115, c.faults.dropped);
	EXPECT_LT(c.faults.dropped, 285);
	EXPECT_LT(115, c.faults.reordered);
	EXPECT_LT(c.faults.reordered, 285);
	close_cable(&c);
}

TEST(impair, the_same_seed_gives_the_same_faults)
{
	const struct emu_chance tenth = { .below = UINT64_MAX / 10 };
	struct emu_impair_config cfg = {
		.drop = tenth, .dup = tenth, .corrupt = tenth, .reorder = tenth, .seed = 7
	};
	uint64_t digest[4];

	for (unsigned k = 0; k < 4; k++) {
		struct cable c;

		cfg.seed = k == 2 ? 8 : 7;
		open_cable(&c, &cfg, k == 3);
		send_over_cable(&c, 2000);
		digest[k] = c.to->digest;
		close_cable(&c);
	}
	EXPECT_EQ(digest[0], digest[1]);
	EXPECT_NE(digest[0], digest[2]); /* another seed */
	EXPECT_NE(digest[0], digest[3]); /* another port or direction */
}

TEST(impair, corruption_is_one_bit_of_the_payload)
{
	const struct emu_impair_config cfg = { .corrupt = { .always = true }, .seed = 1 };
	struct cable c;
	uint8_t frame[FRAME];

	open_cable(&c, &cfg, 0);
	make_frame(frame, 5);
	for (unsigned k = 0; k < 1000; k++)
		EXPECT_TRUE(emu_impair_send(c.i, &(struct emu_frame){ frame, FRAME }, 0));
	EXPECT_EQ(1000, c.to->corrupted);
	close_cable(&c);
}

/* A frame of another flow does not release the held frame: no receiver would count it as late. */
TEST(impair, a_held_frame_waits_for_its_own_flow)
{
	const struct emu_impair_config cfg = { .reorder = { .one_in = 1 }, .seed = 1 };
	struct cable c;
	uint8_t mine[FRAME], other[FRAME];

	open_cable(&c, &cfg, 0);
	make_frame(mine, 0);
	make_frame(other, 1);
	other[34] ^= 1; /* source port */
	emu_impair_send(c.i, &(struct emu_frame){ mine, FRAME }, 0);
	EXPECT_EQ(0, c.to->n);
	emu_impair_send(c.i, &(struct emu_frame){ other, FRAME }, 0);
	EXPECT_EQ(1, c.to->n);
	EXPECT_EQ(0, c.faults.reordered);
	make_frame(mine, 2);
	emu_impair_send(c.i, &(struct emu_frame){ mine, FRAME }, 0);
	EXPECT_EQ(3, c.to->n);
	EXPECT_EQ(1, c.faults.reordered);
	close_cable(&c);
}

TEST(impair, a_held_frame_is_delivered_after_10_ms)
{
	const struct emu_impair_config cfg = { .reorder = { .always = true }, .seed = 1 };
	struct cable c;
	uint8_t frame[FRAME];

	open_cable(&c, &cfg, 0);
	make_frame(frame, 0);
	emu_impair_send(c.i, &(struct emu_frame){ frame, FRAME }, 100);
	EXPECT_EQ(100 + 10000000, emu_impair_find_due(c.i, 100, UINT64_MAX));
	EXPECT_EQ(0, emu_impair_turn(c.i, 100 + 9999999, 10));
	EXPECT_EQ(0, c.to->n);
	emu_impair_turn(c.i, 100 + 10000000, 10);
	EXPECT_EQ(1, c.to->n);
	EXPECT_EQ(0, c.faults.reordered);
	close_cable(&c);
}

TEST(impair, delay_holds_every_frame_for_its_time)
{
	const struct emu_impair_config cfg = { .delay_ns = 1000 };
	struct cable c;
	uint8_t frame[FRAME];

	open_cable(&c, &cfg, 0);
	for (unsigned k = 0; k < 10; k++) {
		make_frame(frame, k);
		emu_impair_send(c.i, &(struct emu_frame){ frame, FRAME }, k * 100);
	}
	EXPECT_EQ(1000, emu_impair_find_due(c.i, 999, UINT64_MAX));
	EXPECT_EQ(998, emu_impair_find_due(c.i, 0, 998));
	EXPECT_EQ(0, emu_impair_turn(c.i, 999, 100));
	EXPECT_EQ(1, emu_impair_turn(c.i, 1000, 100));
	EXPECT_EQ(1100, emu_impair_find_due(c.i, 1000, UINT64_MAX));
	EXPECT_EQ(3, emu_impair_turn(c.i, 1399, 100));
	EXPECT_EQ(2, emu_impair_turn(c.i, 100000, 2));
	EXPECT_EQ(4, emu_impair_turn(c.i, 100000, 100));
	EXPECT_EQ(UINT64_MAX, emu_impair_find_due(c.i, 0, UINT64_MAX));
	EXPECT_EQ(10, c.faults.delayed);
	EXPECT_EQ(0, c.to->late);
	close_cable(&c);
}

/* While the receiver refuses frames, none is lost; waiting frames are delivered in order. */
TEST(impair, waits_for_a_receiver_that_is_full)
{
	const struct emu_impair_config cfg = { .dup = { .one_in = 3 }, .seed = 1 };
	unsigned sent = 0;
	struct cable c;

	open_cable(&c, &cfg, 0);
	for (unsigned k = 0; sent < 3000; k++) {
		uint8_t frame[FRAME];

		c.to->full = k % 5 < 3;
		make_frame(frame, sent);
		sent += emu_impair_send(c.i, &(struct emu_frame){ frame, FRAME }, 0);
		/* frames wait for the receiver, and for no time */
		EXPECT_EQ(UINT64_MAX, emu_impair_find_due(c.i, 0, UINT64_MAX));
	}
	c.to->full = false;
	emu_impair_turn(c.i, 0, UINT32_MAX);
	EXPECT_EQ(1000, c.faults.duplicated);
	EXPECT_EQ(0, c.faults.dropped);
	expect_agreement(&c, 3000);
	close_cable(&c);
}
