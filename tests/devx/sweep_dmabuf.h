/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SWEEP_DMABUF_H
#define SWEEP_DMABUF_H

#include "devx/dmabuf.h"

/* Two creators of the failure sweep: the two ways of devx_mr_create_dmabuf(). They need emu. */

/** sweep_create_dmabuf - register a dma-buf, and close its descriptor. Return: 0 or -errno */
int sweep_create_dmabuf(struct devx_mr *mr, struct devx_dev *dev);

/**
 * sweep_create_dmabuf_umem - the same as a umem: the kernel refuses the memory region
 *
 * An ioctl that the sweep makes fail takes the place of that refusal.
 *
 * Return: 0 or -errno
 */
int sweep_create_dmabuf_umem(struct devx_mr *mr, struct devx_dev *dev);

#endif
