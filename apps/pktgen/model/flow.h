/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_FLOW_H
#define PKTGEN_FLOW_H

#include "model/expect.h"
#include "model/options.h"
#include "model/route.h"
#include "model/signature.h"
#include "packet/offload.h"
#include "packet/recipe.h"

/**
 * struct flow - the frames of a stream. A frame is a function of its number and of the time
 * @id: number of the stream
 * @size: sizes of the frames
 * @first, @stride: frame @seq of the stream is frame first + seq * stride of its flow
 * @varies: frames differ in more than their signature
 * @is_fixed: each frame must arrive with the bytes of @signer's template, apart from the signature
 * @expect: how frames may differ when they arrive; not EXPECT_DEFAULT
 * @route: what routers on the way may change, if @expect allows it
 * @egress: for EXPECT_EGRESS: the headers of arriving frames; else NULL
 * @signer: signs and reads the longest frame; all frames, unless @varies
 * @recipe: writes the headers as they arrive
 * @sent: writes the headers as the port gets them; not @recipe if the port writes checksums
 * @sent_varies: as @varies, for the frames that the port gets
 * @offload: the checksums that the port writes
 * @frame: the longest frame, without FCS. A shorter frame has the same payload before its
 *   signature. The headers are those of frame 0
 * @bytes: length of @frame
 * @sums: by length of a frame without FCS: sum of the words of the payload without the variable
 *   bytes of the signature (recipe_fold_sum()); NULL: no checksum covers the payload
 */
struct flow {
	uint32_t id;
	bool varies, sent_varies, is_fixed;
	uint32_t bytes;
	const struct size *size;
	uint64_t first, stride;
	enum expect expect;
	struct route route;
	const struct stack *egress;
	struct signer signer;
	struct recipe *recipe, *sent;
	struct offload offload;
	uint8_t *frame;
	uint16_t *sums;
};

/**
 * flow_init - make the frames of a stream
 * @f: the stream. Free it with flow_free(), also after a failure
 * @run: number of the run
 * @id: number of the stream
 * @stack: the headers. MAC addresses are set (stack_set_macs()). Must live as long as @f
 * @size: sizes of the frames: flow_compute_min_size() to PKTGEN_MAX_SIZE. Must live as long as @f
 * @first, @stride: see struct flow
 *
 * Return: 0, or -ENOMEM
 */
int flow_init(struct flow *f, uint32_t run, uint32_t id, const struct stack *stack,
	      const struct size *size, uint64_t first, uint64_t stride);

/**
 * flow_set_offload - leave checksums to the port
 * @f: from flow_init(), with @stack
 * @o: the checksums; all zero: none
 *
 * Return: 0, or -ENOMEM
 */
int flow_set_offload(struct flow *f, const struct stack *stack, const struct offload *o);

/**
 * flow_set_expect - set how frames may differ when they arrive
 * @expect: not EXPECT_DEFAULT
 * @route: what routers may change; all zero: nothing
 * @egress: for EXPECT_EGRESS; must live as long as @f
 */
void flow_set_expect(struct flow *f, enum expect expect, struct route route,
		     const struct stack *egress);

/** flow_free - free the memory; @f is all zero afterwards */
void flow_free(struct flow *f);

/** flow_compute_min_size - compute the size of the smallest possible frame, FCS included */
uint32_t flow_compute_min_size(const struct stack *stack);

/** flow_get_number - get the number in its flow of frame @seq of the stream */
static inline uint64_t flow_get_number(const struct flow *f, uint64_t seq)
{
	return f->first + seq * f->stride;
}

/** flow_compute_bytes - compute the length of frame @seq, without FCS */
static inline uint32_t flow_compute_bytes(const struct flow *f, uint64_t seq)
{
	return f->size->min != f->size->max
		       ? size_compute(f->size, flow_get_number(f, seq)) - PKTGEN_FCS_BYTES
		       : f->bytes;
}

/** flow_write_template - write the longest frame as the port gets it, without signature */
void flow_write_template(const struct flow *f, uint8_t *frame);

/**
 * flow_write_frame - write a whole frame as the port gets it, signed
 * @bytes: its length, from flow_compute_bytes()
 */
void flow_write_frame(const struct flow *f, uint64_t seq, uint32_t bytes, uint32_t time_ns,
		      uint8_t *frame);

/** flow_is_whole_as_sent - flow_is_as_sent() for a flow that is not fixed */
bool flow_is_whole_as_sent(const struct flow *f, const uint8_t *frame, uint32_t bytes,
			   uint64_t limit, struct sign_mark *mark);

/**
 * flow_is_as_sent - find out whether a received frame is one that the flow sent, as @route allows
 * @f: the flow
 * @frame: the frame, without FCS
 * @bytes: length of @frame
 * @limit: lowest sequence number that the sender has not used yet
 * @mark: receives sequence and time, if true
 *
 * Return: false for each frame of a flow with EXPECT_EGRESS: flow_compare() reads its headers
 */
static inline bool flow_is_as_sent(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				   uint64_t limit, struct sign_mark *mark)
{
	if (!f->is_fixed)
		return flow_is_whole_as_sent(f, frame, bytes, limit, mark);
	return sign_is_as_sent(&f->signer, frame, bytes, limit, mark);
}

/**
 * flow_read_frame - sign_read_frame() for a flow: also verifies size and fields
 *
 * A frame that differs from the sent one may have any signature.
 */
enum sign_verdict flow_read_frame(const struct flow *f, const uint8_t *frame, uint32_t bytes,
				  uint64_t limit, struct sign_mark *mark);

/** flow_sends_fragments - find out whether the flow sends its frames as fragments of IP packets */
bool flow_sends_fragments(const struct flow *f);

/**
 * flow_compare - find out how a frame with a signature of the flow differs from the sent one
 * @f: the flow
 * @found: the signature of @frame, with a sequence that was sent
 * @frame, @bytes: the frame, without FCS
 * @changes: receives what @expect does not allow; with EXPECT_ANY, all changes; with
 *   EXPECT_EGRESS, the differences from the headers that arriving frames should have
 *
 * Return: SIGN_GOOD; SIGN_CHANGED: @changes has at least one; SIGN_DAMAGED: the payload is not
 * whole, or a checksum is wrong; SIGN_FRAGMENT: the same, because the frame is a fragment
 */
enum sign_verdict flow_compare(const struct flow *f, const struct sign_found *found,
			       const uint8_t *frame, uint32_t bytes, struct change_list *changes);

#endif
