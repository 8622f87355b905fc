/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PKTGEN_COMPARE_FIXTURE_H
#define TESTS_PKTGEN_COMPARE_FIXTURE_H

#include <stdio.h>

#include "ct.h"

#include "model/flow.h"

/*
 * A device is played by a second flow of the same run and stream, with the headers that the device
 * writes. So its frames have the same payload and signature, and right checksums.
 */

enum { RUN = 9, STREAM = 3, SEQ = 17, MADE_NS = 0x12345678, TEXT_BYTES = 512 };

/* A flow and its headers. */
struct side {
	struct flow flow;
	struct stack stack;
	struct size size;
};

/* The flow that sends, the one that plays the device, and a frame. */
FIXTURE(compare)
{
	struct side sent, device;
	uint8_t frame[PKTGEN_MAX_SIZE + SIGN_MAX_TRAILER];
	char text[TEXT_BYTES];
};

FIXTURE_SETUP(compare)
{
	(void)self;
}

static inline void free_side(struct side *s)
{
	flow_free(&s->flow);
	stack_free(&s->stack);
}

FIXTURE_TEARDOWN(compare)
{
	free_side(&self->sent);
	free_side(&self->device);
}

/* Makes a flow whose frames have @payload bytes after the headers, signature included. */
static inline void make_side(struct side *s, const char *packet, uint32_t payload)
{
	static const uint8_t src[6] = { 2, 0, 0, 0, 0, 1 }, dst[6] = { 2, 0, 0, 0, 0, 2 };
	struct recipe recipe;

	free_side(s);
	ASSERT_EQ(NULL, stack_parse(&s->stack, packet));
	stack_set_macs(&s->stack, src, dst);
	recipe_init(&recipe, &s->stack, 0, false);
	size_set_fixed(&s->size, recipe.bytes + payload + PKTGEN_FCS_BYTES);
	ASSERT_EQ(0, flow_init(&s->flow, RUN, STREAM, &s->stack, &s->size, 0, 1));
}

/* Writes changes as "ipv4.src 10.0.0.1>10.0.0.2, +vlan, -mpls, ipv4 options 0>4". */
static inline void write_changes(const struct change_list *list, char *text)
{
	int n = 0;

	*text = '\0';
	for (const struct change *c = list->list; c < list->list + list->n; c++) {
		char sent[CHANGE_TEXT_BYTES], received[CHANGE_TEXT_BYTES], header[64] = "";

		change_format_value(c, c->sent, sent, sizeof(sent));
		change_format_value(c, c->received, received, sizeof(received));
		if (c->header)
			snprintf(header, sizeof(header), c->place ? "%s[%u]" : "%s",
				 c->header->name, c->place);
		n += snprintf(text + n, (size_t)(TEXT_BYTES - n), "%s", n ? ", " : "");
		if (c->kind == CHANGE_FIELD)
			n += snprintf(text + n, (size_t)(TEXT_BYTES - n), "%s.%s %s>%s", header,
				      c->field->name, sent, received);
		else if (c->kind == CHANGE_ADDED || c->kind == CHANGE_REMOVED)
			n += snprintf(text + n, (size_t)(TEXT_BYTES - n), "%c%s",
				      c->kind == CHANGE_ADDED ? '+' : '-', header);
		else
			n += snprintf(text + n, (size_t)(TEXT_BYTES - n), "%s %s>%s",
				      c->header ? header : change_get_name(c->kind), sent,
				      received);
	}
}

/* Compares the frame of @bytes with the one that was sent. Its changes are in @text. */
static inline enum sign_verdict compare_frame(struct ct_fix_compare *self, uint32_t bytes)
{
	struct change_list changes = { 0 };
	struct sign_found found;
	enum sign_verdict v;

	EXPECT_TRUE(sign_find(self->frame, bytes, &found));
	EXPECT_EQ(RUN, found.run);
	EXPECT_EQ(STREAM, found.stream);
	EXPECT_EQ(SEQ, found.mark.seq);
	EXPECT_EQ(MADE_NS, found.mark.time_ns);
	v = flow_compare(&self->sent.flow, &found, self->frame, bytes, &changes);
	write_changes(&changes, self->text);
	return v;
}

/* Writes frame SEQ as the device sends it. Returns its length. */
static inline uint32_t write_frame(struct ct_fix_compare *self)
{
	const uint32_t bytes = flow_compute_bytes(&self->device.flow, SEQ);

	flow_write_frame(&self->device.flow, SEQ, bytes, MADE_NS, self->frame);
	return bytes;
}

#define UDP4 "ethernet/ipv4/udp"
#define VXLAN4 "ethernet/ipv4/udp/vxlan(vni=7)/"

#endif
