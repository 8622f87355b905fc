/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares CQE, WQE segments and numbers such as opcodes with rdma-core's mlx5dv.h, the header for
 * user programs.
 */
#include <infiniband/mlx5dv.h>

#include "ct.h"
#include "prm/cqe.h"
#include "prm/prm.h"
#include "prm/wqe.h"
#include "same.h"

TEST(rdma_core, cqe_has_the_fields_of_rdma_core)
{
	EXPECT_EQ(sizeof(struct mlx5_cqe64), sizeof(struct prm_cqe));
#define CQE(field, ref) SAME_AT(prm_cqe, field, mlx5_cqe64, ref)
	CQE(wqe_id, wqe_id);
	CQE(ml_path, ml_path);
	CQE(slid, slid);
	CQE(flags_rqpn, flags_rqpn);
	CQE(hds_ip_ext, hds_ip_ext);
	CQE(l4_l3_hdr_type, l4_hdr_type_etc);
	CQE(vlan_info, vlan_info);
	CQE(srqn_uidx, srqn_uidx);
	CQE(imm_inval_pkey, imm_inval_pkey);
	CQE(app, app);
	CQE(app_op, app_op);
	CQE(app_info, app_info);
	CQE(byte_cnt, byte_cnt);
	CQE(timestamp, timestamp);
	CQE(sop_drop_qpn, sop_drop_qpn);
	CQE(wqe_counter, wqe_counter);
	CQE(signature, signature);
	CQE(op_own, op_own);
}

TEST(rdma_core, cqe_accessors_agree)
{
	static const uint8_t op_own[] = { 0x00, 0x01, 0x20, 0x21, 0xd0, 0xe1, 0xf1 };

	for (size_t i = 0; i < sizeof(op_own); i++) {
		struct mlx5_cqe64 cqe = { .op_own = op_own[i] };

		SCOPED_TRACE("op_own %02x", op_own[i]);
		EXPECT_EQ(mlx5dv_get_cqe_opcode(&cqe), prm_cqe_opcode(op_own[i]));
		EXPECT_EQ(mlx5dv_get_cqe_owner(&cqe), op_own[i] & PRM_CQE_OWNER);
	}
}

TEST(rdma_core, wqe_segments_have_the_fields_of_rdma_core)
{
	EXPECT_EQ(sizeof(struct mlx5_wqe_ctrl_seg), sizeof(struct prm_ctrl_seg));
#define CTRL(field) SAME_AT(prm_ctrl_seg, field, mlx5_wqe_ctrl_seg, field)
	CTRL(opmod_idx_opcode);
	CTRL(qpn_ds);
	CTRL(signature);
	CTRL(fm_ce_se);
	CTRL(imm);

#define ETH(field) SAME_AT(prm_eth_seg, field, mlx5_wqe_eth_seg, field)
	ETH(cs_flags);
	ETH(mss);
	ETH(inline_hdr_sz);
	ETH(inline_hdr_start);
	EXPECT_EQ(offsetof(struct mlx5_wqe_eth_seg, inline_hdr), sizeof(struct prm_eth_seg));

	EXPECT_EQ(sizeof(struct mlx5_wqe_data_seg), sizeof(struct prm_data_seg));
#define DATA(field) SAME_AT(prm_data_seg, field, mlx5_wqe_data_seg, field)
	DATA(byte_count);
	DATA(lkey);
	DATA(addr);
}

TEST(rdma_core, both_write_the_same_ctrl_segment)
{
	struct mlx5_wqe_ctrl_seg theirs = { 0 };
	struct prm_ctrl_seg ours = {
		.opmod_idx_opcode = prm_ctrl_dw0(1, 0xabcd, PRM_WQE_ENHANCED_MPSW),
		.qpn_ds = prm_ctrl_dw1(0x123456, 13),
		.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
	};

	mlx5dv_set_ctrl_seg(&theirs, 0xabcd, PRM_WQE_ENHANCED_MPSW, 1, 0x123456,
			    MLX5_WQE_CTRL_CQ_UPDATE, 13, 0, 0);
	EXPECT_MEMEQ(&theirs, &ours, sizeof(ours));
	EXPECT_EQ(1, prm_ctrl_opmod(&ours));
	EXPECT_EQ(0xabcd, prm_ctrl_index(&ours));
	EXPECT_EQ(PRM_WQE_ENHANCED_MPSW, prm_ctrl_opcode(&ours));
	EXPECT_EQ(0x123456, prm_ctrl_sqn(&ours));
	EXPECT_EQ(13, prm_ctrl_ds(&ours));
	EXPECT_EQ(PRM_CE_ALWAYS, prm_ctrl_ce(&ours));
}

static const struct number {
	const char *name;
	uint64_t theirs, ours;
} numbers[] = {
/* clang-format off */
#define N(ref, our) { #our, (ref), (our) }
	/* clang-format on */
	N(MLX5_OPCODE_NOP, PRM_WQE_NOP),
	N(MLX5_OPCODE_SEND, PRM_WQE_SEND),
	N(MLX5_OPCODE_TSO, PRM_WQE_LSO),
	N(MLX5_OPCODE_UMR, PRM_WQE_UMR),
	N(MLX5_SEND_WQE_BB, PRM_WQEBB_BYTES),
	N((uint32_t)MLX5_INLINE_SEG, PRM_INLINE_SEG),
	N(MLX5_INVALID_LKEY, PRM_LKEY_INVALID),
	N(MLX5_ETH_WQE_L3_CSUM, PRM_ETH_CS_L3),
	N(MLX5_ETH_WQE_L4_CSUM, PRM_ETH_CS_L4),
	N(MLX5_RCV_DBR, PRM_DBR_RCV),
	N(MLX5_SND_DBR, PRM_DBR_SND),
	N(MLX5_CQ_DOORBELL, PRM_UAR_CQ_ARM),
	N(MLX5_CQ_DB_REQ_NOT_SOL, PRM_CQ_ARM_SOLICITED),
	N(MLX5_CQE_REQ, PRM_CQE_REQ),
	N(MLX5_CQE_RESP_WR_IMM, PRM_CQE_RESP_WR_IMM),
	N(MLX5_CQE_RESP_SEND, PRM_CQE_RESP_SEND),
	N(MLX5_CQE_REQ_ERR, PRM_CQE_REQ_ERR),
	N(MLX5_CQE_RESP_ERR, PRM_CQE_RESP_ERR),
	N(MLX5_CQE_INVALID, PRM_CQE_INVALID),
	N(MLX5_CQE_OWNER_MASK, PRM_CQE_OWNER),
	N(MLX5_CQE_L3_HDR_TYPE_NONE, PRM_CQE_L3_NONE),
	N(MLX5_CQE_L3_HDR_TYPE_IPV6, PRM_CQE_L3_IPV6),
	N(MLX5_CQE_L3_HDR_TYPE_IPV4, PRM_CQE_L3_IPV4),

	N(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR, PRM_SYND_LOCAL_LENGTH),
	N(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, PRM_SYND_LOCAL_QP_OP),
	N(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, PRM_SYND_LOCAL_PROT),
	N(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, PRM_SYND_WR_FLUSH),
	N(MLX5_CQE_SYNDROME_MW_BIND_ERR, PRM_SYND_MW_BIND),
	N(MLX5_CQE_SYNDROME_BAD_RESP_ERR, PRM_SYND_BAD_RESP),
	N(MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR, PRM_SYND_LOCAL_ACCESS),
	N(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, PRM_SYND_REMOTE_INVAL_REQ),
	N(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, PRM_SYND_REMOTE_ACCESS),
	N(MLX5_CQE_SYNDROME_REMOTE_OP_ERR, PRM_SYND_REMOTE_OP),
	N(MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, PRM_SYND_TRANSPORT_RETRY),
	N(MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR, PRM_SYND_RNR_RETRY),
	N(MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR, PRM_SYND_REMOTE_ABORTED),
};

TEST_EACH(rdma_core, number_is_that_of_rdma_core, struct number, numbers)
{
	EXPECT_EQ(row->theirs, row->ours);
}

static const struct number values[] = {
#undef N
/* clang-format off */
#define VALUES(name)
#define V(name, number, linux_name)
#define N(name, number)
#define R(name, number, rdma_core_name) { #name, (rdma_core_name), (name) },
#define END(name)
#include "prm/values.def"
	/* clang-format on */
};

TEST_EACH(rdma_core, value_is_that_of_rdma_core, struct number, values)
{
	EXPECT_EQ(row->theirs, row->ours);
}
