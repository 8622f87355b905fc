/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PRM_SAME_H
#define TESTS_PRM_SAME_H

#include <stddef.h>

#include "ct.h"

/* Expects field @field of struct @T at the offset and with the size of field @ref of struct @R. */
#define SAME_AT(T, field, R, ref)                                                                  \
	do {                                                                                       \
		SCOPED_TRACE("%s.%s", #T, #field);                                                 \
		EXPECT_EQ(offsetof(struct R, ref), offsetof(struct T, field));                     \
		EXPECT_EQ(sizeof(((struct R *)0)->ref), sizeof(((struct T *)0)->field));           \
	} while (0)

#endif
