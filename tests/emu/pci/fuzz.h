/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Inputs of the fuzzer: a hostile client and a hostile guest
 *
 * An input is a list of steps. A step is one byte, enum fuzz_step, and the fields that the comment
 * beside it names, without padding, in the byte order of the host. Bytes after the end count as 0.
 * Values out of range are reduced or ignored, so every input is valid.
 *
 * Guest memory has the same address for the device, the guest and this process, so that core_rig.c
 * can prepare it.
 */
enum {
	FUZZ_MEM_AT = 0x20000000,
	FUZZ_MEM_BYTES = 1 << 20,
	FUZZ_QUEUE = FUZZ_MEM_BYTES - 0x10000, /* command queue; the mailboxes follow */
	FUZZ_COMMAND_BYTES = 0x1400,           /* at most, in or out */
	FUZZ_FILES = 20,            /* a message has 0 to 19 files; the server takes 16 */
	FUZZ_EVENTFDS = FUZZ_FILES, /* added to u8 files: all files are eventfds */
};

enum fuzz_step {
	FUZZ_MESSAGE,  /* u8 command, u8 flags, u8 files, i8 lie about the length, u16 n, n bytes */
	FUZZ_MEMORY,   /* u32 offset, u16 n, n bytes */
	FUZZ_COMMAND,  /* u8 entry, u16 in, u16 out bytes, u8 n, n times: u16 dword, its 4 bytes */
	FUZZ_DOORBELL, /* u8 UAR, u16 register, u8 n, n bytes */
	FUZZ_POLL,     /* u8 packets */
	FUZZ_N_STEPS
};

/** struct fuzz_result - what an input caused, to check that a seed still reaches deep */
struct fuzz_result {
	unsigned n_commands, n_ok;       /* FUZZ_COMMAND steps; those with status OK */
	unsigned n_messages, n_answered; /* whole messages; answered without an error */
	uint64_t n_packets;              /* unicast packets that the port received */
};

/** fuzz_pci - execute an input on a new function. @result: receives the counts, or NULL */
void fuzz_pci(const uint8_t *bytes, size_t n, struct fuzz_result *result);

#endif
