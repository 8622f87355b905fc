/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_hash_crc.h>

#include "cli/reason.h"
#include "cli/units.h"
#include "model/capture_file.h"
#include "model/conversation.h"

/* Static functions that return text return NULL, or the reason of a refusal. */

static uint32_t hash_bytes(const uint8_t *bytes, uint32_t n_bytes)
{
	return rte_hash_crc(bytes, n_bytes, n_bytes);
}

static const char *check_packet(const struct capture_packet *p)
{
	const unsigned long long n = p->number;
	const uint32_t bytes = p->n_bytes > p->n_wire_bytes ? p->n_bytes : p->n_wire_bytes;

	if (bytes < CAPTURE_MIN_BYTES)
		return reason_format("packet %llu has %u byte%s (valid: %d to %d); remove it from "
				     "the capture",
				     n, bytes, units_get_plural(bytes), CAPTURE_MIN_BYTES,
				     CAPTURE_MAX_BYTES);
	if (bytes > CAPTURE_MAX_BYTES)
		return reason_format("packet %llu has %u bytes (valid: %d to %d); record without "
				     "segmentation offloads (ethtool -K DEV gso off tso off gro "
				     "off)",
				     n, bytes, CAPTURE_MIN_BYTES, CAPTURE_MAX_BYTES);
	if (p->n_bytes < bytes)
		return reason_format("packet %llu was recorded in part (%u of %u byte%s); record "
				     "whole packets (tcpdump -s 0)",
				     n, p->n_bytes, bytes, units_get_plural(bytes));
	return NULL;
}

/* Sets the time of the last frame. @first: the packet of the first one */
static const char *set_time(struct capture *c, const struct capture_packet *p,
			    const struct capture_packet *first)
{
	const int64_t max = (int64_t)CAPTURE_MAX_YEARS * 365 * 24 * 3600;
	struct capture_frame *f = &c->frames[c->n_frames - 1];
	const uint64_t before = c->n_frames > 1 ? f[-1].at_ns : 0;
	int64_t s, ns;

	if (__builtin_sub_overflow(p->seconds, first->seconds, &s) || s > max || s < -max)
		return reason_format(
			"packet %llu is more than %d years away from the first one (valid: "
			"at most %d); remove it, or correct its time (editcap -t)",
			(unsigned long long)p->number, CAPTURE_MAX_YEARS, CAPTURE_MAX_YEARS);
	ns = s * 1000000000 + ((int64_t)p->ns - first->ns);
	c->n_older += ns < (int64_t)before;
	f->at_ns = ns < (int64_t)before ? before : (uint64_t)ns;
	c->period_ns = f->at_ns + (c->n_frames > 1 ? f->at_ns / (c->n_frames - 1) : 0);
	return NULL;
}

static int add_frame(struct capture *c, const uint8_t *bytes, uint32_t n_bytes)
{
	const uint32_t padded = n_bytes < CAPTURE_PAD_BYTES ? CAPTURE_PAD_BYTES : n_bytes;
	struct capture_frame *f;
	struct sign_found found;

	/* The array is full when its length is a power of 2, so its size doubles then. */
	if (!(c->n_frames & (c->n_frames - 1))) {
		f = realloc(c->frames, (c->n_frames ? 2ul * c->n_frames : 1) * sizeof(*f));
		if (!f)
			return -ENOMEM;
		c->frames = f;
	}
	f = &c->frames[c->n_frames];
	f->bytes = calloc(1, padded);
	if (!f->bytes)
		return -ENOMEM;
	memcpy(f->bytes, bytes, n_bytes);
	f->n_bytes = padded;
	c->n_padded += padded != n_bytes;
	if (sign_find(bytes, n_bytes, &found)) {
		c->n_signed++;
		c->runs[found.run / 64] |= 1ull << found.run % 64;
	}
	c->total_bytes += padded;
	if (c->max_bytes < padded)
		c->max_bytes = padded;
	c->n_frames++;
	return 0;
}

/* Formats the command that copies the first @n packets of a file, from 1 on. */
static const char *format_cut(struct capture_file *file, uint64_t n)
{
	unsigned n_interfaces;

	capture_file_get_interfaces(file, &n_interfaces);
	return n_interfaces > 1
		       ? reason_format("editcap -r FILE NEW 1-%llu", (unsigned long long)n)
		       : reason_format("tcpdump -r FILE -c %llu -w NEW", (unsigned long long)n);
}

static const char *explain_invalid(struct capture_file *file, const char *why)
{
	const char *cure = file->n_packets ? reason_format(", or keep the packets before (%s)",
							   format_cut(file, file->n_packets))
					   : "";

	return reason_format("packet %llu is cut off or invalid (%s); record again%s",
			     (unsigned long long)file->n_packets + 1, why, cure);
}

/* Adds a packet of the file. @first: see set_time() */
static const char *add_packet(struct capture *c, struct capture_file *file,
			      const struct capture_packet *p, struct capture_packet *first)
{
	const char *why = check_packet(p);

	if (why)
		return why;
	if (c->n_frames == CAPTURE_MAX_FRAMES)
		return reason_format("too many packets (valid: at most %d); cut the file (%s)",
				     CAPTURE_MAX_FRAMES, format_cut(file, p->number - 1));
	if (add_frame(c, p->bytes, p->n_bytes))
		return reason_format("no memory for packet %llu", (unsigned long long)p->number);
	if (c->n_frames == 1)
		*first = *p;
	if (p->n_bytes > p->n_wire_bytes && !c->n_longer++)
		c->longer = (struct capture_longer){ p->number, p->n_bytes, p->n_wire_bytes };
	return set_time(c, p, first);
}

static const char *read_packets(struct capture *c, struct capture_file *file)
{
	struct capture_packet first = { 0 }, packet = { 0 };
	const char *why = NULL;
	int rc;

	while ((rc = capture_file_read_packet(file, &packet, &why)) == 1) {
		why = add_packet(c, file, &packet, &first);
		if (why)
			return why;
	}
	return rc ? explain_invalid(file, why) : capture_file_check_interfaces(file);
}

/* Copies the interfaces for the plan. */
static int copy_interfaces(struct capture *c, struct capture_file *file)
{
	const struct capture_interface *all = capture_file_get_interfaces(file, &c->n_interfaces);
	const size_t bytes = c->n_interfaces * sizeof(*all);

	c->interfaces = malloc(bytes);
	if (!c->interfaces)
		return -ENOMEM;
	memcpy(c->interfaces, all, bytes);
	return 0;
}

/* Puts the frames into the table; of frames with the same bytes, only the first. */
static int index_frames(struct capture *c)
{
	uint32_t slots = 2;

	while (slots < 2 * c->n_frames)
		slots *= 2;
	c->table_mask = slots - 1;
	c->table = malloc(slots * sizeof(*c->table));
	if (!c->table)
		return -ENOMEM;
	memset(c->table, 0xff, slots * sizeof(*c->table));

	for (uint32_t i = 0; i < c->n_frames; i++) {
		struct capture_frame *f = &c->frames[i];
		const uint32_t first = capture_find(c, f->bytes, f->n_bytes);
		uint32_t slot = hash_bytes(f->bytes, f->n_bytes) & c->table_mask;

		f->twin = i;
		if (first != CAPTURE_NONE) {
			c->n_twins += 1 + (c->frames[first].twin == first);
			f->twin = c->frames[first].twin;
			c->frames[first].twin = i;
			continue;
		}
		while (c->table[slot] != CAPTURE_NONE)
			slot = (slot + 1) & c->table_mask;
		c->table[slot] = i;
	}
	return 0;
}

/* Numbers the conversations in the order of their first frames. */
static int number_conversations(struct capture *c)
{
	struct conversation_key *keys = calloc(c->n_frames, sizeof(*keys));
	uint32_t *slots = malloc((c->table_mask + 1ul) * sizeof(*slots));

	for (uint32_t i = 0; slots && i <= c->table_mask; i++)
		slots[i] = CAPTURE_NONE;
	for (uint32_t i = 0; keys && slots && i < c->n_frames; i++) {
		struct capture_frame *f = &c->frames[i];
		const struct conversation_key key = conversation_make_key(f->bytes, f->n_bytes);
		uint32_t at = hash_bytes(key.bytes, sizeof(key)) & c->table_mask;

		while (slots[at] != CAPTURE_NONE && memcmp(&keys[slots[at]], &key, sizeof(key)))
			at = (at + 1) & c->table_mask;
		if (slots[at] == CAPTURE_NONE) {
			keys[c->n_conversations] = key;
			slots[at] = c->n_conversations++;
		}
		f->conversation = slots[at];
	}
	free(keys);
	free(slots);
	return c->n_conversations ? 0 : -ENOMEM;
}

/* Chains the frames of each conversation into a ring. */
static int chain_conversations(struct capture *c)
{
	uint32_t *last = malloc(c->n_conversations * sizeof(*last));

	if (!last)
		return -ENOMEM;
	for (uint32_t i = 0; i < c->n_frames; i++)
		last[c->frames[i].conversation] = i;
	for (uint32_t i = 0; i < c->n_frames; i++) {
		c->frames[i].previous = last[c->frames[i].conversation];
		last[c->frames[i].conversation] = i;
	}
	free(last);
	return 0;
}

uint32_t capture_find(const struct capture *c, const uint8_t *bytes, uint32_t n_bytes)
{
	uint32_t slot = hash_bytes(bytes, n_bytes) & c->table_mask;

	for (; c->table[slot] != CAPTURE_NONE; slot = (slot + 1) & c->table_mask) {
		const struct capture_frame *f = &c->frames[c->table[slot]];

		if (f->n_bytes == n_bytes && !memcmp(f->bytes, bytes, n_bytes))
			return c->table[slot];
	}
	return CAPTURE_NONE;
}

/* Reads a file, or stdin ("-"), to the end. */
static const char *read_file(struct capture *c, const char *path, const char *interface)
{
	struct capture_file file;
	const char *why = capture_file_open(&file, path, interface);

	if (why)
		return why;
	why = read_packets(c, &file);
	if (!why && copy_interfaces(c, &file))
		why = "no memory for the interfaces";
	capture_file_close(&file);
	return why;
}

static void rewrite_frames(struct capture *c, const struct rewrite *rewrite)
{
	for (uint32_t i = 0; i < c->n_frames && !rewrite_is_empty(rewrite); i++)
		c->n_rewritten += rewrite_frame(rewrite, c->frames[i].bytes, c->frames[i].n_bytes);
}

int capture_read(struct capture *c, const char *path, const char *interface,
		 const struct rewrite *rewrite, char *text, size_t text_bytes)
{
	const char *why;

	*c = (struct capture){ 0 };
	why = read_file(c, path, interface);
	rewrite_frames(c, rewrite);
	if (!why && (index_frames(c) || number_conversations(c) || chain_conversations(c)))
		why = reason_format("no memory for %u packet%s", c->n_frames,
				    units_get_plural(c->n_frames));
	if (!why)
		return 0;
	snprintf(text, text_bytes, "%s: %s", path, why);
	capture_free(c);
	return -EINVAL;
}

void capture_free(struct capture *c)
{
	for (uint32_t i = 0; i < c->n_frames; i++)
		free(c->frames[i].bytes);
	free(c->frames);
	free(c->table);
	free(c->interfaces);
	*c = (struct capture){ 0 };
}
