/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PCAPNG_H
#define PKTGEN_PCAPNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * DOC: pcapng files
 *
 * A reader of draft-ietf-opsawg-pcapng. libpcap 1.10 refuses files whose interfaces differ in link
 * type or snap length; this reader takes them. A file is a sequence of blocks, which begin and end
 * with their length:
 *
 *     section header | interface 0 | interface 1 | packet of 1 | packet of 0 | ...
 *
 * Each section has interfaces of its own. The reader numbers them through the whole file.
 */

enum {
	PCAPNG_NAME_BYTES = 64,
	PCAPNG_MAX_INTERFACES = 4096,     /* in all sections together */
	PCAPNG_MAX_BLOCK_BYTES = 1 << 24, /* the limit of libpcap */
	PCAPNG_MAGIC = 0x0a0d0d0a,        /* the first four bytes of a file, in any byte order */
};

/**
 * struct capture_interface - an interface of a capture file
 * @name: its name in the file, cut to fit, or ""
 * @link_type: as LINKTYPE_ETHERNET of libpcap
 * @n_packets: its packets so far
 * @is_taken: capture_file_read_packet() returns its packets
 */
struct capture_interface {
	char name[PCAPNG_NAME_BYTES];
	uint16_t link_type;
	uint64_t n_packets;
	bool is_taken;
};

/**
 * struct capture_packet - a packet of a capture file
 * @number: its number in the file, from 1; pcapng_read_packet() does not set it
 * @interface: index of its interface
 * @seconds, @ns: time of day; a packet without a time has that of the packet before it
 * @bytes, @n_bytes: what the file has of it; valid until the next packet is read
 * @n_wire_bytes: its length on the wire
 */
struct capture_packet {
	uint64_t number;
	unsigned interface;
	int64_t seconds;
	uint32_t ns;
	const uint8_t *bytes;
	uint32_t n_bytes, n_wire_bytes;
};

/**
 * struct pcapng - a file that is being read
 * @interfaces, @n_interfaces: the interfaces so far
 * @times: how to read the times of each interface
 * @first: index of the first interface of the current section
 * @block, @n_block: memory for a block, and its size
 * @type, @n_body: type of the current block, and length of its body, which begins at @block
 */
struct pcapng {
	FILE *file;
	bool is_swapped;
	struct capture_interface *interfaces;
	struct pcapng_times *times;
	unsigned n_interfaces, first;
	uint8_t *block;
	uint32_t n_block, type, n_body;
	int64_t seconds;
	uint32_t ns;
};

/**
 * pcapng_read_packet - read up to the next packet
 * @p: zeroed at first, with @file at the start of a section header
 * @packet: receives the packet
 * @why: receives the reason why the file is invalid
 *
 * Return: 1; 0 at the end of the file; or -EINVAL with a reason
 */
int pcapng_read_packet(struct pcapng *p, struct capture_packet *packet, const char **why);

/** pcapng_free - free the memory; does not close the file. @p is all zero afterwards */
void pcapng_free(struct pcapng *p);

#endif
