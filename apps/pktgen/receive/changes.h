/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CHANGES_H
#define PKTGEN_CHANGES_H

#include "packet/change.h"

enum {
	CHANGES_ROWS = 1024,    /* rows in a receive queue */
	CHANGES_OF_STREAM = 16, /* rows for one stream */
};

/**
 * struct changes_row - a change of the frames of one stream
 * @change: with the values of the first frame that has it
 * @packets: frames that have this change, with any values
 * @next: index of the next row of the stream plus 1; 0: none
 */
struct changes_row {
	struct change change;
	uint64_t packets;
	uint16_t next;
};

/** struct changes - the changes that one receive queue saw; its thread writes them */
struct changes {
	unsigned n;
	struct changes_row *rows;
};

/** struct changes_of - the rows of a stream; @first: as @next of a row. @n_left_out: no row left */
struct changes_of {
	uint16_t first, n;
	uint64_t n_left_out;
};

/** changes_init - allocate the rows. Return: 0, or -ENOMEM */
int changes_init(struct changes *c);

/** changes_free - free the memory; @c is all zero afterwards */
void changes_free(struct changes *c);

/** changes_add - count the changes of a frame of the stream with the rows @of */
void changes_add(struct changes *c, struct changes_of *of, const struct change_list *list);

/** changes_get - get a row by @first or @next. Return: NULL at the end */
static inline const struct changes_row *changes_get(const struct changes *c, uint16_t number)
{
	return number ? &c->rows[number - 1] : NULL;
}

#endif
