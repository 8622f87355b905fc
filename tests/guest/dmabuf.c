/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers ordinary memory and a udmabuf with the first RDMA device, several times over.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <linux/udmabuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 4 << 20, ROUNDS = 5 };

static int fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	return 1;
}

/* A dma-buf over pages of a memory file. Return: its descriptor, or -1 */
static int make_dmabuf(void)
{
	struct udmabuf_create create = { .size = BYTES };
	const int dev = open("/dev/udmabuf", O_RDWR);

	create.memfd = (unsigned)memfd_create("pages", MFD_ALLOW_SEALING);
	if (dev < 0 || ftruncate((int)create.memfd, BYTES) ||
	    fcntl((int)create.memfd, F_ADD_SEALS, F_SEAL_SHRINK))
		return -1;
	return ioctl(dev, UDMABUF_CREATE, &create);
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = list && list[0] ? ibv_open_device(list[0]) : NULL;
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	char *memory = aligned_alloc(4096, BYTES);
	const int dmabuf = make_dmabuf();

	if (!pd)
		return fail("no PD");
	if (dmabuf < 0)
		return fail("no udmabuf");
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_mr *mr = ibv_reg_mr(pd, memory + 100 * i, BYTES - 100 * i,
					       IBV_ACCESS_LOCAL_WRITE);
		struct ibv_mr *buf = ibv_reg_dmabuf_mr(pd, 4096 * i, BYTES - 4096 * i, 4096 * i,
						       dmabuf, IBV_ACCESS_LOCAL_WRITE);

		if (!mr)
			return fail("ibv_reg_mr");
		if (!buf)
			return fail("ibv_reg_dmabuf_mr");
		printf("memory 0x%x, dma-buf 0x%x\n", mr->lkey, buf->lkey);
		if (ibv_dereg_mr(buf) || ibv_dereg_mr(mr))
			return fail("ibv_dereg_mr");
	}
	return ibv_dealloc_pd(pd) || ibv_close_device(ctx) ? fail("close") : 0;
}
