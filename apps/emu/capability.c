/* SPDX-License-Identifier: BSD-3-Clause */
#include "capability.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/shared.h"
#include "exit.h"
#include "message.h"

static bool is_capability(const char *word, size_t bytes)
{
	static const char *const names[] = { EMU_CAPABILITIES };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == bytes && !memcmp(names[i], word, bytes))
			return true;
	return false;
}

int launcher_check_capabilities(void)
{
	const char *word = getenv(EMU_CAPABILITIES_ENV);

	while (word && *word) {
		const size_t bytes = strcspn(word, ",");

		if (!is_capability(word, bytes))
			return launcher_fail(LAUNCHER_EXIT_USAGE,
					     EMU_CAPABILITIES_ENV
					     ": unknown capability \"%.*s\" (valid: net_raw, "
					     "sys_rawio and ipc_lock with commas between, or "
					     "\"\" for none)",
					     (int)bytes, word);
		word += bytes + (word[bytes] == ',');
	}
	return 0;
}
