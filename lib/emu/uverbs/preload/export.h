/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_EXPORT_H
#define EMU_UVERBS_PRELOAD_EXPORT_H

/**
 * DOC: Interposed names
 *
 * The libc names that a program reaches the kernel by. Each does what libc's does, unless
 * the path or the descriptor is one of our uverbs files; not launched by devx-emu, none is.
 */

#define EXPORT __attribute__((visibility("default")))

#endif
