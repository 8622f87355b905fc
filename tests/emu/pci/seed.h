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
 * Inputs of fuzz.h that go deep, for it to change. Those of tests/emu/pci/corpus are made by
 *
 *	SEED_DIR=tests/emu/pci/corpus SEED_TRACE=trace.txt emu_pci_test --gtest_filter='seed.*'
 *
 * where trace.txt is what `devtools/guest run --out` has of the adapter's commands, and their
 * seed is named as the file.
 */
struct seed {
	uint8_t bytes[1 << 18];
	size_t n;
};

/** seed_add_message - with files of the fuzzer: memory, or eventfds */
void seed_add_message(struct seed *s, uint8_t command, const void *body, uint16_t n,
		      uint8_t n_files, bool eventfds);
void seed_add_command(struct seed *s, const void *in, size_t in_bytes);
/** seed_add_memory - what is not 0, from the start of guest memory on */
void seed_add_memory(struct seed *s, const uint8_t *mem, size_t bytes);
void seed_add_doorbell(struct seed *s, uint32_t uar, uint16_t reg, const void *bytes, uint8_t n);
void seed_add_poll(struct seed *s, uint8_t packets);

/**
 * seed_build_trace - the commands of `devx-emu pci --trace`: what a kernel and its programs send
 *
 * They have to be there from the adapter's start on: numbers of objects are as they were.
 */
void seed_build_trace(struct seed *s, FILE *trace);

/** seed_build_messages - what QEMU asks a function for, and a guest's first steps */
void seed_build_messages(struct seed *s);
/** seed_build_traffic - packets by every kind of WQE, received by RSS */
void seed_build_traffic(struct seed *s);
/** seed_build_umr - a kernel's QP gives an mkey its pages, and takes them away */
void seed_build_umr(struct seed *s);

#endif
