/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int pattern_make_list(struct pattern *p, const pattern_value *values, unsigned n)
{
	struct pattern_list *list = calloc(1, sizeof(*list) + n * sizeof(*values));

	if (!list)
		return -ENOMEM;
	list->refs = 1;
	list->n = n;
	memcpy(list->values, values, n * sizeof(*values));
	*p = (struct pattern){
		.kind = PATTERN_VALUES, .start = values[0], .count = n, .list = list
	};
	return 0;
}

struct pattern pattern_copy(const struct pattern *p)
{
	if (p->list)
		p->list->refs++;
	return *p;
}

void pattern_free(struct pattern *p)
{
	if (p->list && !--p->list->refs)
		free(p->list);
	*p = (struct pattern){ 0 };
}
