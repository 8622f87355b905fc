/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_LIBPCAP_H
#define EMU_WIRE_LIBPCAP_H

#include <pcap/pcap.h>

#include "emu/wire/spec.h"

/**
 * DOC: libpcap, when a wire needs it
 *
 * Loaded at run time, by the wires that read or write captures. Linked, it would come into
 * every program that emu is preloaded into, with all that it depends on (D-Bus, on Debian),
 * and sanitized ones would not survive that.
 */

/* clang-format off */
/* FUNCTION(name without pcap_) */
#define EMU_PCAP_FUNCTIONS                                                  \
	FUNCTION(close) FUNCTION(datalink) FUNCTION(datalink_val_to_name)   \
	FUNCTION(dump) FUNCTION(dump_close) FUNCTION(dump_flush)            \
	FUNCTION(dump_open) FUNCTION(fopen_offline) FUNCTION(geterr)        \
	FUNCTION(next_ex) FUNCTION(open_dead)
/* clang-format on */

/** struct emu_pcap - its functions, by their names without pcap_ */
struct emu_pcap {
#define FUNCTION(name) __typeof__(&pcap_##name) name;
	EMU_PCAP_FUNCTIONS
#undef FUNCTION
};

/** emu_load_pcap - load it, once. Return: its functions, or NULL with a line in @why */
const struct emu_pcap *emu_load_pcap(const struct emu_why *why);

#endif
