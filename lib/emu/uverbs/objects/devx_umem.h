/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_UMEM_H
#define EMU_UVERBS_OBJECTS_DEVX_UMEM_H

#include <stddef.h>

/** uv_devx_force_umem - set the *_umem_valid bits, so that users cannot pass physical addresses */
void uv_devx_force_umem(void *in, size_t bytes);

#endif
