/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CUDA_H
#define CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Memory of a GPU
 *
 * Finds the CUDA driver at run time (libcuda.so.1), so the tests need no CUDA to build. The
 * prototypes are those of NVIDIA's documentation "CUDA Driver API".
 */

/** struct cuda - functions of the CUDA driver and its first GPU; each returns 0 or a CUresult */
struct cuda {
	void *lib;
	int device;
	int (*init)(unsigned flags);
	int (*get_error_name)(int error, const char **name);
	int (*get_device)(int *device, int ordinal);
	int (*get_attribute)(int *value, int attribute, int device);
	int (*retain_context)(void **context, int device);
	int (*release_context)(int device);
	int (*set_context)(void *context);
	int (*allocate)(uint64_t *addr, size_t bytes);
	int (*free)(uint64_t addr);
	int (*copy_to_gpu)(uint64_t to, const void *from, size_t bytes);
	int (*copy_from_gpu)(void *to, uint64_t from, size_t bytes);
	int (*get_handle)(void *handle, uint64_t addr, size_t bytes, int type, uint64_t flags);
};

/**
 * cuda_open - load the driver and open the first GPU
 * @cuda: receives the functions
 * @why: receives the reason of a failure, in one line
 * @bytes: size of @why
 *
 * Return: true; false without a driver (also a stub library, whose cuInit() fails), without a GPU,
 * or if the GPU exports no dma-bufs
 */
bool cuda_open(struct cuda *cuda, char *why, size_t bytes);
/** cuda_close - close what cuda_open() opened, also after a failure */
void cuda_close(struct cuda *cuda);
/** cuda_export - get a dma-buf of [addr, addr + bytes). Return: its descriptor, or -1 */
int cuda_export(const struct cuda *cuda, uint64_t addr, size_t bytes);

#endif
