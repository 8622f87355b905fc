/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_EXPORT_H
#define EMU_UVERBS_PRELOAD_EXPORT_H

/**
 * DOC: Interposed names
 *
 * libdevx-emu.so defines the libc functions that a program reaches uverbs files by. The front
 * serves the open of a uverbs file, and uverbs ioctls. Every other call goes to the libc function
 * of the same name, if need be with another path (path.h). The front completes the calls on a
 * uverbs file: it changes the result of fstat, and frees the file after the last close.
 *
 * A process that devx-emu did not launch has no emulated uverbs files.
 */

#define EXPORT __attribute__((visibility("default")))

#endif
