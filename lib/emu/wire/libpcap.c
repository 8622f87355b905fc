/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/wire/libpcap.h"

#include <dlfcn.h>

/* The name in Debian, and the name elsewhere. Both have the functions of EMU_PCAP_FUNCTIONS. */
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
