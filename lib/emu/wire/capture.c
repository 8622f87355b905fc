/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads libpcap, and reads a whole capture file into memory.
 */
#include "emu/wire/capture.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The name of the library in Debian, and elsewhere. */
static const char *const names[] = { "libpcap.so.0.8", "libpcap.so.1" };

const struct emu_pcap *emu_load_pcap(const struct emu_why *why)
{
	static struct emu_pcap pcap;
	void *library = NULL;

	if (pcap.close)
		return &pcap;
	for (unsigned i = 0; !library && i < sizeof(names) / sizeof(names[0]); i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		emu_say_why(why, "libpcap: library not found; install libpcap0.8 to use captures");
		return NULL;
	}
#define FUNCTION(name)                                                                             \
	*(void **)&pcap.name = dlsym(library, "pcap_" #name);                                      \
	if (!pcap.name) {                                                                          \
		emu_say_why(why, "libpcap: no function pcap_" #name "; install a newer libpcap");  \
		pcap = (struct emu_pcap){ 0 };                                                     \
		return NULL;                                                                       \
	}
	EMU_PCAP_FUNCTIONS
#undef FUNCTION
	return &pcap;
}

enum { FRAME_MAX = UINT16_MAX };

void emu_capture_free(struct emu_capture *c)
{
	for (uint64_t i = 0; i < c->n; i++)
		free((void *)(uintptr_t)c->frame[i].data);
	free(c->frame);
	*c = (struct emu_capture){ .n = 0 };
}

/* Refuses packets of invalid length and truncated ones. @number starts at 1, as in Wireshark. */
static int validate_packet(const struct pcap_pkthdr *h, uint64_t number, const char *path,
			   const struct emu_why *why)
{
	const unsigned long long n = number;

	if (h->caplen < EMU_ETH_HEADER || h->len > FRAME_MAX)
		return emu_say_why(why, "capture %s: packet %llu has %u bytes (valid: %d to %d)",
				   path, n, h->len > FRAME_MAX ? h->len : h->caplen, EMU_ETH_HEADER,
				   FRAME_MAX);
	if (h->caplen < h->len)
		return emu_say_why(why,
				   "capture %s: packet %llu was truncated to %u of %u bytes; "
				   "capture whole packets (tcpdump -s 0)",
				   path, n, h->caplen, h->len);
	return 0;
}

static int add_frame(struct emu_capture *c, const u_char *bits, uint32_t bytes)
{
	uint8_t *copy;

	if (!(c->n & (c->n - 1))) { /* the array is full when n is 0 or a power of two */
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
				   "capture %s: link type is %s (valid: EN10MB, which is Ethernet)",
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
		return emu_say_why(why, "capture %s: read error after packet %llu: %s", path,
				   (unsigned long long)c->n, pcap->geterr(file));
	if (!c->n)
		return emu_say_why(why, "capture %s: no packets", path);
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
	file = pcap->fopen_offline(stream, text); /* on success, file owns the stream */
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
