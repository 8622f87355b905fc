/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_VALUES_H
#define PRM_VALUES_H

/**
 * DOC: Values of the fields of layouts
 *
 *	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
 *
 * Declares one enumeration per VALUES() of values.def, which explains the rows.
 */
/* clang-format off */
#define VALUES(name) enum prm_##name {
#define V(name, number, linux_name) name = (number),
#define END(name) };
#include "values.def"
/* clang-format on */

#endif
