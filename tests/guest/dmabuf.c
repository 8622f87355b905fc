/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers ordinary memory and a udmabuf with the first RDMA device, several times. The dma-buf
 * is registered as a memory region of verbs, and as a DEVX umem with its own mkey.
 *
 * Linux 6.12 accepts a dma-buf as a memory region of every device. The mlx5_ib of 7.2 and 7.3
 * accepts a dma-buf only if it handles page faults of the device (mlx5r_odp_create_eq). It does so
 * only for a device with RoCE: pf_profile has MLX5_IB_STAGE_ODP, raw_eth_profile lacks it.
 * Therefore 7.2 accepts a dma-buf of the profile roce only; a ConnectX with RoCE switched off gets
 * the same refusal. DEVX umems do not depend on page faults.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <linux/udmabuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prm/prm.h"

enum { BYTES = 4 << 20, ROUNDS = 5 };

static int report_failure(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	return 1;
}

/* Makes a dma-buf over the pages of a memfd. Return: the descriptor of the dma-buf, or -1 */
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

/* Returns whether @ctx has GIDs, and so RoCE. */
static bool has_roce(struct ibv_context *ctx)
{
	struct ibv_port_attr port = { 0 };

	return !ibv_query_port(ctx, 1, &port) && port.gid_tbl_len;
}

/*
 * Makes and destroys a memory region of the dma-buf. Return: 0, also for a kernel that accepts no
 * dma-buf without RoCE; 1 after a message about another failure
 */
static int register_dmabuf(struct ibv_pd *pd, int dmabuf, int i)
{
	struct ibv_mr *buf = ibv_reg_dmabuf_mr(pd, 4096 * i, BYTES - 4096 * i, 4096 * i, dmabuf,
					       IBV_ACCESS_LOCAL_WRITE);

	if (!buf && errno == EOPNOTSUPP && !has_roce(pd->context)) {
		printf("dma-buf as a memory region: refused, because this kernel needs RoCE\n");
		return 0;
	}
	if (!buf)
		return report_failure("ibv_reg_dmabuf_mr");
	printf("memory region of the dma-buf: lkey 0x%x\n", buf->lkey);
	return ibv_dereg_mr(buf) ? report_failure("ibv_dereg_mr of the dma-buf") : 0;
}

static struct mlx5dv_devx_obj *create_mkey(struct ibv_pd *pd, uint32_t umem_id, size_t bytes)
{
	struct mlx5dv_pd dv = { 0 };
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv } };
	struct prm_create_mkey_in in = { 0 };
	struct prm_create_mkey_out out = { 0 };
	struct prm_mkc *mkc = prm_sub(&in, memory_key_mkey_entry);

	if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD))
		return NULL;
	prm_set(&in, opcode, PRM_OP_create_mkey);
	prm_set(&in, mkey_umem_valid, 1);
	prm_set(&in, mkey_umem_id, umem_id);
	prm_set(&in, translations_octword_actual_size, (bytes / 4096 + 1) / 2);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, dv.pdn);
	prm_set(mkc, len, bytes);
	prm_set(mkc, log_page_size, 12);
	prm_set(mkc, translations_octword_size, (bytes / 4096 + 1) / 2);
	return mlx5dv_devx_obj_create(pd->context, &in, sizeof(in), &out, sizeof(out));
}

/* Makes and destroys a DEVX umem of the dma-buf, with an mkey. Return: 0; 1 after a message */
static int register_umem(struct ibv_pd *pd, int dmabuf, int i)
{
	struct mlx5dv_devx_umem_in in = { .addr = (void *)(uintptr_t)(4096 * i),
					  .size = (size_t)(BYTES - 4096 * i),
					  .access = IBV_ACCESS_LOCAL_WRITE,
					  .pgsz_bitmap = 4096,
					  .comp_mask = MLX5DV_UMEM_MASK_DMABUF,
					  .dmabuf_fd = dmabuf };
	struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg_ex(pd->context, &in);
	struct mlx5dv_devx_obj *mkey;

	if (!umem)
		return report_failure("mlx5dv_devx_umem_reg_ex of the dma-buf");
	mkey = create_mkey(pd, umem->umem_id, in.size);
	if (!mkey)
		return report_failure("CREATE_MKEY on the umem of the dma-buf");
	printf("DEVX umem of the dma-buf: 0x%x, with an mkey\n", umem->umem_id);
	return mlx5dv_devx_obj_destroy(mkey) || mlx5dv_devx_umem_dereg(umem)
		       ? report_failure("destroying the mkey and the umem")
		       : 0;
}

int main(void)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = list && list[0] ? mlx5dv_open_device(list[0], &attr) : NULL;
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	char *memory = aligned_alloc(4096, BYTES);
	const int dmabuf = make_dmabuf();

	if (!pd)
		return report_failure("opening the device and ibv_alloc_pd");
	if (dmabuf < 0)
		return report_failure("making a dma-buf with /dev/udmabuf");
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_mr *mr =
			ibv_reg_mr(pd, memory + 100 * i, BYTES - 100 * i, IBV_ACCESS_LOCAL_WRITE);

		if (!mr)
			return report_failure("ibv_reg_mr");
		printf("memory region of ordinary memory: lkey 0x%x\n", mr->lkey);
		if (register_dmabuf(pd, dmabuf, i) || register_umem(pd, dmabuf, i))
			return 1;
		if (ibv_dereg_mr(mr))
			return report_failure("ibv_dereg_mr");
	}
	return ibv_dealloc_pd(pd) || ibv_close_device(ctx)
		       ? report_failure("ibv_dealloc_pd and ibv_close_device")
		       : 0;
}
