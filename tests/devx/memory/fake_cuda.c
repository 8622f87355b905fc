/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A libcuda.so.1 for the test of the tests (gpu_fake.sh), on a machine without a GPU. It shows that
 * the tests of GPU memory run, and when they skip; it says nothing about GPUs.
 *
 *     FAKE_CUDA=gpu       the memory of the GPU is a memfd, the stand-in of emu for a dma-buf
 *     FAKE_CUDA=unmapped  the same, but its exporter refuses to map it for writing
 *     otherwise           a stub library: cuInit() fails, as that of CUDA's development packages
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { INVALID_VALUE = 1, STUB_LIBRARY = 34, PAGE = 4096 };

static struct {
	int fd;
	uint8_t *memory, *addr;
	size_t bytes;
} gpu;

static const char *get_mode(void)
{
	const char *mode = getenv("FAKE_CUDA");

	return mode ? mode : "";
}

#define EXPORT __attribute__((visibility("default"))) int
EXPORT cuInit(unsigned flags);
EXPORT cuGetErrorName(int error, const char **name);
EXPORT cuDeviceGet(int *device, int ordinal);
EXPORT cuDeviceGetAttribute(int *value, int attribute, int device);
EXPORT cuDevicePrimaryCtxRetain(void **context, int device);
EXPORT cuDevicePrimaryCtxRelease_v2(int device);
EXPORT cuCtxSetCurrent(void *context);
EXPORT cuMemAlloc_v2(uint64_t *addr, size_t bytes);
EXPORT cuMemFree_v2(uint64_t addr);
EXPORT cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
EXPORT cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
EXPORT cuMemGetHandleForAddressRange(int *fd, uint64_t addr, size_t bytes, int type,
				     uint64_t flags);
EXPORT cuMemHostRegister_v2(void *at, size_t bytes, unsigned flags);
EXPORT cuMemHostUnregister(void *at);
EXPORT cuMemHostGetDevicePointer_v2(uint64_t *addr, void *at, unsigned flags);
EXPORT cuModuleLoadData(void **module, const void *ptx);
EXPORT cuModuleUnload(void *module);
EXPORT cuModuleGetFunction(void **function, void *module, const char *name);
EXPORT cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
		      void *stream, void **parameters, void **extra);
EXPORT cuCtxSynchronize(void);

int cuInit(unsigned flags)
{
	(void)flags;
	return strcmp(get_mode(), "gpu") && strcmp(get_mode(), "unmapped") ? STUB_LIBRARY : 0;
}

int cuGetErrorName(int error, const char **name)
{
	*name = error == STUB_LIBRARY ? "CUDA_ERROR_STUB_LIBRARY" : NULL;
	return 0;
}

int cuDeviceGet(int *device, int ordinal)
{
	*device = ordinal;
	return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
	(void)attribute;
	(void)device;
	*value = 1;
	return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
	(void)device;
	*context = &gpu;
	return 0;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
	(void)device;
	return 0;
}

int cuCtxSetCurrent(void *context)
{
	return context != &gpu;
}

int cuMemAlloc_v2(uint64_t *addr, size_t bytes)
{
	gpu.fd = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (ftruncate(gpu.fd, (off_t)bytes))
		return 1;
	gpu.bytes = bytes;
	gpu.memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.fd, 0);
	gpu.addr = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!strcmp(get_mode(), "unmapped") && fcntl(gpu.fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE))
		return 1;
	*addr = (uintptr_t)gpu.addr;
	return gpu.memory == MAP_FAILED || gpu.addr == MAP_FAILED;
}

int cuMemFree_v2(uint64_t addr)
{
	munmap(gpu.memory, gpu.bytes);
	munmap(gpu.addr, gpu.bytes);
	close(gpu.fd);
	return addr != (uintptr_t)gpu.addr;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
	memcpy(gpu.memory + (to - (uintptr_t)gpu.addr), from, bytes);
	return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
	memcpy(to, gpu.memory + (from - (uintptr_t)gpu.addr), bytes);
	return 0;
}

/* The stand-in for a dma-buf has no parts: a part of the memory gets one of its own. */
int cuMemGetHandleForAddressRange(int *fd, uint64_t addr, size_t bytes, int type, uint64_t flags)
{
	const uint64_t offset = addr - (uintptr_t)gpu.addr;

	if (offset >= gpu.bytes || !bytes || bytes > gpu.bytes - offset || addr % PAGE ||
	    bytes % PAGE || type != 1 || flags)
		return INVALID_VALUE;
	if (bytes == gpu.bytes) {
		*fd = dup(gpu.fd);
		return *fd < 0;
	}
	*fd = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC);
	return ftruncate(*fd, (off_t)bytes) != 0;
}

int cuMemHostRegister_v2(void *at, size_t bytes, unsigned flags)
{
	(void)flags;
	return !at || !bytes;
}

int cuMemHostUnregister(void *at)
{
	return !at;
}

int cuMemHostGetDevicePointer_v2(uint64_t *addr, void *at, unsigned flags)
{
	*addr = (uintptr_t)at;
	return flags != 0;
}

int cuModuleLoadData(void **module, const void *ptx)
{
	*module = &gpu;
	return !ptx;
}

int cuModuleUnload(void *module)
{
	return module != &gpu;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
	*function = module;
	return strcmp(name, "handle_parts");
}

/* Does what gpu_kernel.h says, one thread after the other. */
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
		   void *stream, void **parameters, void **extra)
{
	uint8_t *const *at = *(uint8_t ***)parameters[0];
	uint32_t *n_right = *(uint32_t **)parameters[1];
	const uint32_t first = *(uint32_t *)parameters[2], bytes = *(uint32_t *)parameters[3];
	const uint32_t write = *(uint32_t *)parameters[4];

	if (function != &gpu || grid_x * grid_y * grid_z * block_y * block_z != 1 || shared_bytes ||
	    stream || extra)
		return INVALID_VALUE;
	for (uint32_t i = 0; i < block_x; i++) {
		const uint32_t number = first + i;
		uint32_t n = 0;

		for (uint32_t k = 0; k < bytes; k++) {
			const uint32_t want = k < 4 ? number >> 8 * k : number * 31 + k;

			if (write)
				at[i][k] = (uint8_t)want;
			n += at[i][k] == (uint8_t)want;
		}
		*n_right += n == bytes;
	}
	return 0;
}

int cuCtxSynchronize(void)
{
	return 0;
}
