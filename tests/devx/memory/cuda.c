/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { ATTRIBUTE_DMA_BUF_SUPPORTED = 124 }; /* CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED */

/* CUmemAllocationProp */
struct properties {
	int type, handle_types;
	struct {
		int type, id;
	} location;
	void *windows;
	struct {
		uint8_t compression, gpu_direct_rdma;
		uint16_t usage;
		uint8_t reserved[4];
	} flags;
};

/* Names of the functions, in the order of the members of struct cuda from init on. */
static const char *const names[] = {
	"cuInit",
	"cuGetErrorName",
	"cuDeviceGet",
	"cuDeviceGetAttribute",
	"cuDevicePrimaryCtxRetain",
	"cuDevicePrimaryCtxRelease_v2",
	"cuCtxSetCurrent",
	"cuMemAlloc_v2",
	"cuMemFree_v2",
	"cuMemcpyHtoD_v2",
	"cuMemcpyDtoH_v2",
	"cuMemGetHandleForAddressRange", /* since CUDA 11.7 */
	"cuMemHostRegister_v2",
	"cuMemHostUnregister",
	"cuMemHostGetDevicePointer_v2",
	"cuModuleLoadData",
	"cuModuleUnload",
	"cuModuleGetFunction",
	"cuLaunchKernel",
	"cuCtxSynchronize",
	"cuMemCreate", /* the first that may be missing */
	"cuMemRelease",
	"cuMemAddressReserve",
	"cuMemAddressFree",
	"cuMemMap",
	"cuMemUnmap",
};

static bool find_functions(struct cuda *cuda, char *why, size_t bytes)
{
	char *const first = (char *)&cuda->init;
	bool optional = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *const found = dlsym(cuda->lib, names[i]);

		optional |= !strcmp(names[i], "cuMemCreate");
		if (!found && !optional) {
			snprintf(why, bytes, "libcuda.so.1: has no function %s", names[i]);
			return false;
		}
		memcpy(first + i * sizeof(found), &found, sizeof(found));
	}
	return true;
}

/* Returns whether the call @what succeeded; else writes a line about its @error. */
static bool check_result(const struct cuda *cuda, const char *what, int error, char *why,
			 size_t bytes)
{
	const char *name = NULL;

	if (!error)
		return true;
	if (cuda->get_error_name(error, &name) || !name)
		name = "unknown error";
	snprintf(why, bytes, "libcuda.so.1: %s() returned %d (%s)", what, error, name);
	return false;
}

bool cuda_open(struct cuda *cuda, char *why, size_t bytes)
{
	int supported = 0;
	void *context;

	*cuda = (struct cuda){ .lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), .device = -1 };
	if (!cuda->lib) {
		snprintf(why, bytes, "no CUDA driver: %s", dlerror());
		return false;
	}
	if (!find_functions(cuda, why, bytes) ||
	    !check_result(cuda, "cuInit", cuda->init(0), why, bytes) ||
	    !check_result(cuda, "cuDeviceGet", cuda->get_device(&cuda->device, 0), why, bytes) ||
	    !check_result(
		    cuda, "cuDeviceGetAttribute",
		    cuda->get_attribute(&supported, ATTRIBUTE_DMA_BUF_SUPPORTED, cuda->device), why,
		    bytes) ||
	    !check_result(cuda, "cuDevicePrimaryCtxRetain",
			  cuda->retain_context(&context, cuda->device), why, bytes)) {
		cuda->device = -1;
		return false;
	}
	if (!check_result(cuda, "cuCtxSetCurrent", cuda->set_context(context), why, bytes))
		return false;
	if (!supported)
		snprintf(why, bytes, "the GPU, or its kernel module, exports no dma-bufs");
	return supported;
}

void cuda_close(struct cuda *cuda)
{
	if (cuda->device >= 0)
		cuda->release_context(cuda->device);
	/* the library stays loaded: the driver has threads of its own */
	*cuda = (struct cuda){ .device = -1 };
}

int cuda_export(const struct cuda *cuda, uint64_t addr, size_t bytes)
{
	int fd = -1;

	return cuda->get_handle(&fd, addr, bytes, CUDA_DMA_BUF_FD, 0) ? -1 : fd;
}

int cuda_map_parts(const struct cuda *cuda, uint64_t *addr, unsigned n, size_t bytes)
{
	/* CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE */
	const struct properties properties = { .type = 1,
					       .location = { 1, cuda->device },
					       .flags.gpu_direct_rdma = 1 };
	uint64_t handle;
	int error;

	if (!cuda->create)
		return -1;
	error = cuda->reserve(addr, n * bytes, 0, 0, 0);
	for (unsigned i = 0; !error && i < n; i++) {
		error = cuda->create(&handle, bytes, &properties, 0);
		if (error)
			break;
		error = cuda->map(*addr + i * bytes, bytes, 0, handle, 0);
		cuda->release(handle); /* the mapping keeps the memory */
	}
	return error;
}

int cuda_unmap_parts(const struct cuda *cuda, uint64_t addr, unsigned n, size_t bytes)
{
	const int error = cuda->unmap(addr, n * bytes);

	return error ? error : cuda->unreserve(addr, n * bytes);
}
