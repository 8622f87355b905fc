/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/capture.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rte_hash_crc.h>

#include "model/conversation.h"
#include "model/signature.h"

/* The buffer for the reason of a refusal, and the file that the reason names. */
struct why {
	char *text;
	size_t bytes;
	const char *path;
};

__attribute__((format(printf, 2, 3))) static int refuse_file(const struct why *why, const char *fmt,
							     ...)
{
	va_list ap;
	int n = snprintf(why->text, why->bytes, "%s: ", why->path);

	va_start(ap, fmt);
	if (n > 0 && (size_t)n < why->bytes)
		vsnprintf(why->text + n, why->bytes - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static uint32_t hash_bytes(const uint8_t *bytes, uint32_t n_bytes)
{
	return rte_hash_crc(bytes, n_bytes, n_bytes);
}

static int check_packet(const struct why *why, uint32_t number, const struct pcap_pkthdr *h)
{
	if (h->len < CAPTURE_MIN_BYTES)
		return refuse_file(why,
				   "packet %u has %u bytes (valid: %d to %d); remove it from the "
				   "capture",
				   number, h->len, CAPTURE_MIN_BYTES, CAPTURE_MAX_BYTES);
	if (h->len > CAPTURE_MAX_BYTES)
		return refuse_file(why,
				   "packet %u has %u bytes (valid: %d to %d); record without "
				   "segmentation offloads (ethtool -K DEV gso off tso off gro off)",
				   number, h->len, CAPTURE_MIN_BYTES, CAPTURE_MAX_BYTES);
	if (h->caplen < h->len)
		return refuse_file(
			why,
			"packet %u was recorded in part (%u of %u bytes); record whole packets "
			"(tcpdump -s 0)",
			number, h->caplen, h->len);
	return 0;
}

/* Sets the time of the last frame. @first: time of the first one. tv_usec has ns (libpcap). */
static int set_time(struct capture *c, const struct why *why, const struct timeval *ts,
		    const struct timeval *first)
{
	const int64_t max = (int64_t)CAPTURE_MAX_YEARS * 365 * 24 * 3600;
	struct capture_frame *f = &c->frames[c->n_frames - 1];
	const uint64_t before = c->n_frames > 1 ? f[-1].at_ns : 0;
	int64_t s, ns;

	if (__builtin_sub_overflow(ts->tv_sec, first->tv_sec, &s) || s > max || s < -max)
		return refuse_file(
			why,
			"packet %u is more than %d years away from the first one (valid: "
			"at most %d); remove it, or correct its time (editcap -t)",
			c->n_frames, CAPTURE_MAX_YEARS, CAPTURE_MAX_YEARS);
	ns = s * 1000000000 + (ts->tv_usec - first->tv_usec);
	c->n_older += ns < (int64_t)before;
	f->at_ns = ns < (int64_t)before ? before : (uint64_t)ns;
	c->period_ns = f->at_ns + (c->n_frames > 1 ? f->at_ns / (c->n_frames - 1) : 0);
	return 0;
}

static int add_frame(struct capture *c, const uint8_t *bytes, uint32_t n_bytes)
{
	const uint32_t padded = n_bytes < CAPTURE_PAD_BYTES ? CAPTURE_PAD_BYTES : n_bytes;
	const int run = sign_find_run(bytes, n_bytes);
	struct capture_frame *f;

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
	if (run >= 0) {
		c->n_signed++;
		c->signed_run = (uint32_t)run;
	}
	c->total_bytes += padded;
	if (c->max_bytes < padded)
		c->max_bytes = padded;
	c->n_frames++;
	return 0;
}

static int read_packets(struct capture *c, pcap_t *file, const struct why *why)
{
	struct timeval first = { 0 };
	struct pcap_pkthdr *h;
	const u_char *bytes;
	int rc;

	while ((rc = pcap_next_ex(file, &h, &bytes)) == 1) {
		const uint32_t number = c->n_frames + 1;

		if (c->n_frames == CAPTURE_MAX_FRAMES)
			return refuse_file(why,
					   "too many packets (valid: at most %d); cut the file "
					   "(tcpdump -r FILE -c %d -w NEW)",
					   CAPTURE_MAX_FRAMES, CAPTURE_MAX_FRAMES);
		rc = check_packet(why, number, h);
		if (rc)
			return rc;
		if (add_frame(c, bytes, h->caplen))
			return refuse_file(why, "no memory for packet %u", number);
		if (number == 1)
			first = h->ts;
		rc = set_time(c, why, &h->ts, &first);
		if (rc)
			return rc;
	}
	if (rc == PCAP_ERROR_BREAK && c->n_frames)
		return 0;
	if (rc == PCAP_ERROR_BREAK)
		return refuse_file(why, "no packet in the file (valid: at least 1); record again");
	return refuse_file(
		why,
		"packet %u is cut off or invalid (%s); record again, or keep the packets before "
		"(tcpdump -r FILE -c %u -w NEW)",
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

/* Links the frames of each conversation into a ring. */
static int link_conversations(struct capture *c)
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

/* Opens a capture, or stdin ("-"). */
static pcap_t *open_capture(const char *path, const struct why *why)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *file =
		pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, error);

	if (!file) {
		refuse_file(why, "cannot be read as a capture (%s; valid: pcap, pcapng)", error);
		return NULL;
	}
	if (pcap_datalink(file) != DLT_EN10MB) {
		const char *name = pcap_datalink_val_to_name(pcap_datalink(file));

		refuse_file(why,
			    "link type is %s (%d) (valid: EN10MB (%d), Ethernet); record on an "
			    "Ethernet device, not on -i any",
			    name ? name : "unknown", pcap_datalink(file), DLT_EN10MB);
		pcap_close(file);
		return NULL;
	}
	return file;
}

static pcap_t *open_file(const struct why *why)
{
	struct stat st;

	if (!strcmp(why->path, "-"))
		return open_capture("-", why);
	if (stat(why->path, &st)) {
		refuse_file(why, "%s; give an existing capture (pcap or pcapng)", strerror(errno));
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		refuse_file(why, "is a %s (valid: a capture file, pcap or pcapng)",
			    S_ISDIR(st.st_mode) ? "directory" : "device or pipe");
		return NULL;
	}
	if (st.st_size == 0) {
		refuse_file(
			why,
			"the file is empty, and lacks even the header of a capture; record again");
		return NULL;
	}
	return open_capture(why->path, why);
}

static void rewrite_frames(struct capture *c, const struct rewrite *rewrite)
{
	for (uint32_t i = 0; i < c->n_frames && !rewrite_is_empty(rewrite); i++)
		c->n_rewritten += rewrite_frame(rewrite, c->frames[i].bytes, c->frames[i].n_bytes);
}

int capture_read(struct capture *c, const char *path, const struct rewrite *rewrite, char *text,
		 size_t text_bytes)
{
	const struct why why = { text, text_bytes, path };
	pcap_t *file;
	int rc;

	*c = (struct capture){ 0 };
	file = open_file(&why);
	if (!file)
		return -EINVAL;
	rc = read_packets(c, file, &why);
	pcap_close(file);
	rewrite_frames(c, rewrite);
	if (!rc && (index_frames(c) || number_conversations(c) || link_conversations(c)))
		rc = refuse_file(&why, "no memory for %u packets", c->n_frames);
	if (rc)
		capture_free(c);
	return rc;
}

void capture_free(struct capture *c)
{
	for (uint32_t i = 0; i < c->n_frames; i++)
		free(c->frames[i].bytes);
	free(c->frames);
	free(c->table);
	*c = (struct capture){ 0 };
}
