/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/flow.h"

#include <errno.h>
#include <stdlib.h>

#include "packet/dissect.h"

/* ---- prepare -------------------------------------------------------------------- */

uint32_t flow_compute_min_size(const struct stack *stack)
{
	const uint32_t bytes = recipe_compute_bytes(stack) + SIGN_BYTES + PKTGEN_FCS_BYTES;

	return bytes > PKTGEN_MIN_SIZE ? bytes : PKTGEN_MIN_SIZE;
}

/* Returns the sum of the words of @n bytes that begin @offset bytes after the headers. */
static inline uint64_t sum_at(uint32_t offset, const uint8_t *data, uint32_t n)
{
	uint8_t shifted[SIGN_BYTES + 1];

	if (offset % 2 == 0)
		return recipe_sum_words(data, n);
	shifted[0] = 0;
	memcpy(shifted + 1, data, n);
	return recipe_sum_words(shifted, n + 1);
}

/* Computes the sum of the constant bytes of the payload for every length. */
static void compute_sums(struct flow *f, uint32_t min_bytes)
{
	const uint8_t *constant = f->frame + f->bytes - SIGN_BYTES;
	const uint32_t headers = f->recipe->bytes;
	uint32_t filled = min_bytes - SIGN_BYTES - headers;
	uint64_t sum = recipe_sum_words(f->frame + headers, filled);

	for (uint32_t bytes = min_bytes; bytes <= f->bytes; bytes++, filled++) {
		f->sums[bytes] =
			recipe_fold_sum(sum + sum_at(filled, constant, SIGN_CONSTANT_BYTES));
		sum += sum_at(filled, f->frame + headers + filled, 1);
	}
}

int flow_init(struct flow *f, uint32_t run, uint32_t id, const struct stack *stack,
	      const struct size *size, uint64_t first, uint64_t stride)
{
	const uint32_t bytes = size->max - PKTGEN_FCS_BYTES;
	const uint32_t min_bytes = size->min - PKTGEN_FCS_BYTES;

	*f = (struct flow){ .id = id,
			    .bytes = bytes,
			    .size = size,
			    .first = first,
			    .stride = stride,
			    .frame = calloc(1, bytes) };
	if (!f->frame || stack->lacks_memory)
		return -ENOMEM;
	f->recipe = recipe_make(stack, size->min == size->max ? bytes : 0, false);
	if (!f->recipe)
		return -ENOMEM;
	for (uint32_t i = f->recipe->bytes; i < bytes; i++)
		f->frame[i] = (uint8_t)(i - f->recipe->bytes);
	signer_init(&f->signer, f->frame, bytes, f->recipe->bytes, run, id);
	if (f->recipe->covers_payload) {
		f->sums = calloc(bytes + 1, sizeof(*f->sums));
		if (!f->sums)
			return -ENOMEM;
		compute_sums(f, min_bytes);
	}
	f->varies = size->min != size->max || f->recipe->n_fields || f->sums;
	f->sent = f->recipe;
	f->sent_varies = f->varies;
	f->is_fixed = !f->varies;
	recipe_write(f->recipe, first, f->frame, bytes, f->sums ? f->sums[bytes] : 0, f->frame);
	return 0;
}

int flow_set_offload(struct flow *f, const struct stack *stack, const struct offload *o)
{
	const bool is_fixed = f->size->min == f->size->max;

	if (!o->port)
		return 0;
	f->sent = recipe_make(stack, is_fixed ? f->bytes : 0, true);
	if (!f->sent)
		return -ENOMEM;
	f->sent_varies = !is_fixed || f->sent->n_fields;
	f->offload = *o;
	return 0;
}

void flow_set_expect(struct flow *f, enum expect expect, struct route route,
		     const struct stack *egress)
{
	f->expect = expect;
	f->route = route;
	f->egress = egress;
	f->is_fixed = !f->varies && !route.ttl && !egress;
}

void flow_free(struct flow *f)
{
	if (f->sent != f->recipe)
		free(f->sent);
	free(f->recipe);
	free(f->frame);
	free(f->sums);
	*f = (struct flow){ 0 };
}

/* ---- write ---------------------------------------------------------------------- */

static inline struct signer make_signer(const struct flow *f, const uint8_t *template,
					uint32_t bytes)
{
	return (struct signer){ template, bytes, f->recipe->bytes, f->signer.state };
}

/* sum_at() for the variable bytes of the signature. */
static inline uint64_t sum_variable(uint32_t offset, const uint8_t *variable)
{
	uint32_t four[SIGN_VARIABLE_BYTES / 4];
	uint16_t two;
	uint64_t sum;

	memcpy(four, variable, sizeof(four));
	memcpy(&two, variable + sizeof(four), sizeof(two));
	sum = (uint64_t)four[0] + four[1] + four[2] + two;
	return offset % 2 ? recipe_swap_sum(sum) : sum;
}

/* Writes the headers of frame @seq with @p. The payload and signature of @frame are complete. */
static inline void write_headers(const struct flow *f, const struct recipe *p, uint64_t seq,
				 const uint8_t *frame, uint32_t bytes, uint8_t *headers)
{
	const uint32_t variable = bytes - SIGN_VARIABLE_BYTES;
	uint64_t sum = 0;

	if (p->covers_payload)
		sum = f->sums[bytes] + sum_variable(variable - p->bytes, frame + variable);
	recipe_write(p, flow_get_number(f, seq), frame, bytes, sum, headers);
}

/* Writes the constant bytes of the payload: all but sequence, time and check. */
static inline void write_payload(const struct flow *f, uint32_t bytes, uint8_t *frame)
{
	const uint32_t headers = f->recipe->bytes;

	memcpy(frame + headers, f->frame + headers, bytes - SIGN_BYTES - headers);
	memcpy(frame + bytes - SIGN_BYTES, f->frame + f->bytes - SIGN_BYTES, SIGN_CONSTANT_BYTES);
}

void flow_write_frame(const struct flow *f, uint64_t seq, uint32_t bytes, uint32_t time_ns,
		      uint8_t *frame)
{
	const struct signer s = make_signer(f, NULL, bytes);

	write_payload(f, bytes, frame);
	sign_frame(&s, frame, seq, time_ns);
	write_headers(f, f->sent, seq, frame, bytes, frame);
}

void flow_write_template(const struct flow *f, uint8_t *frame)
{
	memcpy(frame, f->frame, f->bytes);
	if (f->sent != f->recipe)
		recipe_write(f->sent, f->first, frame, f->bytes, 0, frame);
}

/* ---- read ----------------------------------------------------------------------- */

/* Returns whether the check of a frame matches its sequence and time. */
static inline bool is_check_right(const struct signer *s, const uint8_t *variable)
{
	return sign_compute_crc(s, variable) == sign_read_check(variable);
}

/* Writes frame @seq as it should arrive, with the given variable bytes of the signature. */
static void write_expected(const struct flow *f, uint64_t seq, const uint8_t *variable,
			   uint32_t bytes, uint8_t *template)
{
	write_payload(f, bytes, template);
	memcpy(template + bytes - SIGN_VARIABLE_BYTES, variable, SIGN_VARIABLE_BYTES);
	write_headers(f, f->recipe, seq, template, bytes, template);
}

/*
 * Compares a frame that differs from the sent one (rare) with a whole expected frame. If the check
 * fails, the sequence may be wrong, so the variable fields are not compared.
 */
static enum sign_verdict read_damaged(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				      uint64_t limit, struct sign_mark *mark)
{
	uint8_t template[PKTGEN_MAX_SIZE];
	enum sign_verdict v;
	struct signer s;

	if (bytes < f->recipe->bytes)
		return SIGN_FOREIGN;
	if (bytes + PKTGEN_FCS_BYTES < f->size->min || bytes > f->bytes) {
		memcpy(template, f->frame, f->bytes);
		recipe_copy_variable(f->recipe, frame, template);
		if (f->route.ttl)
			route_adapt(&f->route, frame, template);
		s = make_signer(f, template, f->bytes);
		return sign_read_damaged(&s, frame, bytes, limit, mark);
	}
	s = make_signer(f, template, bytes);
	*mark = sign_decode_mark(frame + bytes - SIGN_VARIABLE_BYTES);
	write_expected(f, mark->seq, frame + bytes - SIGN_VARIABLE_BYTES, bytes, template);
	if (f->route.ttl)
		route_adapt(&f->route, frame, template);
	if (!is_check_right(&s, frame + bytes - SIGN_VARIABLE_BYTES))
		recipe_copy_variable(f->recipe, frame, template);
	v = sign_read_damaged(&s, frame, bytes, limit, mark);
	/* The sequence is right only if its frame has this size. */
	return v == SIGN_DAMAGED && flow_compute_bytes(f, mark->seq) != bytes ? SIGN_UNREADABLE : v;
}

/* Returns whether the frame is as it was sent, apart from sequence, time and check. */
static inline bool is_constant_intact(const struct flow *f, uint64_t seq, const uint8_t *frame,
				      uint32_t bytes)
{
	const uint32_t n = f->recipe->bytes;
	uint8_t headers[STACK_MAX_BYTES];

	write_headers(f, f->recipe, seq, frame, bytes, headers);
	if (f->route.ttl)
		route_adapt(&f->route, frame, headers);
	return !memcmp(frame, headers, n) &&
	       !memcmp(frame + n, f->frame + n, bytes - SIGN_BYTES - n) &&
	       !memcmp(frame + bytes - SIGN_BYTES, f->frame + f->bytes - SIGN_BYTES,
		       SIGN_CONSTANT_BYTES);
}

bool flow_is_whole_as_sent(const struct flow *f, const uint8_t *frame, uint32_t bytes,
			   uint64_t limit, struct sign_mark *mark)
{
	const struct signer s = make_signer(f, NULL, bytes);
	const uint8_t *variable;

	if (f->egress || bytes + PKTGEN_FCS_BYTES < f->size->min || bytes > f->bytes)
		return false;
	variable = frame + bytes - SIGN_VARIABLE_BYTES;
	*mark = sign_decode_mark(variable);
	return mark->seq < limit && flow_compute_bytes(f, mark->seq) == bytes &&
	       is_constant_intact(f, mark->seq, frame, bytes) && is_check_right(&s, variable);
}

enum sign_verdict flow_read_frame(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				  uint64_t limit, struct sign_mark *mark)
{
	if (flow_is_as_sent(f, frame, bytes, limit, mark))
		return SIGN_GOOD;
	if (!f->is_fixed)
		return read_damaged(f, frame, bytes, limit, mark);
	return sign_read_damaged(&f->signer, frame, bytes, limit, mark);
}

/* ---- compare -------------------------------------------------------------------- */

static bool is_fragment(const uint8_t *frame, uint32_t bytes)
{
	struct dissection d;

	dissect_frame(&d, frame, bytes);
	return dissect_is_fragment(&d, frame);
}

bool flow_sends_fragments(const struct flow *f)
{
	return is_fragment(f->frame, f->recipe->bytes);
}

enum sign_verdict flow_compare(const struct flow *f, const struct sign_found *found,
			       const uint8_t *frame, uint32_t bytes, struct change_list *changes)
{
	const uint32_t sent_bytes = flow_compute_bytes(f, found->mark.seq);
	const uint32_t headers = f->recipe->bytes, payload = sent_bytes - SIGN_BYTES - headers;
	const uint32_t end = found->at + SIGN_BYTES;
	uint8_t template[PKTGEN_MAX_SIZE];
	const struct change_frame sent = { template, headers, sent_bytes };
	const struct change_frame received = { frame, found->at - payload, end };

	if (found->at < payload || memcmp(frame + found->at - payload, f->frame + headers, payload))
		return is_fragment(frame, bytes) && !flow_sends_fragments(f) ? SIGN_FRAGMENT
									     : SIGN_DAMAGED;
	write_expected(f, found->mark.seq, frame + found->at + SIGN_CONSTANT_BYTES, sent_bytes,
		       template);
	change_find(changes, &sent, &received, bytes - end);
	if (changes->is_damaged)
		return SIGN_DAMAGED;
	if (f->egress)
		change_find_unlisted(changes, f->egress, &received);
	else
		expect_filter(f->expect, changes);
	return changes->n ? SIGN_CHANGED : SIGN_GOOD;
}
