/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints job.schema.json, the JSON schema of job files.
 */
#include <stdio.h>

#include "model/job_field_nodes.h"
#include "model/job_nodes.h"

static const struct json_node job = {
	.kind = NODE_OBJECT,
	.keys = job_keys,
	.about = "The subset of the Open Traffic Generator model 1.9 that devx-pktgen --config "
		 "reads, and its own keys, which begin with devx_. doc/pktgen-model.md describes "
		 "it. devx-pktgen also checks what a schema cannot say: names of ports, the order "
		 "of headers, the range of each field, and which keys fit together.",
};

int main(void)
{
	json_t *schema =
		json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema",
			  "title", "Job file of devx-pktgen, version 1");
	json_t *keys = json_make_schema(&job);

	json_object_update(schema, keys);
	json_decref(keys);
	json_object_set_new(schema, "$defs", job_make_pattern_schemas());
	json_dumpf(schema, stdout, JSON_INDENT(1));
	json_decref(schema);
	return puts("") < 0;
}
