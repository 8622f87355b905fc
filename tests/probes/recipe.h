/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_RECIPE_H
#define TESTS_PROBES_RECIPE_H

#include "prm/prm.h"
#include "world.h"

/**
 * DOC: Recipes of valid commands
 *
 * A probe makes one change to a valid command. A command without a recipe consists of its opcode
 * and zeroes.
 */

/** enum entry - the methods by which a user sends a command */
enum entry { BY_CREATE, BY_MODIFY, BY_QUERY, BY_ASYNC, BY_GENERAL, N_ENTRIES };

enum { COMMAND_BYTES = 0x1000 };

/** struct recipe - a valid command */
struct recipe {
	enum entry by; /* BY_QUERY stands for BY_ASYNC too */
	uint16_t opcode;
	enum thing subject; /* BY_MODIFY and BY_QUERY: the object whose handle is passed */
	/* writes objects of a set into the input; NULL: none. Return: bytes behind the layout */
	size_t (*fill)(void *in, const struct world *w, const struct set *s);
	/* place of the subject's number in the input, in bits; width 0: no number */
	size_t id_bit, id_width;
	/* bytes of the input that the kernel accesses, even if the input is shorter */
	size_t touched;
	/* bytes of a list in the output, behind the layout */
	size_t out_tail;
};

/** recipe_of - find the recipe of command @opcode sent by method @by. Return: NULL if none */
const struct recipe *recipe_of(enum entry by, uint16_t opcode);

/** recipe_make - write the command to @in of COMMAND_BYTES; @r may be NULL. Return: its length */
size_t recipe_make(const struct recipe *r, uint16_t opcode, void *in, const struct world *w,
		   const struct set *s);
/** recipe_name_subject - write @number as the number of the subject */
void recipe_name_subject(const struct recipe *r, void *in, uint32_t number);

#endif
