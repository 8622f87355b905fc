/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SHARE_UMEM_H
#define DEVX_SHARE_UMEM_H

struct devx_umem;

/** devx_umem_unimport - end an import; the registration stays. Internal to the library */
void devx_umem_unimport(struct devx_umem *umem);

#endif
