/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/capability.h"

#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/shared.h"

static const char *const names[] = { EMU_CAPABILITIES };

enum { N_NAMES = sizeof(names) / sizeof(names[0]), NO_LIST = 1 << N_NAMES };

static bool has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *p = strstr(list, word); p; p = strstr(p + 1, word))
		if ((p == list || p[-1] == ',') && (!p[n] || p[n] == ','))
			return true;
	return false;
}

uint32_t uv_get_capabilities(void)
{
	const char *list = getenv(EMU_CAPABILITIES_ENV);
	uint32_t bits = list ? 0 : NO_LIST;

	if (uv_caller)
		return uv_caller->capabilities;
	for (int i = 0; list && i < N_NAMES; i++)
		if (has_word(list, names[i]))
			bits |= 1u << i;
	return bits;
}

bool uv_has_granted(const char *name)
{
	const uint32_t bits = uv_get_capabilities();

	for (int i = 0; i < N_NAMES; i++)
		if (!strcmp(names[i], name))
			return bits >> i & 1;
	return false;
}

bool uv_has_capability(const char *name)
{
	/* the default: the user of emu is root of the emulated kernel */
	return uv_get_capabilities() & NO_LIST || uv_has_granted(name);
}
