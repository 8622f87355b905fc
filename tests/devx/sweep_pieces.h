/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SWEEP_PIECES_H
#define SWEEP_PIECES_H

#include "devx/mkey.h"
#include "devx/pp.h"
#include "devx_rig.h"

/* Creators of the failure sweep. Each writes a member of the union, and returns 0 or -errno. */
union object;

/** sweep_create_mkey_list - create an indirect mkey with a KLM entry */
int sweep_create_mkey_list(union object *o, struct devx_rig *rig);
/** sweep_create_mkey_fixed - create an indirect mkey with a KSM entry */
int sweep_create_mkey_fixed(union object *o, struct devx_rig *rig);
/** sweep_create_mkey_strided - create an indirect mkey with a strided block */
int sweep_create_mkey_strided(union object *o, struct devx_rig *rig);
/** sweep_create_pp - create a dedicated rate limit */
int sweep_create_pp(union object *o, struct devx_rig *rig);

#endif
