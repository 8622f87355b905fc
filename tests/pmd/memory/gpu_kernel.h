/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GPU_KERNEL_H
#define GPU_KERNEL_H

#include "memory/cuda.h"

/**
 * DOC: A kernel that writes and checks packets
 *
 * Thread i has the part of packet @first + i at @at[i]. Byte k of a part is byte k of the number of
 * the packet for k < 4, and (number * 31 + k) mod 256 behind it.
 */

/** struct gpu_kernel - the kernel, loaded by a CUDA driver */
struct gpu_kernel {
	const struct cuda *cuda;
	void *module, *function;
};

/**
 * struct gpu_parts - parts of packets; addresses are those of the GPU
 * @at: address of an array of @n addresses, one for each part
 * @n_right: address of a uint32_t, to which each right part adds 1
 * @first: number of the first packet
 * @n: number of packets, 1 to 1024
 * @bytes: length of a part
 */
struct gpu_parts {
	uint64_t at, n_right;
	uint32_t first, n, bytes;
};

/** gpu_kernel_load - compile the kernel for the GPU and load it. Return: 0 or CUresult */
int gpu_kernel_load(struct gpu_kernel *k, const struct cuda *cuda);
/** gpu_kernel_unload - undo gpu_kernel_load(), also after a failure */
void gpu_kernel_unload(struct gpu_kernel *k);
/** gpu_kernel_run - write the parts if @write, check them, and wait. Return: 0 or CUresult */
int gpu_kernel_run(const struct gpu_kernel *k, bool write, const struct gpu_parts *parts);

#endif
