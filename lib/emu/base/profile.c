/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"

/* Finds the profile whose name is before the first comma of @text. */
static const struct emu_profile *find_profile(const char *text)
{
	const size_t bytes = strcspn(text, ",");

	for (const struct emu_profile *p = emu_profiles; p->model.name; p++)
		if (strlen(p->model.name) == bytes && !memcmp(p->model.name, text, bytes))
			return p;
	return NULL;
}

struct emu_profile *emu_profile_parse(const char *text, char *why, size_t why_bytes)
{
	const struct emu_profile *found = find_profile(text ? text : "");
	struct emu_profile *p;
	const char *options;
	char names[256];

	if (!found) {
		snprintf(why, why_bytes, "no such profile \"%s\" (valid: %s)", text ? text : "",
			 emu_model_list(true, names, sizeof(names)));
		return NULL;
	}
	p = malloc(sizeof(*p));
	if (!p) {
		snprintf(why, why_bytes, "out of memory");
		return NULL;
	}
	*p = *found;
	p->options = emu_options_preset;
	options = text + strlen(found->model.name);
	if ((p->set && emu_options_parse(&p->options, p->set, why, why_bytes)) ||
	    (*options && emu_options_parse(&p->options, options + 1, why, why_bytes))) {
		free(p);
		return NULL;
	}
	return p;
}

const struct emu_model *emu_model_find(const char *text)
{
	const struct emu_profile *profile = find_profile(text);

	return profile ? &profile->model : NULL;
}

const struct emu_model *emu_model(const struct emu *emu)
{
	return &emu->profile->model;
}

const char *emu_model_list(bool for_kernel, char *text, size_t bytes)
{
	size_t used = 0;

	*text = '\0';
	for (const struct emu_profile *p = emu_profiles; p->model.name && used < bytes; p++)
		if (for_kernel || !p->model.roce)
			used += (size_t)snprintf(text + used, bytes - used, "%s%s",
						 used ? ", " : "", p->model.name);
	return text;
}
