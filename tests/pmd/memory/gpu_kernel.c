/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_kernel.h"

/* PTX, which the CUDA driver compiles for its GPU: the tests need no compiler of CUDA. */
static const char ptx[] =
	".version 6.3\n"
	".target sm_75\n"
	".address_size 64\n"
	".visible .entry handle_parts(.param .u64 at, .param .u64 n_right, .param .u32 first,\n"
	"	.param .u32 bytes, .param .u32 write)\n"
	"{\n"
	"	.reg .b64 %at, %part, %addr, %offset, %n_right;\n"
	"	.reg .b32 %thread, %number, %bytes, %k, %shift, %low, %high, %want, %found, "
	"%flag;\n"
	"	.reg .pred %write, %end, %is_low, %wrong;\n"
	"	ld.param.u64 %at, [at];\n"
	"	ld.param.u64 %n_right, [n_right];\n"
	"	ld.param.u32 %number, [first];\n"
	"	ld.param.u32 %bytes, [bytes];\n"
	"	ld.param.u32 %flag, [write];\n"
	"	setp.ne.u32 %write, %flag, 0;\n"
	"	mov.u32 %thread, %tid.x;\n"
	"	add.u32 %number, %number, %thread;\n"
	"	mul.wide.u32 %offset, %thread, 8;\n"
	"	add.u64 %at, %at, %offset;\n"
	"	ld.u64 %part, [%at];\n"
	"	mov.u32 %k, 0;\n"
	"next:	setp.ge.u32 %end, %k, %bytes;\n"
	"	@%end bra right;\n"
	"	shl.b32 %shift, %k, 3;\n"
	"	shr.u32 %low, %number, %shift;\n"
	"	mad.lo.u32 %high, %number, 31, %k;\n"
	"	setp.lt.u32 %is_low, %k, 4;\n"
	"	selp.b32 %want, %low, %high, %is_low;\n"
	"	and.b32 %want, %want, 255;\n"
	"	cvt.u64.u32 %offset, %k;\n"
	"	add.u64 %addr, %part, %offset;\n"
	"	@%write st.u8 [%addr], %want;\n"
	"	ld.volatile.u8 %found, [%addr];\n"
	"	setp.ne.u32 %wrong, %found, %want;\n"
	"	@%wrong bra out;\n"
	"	add.u32 %k, %k, 1;\n"
	"	bra next;\n"
	"right:	atom.add.u32 %found, [%n_right], 1;\n"
	"out:	ret;\n"
	"}\n";

int gpu_kernel_load(struct gpu_kernel *k, const struct cuda *cuda)
{
	int error;

	*k = (struct gpu_kernel){ .cuda = cuda };
	error = cuda->load_module(&k->module, ptx);
	return error ? error : cuda->get_function(&k->function, k->module, "handle_parts");
}

void gpu_kernel_unload(struct gpu_kernel *k)
{
	if (k->module)
		k->cuda->unload_module(k->module);
	k->module = NULL;
}

int gpu_kernel_run(const struct gpu_kernel *k, bool write, const struct gpu_parts *parts)
{
	struct gpu_parts p = *parts;
	uint32_t flag = write;
	void *parameters[] = { &p.at, &p.n_right, &p.first, &p.bytes, &flag };
	const int error =
		k->cuda->launch(k->function, 1, 1, 1, p.n, 1, 1, 0, NULL, parameters, NULL);

	return error ? error : k->cuda->synchronize();
}
