/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_CAPTURE_H
#define EMU_WIRE_CAPTURE_H

#include <pcap/pcap.h>

#include "emu/packet/frame.h"
#include "emu/wire/spec.h"

/** struct emu_capture - all frames of a capture file */
struct emu_capture {
	struct emu_frame *frame;
	uint64_t n;
};

/** emu_capture_read - read a capture file into memory. Return: 0, or -1 with a line in @why */
int emu_capture_read(struct emu_capture *c, const char *path, const struct emu_why *why);
void emu_capture_free(struct emu_capture *c);

/**
 * DOC: libpcap, loaded at run time
 *
 * A wire that reads or writes a capture loads libpcap with dlopen(). emu does not link libpcap,
 * because emu is preloaded into other programs: libpcap and the libraries it needs (on Debian
 * also D-Bus) would be loaded into all of them, and programs built with a sanitizer would crash.
 */

/* clang-format off */
/* FUNCTION(name of a libpcap function without "pcap_") */
#define EMU_PCAP_FUNCTIONS                                                  \
	FUNCTION(close) FUNCTION(datalink) FUNCTION(datalink_val_to_name)   \
	FUNCTION(dump) FUNCTION(dump_close) FUNCTION(dump_flush)            \
	FUNCTION(dump_open) FUNCTION(fopen_offline) FUNCTION(geterr)        \
	FUNCTION(next_ex) FUNCTION(open_dead)
/* clang-format on */

/** struct emu_pcap - pointers to the functions of libpcap, named without "pcap_" */
struct emu_pcap {
#define FUNCTION(name) __typeof__(&pcap_##name) name;
	EMU_PCAP_FUNCTIONS
#undef FUNCTION
};

/** emu_load_pcap - load libpcap on the first call. Return: NULL on failure, with a line in @why */
const struct emu_pcap *emu_load_pcap(const struct emu_why *why);

#endif
