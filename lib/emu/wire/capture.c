/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A capture file, read whole.
 */
#include "emu/wire/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/wire/libpcap.h"

enum { FRAME_MAX = UINT16_MAX };

void emu_capture_free(struct emu_capture *c)
{
	for (uint64_t i = 0; i < c->n; i++)
		free((void *)(uintptr_t)c->frame[i].data);
	free(c->frame);
	*c = (struct emu_capture){ .n = 0 };
}

/* What cannot have been on an Ethernet, or is not all there. Packets count from 1, as elsewhere. */
static int validate_packet(const struct pcap_pkthdr *h, uint64_t number, const char *path,
			   const struct emu_why *why)
{
	const unsigned long long n = number;

	if (h->caplen < EMU_ETH_HEADER)
		return emu_say_why(why,
				   "capture %s: packet %llu has %u bytes; a frame has %d at least",
				   path, n, h->caplen, EMU_ETH_HEADER);
	if (h->len > FRAME_MAX)
		return emu_say_why(why,
				   "capture %s: packet %llu has %u bytes; a frame has %d at most",
				   path, n, h->len, FRAME_MAX);
	if (h->caplen < h->len)
		return emu_say_why(why,
				   "capture %s: packet %llu was cut to %u of %u bytes; record with "
				   "whole packets (tcpdump -s 0)",
				   path, n, h->caplen, h->len);
	return 0;
}

static int add_frame(struct emu_capture *c, const u_char *bits, uint32_t bytes)
{
	uint8_t *copy;

	if (!(c->n & (c->n - 1))) { /* full at every power of two */
		struct emu_frame *more = realloc(c->frame, (c->n ? 2 * c->n : 1) * sizeof(*more));

		if (!more)
			return -1;
		c->frame = more;
	}
	copy = malloc(bytes);
	if (!copy)
		return -1;
	memcpy(copy, bits, bytes);
	c->frame[c->n++] = (struct emu_frame){ copy, bytes };
	return 0;
}

static int read_all(struct emu_capture *c, const struct emu_pcap *pcap, pcap_t *file,
		    const char *path, const struct emu_why *why)
{
	struct pcap_pkthdr *h;
	const u_char *bits;
	int rc;

	if (pcap->datalink(file) != DLT_EN10MB) {
		const char *name = pcap->datalink_val_to_name(pcap->datalink(file));

		return emu_say_why(why,
				   "capture %s: its link type is %s; wires are Ethernet (EN10MB)",
				   path, name ? name : "unknown");
	}
	while ((rc = pcap->next_ex(file, &h, &bits)) == 1) {
		if (validate_packet(h, c->n + 1, path, why))
			return -1;
		if (add_frame(c, bits, h->caplen))
			return emu_say_why(why, "capture %s: out of memory at packet %llu", path,
					   (unsigned long long)c->n + 1);
	}
	if (rc == PCAP_ERROR)
		return emu_say_why(why, "capture %s: after packet %llu: %s", path,
				   (unsigned long long)c->n, pcap->geterr(file));
	if (!c->n)
		return emu_say_why(why, "capture %s has no packets", path);
	return 0;
}

int emu_capture_read(struct emu_capture *c, const char *path, const struct emu_why *why)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	const struct emu_pcap *pcap = emu_load_pcap(why);
	FILE *stream;
	pcap_t *file;
	int rc;

	*c = (struct emu_capture){ .n = 0 };
	if (!pcap)
		return -1;
	stream = fopen(path, "rbe");
	if (!stream)
		return emu_say_why(why, "capture %s: %s", path, strerror(errno));
	file = pcap->fopen_offline(stream, text); /* owns the stream when it succeeds */
	if (!file) {
		fclose(stream);
		return emu_say_why(why, "capture %s: %s", path, text);
	}
	rc = read_all(c, pcap, file, path, why);
	pcap->close(file);
	if (rc)
		emu_capture_free(c);
	return rc;
}
