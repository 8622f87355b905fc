/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** fuzz_pci - do what @bytes say to a function made for it. Return: 0 */
int fuzz_pci(const uint8_t *bytes, size_t n);

#endif
