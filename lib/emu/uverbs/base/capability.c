/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/capability.h"

#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/shared.h"

bool uv_has_granted(const char *name)
{
	const char *caps = getenv(EMU_CAPABILITIES_ENV);
	const size_t n = strlen(name);

	for (const char *p = caps ? strstr(caps, name) : NULL; p; p = strstr(p + 1, name))
		if ((p == caps || p[-1] == ',') && (!p[n] || p[n] == ','))
			return true;
	return false;
}

bool uv_has_capability(const char *name)
{
	/* the default: the user of emu is root of the emulated kernel */
	return !getenv(EMU_CAPABILITIES_ENV) || uv_has_granted(name);
}
