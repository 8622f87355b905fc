/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/caps.h"
#include "emu/base/profile.h"
#include "prm/prm.h"

/*
 * Makes Linux' mlx5_ib choose its RoCE profile, with GIDs, a GSI QP and an EQ for page faults.
 * Some calls work only then, among them ibv_reg_dmabuf_mr of Linux 7.2. emu models no transport
 * and refuses QPs of users. Capability pg (on-demand paging) only allows the EQ for page faults,
 * and mkeys with pg_access. RDMA_CTRL, in two places, only makes Linux 6.15 create the file
 * /dev/infiniband/mlx5_perm_ctrl_local.
 */
void emu_profile_fill_roce(struct emu_caps *caps)
{
	enum { UDP_PORT_V2 = 4791 };
	struct prm_cmd_hca_cap *c = &caps->general;
	struct prm_roce_cap *r = &caps->roce;

	prm_set(c, roce, 1);
	prm_set(c, pg, 1);
	prm_set(c, uctx_cap, PRM_UCTX_CAP_RAW_TX | PRM_UCTX_CAP_RDMA_CTRL);
	prm_set(&caps->general_2, general_obj_types_127_64,
		PRM_HCA_CAP_2_GENERAL_OBJECT_TYPES_RDMA_CTRL);
	prm_set(r, roce_version, PRM_ROCE_CAP_VERSION_1 | PRM_ROCE_CAP_VERSION_2);
	prm_set(r, l3_type, PRM_ROCE_CAP_L3_TYPE_IPV4 | PRM_ROCE_CAP_L3_TYPE_IPV6);
	prm_set(r, r_roce_dest_udp_port, UDP_PORT_V2);
	prm_set(r, r_roce_min_src_udp_port, 0xc000);
	prm_set(r, r_roce_max_src_udp_port, 0xffff);
	prm_set(r, roce_address_table_size, EMU_ROCE_ADDRESSES);
}
