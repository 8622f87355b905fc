/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ON_ADAPTER_CHECKS_H
#define ON_ADAPTER_CHECKS_H

#include "rig.h"

/** DOC: The checks of assumptions.def: check_NAME for each row CHECK(NAME, ...) */

/** typedef check_fn - compare an assumption with the device; leaves no object behind */
typedef void check_fn(struct adapter *at, struct finding *f);

#define CHECK(name, file, begins) check_fn check_##name;
#define REASON(file, begins, why)
#include "assumptions.def"
#undef CHECK
#undef REASON

#endif
