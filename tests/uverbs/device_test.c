/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "quiet_fork.h"
#include "verbs_rig.h"

FIXTURE(device)
{
	struct ibv_context *ctx;
};

FIXTURE_SETUP(device)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
}

FIXTURE_TEARDOWN(device)
{
	if (self->ctx)
		EXPECT_EQ(0, ibv_close_device(self->ctx));
	verbs_rig_expect_nothing();
}

/* A program that was built with a shorter or longer struct passes its size. */
TEST_F(device, counters_fit_the_struct_of_another_release)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct {
		struct devx_emu_counters c;
		uint64_t beyond[4];
	} room, want;

	NEEDS_EMU("to read its counters");
	memset(&room, 0xa5, sizeof(room));
	want = room;
	EXPECT_EQ(0, emu->counters(0, &want.c, sizeof(want.c)));
	EXPECT_EQ(0, emu->counters(0, &room.c, sizeof(room.c) - sizeof(uint64_t)));
	EXPECT_MEMEQ(&want.c, &room.c, sizeof(room.c) - sizeof(uint64_t));
	EXPECT_EQ(0xa5a5a5a5a5a5a5a5, ((const uint64_t *)&room.beyond)[-1]);
	EXPECT_EQ(0, emu->counters(0, &room.c, sizeof(room)));
	memset(want.beyond, 0, sizeof(want.beyond));
	EXPECT_MEMEQ(&want, &room, sizeof(room));
}

TEST_F(device, uverbs_file_is_a_character_device)
{
	struct stat st;

	ASSERT_EQ(0, fstat(self->ctx->cmd_fd, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	ASSERT_EQ(0, stat("/dev/infiniband/uverbs0", &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(231, major(st.st_rdev));
	EXPECT_EQ(192, minor(st.st_rdev));
}

TEST_F(device, uevent_names_the_device_file)
{
	FILE *file = fopen("/sys/class/infiniband_verbs/uverbs0/uevent", "re");
	char text[256] = "";

	ASSERT_NE(NULL, file);
	EXPECT_NE(0, fread(text, 1, sizeof(text) - 1, file));
	fclose(file);
	EXPECT_SUBSTR("MAJOR=231\nMINOR=192\nDEVNAME=infiniband/uverbs0\n", text);
}

TEST_F(device, uverbs_file_of_a_port_beyond_the_last_does_not_exist)
{
	struct stat st;

	EXPECT_EQ(-1, open("/dev/infiniband/uverbs7", O_RDWR));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(-1, stat("/dev/infiniband/uverbs7", &st));
}

TEST_F(device, removed_device_has_no_files)
{
	static const struct {
		const char *name;
		bool of_adapter; /* leaves with the adapter only */
	} files[] = {
		{ "/dev/infiniband/uverbs0" },
		{ "/dev/char/231:192" },
		{ "/sys/dev/char/231:192" },
		{ "/sys/class/infiniband/mlx5_0" },
		{ "/sys/class/infiniband_verbs/uverbs0" },
		{ "/sys/bus/pci/devices/0000:c1:00.0/infiniband" },
		{ "/sys/bus/pci/devices/0000:c1:00.0", true },
	};
	static const enum devx_emu_inject removals[] = { DEVX_EMU_INJECT_DEVICE_REMOVE,
							 DEVX_EMU_INJECT_DEVICE_UNPLUG };
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to remove the device");
	for (size_t k = 0; k < 2; k++) {
		ASSERT_EQ(0, emu->inject(0, removals[k], 0));
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			SCOPED_TRACE("%s, removal %zu", files[i].name, k);
			EXPECT_EQ(files[i].of_adapter && !k ? 0 : -1,
				  faccessat(AT_FDCWD, files[i].name, F_OK, AT_SYMLINK_NOFOLLOW));
		}
		EXPECT_EQ(-1, open("/dev/infiniband/uverbs0", O_RDWR));
		EXPECT_EQ(ENOENT, errno);
		ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			EXPECT_EQ(0, access(files[i].name, F_OK));
	}
}

/* presence.c moves the eleventh name to hidden/10.0, but a link cannot replace a directory. */
TEST_F(device, removal_that_fails_moves_no_name)
{
	static const char device[] = "/dev/infiniband/uverbs0";
	const struct devx_emu_ctl *emu = emu_if_any();
	const char *shared = getenv("DEVX_EMU");
	char obstacle[PATH_MAX];

	NEEDS_EMU("to remove the device");
	snprintf(obstacle, sizeof(obstacle), "%.*s/hidden/10.0",
		 (int)(strrchr(shared, '/') - shared), shared);
	ASSERT_EQ(0, mkdir(obstacle, 0700));
	EXPECT_EQ(-EISDIR, emu->inject(0, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
	EXPECT_EQ(0, access(device, F_OK));
	EXPECT_EQ(0, access("/sys/bus/pci/devices/0000:c1:00.0", F_OK));
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_DEVICE_REMOVE, 0));
	EXPECT_EQ(-EISDIR, emu->inject(0, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
	EXPECT_EQ(-1, access(device, F_OK));
	EXPECT_EQ(0, access("/sys/bus/pci/devices/0000:c1:00.0", F_OK));
	EXPECT_EQ(0, rmdir(obstacle));
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
	EXPECT_EQ(0, access(device, F_OK));
}

TEST_F(device, query_port_accepts_port_1_only)
{
	struct ibv_port_attr port, none;
	union ibv_gid gid;

	ASSERT_EQ(0, ibv_query_port(self->ctx, 1, &port));
	EXPECT_EQ(IBV_PORT_ACTIVE, port.state);
	EXPECT_EQ(IBV_LINK_LAYER_ETHERNET, port.link_layer);
	EXPECT_EQ(EINVAL, ibv_query_port(self->ctx, 2, &none));
	/* Only a guest has GIDs: the profile of its adapter supports RoCE. */
	EXPECT_EQ(port.gid_tbl_len ? 0 : -1, ibv_query_gid(self->ctx, 1, 0, &gid));
}

TEST_F(device, general_command_queries_capabilities)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_query_hca_cap_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_OP_MOD_CURRENT);
	ASSERT_EQ(0, mlx5dv_devx_general_cmd(self->ctx, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(PRM_STATUS_OK, prm_get(&out, status));
}

TEST_F(device, query_device_reports_the_formats_of_mini_cqes)
{
	struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_CQE_COMPRESION };

	ASSERT_EQ(0, mlx5dv_query_device(self->ctx, &dv));
	EXPECT_EQ(MLX5DV_CQE_RES_FORMAT_HASH | MLX5DV_CQE_RES_FORMAT_CSUM |
			  MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX,
		  dv.cqe_comp_caps.supported_format);
}

/* A kernel derives the attributes from the capabilities; it has them in two places. */
TEST_F(device, query_device_reports_the_tunnels_of_the_capabilities)
{
	struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_TUNNEL_OFFLOADS };
	struct prm_per_protocol_networking_offload_caps caps;
	struct prm_query_hca_cap_in in = { 0 };
	union {
		struct prm_query_hca_cap_out out;
		prm_be32 dw[sizeof(struct prm_query_hca_cap_out) / 4];
	} u = { 0 };

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	ASSERT_EQ(0, mlx5dv_devx_general_cmd(self->ctx, &in, sizeof(in), &u, sizeof(u)));
	memcpy(&caps, &u.dw[prm_bit(&u.out, capability) / 32], sizeof(caps));
	EXPECT_EQ(1, prm_get(&caps, tunnel_stateless_vxlan));
	EXPECT_EQ(1, prm_get(&caps, tunnel_stateless_gre));
	ASSERT_EQ(0, mlx5dv_query_device(self->ctx, &dv));
	EXPECT_EQ(MLX5DV_CONTEXT_MASK_TUNNEL_OFFLOADS, dv.comp_mask);
	EXPECT_EQ(MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_VXLAN |
			  MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_GRE,
		  dv.tunnel_offloads_caps);
}

TEST_F(device, two_bf_uars_share_a_page)
{
	struct mlx5dv_devx_uar *u[3];

	for (int i = 0; i < 3; i++) {
		u[i] = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
		ASSERT_NE(NULL, u[i]);
		EXPECT_NE(0, u[i]->page_id);
	}
	EXPECT_EQ(u[0]->page_id, u[1]->page_id);
	EXPECT_NE(u[0]->reg_addr, u[1]->reg_addr);
	EXPECT_NE(u[0]->page_id, u[2]->page_id);
	EXPECT_EQ_ON_EMU(3, verbs_rig_read_counters().objects[DEVX_EMU_UAR]); /* 1 of libmlx5 */
	for (int i = 0; i < 3; i++)
		mlx5dv_devx_free_uar(u[i]);
}

TEST_F(device, verbs_pd_has_a_number_of_firmware)
{
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx);
	struct mlx5dv_pd dv_pd = { 0 };
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv_pd } };

	ASSERT_NE(NULL, pd);
	ASSERT_EQ(0, mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
	EXPECT_NE(0, dv_pd.pdn);
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().objects[DEVX_EMU_PD]);
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
}

TEST_F(device, a_pd_with_a_region_is_busy)
{
	enum { BYTES = 8192 };
	int fd;
	void *buf = verbs_rig_map_shared(BYTES, &fd);
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx);
	struct ibv_mr *mr = ibv_reg_mr(pd, buf, BYTES, IBV_ACCESS_LOCAL_WRITE);

	ASSERT_NE(NULL, mr);
	EXPECT_EQ(mr->lkey, mr->rkey);
	EXPECT_EQ(EBUSY, ibv_dealloc_pd(pd));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
	munmap(buf, BYTES);
	close(fd);
}

/* ---- files ------------------------------------------------------------------------- */

TEST_F(device, a_dup_keeps_the_context_and_can_be_imported)
{
	const int fd = dup(self->ctx->cmd_fd);
	struct ibv_context *second;
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx), *same;

	ASSERT_NE(NULL, pd);
	second = ibv_import_device(fd);
	ASSERT_NE(NULL, second);
	same = ibv_import_pd(second, pd->handle);
	ASSERT_NE(NULL, same);
	ibv_unimport_pd(same);
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().contexts);
	EXPECT_EQ(0, ibv_close_device(second));
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().contexts);
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
}

TEST_F(device, last_close_destroys_all_objects)
{
	uint32_t pdn, tdn;
	const int fd = dup(self->ctx->cmd_fd);
	void *pd = verbs_rig_create_pd(self->ctx, &pdn), *td = verbs_rig_create_td(self->ctx, &tdn);
	void *verbs_pd = ibv_alloc_pd(self->ctx);

	ASSERT_NE(NULL, pd);
	ASSERT_NE(NULL, td);
	ASSERT_NE(NULL, verbs_pd);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	free(pd); /* memory of libmlx5 */
	free(td);
	free(verbs_pd);
	self->ctx = NULL;
	EXPECT_EQ_ON_EMU(2,
			 verbs_rig_read_counters().objects[DEVX_EMU_PD]); /* the dup keeps them */
	EXPECT_EQ(0, close(fd));
}

TEST_F(device, dup2_over_the_last_descriptor_closes_the_context)
{
	const int fd = open("/dev/infiniband/uverbs0", O_RDWR | O_CLOEXEC);
	const int other = open("/dev/null", O_RDONLY);

	ASSERT_NE(-1, fd);
	EXPECT_EQ_ON_EMU(2, verbs_rig_read_counters().contexts);
	EXPECT_EQ(fd, dup2(other, fd));
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().contexts);
	close(fd);
	close(other);
}

TEST_F(device, child_of_fork_uses_the_device_of_its_parent)
{
	struct ibv_port_attr port;
	int status = -1;
	pid_t pid;

	pid = quiet_fork();
	if (!pid) {
		struct ibv_context *own;

		if (ibv_query_port(self->ctx, 1, &port))
			_exit(1);
		own = verbs_rig_open(true);
		if (!own || ibv_query_port(own, 1, &port))
			_exit(2);
		ibv_close_device(own);
		_exit(ibv_query_port(self->ctx, 1, &port) ? 3 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, ibv_query_port(self->ctx, 1, &port));
}

/* ---- privileges --------------------------------------------------------------------- */

TEST_F(device, kernel_writes_the_uid_of_the_context_into_a_command)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find(); /* also that of another process */
	struct ibv_context *other = verbs_rig_open(true);
	struct prm_create_tis_in in = { 0 };
	struct prm_create_tis_out out = { 0 };
	uint32_t tdn;
	struct mlx5dv_devx_obj *td = verbs_rig_create_td(self->ctx, &tdn);

	ASSERT_NE(NULL, other);
	ASSERT_NE(NULL, td);
	prm_set(&in, opcode, PRM_OP_create_tis);
	prm_set(&in, uid, 1); /* the uid of another context */
	prm_set(prm_sub(&in, ctx), transport_domain, tdn);
	EXPECT_EQ(NULL, VERBS_RIG_CREATE(other, in, out));
	EXPECT_EQ(EREMOTEIO, errno);
	EXPECT_EQ(PRM_STATUS_BAD_RES, prm_get(&out, status));
	if (emu)
		emu->reset_mistakes(); /* the context has no such transport domain */
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
	EXPECT_EQ(0, ibv_close_device(other));
}
