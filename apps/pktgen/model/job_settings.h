/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_SETTINGS_H
#define PKTGEN_JOB_SETTINGS_H

#include "model/json_node.h"

/** enum setting - index of a setting in job_settings_keys, and its bit in options.settings */
enum setting {
#define SETTING(key, ...) SETTING_##key,
#include "model/settings.def"
#undef SETTING
};

/** job_settings_keys - the keys of "devx_pktgen", with places in struct options */
extern const struct json_node job_settings_keys[];

/** job_read_settings - read "devx_pktgen"; the command line overrides it (@read of a node) */
bool job_read_settings(struct json_reader *r, json_t *value, struct json_at at);

json_t *job_write_settings(struct json_from from);

#endif
