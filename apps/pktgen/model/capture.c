/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/capture.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rte_hash_crc.h>

#include "cli/reason.h"
#include "model/conversation.h"

/* Static functions that return text return NULL, or the reason of a refusal. */

static uint32_t hash_bytes(const uint8_t *bytes, uint32_t n_bytes)
{
	return rte_hash_crc(bytes, n_bytes, n_bytes);
}

static const char *check_packet(uint32_t number, const struct pcap_pkthdr *h)
{
	if (h->len < CAPTURE_MIN_BYTES)
		return reason_format("packet %u has %u bytes (valid: %d to %d); remove it from the "
				     "capture",
				     number, h->len, CAPTURE_MIN_BYTES, CAPTURE_MAX_BYTES);
	if (h->len > CAPTURE_MAX_BYTES)
		return reason_format("packet %u has %u bytes (valid: %d to %d); record without "
				     "segmentation offloads (ethtool -K DEV gso off tso off gro "
				     "off)",
				     number, h->len, CAPTURE_MIN_BYTES, CAPTURE_MAX_BYTES);
	if (h->caplen < h->len)
		return reason_format("packet %u was recorded in part (%u of %u bytes); record "
				     "whole packets (tcpdump -s 0)",
				     number, h->caplen, h->len);
	return NULL;
}

/* Sets the time of the last frame. @first: time of the first one. tv_usec has ns (libpcap). */
static const char *set_time(struct capture *c, const struct timeval *ts,
			    const struct timeval *first)
{
	const int64_t max = (int64_t)CAPTURE_MAX_YEARS * 365 * 24 * 3600;
	struct capture_frame *f = &c->frames[c->n_frames - 1];
	const uint64_t before = c->n_frames > 1 ? f[-1].at_ns : 0;
	int64_t s, ns;

	if (__builtin_sub_overflow(ts->tv_sec, first->tv_sec, &s) || s > max || s < -max)
		return reason_format(
			"packet %u is more than %d years away from the first one (valid: "
			"at most %d); remove it, or correct its time (editcap -t)",
			c->n_frames, CAPTURE_MAX_YEARS, CAPTURE_MAX_YEARS);
	ns = s * 1000000000 + (ts->tv_usec - first->tv_usec);
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

static const char *read_packets(struct capture *c, pcap_t *file)
{
	struct timeval first = { 0 };
	struct pcap_pkthdr *h;
	const u_char *bytes;
	const char *why;
	int rc;

	while ((rc = pcap_next_ex(file, &h, &bytes)) == 1) {
		const uint32_t number = c->n_frames + 1;

		if (c->n_frames == CAPTURE_MAX_FRAMES)
			return reason_format("too many packets (valid: at most %d); cut the file "
					     "(tcpdump -r FILE -c %d -w NEW)",
					     CAPTURE_MAX_FRAMES, CAPTURE_MAX_FRAMES);
		why = check_packet(number, h);
		if (why)
			return why;
		if (add_frame(c, bytes, h->caplen))
			return reason_format("no memory for packet %u", number);
		if (number == 1)
			first = h->ts;
		why = set_time(c, &h->ts, &first);
		if (why)
			return why;
	}
	if (rc == PCAP_ERROR_BREAK)
		return c->n_frames ? NULL
				   : "no packet in the file (valid: at least 1); record again";
	return reason_format("packet %u is cut off or invalid (%s); record again, or keep the "
			     "packets before (tcpdump -r FILE -c %u -w NEW)",
			     c->n_frames + 1, pcap_geterr(file), c->n_frames);
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

static const char *check_file(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return NULL;
	if (stat(path, &st))
		return reason_format("%s; give an existing capture (pcap or pcapng)",
				     strerror(errno));
	if (!S_ISREG(st.st_mode))
		return reason_format("is a %s (valid: a capture file, pcap or pcapng)",
				     S_ISDIR(st.st_mode) ? "directory" : "device or pipe");
	return st.st_size ? NULL
			  : "the file is empty, and lacks even the header of a capture; record "
			    "again";
}

/* Reads a file, or stdin ("-"), to the end. */
static const char *read_file(struct capture *c, const char *path)
{
	char error[PCAP_ERRBUF_SIZE];
	const char *why = check_file(path), *name;
	pcap_t *file;

	if (why)
		return why;
	file = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, error);
	if (!file)
		return reason_format("cannot be read as a capture (%s; valid: pcap, pcapng)",
				     error);
	if (pcap_datalink(file) == DLT_EN10MB) {
		why = read_packets(c, file);
	} else {
		name = pcap_datalink_val_to_name(pcap_datalink(file));
		why = reason_format("link type is %s (%d) (valid: EN10MB (%d), Ethernet); record "
				    "on an Ethernet device, not on -i any",
				    name ? name : "unknown", pcap_datalink(file), DLT_EN10MB);
	}
	pcap_close(file);
	return why;
}

static void rewrite_frames(struct capture *c, const struct rewrite *rewrite)
{
	for (uint32_t i = 0; i < c->n_frames && !rewrite_is_empty(rewrite); i++)
		c->n_rewritten += rewrite_frame(rewrite, c->frames[i].bytes, c->frames[i].n_bytes);
}

int capture_read(struct capture *c, const char *path, const struct rewrite *rewrite, char *text,
		 size_t text_bytes)
{
	const char *why;

	*c = (struct capture){ 0 };
	why = read_file(c, path);
	rewrite_frames(c, rewrite);
	if (!why && (index_frames(c) || number_conversations(c) || chain_conversations(c)))
		why = reason_format("no memory for %u packets", c->n_frames);
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
	*c = (struct capture){ 0 };
}
