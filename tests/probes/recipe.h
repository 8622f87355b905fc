/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_RECIPE_H
#define TESTS_PROBES_RECIPE_H

#include "prm/prm.h"
#include "world.h"

/**
 * DOC: commands that are as they should be
 *
 * What a probe spoils must have been good. A command that has no recipe is sent as zeroes
 * behind its opcode.
 */

/** enum entry - the ways of a command into the kernel */
enum entry { BY_CREATE, BY_MODIFY, BY_QUERY, BY_ASYNC, BY_GENERAL, N_ENTRIES };

enum { COMMAND_BYTES = 0x1000 };

/** struct recipe - a good command */
struct recipe {
	enum entry by; /* BY_QUERY goes for BY_ASYNC too */
	uint16_t opcode;
	enum thing subject; /* of BY_MODIFY and BY_QUERY: whose handle goes along */
	/* what the input says of the objects of a set; NULL: nothing. Return: bytes of a tail */
	size_t (*fill)(void *in, const struct world *w, const struct set *s);
	/* the number of the subject, in bits of the input; width 0: none */
	size_t id_bit, id_width;
	/* the kernel itself reads or writes so far, whatever the length */
	size_t touched;
	/* firmware answers more than the layout: a list */
	size_t out_tail;
};

/** recipe_of - the recipe of a command by an entry, or NULL */
const struct recipe *recipe_of(enum entry by, uint16_t opcode);

/** recipe_make - fill @in of COMMAND_BYTES. Return: bytes of the input */
size_t recipe_make(const struct recipe *r, uint16_t opcode, void *in, const struct world *w,
		   const struct set *s);
/** recipe_name_subject - write the number of the subject */
void recipe_name_subject(const struct recipe *r, void *in, uint32_t number);

#endif
