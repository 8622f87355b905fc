/* SPDX-License-Identifier: BSD-3-Clause */
#include "pcap_file.h"

#include <stdlib.h>
#include <unistd.h>

static void write_u32(FILE *f, uint32_t v)
{
	fwrite(&v, sizeof(v), 1, f);
}

void pcap_file_open(struct pcap_file *p, uint32_t link, uint32_t snaplen)
{
	int fd;

	p->seconds = 0;
	p->microseconds = 0;
	snprintf(p->path, sizeof(p->path), "/tmp/pktgen-test-XXXXXX");
	fd = mkstemp(p->path);
	p->file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!p->file)
		abort();
	write_u32(p->file, 0xa1b2c3d4); /* magic; then version 2.4, time zone, accuracy */
	write_u32(p->file, 2 | 4 << 16);
	write_u32(p->file, 0);
	write_u32(p->file, 0);
	write_u32(p->file, snaplen);
	write_u32(p->file, link);
}

void pcap_file_add(struct pcap_file *p, const void *bytes, uint32_t here, uint32_t whole)
{
	write_u32(p->file, p->seconds ? p->seconds : 1);
	write_u32(p->file, p->microseconds);
	write_u32(p->file, here);
	write_u32(p->file, whole);
	if (bytes)
		fwrite(bytes, 1, here, p->file);
	for (uint32_t i = 0; !bytes && i < here; i++)
		fputc(0, p->file);
}

void pcap_file_close(struct pcap_file *p, long cut)
{
	const long size = ftell(p->file);

	fclose(p->file);
	if (cut && truncate(p->path, size - cut))
		abort();
}

void pcap_file_remove(struct pcap_file *p)
{
	unlink(p->path);
}
