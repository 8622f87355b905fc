/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: What a hostile client and a hostile guest can send
 *
 * An input is a list of steps: a byte, enum fuzz_step, and what stands beside it there, without
 * padding, in the host's byte order; behind its end all is 0. Lengths and places are taken
 * modulo what there is room for, so that every input means something.
 *
 * Guest memory is at one address for the device, for the guest and for this process, so that
 * the rig of tests/emu can prepare it.
 */
enum {
	FUZZ_MEM_AT = 0x20000000,
	FUZZ_MEM_BYTES = 1 << 20,
	FUZZ_QUEUE = FUZZ_MEM_BYTES - 0x10000, /* command queue; mailboxes behind it */
	FUZZ_COMMAND_BYTES = 0x1400,           /* at most, in or out */
	FUZZ_FILES = 20,                       /* one more than a message's files can be */
	FUZZ_EVENTFDS = FUZZ_FILES,            /* added to their number: eventfds, not memory */
};

enum fuzz_step {
	FUZZ_MESSAGE,  /* u8 command, u8 flags, u8 files, i8 lie about the length, u16 n, n bytes */
	FUZZ_MEMORY,   /* u32 offset, u16 n, n bytes */
	FUZZ_COMMAND,  /* u8 entry, u16 in, u16 out bytes, u8 n, n times: u16 dword, its 4 bytes */
	FUZZ_DOORBELL, /* u8 UAR, u16 register, u8 n, n bytes */
	FUZZ_POLL,     /* u8 packets */
	FUZZ_N_STEPS
};

/** struct fuzz_result - what an input did: whether a seed is still worth its place */
struct fuzz_result {
	unsigned n_commands, n_ok;       /* commands that it gave, that the firmware executed */
	unsigned n_messages, n_answered; /* messages that came whole; answered without an error */
	uint64_t n_packets;              /* that were received */
};

/** fuzz_pci - do what @bytes say to a function made for it. @result: NULL, or receives it */
void fuzz_pci(const uint8_t *bytes, size_t n, struct fuzz_result *result);

#endif
