/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_UMEM_H
#define EMU_UVERBS_OBJECTS_DEVX_UMEM_H

#include <stddef.h>

/**
 * uv_devx_force_umem - set the *_umem_valid bits of command @in
 *
 * A user then cannot pass physical addresses. Memory keys over other memory keys are unchanged.
 */
void uv_devx_force_umem(void *in, size_t bytes);

#endif
