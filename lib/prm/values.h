/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_VALUES_H
#define PRM_VALUES_H

/**
 * DOC: What fields of layouts say
 *
 *	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
 *
 * values.def has the rows and says what they mean; here they are enumerations.
 */
/* clang-format off */
#define VALUES(name) enum prm_##name {
#define V(name, number, linux_name) name = (number),
#define END(name) };
#include "values.def"
/* clang-format on */

#endif
