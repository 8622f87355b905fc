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
 * Inputs of fuzz.h that reach deep into the code, and that the fuzzer changes. The files in
 * tests/emu/pci/corpus are made by
 *
 *	SEED_DIR=tests/emu/pci/corpus SEED_TRACE=trace.txt emu_pci_test --gtest_filter='seed.*'
 *
 * where trace.txt is a trace of firmware commands from `devtools/guest run --out`. The seed gets
 * the name of the trace file.
 */
struct seed {
	uint8_t bytes[1 << 18];
	size_t n;
};

/** seed_add_message - add a message with files of the fuzzer: memory, or eventfds */
void seed_add_message(struct seed *s, uint8_t command, const void *body, uint16_t n,
		      uint8_t n_files, bool eventfds);
void seed_add_command(struct seed *s, const void *in, size_t in_bytes);
/** seed_add_memory - add the blocks of @memory that are not 0 */
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
/** seed_build_traffic - make a seed that sends with every kind of WQE and receives by RSS */
void seed_build_traffic(struct seed *s);
/** seed_build_umr - make a seed whose QP adds pages to an mkey by UMR, and removes them */
void seed_build_umr(struct seed *s);

#endif
