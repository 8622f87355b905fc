/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_EXPORT_H
#define EMU_UVERBS_PRELOAD_EXPORT_H

/**
 * DOC: Interposed names
 *
 * libdevx-emu.so defines the libc functions that a program reaches uverbs files by. Each function
 * calls the libc function of the same name, unless its path or descriptor is an emulated uverbs
 * file. A process that devx-emu did not launch has no emulated uverbs files.
 */

#define EXPORT __attribute__((visibility("default")))

#endif
