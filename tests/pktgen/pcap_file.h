/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PCAP_FILE_H
#define PCAP_FILE_H

#include <stdint.h>
#include <stdio.h>

/* Writes capture files byte by byte, so that a test can make invalid ones too. */

struct pcap_file {
	char path[64];
	FILE *file;
	uint32_t seconds, microseconds; /* time of the packets that are added next; 0: 1 s */
};

enum { ETHERNET = 1, RAW_IP = 101, LINUX_SLL = 113 };

/** pcap_file_open - create a file in /tmp with a pcap header of this link type and snap length */
void pcap_file_open(struct pcap_file *p, uint32_t link, uint32_t snaplen);
/** pcap_file_add - add a packet of @whole bytes of which @here were recorded; @bytes NULL: zeros */
void pcap_file_add(struct pcap_file *p, const void *bytes, uint32_t here, uint32_t whole);
/** pcap_file_close - close the file and remove @cut bytes from its end */
void pcap_file_close(struct pcap_file *p, long cut);
/** pcap_file_remove - delete the file */
void pcap_file_remove(struct pcap_file *p);

#endif
