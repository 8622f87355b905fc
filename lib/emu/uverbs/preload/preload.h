/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_PRELOAD_H
#define EMU_UVERBS_PRELOAD_PRELOAD_H

#include <dlfcn.h>
#include <stdbool.h>

/**
 * DOC: Interposed names
 *
 * The libc names that a program reaches the kernel by. Each does what libc's does, unless
 * the path or the descriptor is one of our uverbs files; not launched by devx-emu, none is.
 */

#define EXPORT __attribute__((visibility("default")))

/* The next definition of an interposed name. Looked up once a name; dlsym needs no lock of ours. */
#define REAL(name)                                                                          \
	({                                                                                  \
		static __typeof__(&name) real_;                                             \
		if (!__atomic_load_n(&real_, __ATOMIC_RELAXED))                             \
			__atomic_store_n(&real_, (__typeof__(&name))dlsym(RTLD_NEXT, #name), \
					 __ATOMIC_RELAXED);                                 \
		real_;                                                                      \
	})

/** uv_active - were we launched by devx-emu? */
bool uv_active(void);
/** uv_port_of_path - the port whose uverbs file a path names, or -1 */
int uv_port_of_path(const char *path);

#endif
