/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_WQE_H
#define PRM_WQE_H

#include "prm/be.h"

/**
 * DOC: Memory that the driver writes: WQEs, doorbell records, UAR pages
 *
 * A send queue is a ring of 64-byte basic blocks (WQEBB) of four 16-byte segments (DS).
 *
 *     SEND           ctrl | eth [inline header...] | data segments...
 *     ENHANCED_MPSW  ctrl | eth | an entry per packet: data segment, or inline bytes padded to a DS
 *
 * Source: PRM, "Send Queue WQE Format", "Doorbell Record", "UAR Page Format"; Linux
 * struct mlx5_wqe_ctrl_seg, mlx5_wqe_eth_seg (include/linux/mlx5/qp.h); rdma-core mlx5dv.h.
 */

enum {
	PRM_DS_BYTES = 16,
	PRM_WQEBB_BYTES = 64,
	PRM_WQE_MAX_DS = 63, /* 6 bits of ctrl */
	PRM_WQEBB_DS = PRM_WQEBB_BYTES / PRM_DS_BYTES,
};

/** struct prm_ctrl_seg - first segment of every WQE; its first 8 bytes are the doorbell */
struct prm_ctrl_seg {
	prm_be32 opmod_idx_opcode; /* 31:24 opmod, 23:8 WQEBB index, 7:0 opcode */
	prm_be32 qpn_ds;           /* 31:8 SQ number, 5:0 DS including this one */
	uint8_t signature;
	uint8_t rsvd09[2];
	uint8_t fm_ce_se; /* 7:5 fence, 3:2 enum prm_ce, 1 solicited */
	prm_be32 imm;
};
static_assert(sizeof(struct prm_ctrl_seg) == PRM_DS_BYTES, "a segment is 16 bytes");
static_assert(offsetof(struct prm_ctrl_seg, fm_ce_se) == 0x0b, "fm_ce_se is byte Bh");

/**
 * enum prm_wqe_opcode - ctrl 7:0
 *
 * PRM-MISSING: opcode Fh of a WQE is WAIT and 17h is SEND_EN (not in the headers of Linux and
 * rdma-core; DPDK, mlx5_prm.h, MLX5_OPCODE_WAIT and MLX5_OPCODE_SEND_EN).
 */
enum prm_wqe_opcode {
	PRM_WQE_NOP = 0x00,
	PRM_WQE_SEND = 0x0a,
	PRM_WQE_LSO = 0x0e,
	PRM_WQE_WAIT = 0x0f,
	PRM_WQE_SEND_EN = 0x17,
	PRM_WQE_DUMP = 0x23,
	PRM_WQE_UMR = 0x25,
	PRM_WQE_ENHANCED_MPSW = 0x29,
};

/**
 * enum prm_ce - when a WQE makes a CQE; ctrl fm_ce_se 3:2
 *
 * PRM-MISSING: values 0 and 1 of ctrl fm_ce_se 3:2 (the headers of Linux and rdma-core name only 2
 * and 3; DPDK, mlx5_prm.h, MLX5_COMP_ONLY_ERR and MLX5_COMP_ONLY_FIRST_ERR).
 */
enum prm_ce {
	PRM_CE_ERROR = 0,       /* on error only */
	PRM_CE_FIRST_ERROR = 1, /* on the first error only */
	PRM_CE_ALWAYS = 2,
	PRM_CE_ALWAYS_EVENT = 3, /* CQE and EQE */
};
enum { PRM_CE_SHIFT = 2, PRM_SE = 1 << 1 };

static inline prm_be32 prm_ctrl_dw0(uint8_t opmod, uint16_t idx, uint8_t opcode)
{
	return prm_be32_of((uint32_t)opmod << 24 | (uint32_t)idx << 8 | opcode);
}
static inline prm_be32 prm_ctrl_dw1(uint32_t sqn, uint8_t n_ds)
{
	return prm_be32_of(sqn << 8 | n_ds);
}
/** prm_ctrl_start - get the first 8 bytes of a control segment, for a single store */
static inline prm_be64 prm_ctrl_start(uint16_t idx, uint8_t opcode, uint32_t sqn, uint8_t n_ds)
{
	return prm_be64_of((uint64_t)((uint32_t)idx << 8 | opcode) << 32 | (sqn << 8 | n_ds));
}
static inline uint8_t prm_ctrl_opmod(const struct prm_ctrl_seg *c)
{
	return (uint8_t)(prm_be32_get(c->opmod_idx_opcode) >> 24);
}
static inline uint16_t prm_ctrl_index(const struct prm_ctrl_seg *c)
{
	return (uint16_t)(prm_be32_get(c->opmod_idx_opcode) >> 8);
}
static inline uint8_t prm_ctrl_opcode(const struct prm_ctrl_seg *c)
{
	return (uint8_t)prm_be32_get(c->opmod_idx_opcode);
}
static inline uint32_t prm_ctrl_sqn(const struct prm_ctrl_seg *c)
{
	return prm_be32_get(c->qpn_ds) >> 8;
}
static inline uint8_t prm_ctrl_ds(const struct prm_ctrl_seg *c)
{
	return prm_be32_get(c->qpn_ds) & 0x3f;
}
static inline uint16_t prm_wqe_count_blocks(unsigned int n_ds)
{
	return (uint16_t)((n_ds + PRM_WQEBB_DS - 1) / PRM_WQEBB_DS);
}
static inline uint8_t prm_ctrl_ce(const struct prm_ctrl_seg *c)
{
	return c->fm_ce_se >> PRM_CE_SHIFT & 3;
}

/** struct prm_eth_seg - second segment of an Ethernet WQE */
struct prm_eth_seg {
	uint8_t swp_outer_l4_offset; /* software parser: 2-byte words from the frame's start */
	uint8_t swp_outer_l3_offset;
	uint8_t swp_inner_l4_offset;
	uint8_t swp_inner_l3_offset;
	uint8_t cs_flags; /* PRM_ETH_CS_* */
	uint8_t swp_flags;
	prm_be16 mss;
	prm_be32 flow_table_metadata;
	__extension__ union {
		struct {
			prm_be16 inline_hdr_sz; /* 9:0 bytes; the rest follows this segment */
			uint8_t inline_hdr_start[2];
		};
		struct {
			prm_be16 insert_type; /* PRM_ETH_INSERT_VLAN */
			prm_be16 vlan_tci;
		};
		prm_be32 trailer;
	};
};
static_assert(sizeof(struct prm_eth_seg) == PRM_DS_BYTES, "a segment is 16 bytes");
static_assert(offsetof(struct prm_eth_seg, inline_hdr_sz) == 0x0c, "inline_hdr_sz is at Ch");

enum {
	PRM_ETH_CS_INNER_L3 = 0x10,
	PRM_ETH_CS_INNER_L4 = 0x20,
	PRM_ETH_CS_L3 = 0x40,
	PRM_ETH_CS_L4 = 0x80,
	PRM_ETH_INSERT_VLAN = 1 << 15,
	PRM_ETH_INSERT_SVLAN = 1 << 0,
	PRM_ETH_TRAILER = 1 << 14,
	PRM_ETH_INLINE_MASK = 0x3ff,
	PRM_ETH_INLINE_START_BYTES = 2, /* bytes of an inline header in the Ethernet segment */
};

/** struct prm_data_seg - pointer to bytes of an mkey */
struct prm_data_seg {
	prm_be32 byte_count; /* 30:0; bit 31 set: inline bytes follow in place of lkey and addr */
	prm_be32 lkey;
	prm_be64 addr;
};
static_assert(sizeof(struct prm_data_seg) == PRM_DS_BYTES, "a segment is 16 bytes");

enum {
	/* ends a scatter list of an RQ on a device without terminate_scatter_list_mkey */
	PRM_LKEY_INVALID = 0x100,
};

/*
 * Flag in byte_count of a send WQE: inline bytes start at offset 4, padded to a DS. Not an
 * enumerator, because in C11 the value does not fit type int.
 */
#define PRM_INLINE_SEG 0x80000000u

/**
 * struct prm_umr_seg - second segment of a UMR WQE, which changes the mkey with number ctrl.imm
 *
 *     UMR            ctrl | umr (3 DS) | mkey context (struct prm_mkc, 4 DS) | list of pages,
 *                    inline or in one data segment
 *
 * Source: PRM, "UMR"; Linux struct mlx5_wqe_umr_ctrl_seg (include/linux/mlx5/qp.h).
 */
struct prm_umr_seg {
	uint8_t flags; /* PRM_UMR_* */
	uint8_t rsvd01[3];
	prm_be16 xlt_octowords;   /* length of the list of pages, in units of 16 bytes */
	prm_be16 xlt_offset_15_0; /* place in the mkey's list, in units of 16 bytes */
	prm_be64 mkey_mask;       /* PRM_UMR_MASK_*: fields of the context that change */
	prm_be32 xlt_offset_47_16;
	uint8_t rsvd14[28];
};
static_assert(sizeof(struct prm_umr_seg) == 3 * PRM_DS_BYTES, "a UMR segment is 48 bytes");
static_assert(offsetof(struct prm_umr_seg, mkey_mask) == 0x08, "mkey_mask is at 8h");

enum {
	PRM_UMR_TRANSLATION_OFFSET = 1 << 4,
	PRM_UMR_CHECK_NOT_FREE = 1 << 5, /* the UMR fails when the mkey is not free */
	PRM_UMR_CHECK_FREE = 1 << 6,     /* the UMR fails when the mkey is free */
	PRM_UMR_INLINE = 1 << 7,
	PRM_UMR_OCTOWORD_BYTES = 16,

	PRM_MTT_READ = 1 << 0, /* low bits of an address in a list of pages */
	PRM_MTT_WRITE = 1 << 1,

	/* bits of mkey_mask, from the lowest */
	PRM_UMR_MASK_LEN = 0,
	PRM_UMR_MASK_PAGE_SIZE = 1,
	PRM_UMR_MASK_START_ADDR = 6,
	PRM_UMR_MASK_PD = 7,
	PRM_UMR_MASK_KEY = 13,
	PRM_UMR_MASK_QPN = 14,
	PRM_UMR_MASK_LR = 17,
	PRM_UMR_MASK_LW = 18,
	PRM_UMR_MASK_RR = 19,
	PRM_UMR_MASK_RW = 20,
	PRM_UMR_MASK_A = 21,
	PRM_UMR_MASK_RELAXED_WRITE = 25,
	PRM_UMR_MASK_FREE = 29,
	PRM_UMR_MASK_RELAXED_READ = 47,
};

/** Doorbell record: two dwords in host memory for each queue */
enum {
	PRM_DBR_RCV = 0,    /* RQ: WQEs posted, 15:0 */
	PRM_DBR_SND = 1,    /* SQ: WQEBBs posted, 15:0 */
	PRM_DBR_CQ_CI = 0,  /* CQ: consumer index 23:0 */
	PRM_DBR_CQ_ARM = 1, /* CQ: sn 29:28, command 24, consumer index 23:0 */
	PRM_DBR_BYTES = 8,
};

/**
 * UAR page: byte offsets of its registers.
 *
 * PRM-MISSING: the EQ doorbells of a UAR page are at 40h and 48h (not in Linux' headers; Linux,
 * mlx5/core/lib/eq.h, MLX5_EQ_DOORBEL_OFFSET).
 */
enum {
	PRM_UAR_BYTES = 4096,
	PRM_UAR_CQ_ARM = 0x20, /* 8 bytes: the arm dword, CQ number */
	PRM_UAR_EQ_ARM = 0x40,
	PRM_UAR_EQ_CI = 0x48,
	PRM_UAR_BF = 0x800, /* send doorbells: 0x800..0xfff in steps of 0x100 */
	PRM_UAR_BF_STEP = 0x100,
	PRM_CQ_ARM_SOLICITED = 1 << 24,
	PRM_CQ_ARM_SN_SHIFT = 28, /* 2 bits: number of events so far, modulo 4 */
	PRM_CQ_ARM_SN_NONE = 2, /* sn of a CQ that was not armed yet. Linux, MLX5_CQ_INIT_CMD_SN */
	PRM_CQ_CI_MASK = 0xffffff,
	PRM_CQN_MASK = 0xffffff,  /* dword 1 of a CQ arm */
	PRM_EQ_CI_EQN_SHIFT = 24, /* EQ doorbells: 31:24 EQ number, 23:0 consumer index */
	PRM_EQ_CI_MASK = 0xffffff,
};

#endif
