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
	int (*register_host)(void *at, size_t bytes, unsigned flags);
	int (*unregister_host)(void *at);
	int (*get_device_pointer)(uint64_t *addr, void *at, unsigned flags);
	int (*load_module)(void **module, const void *ptx);
	int (*unload_module)(void *module);
	int (*get_function)(void **function, void *module, const char *name);
	int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
		      void *stream, void **parameters, void **extra);
	int (*synchronize)(void);
	/* virtual memory management; NULL: the driver has none */
	int (*create)(uint64_t *handle, size_t bytes, const void *properties, uint64_t flags);
	int (*release)(uint64_t handle);
	int (*reserve)(uint64_t *addr, size_t bytes, size_t align, uint64_t hint, uint64_t flags);
	int (*unreserve)(uint64_t addr, size_t bytes);
	int (*map)(uint64_t addr, size_t bytes, size_t offset, uint64_t handle, uint64_t flags);
	int (*unmap)(uint64_t addr, size_t bytes);
};

enum {
	CUDA_DMA_BUF_FD = 1,  /* type of get_handle: CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD */
	CUDA_HOST_MAPPED = 2, /* flag of register_host: CU_MEMHOSTREGISTER_DEVICEMAP */
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
/**
 * cuda_map_parts - make a range of addresses out of @n parts of GPU memory of @bytes each
 * @bytes: a multiple of 2 MiB
 * @addr: receives the first address
 *
 * Return: 0; CUresult; -1: the driver has no virtual memory management
 */
int cuda_map_parts(const struct cuda *cuda, uint64_t *addr, unsigned n, size_t bytes);
/** cuda_unmap_parts - free what cuda_map_parts() made. Return: 0 or CUresult */
int cuda_unmap_parts(const struct cuda *cuda, uint64_t addr, unsigned n, size_t bytes);

#endif
