/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares CQE, EQE, WQE segments and numbers such as opcodes with Linux' device.h, doorbell.h and
 * qp.h.
 */
#include "linux.h"

/* names that Linux' doorbell.h uses to write registers */
#define __iomem
#define BITS_PER_LONG 64
#define __raw_writeq(value, at) (*(volatile uint64_t *)(at) = (value))

#include "device.h"
#include "doorbell.h"
#include "qp.h"

#include "compat.h"
#include "ct.h"
#include "prm/cqe.h"
#include "prm/klm.h"
#include "prm/prm.h"
#include "prm/seg.h"
#include "prm/wqe.h"
#include "same.h"

TEST(linux_device, cqe_has_the_fields_of_linux)
{
	EXPECT_EQ(sizeof(struct mlx5_cqe64), sizeof(struct prm_cqe));
#define CQE(field, ref) SAME_AT(prm_cqe, field, mlx5_cqe64, ref)
	CQE(outer_tunnel, tls_outer_l3_tunneled);
	CQE(wqe_id, wqe_id);
	CQE(lro_tcppsh_abort_dupack, lro.tcppsh_abort_dupack);
	CQE(lro_min_ttl, lro.min_ttl);
	CQE(lro_tcp_win, lro.tcp_win);
	CQE(lro_ack_seq_num, lro.ack_seq_num);
	CQE(rss_hash_result, rss_hash_result);
	CQE(rss_hash_type, rss_hash_type);
	CQE(ml_path, ml_path);
	CQE(check_sum, check_sum);
	CQE(slid, slid);
	CQE(flags_rqpn, flags_rqpn);
	CQE(hds_ip_ext, hds_ip_ext);
	CQE(l4_l3_hdr_type, l4_l3_hdr_type);
	CQE(vlan_info, vlan_info);
	CQE(srqn_uidx, srqn);
	CQE(imm_inval_pkey, ft_metadata);
	CQE(byte_cnt, byte_cnt);
	CQE(sop_drop_qpn, sop_drop_qpn);
	CQE(wqe_counter, wqe_counter);
	CQE(signature, signature);
	CQE(op_own, op_own);
	/* lib/prm has the timestamp as one quadword, Linux as two dwords */
	EXPECT_EQ(offsetof(struct mlx5_cqe64, timestamp_h), offsetof(struct prm_cqe, timestamp));
	EXPECT_EQ(offsetof(struct mlx5_cqe64, timestamp_l),
		  offsetof(struct prm_cqe, timestamp) + 4);
}

TEST(linux_device, error_cqe_has_the_fields_of_linux)
{
	EXPECT_EQ(sizeof(struct mlx5_err_cqe), sizeof(struct prm_err_cqe));
#define ERR(field) SAME_AT(prm_err_cqe, field, mlx5_err_cqe, field)
	ERR(srqn);
	ERR(vendor_err_synd);
	ERR(syndrome);
	ERR(s_wqe_opcode_qpn);
	ERR(wqe_counter);
	ERR(signature);
	ERR(op_own);
}

TEST(linux_device, eqe_has_the_fields_of_linux)
{
	EXPECT_EQ(sizeof(struct mlx5_eqe), sizeof(struct prm_eqe));
#define EQE(field) SAME_AT(prm_eqe, field, mlx5_eqe, field)
	EQE(type);
	EQE(sub_type);
	EQE(data);
	EQE(signature);
	EQE(owner);
#define EQE_DATA(index, byte, field)                                                               \
	EXPECT_EQ(offsetof(struct mlx5_eqe, data.field),                                           \
		  offsetof(struct prm_eqe, data[index]) + (byte))
	EQE_DATA(PRM_EQE_NUMBER, 0, comp.cqn);
	EQE_DATA(PRM_EQE_NUMBER, 0, qp_srq.qp_srq_n);
	EQE_DATA(PRM_EQE_QUEUE_TYPE, 0, qp_srq.type);
	EQE_DATA(PRM_EQE_CQ_ERROR_CQN, 0, cq_err.cqn);
	EQE_DATA(PRM_EQE_CQ_ERROR_SYNDROME, 3, cq_err.syndrome);
	EQE_DATA(PRM_EQE_PORT, 0, port.port);
}

TEST(linux_device, wqe_segments_have_the_fields_of_linux)
{
	EXPECT_EQ(sizeof(struct mlx5_wqe_ctrl_seg), sizeof(struct prm_ctrl_seg));
#define CTRL(field) SAME_AT(prm_ctrl_seg, field, mlx5_wqe_ctrl_seg, field)
	CTRL(opmod_idx_opcode);
	CTRL(qpn_ds);
	CTRL(signature);
	CTRL(fm_ce_se);
	CTRL(imm);

	EXPECT_EQ(sizeof(struct mlx5_wqe_eth_seg), sizeof(struct prm_eth_seg));
#define ETH(field, ref) SAME_AT(prm_eth_seg, field, mlx5_wqe_eth_seg, ref)
	ETH(swp_outer_l4_offset, swp_outer_l4_offset);
	ETH(swp_outer_l3_offset, swp_outer_l3_offset);
	ETH(swp_inner_l4_offset, swp_inner_l4_offset);
	ETH(swp_inner_l3_offset, swp_inner_l3_offset);
	ETH(cs_flags, cs_flags);
	ETH(swp_flags, swp_flags);
	ETH(mss, mss);
	ETH(flow_table_metadata, flow_table_metadata);
	ETH(inline_hdr_sz, inline_hdr.sz);
	ETH(inline_hdr_start, inline_hdr.start);
	LINUX_VLAN_INSERT(ETH(insert_type, insert.type); ETH(vlan_tci, insert.vlan_tci);)
	ETH(trailer, trailer);

	EXPECT_EQ(sizeof(struct mlx5_wqe_data_seg), sizeof(struct prm_data_seg));
#define DATA(field) SAME_AT(prm_data_seg, field, mlx5_wqe_data_seg, field)
	DATA(byte_count);
	DATA(lkey);
	DATA(addr);
}

TEST(linux_device, entries_of_indirect_mkeys_have_the_fields_of_linux)
{
	EXPECT_EQ(sizeof(struct mlx5_klm), sizeof(struct prm_klm));
	SAME_AT(prm_klm, byte_count, mlx5_klm, bcount);
	SAME_AT(prm_klm, key, mlx5_klm, key);
	SAME_AT(prm_klm, addr, mlx5_klm, va);
	SAME_AT(prm_klm, key, mlx5_ksm, key);
	SAME_AT(prm_klm, addr, mlx5_ksm, va);

	EXPECT_EQ(sizeof(struct mlx5_stride_block_ctrl_seg), sizeof(struct prm_stride_block));
	SAME_AT(prm_stride_block, cycle_bytes, mlx5_stride_block_ctrl_seg, bcount_per_cycle);
	SAME_AT(prm_stride_block, op, mlx5_stride_block_ctrl_seg, op);
	SAME_AT(prm_stride_block, repeat_count, mlx5_stride_block_ctrl_seg, repeat_count);
	SAME_AT(prm_stride_block, n_entries, mlx5_stride_block_ctrl_seg, num_entries);

	EXPECT_EQ(sizeof(struct mlx5_stride_block_entry), sizeof(struct prm_stride_entry));
	SAME_AT(prm_stride_entry, stride, mlx5_stride_block_entry, stride);
	SAME_AT(prm_stride_entry, byte_count, mlx5_stride_block_entry, bcount);
	SAME_AT(prm_stride_entry, key, mlx5_stride_block_entry, key);
	SAME_AT(prm_stride_entry, addr, mlx5_stride_block_entry, va);
}

static const struct number {
	const char *name;
	uint64_t linux_s, ours;
} numbers[] = {
/* clang-format off */
#define N(ref, our) { #our, (ref), (our) }
	/* clang-format on */
	N(MLX5_STRIDE_BLOCK_OP, PRM_STRIDE_BLOCK_OP),
	N(MLX5_OPCODE_NOP, PRM_WQE_NOP),
	N(MLX5_OPCODE_SEND, PRM_WQE_SEND),
	N(MLX5_OPCODE_LSO, PRM_WQE_LSO),
	N(MLX5_OPCODE_DUMP, PRM_WQE_DUMP),
	N(MLX5_OPCODE_UMR, PRM_WQE_UMR),
	N(MLX5_OPCODE_ENHANCED_MPSW, PRM_WQE_ENHANCED_MPSW),
	N(MLX5_WQE_CTRL_CQ_UPDATE, PRM_CE_ALWAYS << PRM_CE_SHIFT),
	N(MLX5_WQE_CTRL_CQ_UPDATE_AND_EQE, PRM_CE_ALWAYS_EVENT << PRM_CE_SHIFT),
	N(MLX5_WQE_CTRL_SOLICITED, PRM_SE),
	N(MLX5_SEND_WQE_DS, PRM_DS_BYTES),
	N(MLX5_SEND_WQE_BB, PRM_WQEBB_BYTES),
	N(MLX5_INLINE_SEG, PRM_INLINE_SEG),
	N(MLX5_ETH_WQE_L3_INNER_CSUM, PRM_ETH_CS_INNER_L3),
	N(MLX5_ETH_WQE_L4_INNER_CSUM, PRM_ETH_CS_INNER_L4),
	N(MLX5_ETH_WQE_L3_CSUM, PRM_ETH_CS_L3),
	N(MLX5_ETH_WQE_L4_CSUM, PRM_ETH_CS_L4),
	LINUX_VLAN_INSERT(N(MLX5_ETH_WQE_INSERT_VLAN, PRM_ETH_INSERT_VLAN),
			  N(MLX5_ETH_WQE_SVLAN, PRM_ETH_INSERT_SVLAN), )
		N(MLX5_ADAPTER_PAGE_SIZE, PRM_UAR_BYTES),
	N(MLX5_CQ_DOORBELL, PRM_UAR_CQ_ARM),
	N(MLX5_BF_OFFSET, PRM_UAR_BF),
	N(MLX5_RCV_DBR, PRM_DBR_RCV),
	N(MLX5_SND_DBR, PRM_DBR_SND),

	N(MLX5_UMR_TRANSLATION_OFFSET_EN, PRM_UMR_TRANSLATION_OFFSET),
	N(MLX5_UMR_CHECK_NOT_FREE, PRM_UMR_CHECK_NOT_FREE),
	N(MLX5_UMR_CHECK_FREE, PRM_UMR_CHECK_FREE),
	N(MLX5_UMR_INLINE, PRM_UMR_INLINE),
	N(MLX5_EN_RD, PRM_MTT_READ),
	N(MLX5_EN_WR, PRM_MTT_WRITE),
	N(MLX5_MKEY_MASK_LEN, 1ull << PRM_UMR_MASK_LEN),
	N(MLX5_MKEY_MASK_PAGE_SIZE, 1ull << PRM_UMR_MASK_PAGE_SIZE),
	N(MLX5_MKEY_MASK_START_ADDR, 1ull << PRM_UMR_MASK_START_ADDR),
	N(MLX5_MKEY_MASK_PD, 1ull << PRM_UMR_MASK_PD),
	N(MLX5_MKEY_MASK_KEY, 1ull << PRM_UMR_MASK_KEY),
	N(MLX5_MKEY_MASK_QPN, 1ull << PRM_UMR_MASK_QPN),
	N(MLX5_MKEY_MASK_LR, 1ull << PRM_UMR_MASK_LR),
	N(MLX5_MKEY_MASK_LW, 1ull << PRM_UMR_MASK_LW),
	N(MLX5_MKEY_MASK_RR, 1ull << PRM_UMR_MASK_RR),
	N(MLX5_MKEY_MASK_RW, 1ull << PRM_UMR_MASK_RW),
	N(MLX5_MKEY_MASK_A, 1ull << PRM_UMR_MASK_A),
	N(MLX5_MKEY_MASK_RELAXED_ORDERING_WRITE, 1ull << PRM_UMR_MASK_RELAXED_WRITE),
	N(MLX5_MKEY_MASK_FREE, 1ull << PRM_UMR_MASK_FREE),
	N(MLX5_MKEY_MASK_RELAXED_ORDERING_READ, 1ull << PRM_UMR_MASK_RELAXED_READ),

	N(MLX5_MAX_COMMANDS, PRM_CMDQ_ENTRIES),
	N(MLX5_CMD_DATA_BLOCK_SIZE, PRM_CMD_BOX_DATA_BYTES),
	N(MLX5_PCI_CMD_XPORT, PRM_CMD_TYPE),

	N(CQE_L2_OK, PRM_CQE_L2_OK),
	N(CQE_L3_OK, PRM_CQE_L3_OK),
	N(CQE_L4_OK, PRM_CQE_L4_OK),
	N(CQE_L4_HDR_TYPE_NONE, PRM_CQE_L4_NONE),
	N(CQE_L4_HDR_TYPE_TCP_NO_ACK, PRM_CQE_L4_TCP),
	N(CQE_L4_HDR_TYPE_UDP, PRM_CQE_L4_UDP),
	N(CQE_L4_HDR_TYPE_TCP_ACK_NO_DATA, PRM_CQE_L4_TCP_EMPTY_ACK),
	N(CQE_L4_HDR_TYPE_TCP_ACK_AND_DATA, PRM_CQE_L4_TCP_ACK),

	N(MLX5_EVENT_TYPE_COMP, PRM_EVENT_COMP),
	N(MLX5_EVENT_TYPE_PATH_MIG, PRM_EVENT_PATH_MIG),
	N(MLX5_EVENT_TYPE_COMM_EST, PRM_EVENT_COMM_EST),
	N(MLX5_EVENT_TYPE_SQ_DRAINED, PRM_EVENT_SQ_DRAINED),
	N(MLX5_EVENT_TYPE_CQ_ERROR, PRM_EVENT_CQ_ERROR),
	N(MLX5_EVENT_TYPE_WQ_CATAS_ERROR, PRM_EVENT_WQ_CATAS_ERROR),
	N(MLX5_EVENT_TYPE_PATH_MIG_FAILED, PRM_EVENT_PATH_MIG_FAILED),
	N(MLX5_EVENT_TYPE_INTERNAL_ERROR, PRM_EVENT_INTERNAL_ERROR),
	N(MLX5_EVENT_TYPE_PORT_CHANGE, PRM_EVENT_PORT_CHANGE),
	N(MLX5_EVENT_TYPE_CMD, PRM_EVENT_CMD),
	N(MLX5_EVENT_TYPE_PAGE_REQUEST, PRM_EVENT_PAGE_REQUEST),
	N(MLX5_EVENT_TYPE_PAGE_FAULT, PRM_EVENT_PAGE_FAULT),
	N(MLX5_EVENT_TYPE_NIC_VPORT_CHANGE, PRM_EVENT_NIC_VPORT_CHANGE),
	N(MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR, PRM_EVENT_WQ_INVAL_REQ_ERROR),
	N(MLX5_EVENT_TYPE_WQ_ACCESS_ERROR, PRM_EVENT_WQ_ACCESS_ERROR),
	N(MLX5_EVENT_TYPE_SRQ_CATAS_ERROR, PRM_EVENT_SRQ_CATAS_ERROR),
	N(MLX5_EVENT_TYPE_SRQ_LAST_WQE, PRM_EVENT_SRQ_LAST_WQE),
	N(MLX5_EVENT_TYPE_SRQ_RQ_LIMIT, PRM_EVENT_SRQ_RQ_LIMIT),
	N(MLX5_EVENT_TYPE_XRQ_ERROR, PRM_EVENT_XRQ_ERROR),
	N(MLX5_EVENT_TYPE_DCT_DRAINED, PRM_EVENT_DCT_DRAINED),
	N(MLX5_EVENT_TYPE_DCT_KEY_VIOLATION, PRM_EVENT_DCT_KEY_VIOLATION),
	N(MLX5_EVENT_TYPE_GENERAL_EVENT, PRM_EVENT_GENERAL),

	N(MLX5_CMD_STAT_OK, PRM_STATUS_OK),
	N(MLX5_CMD_STAT_INT_ERR, PRM_STATUS_INT_ERR),
	N(MLX5_CMD_STAT_BAD_OP_ERR, PRM_STATUS_BAD_OP),
	N(MLX5_CMD_STAT_BAD_PARAM_ERR, PRM_STATUS_BAD_PARAM),
	N(MLX5_CMD_STAT_BAD_SYS_STATE_ERR, PRM_STATUS_BAD_SYS_STATE),
	N(MLX5_CMD_STAT_BAD_RES_ERR, PRM_STATUS_BAD_RES),
	N(MLX5_CMD_STAT_RES_BUSY, PRM_STATUS_RES_BUSY),
	N(MLX5_CMD_STAT_LIM_ERR, PRM_STATUS_LIM_ERR),
	N(MLX5_CMD_STAT_BAD_RES_STATE_ERR, PRM_STATUS_BAD_RES_STATE),
	N(MLX5_CMD_STAT_IX_ERR, PRM_STATUS_IX_ERR),
	N(MLX5_CMD_STAT_NO_RES_ERR, PRM_STATUS_NO_RES_ERR),
	N(MLX5_CMD_STAT_BAD_INP_LEN_ERR, PRM_STATUS_BAD_INP_LEN),
	N(MLX5_CMD_STAT_BAD_OUTP_LEN_ERR, PRM_STATUS_BAD_OUTP_LEN),
	N(MLX5_CMD_STAT_BAD_QP_STATE_ERR, PRM_STATUS_BAD_QP_STATE),
	N(MLX5_CMD_STAT_BAD_PKT_ERR, PRM_STATUS_BAD_PKT),
	N(MLX5_CMD_STAT_BAD_SIZE_OUTS_CQES_ERR, PRM_STATUS_BAD_SIZE_OUTS_CQES),
};

TEST_EACH(linux_device, number_is_that_of_linux, struct number, numbers)
{
	EXPECT_EQ(row->linux_s, row->ours);
}
