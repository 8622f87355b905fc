/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/profile.h"

#include <string.h>

#include "emu/base/dev.h"

static const struct emu_profile *const profiles[] = {
	&emu_profile_cx6dx,    &emu_profile_small,      &emu_profile_roce,
	&emu_profile_vf,       &emu_profile_vf_trusted, &emu_profile_multi_pf,
	&emu_profile_realtime, &emu_profile_ib,         &emu_profile_inline,
};

const struct emu_profile *emu_profile_find(const char *name)
{
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)
		if (!strcmp(profiles[i]->model.name, name))
			return profiles[i];
	return NULL;
}

const struct emu_model *emu_model_find(const char *name)
{
	const struct emu_profile *profile = emu_profile_find(name);

	return profile ? &profile->model : NULL;
}

const struct emu_model *emu_model(const struct emu *emu)
{
	return &emu->profile->model;
}

const char *emu_profile_names(void)
{
	return "cx6dx, small, roce, vf, vf-trusted, multi-pf, realtime, ib, inline";
}
