/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SEED_H
#define SEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * DOC: Seeds of the fuzzer
 *
 * Seeds are valid inputs of fuzz.h, from which the fuzzer makes others. This command writes the
 * files in tests/emu/pci/corpus:
 *
 *	SEED_DIR=tests/emu/pci/corpus SEED_TRACE=trace.txt emu_pci_test --gtest_filter='seed.*'
 *
 * where trace.txt is a trace of firmware commands from `devtools/guest run --out`. The seed that
 * is made from the trace gets the name of the trace file.
 */
struct seed {
	uint8_t bytes[1 << 18];
	size_t n;
};

/** seed_add_message - add a message with @n_files: eventfds, or the file of guest memory */
void seed_add_message(struct seed *s, uint8_t command, const void *body, uint16_t n,
		      uint8_t n_files, bool eventfds);
void seed_add_command(struct seed *s, const void *in, size_t in_bytes);
/** seed_add_memory - add the blocks of 64 bytes of @mem that are not all 0 */
void seed_add_memory(struct seed *s, const uint8_t *mem, size_t bytes);
void seed_add_doorbell(struct seed *s, uint32_t uar, uint16_t reg, const void *bytes, uint8_t n);
void seed_add_poll(struct seed *s, uint8_t packets);

/**
 * seed_build_trace - make a seed from a trace of `devx-emu pci --trace`
 *
 * The trace must begin at the start of the adapter, so that created objects get the numbers that
 * later commands use.
 */
void seed_build_trace(struct seed *s, FILE *trace);

/** seed_build_messages - make a seed of the messages of QEMU and of a guest's first accesses */
void seed_build_messages(struct seed *s);
/** seed_build_traffic - make a seed that sends with every WQE of an SQ and receives by RSS */
void seed_build_traffic(struct seed *s);
/** seed_build_umr - make a seed whose QP gives pages to an mkey by UMR, and frees the mkey */
void seed_build_umr(struct seed *s);

#endif
