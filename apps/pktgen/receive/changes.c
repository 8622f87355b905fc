/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/changes.h"

#include <errno.h>
#include <stdlib.h>

int changes_init(struct changes *c)
{
	*c = (struct changes){ .rows = calloc(CHANGES_ROWS, sizeof(*c->rows)) };
	return c->rows ? 0 : -ENOMEM;
}

void changes_free(struct changes *c)
{
	free(c->rows);
	*c = (struct changes){ 0 };
}

/* Finds or adds the row of a change. Returns NULL if there is no room for another row. */
static struct changes_row *find_row(struct changes *c, struct changes_of *of,
				    const struct change *change)
{
	uint16_t *end = &of->first;

	for (; *end; end = &c->rows[*end - 1].next) {
		if (change_is_same(&c->rows[*end - 1].change, change))
			return &c->rows[*end - 1];
	}
	if (c->n == CHANGES_ROWS || of->n == CHANGES_OF_STREAM)
		return NULL;
	c->rows[c->n] = (struct changes_row){ .change = *change };
	*end = (uint16_t)++c->n;
	of->n++;
	return &c->rows[c->n - 1];
}

void changes_add(struct changes *c, struct changes_of *of, const struct change_list *list)
{
	for (unsigned i = 0; i < list->n; i++) {
		struct changes_row *row = find_row(c, of, &list->list[i]);

		if (row)
			row->packets++;
		else
			of->n_left_out++;
	}
}
