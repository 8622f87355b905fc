/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CAPTURE_FILE_H
#define PKTGEN_CAPTURE_FILE_H

#include "model/pcapng.h"

struct pcap;

/**
 * struct capture_file - an open capture: pcap, which libpcap reads, or pcapng
 * @pcap: the reader of libpcap, which owns the file; NULL: pcapng
 * @whole: the only interface of a pcap file
 * @file, @pcapng: a pcapng file
 * @wanted: number or name of the interfaces to read; NULL: each Ethernet interface
 * @n_packets: packets so far, of all interfaces
 */
struct capture_file {
	struct pcap *pcap;
	struct capture_interface whole;
	FILE *file;
	struct pcapng pcapng;
	const char *wanted;
	uint64_t n_packets;
};

/**
 * capture_file_open - open a capture
 * @f: to be filled
 * @path: the file; "-": stdin
 * @interface: number, from 0, or name of the interfaces to read; NULL: each Ethernet interface
 *
 * Return: NULL; or the reason of a refusal, with nothing to close
 */
const char *capture_file_open(struct capture_file *f, const char *path, const char *interface);

/**
 * capture_file_read_packet - read up to the next packet of a wanted interface
 *
 * Return: as pcapng_read_packet()
 */
int capture_file_read_packet(struct capture_file *f, struct capture_packet *packet,
			     const char **why);

/**
 * capture_file_check_interfaces - check, at the end of the file, that it has what is wanted
 *
 * Return: NULL; or the reason of a refusal: no such interface, no Ethernet or no packet
 */
const char *capture_file_check_interfaces(struct capture_file *f);

/** capture_file_get_interfaces - get the interfaces so far. @n: receives their number */
struct capture_interface *capture_file_get_interfaces(struct capture_file *f, unsigned *n);

/**
 * capture_file_describe_interface - describe an interface by its number, name and link type
 *
 * Return: such as "interface 1 (any, LINUX_SLL)", as reason_format()
 */
const char *capture_file_describe_interface(const struct capture_interface *i, unsigned number);

/** capture_file_close - close the file, unless it is stdin */
void capture_file_close(struct capture_file *f);

#endif
