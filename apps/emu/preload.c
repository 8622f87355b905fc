/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "message.h"

#define LIBRARY "libdevx-emu.so"

int launcher_find_preload(struct launcher *l)
{
	/* beside devx-emu; in the build tree of meson; in the installation */
	static const char *const places[] = { "%s/" LIBRARY, "%s/../../lib/emu/uverbs/" LIBRARY,
					      "%s/../" DEVX_LIBDIR "/" LIBRARY };
	char self[2048], path[4096];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0) {
		self[n] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(path, sizeof(path), places[i], self);
#pragma GCC diagnostic pop
			if (realpath(path, l->preload) && !access(l->preload, R_OK))
				return 0;
		}
	}
	return launcher_fail(LAUNCHER_EXIT_ENVIRONMENT,
			     LIBRARY ": not found beside %s, in its build tree or in its "
				     "installation; build it, or run meson install",
			     n > 0 ? self : "devx-emu");
}
