/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/capture_file.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/reason.h"

enum { MAGIC_BYTES = 4, LINKTYPE_RAW = 101, MAX_LISTED = 8 };

/* First bytes of a compressed file, and the program that unpacks it to stdout. */
static const struct packer {
	uint8_t magic[MAGIC_BYTES];
	unsigned n_magic;
	const char *name;
} packers[] = {
	{ { 0x1f, 0x8b }, 2, "gzip" },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, "zstd" },
	{ { 0xfd, '7', 'z', 'X' }, 4, "xz" },
	{ { 'B', 'Z', 'h' }, 3, "bzip2" },
	{ { 0x04, 0x22, 0x4d, 0x18 }, 4, "lz4" },
};

/* Functions that return text return NULL, or the reason of a refusal. */

static const char *check_path(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return NULL;
	if (stat(path, &st))
		return reason_format("%s; give an existing capture (pcap or pcapng)",
				     strerror(errno));
	if (S_ISDIR(st.st_mode))
		return "is a directory (valid: a capture file, pcap or pcapng)";
	if (!S_ISREG(st.st_mode))
		return reason_format("is a device or pipe (valid: a capture file, pcap or pcapng); "
				     "give --pcap - < %s",
				     path);
	return st.st_size ? NULL
			  : "the file is empty, and lacks even the header of a capture; record "
			    "again";
}

/* Reads the first bytes, and puts them back. Returns their number, which is less at the end. */
static size_t peek_magic(FILE *file, uint8_t magic[MAGIC_BYTES])
{
	const size_t n = fread(magic, 1, MAGIC_BYTES, file);

	for (size_t i = n; i; i--)
		ungetc(magic[i - 1], file);
	return n;
}

static const char *check_magic(const uint8_t magic[MAGIC_BYTES], size_t n, const char *path)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		const struct packer *p = &packers[i];

		if (n >= p->n_magic && !memcmp(magic, p->magic, p->n_magic))
			return reason_format(
				"is compressed with %s (valid: pcap, pcapng); unpack it: %s -dc %s "
				"| devx-pktgen run --pcap - ...",
				p->name, p->name, strcmp(path, "-") ? path : "FILE");
	}
	return NULL;
}

static const char *open_pcap(struct capture_file *f)
{
	char error[PCAP_ERRBUF_SIZE];

	f->pcap = pcap_fopen_offline_with_tstamp_precision(f->file, PCAP_TSTAMP_PRECISION_NANO,
							   error);
	if (!f->pcap)
		return reason_format("cannot be read as a capture (%s; valid: pcap, pcapng)",
				     error);
	f->whole.link_type = (uint16_t)pcap_datalink(f->pcap);
	return NULL;
}

static void close_file(struct capture_file *f)
{
	if (f->file && f->file != stdin)
		fclose(f->file);
	*f = (struct capture_file){ 0 };
}

const char *capture_file_open(struct capture_file *f, const char *path, const char *interface)
{
	const uint32_t pcapng = PCAPNG_MAGIC;
	const char *why = check_path(path);
	uint8_t magic[MAGIC_BYTES];
	size_t n;

	*f = (struct capture_file){ .wanted = interface };
	if (why)
		return why;
	if (interface && !*interface)
		return "the interface is empty (valid: the number or the name of one)";
	f->file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	if (!f->file)
		return reason_format("cannot open it: %s", strerror(errno));
	n = peek_magic(f->file, magic);
	why = check_magic(magic, n, path);
	if (!why && n == sizeof(pcapng) && !memcmp(magic, &pcapng, n))
		f->pcapng.file = f->file;
	else if (!why)
		why = open_pcap(f);
	if (why)
		close_file(f);
	return why;
}

static int read_pcap(struct capture_file *f, struct capture_packet *packet, const char **why)
{
	struct pcap_pkthdr *h;
	const u_char *bytes;
	const int rc = pcap_next_ex(f->pcap, &h, &bytes);

	if (rc == PCAP_ERROR_BREAK)
		return 0;
	if (rc != 1) {
		*why = pcap_geterr(f->pcap);
		return -EINVAL;
	}
	f->whole.n_packets++;
	*packet = (struct capture_packet){
		.seconds = h->ts.tv_sec,
		.ns = (uint32_t)h->ts.tv_usec, /* ns, as open_pcap() asks for */
		.bytes = bytes,
		.n_bytes = h->caplen,
		.n_wire_bytes = h->len,
	};
	return 1;
}

struct capture_interface *capture_file_get_interfaces(struct capture_file *f, unsigned *n)
{
	*n = f->pcap ? 1 : f->pcapng.n_interfaces;
	return f->pcap ? &f->whole : f->pcapng.interfaces;
}

/* ---- which interfaces ------------------------------------------------------------ */

/* Checks whether --interface names an interface. */
static bool is_named(const struct capture_file *f, const struct capture_interface *i,
		     unsigned number)
{
	const bool is_number = !f->wanted[strspn(f->wanted, "0123456789")];

	return is_number ? strtoull(f->wanted, NULL, 10) == number : !strcmp(f->wanted, i->name);
}

static bool is_taken(const struct capture_file *f, const struct capture_interface *i,
		     unsigned number)
{
	return i->link_type == DLT_EN10MB && (!f->wanted || is_named(f, i, number));
}

int capture_file_read_packet(struct capture_file *f, struct capture_packet *packet,
			     const char **why)
{
	struct capture_interface *all;
	unsigned n;
	int rc;

	do {
		rc = f->pcap ? read_pcap(f, packet, why)
			     : pcapng_read_packet(&f->pcapng, packet, why);
		if (rc != 1)
			return rc;
		packet->number = ++f->n_packets;
		all = capture_file_get_interfaces(f, &n);
	} while (!is_taken(f, &all[packet->interface], packet->interface));
	return 1;
}

static const char *name_link(uint16_t link_type)
{
	/* libpcap has names for its own numbers, which differ only for rare types and this one. */
	const char *name =
		pcap_datalink_val_to_name(link_type == LINKTYPE_RAW ? DLT_RAW : link_type);

	return name ? name : "unknown";
}

const char *capture_file_describe_interface(const struct capture_interface *i, unsigned number)
{
	return reason_format("interface %u (%s%s%s)", number, i->name, *i->name ? ", " : "",
			     name_link(i->link_type));
}

/* Lists the interfaces for a message. */
static const char *list_interfaces(const struct capture_interface *all, unsigned n)
{
	const char *text = "";

	for (unsigned i = 0; i < n && i < MAX_LISTED; i++)
		text = reason_format("%s%s%s", text, i ? ", " : "",
				     capture_file_describe_interface(&all[i], i));
	return n > MAX_LISTED ? reason_format("%s and %u more", text, n - MAX_LISTED) : text;
}

const char *capture_file_check_interfaces(struct capture_file *f)
{
	const struct capture_interface *other = NULL, *named = NULL;
	uint64_t n_taken = 0;
	unsigned n;
	struct capture_interface *all = capture_file_get_interfaces(f, &n);

	for (unsigned i = 0; i < n; i++) {
		const bool matches = !f->wanted || is_named(f, &all[i], i);

		all[i].is_taken = is_taken(f, &all[i], i);
		n_taken += all[i].is_taken ? all[i].n_packets : 0;
		named = matches ? &all[i] : named;
		other = matches && !all[i].is_taken && !other ? &all[i] : other;
	}
	if (n && !named)
		return reason_format("no interface %s in the file (valid: %s); give --interface "
				     "the number or the name of one",
				     f->wanted, list_interfaces(all, n));
	if (other && (f->wanted || !n_taken))
		return reason_format("link type is %s (%u) (valid: EN10MB (%d), Ethernet); record "
				     "on an Ethernet device, not on -i any",
				     name_link(other->link_type), other->link_type, DLT_EN10MB);
	if (n_taken)
		return NULL;
	return f->wanted ? reason_format("no packet of interface %s in the file (valid: at least "
					 "1); give --interface another one, or record again",
					 f->wanted)
			 : "no packet in the file (valid: at least 1); record again";
}

void capture_file_close(struct capture_file *f)
{
	if (f->pcap) {
		pcap_close(f->pcap);
		f->file = NULL;
	}
	pcapng_free(&f->pcapng);
	close_file(f);
}
