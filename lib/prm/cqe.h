/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_CQE_H
#define PRM_CQE_H

#include "prm/be.h"

/**
 * DOC: Entries that the device writes: CQE and EQE
 *
 * Source: PRM, "Completion Queue Entry", "Event Queue Entry"; Linux struct mlx5_cqe64,
 * mlx5_err_cqe, mlx5_eqe (include/linux/mlx5/device.h); rdma-core struct mlx5_cqe64.
 */

/** struct prm_cqe - completion of one WQE, 64 bytes */
struct prm_cqe {
	uint8_t outer_tunnel; /* PRM_CQE_TUNNELED, PRM_CQE_OUTER_IPV6 */
	uint8_t rsvd01;
	prm_be16 wqe_id; /* striding RQ: index of the WQE */
	uint8_t lro_tcppsh_abort_dupack;
	uint8_t lro_min_ttl;
	prm_be16 lro_tcp_win;
	prm_be32 lro_ack_seq_num;
	prm_be32 rss_hash_result;
	uint8_t rss_hash_type; /* 1:0 src L3, 3:2 dst L3, 5:4 src L4, 7:6 dst L4 */
	uint8_t ml_path;
	uint8_t rsvd12[2];
	prm_be16 check_sum; /* one's complement sum from the IP header on, not inverted */
	prm_be16 slid;
	prm_be32 flags_rqpn;
	uint8_t hds_ip_ext;      /* PRM_CQE_{L2,L3,L4}_OK */
	uint8_t l4_l3_hdr_type;  /* PRM_CQE_HDR_* */
	prm_be16 vlan_info;      /* TCI of the stripped tag */
	prm_be32 srqn_uidx;      /* 31:24 lro_num_seg, 23:0 user index */
	prm_be32 imm_inval_pkey; /* also metadata of the flow table, register B */
	uint8_t app;
	uint8_t app_op;
	prm_be16 app_info;
	prm_be32 byte_cnt; /* bytes in memory: no stripped tag; the FCS if scatter_fcs */
	prm_be64 timestamp;
	prm_be32 sop_drop_qpn; /* requester: opcode of the WQE 31:24, SQ number 23:0;
				    * responder: flow tag 23:0 */
	prm_be16 wqe_counter;  /* SQ: first WQEBB of the WQE; RQ: index of the WQE */
	uint8_t signature;
	uint8_t op_own; /* 7:4 opcode, 3:2 format, 1 solicited, 0 owner */
};
static_assert(sizeof(struct prm_cqe) == 64, "a CQE is 64 bytes");
static_assert(offsetof(struct prm_cqe, rss_hash_result) == 0x0c, "rss_hash_result is at 0Ch");
static_assert(offsetof(struct prm_cqe, check_sum) == 0x14, "check_sum is at 14h");
static_assert(offsetof(struct prm_cqe, hds_ip_ext) == 0x1c, "hds_ip_ext is at 1Ch");
static_assert(offsetof(struct prm_cqe, srqn_uidx) == 0x20, "srqn_uidx is at 20h");
static_assert(offsetof(struct prm_cqe, byte_cnt) == 0x2c, "byte_cnt is at 2Ch");
static_assert(offsetof(struct prm_cqe, timestamp) == 0x30, "timestamp is at 30h");
static_assert(offsetof(struct prm_cqe, sop_drop_qpn) == 0x38, "sop_drop_qpn is at 38h");
static_assert(offsetof(struct prm_cqe, wqe_counter) == 0x3c, "wqe_counter is at 3Ch");
static_assert(offsetof(struct prm_cqe, op_own) == 0x3f, "op_own is the last byte");

/** struct prm_err_cqe - a CQE whose opcode is PRM_CQE_REQ_ERR or PRM_CQE_RESP_ERR, 64 bytes */
struct prm_err_cqe {
	uint8_t rsvd00[2];
	prm_be16 wqe_id;
	uint8_t rsvd04[28];
	prm_be32 srqn; /* user index 23:0 */
	uint8_t rsvd24[8];
	prm_be32 byte_cnt;
	uint8_t rsvd30[4];
	uint8_t hw_err_synd;
	uint8_t hw_synd_type;
	uint8_t vendor_err_synd;
	uint8_t syndrome; /* enum prm_cqe_syndrome */
	prm_be32 s_wqe_opcode_qpn;
	prm_be16 wqe_counter;
	uint8_t signature;
	uint8_t op_own;
};
static_assert(sizeof(struct prm_err_cqe) == 64, "an error CQE is 64 bytes");
static_assert(offsetof(struct prm_err_cqe, srqn) == 0x20, "srqn is at 20h");
static_assert(offsetof(struct prm_err_cqe, byte_cnt) == 0x2c, "byte_cnt is at 2Ch");
static_assert(offsetof(struct prm_err_cqe, vendor_err_synd) == 0x36, "vendor_err_synd is at 36h");
static_assert(offsetof(struct prm_err_cqe, syndrome) == 0x37, "syndrome is at 37h");
static_assert(offsetof(struct prm_err_cqe, wqe_counter) == 0x3c, "wqe_counter is at 3Ch");

static inline uint32_t prm_err_cqe_qpn(const struct prm_err_cqe *cqe)
{
	return prm_be32_get(cqe->s_wqe_opcode_qpn) & 0xffffff;
}

/* Returns the opcode of the send WQE that failed, enum prm_wqe_opcode. */
static inline uint8_t prm_err_cqe_wqe_opcode(const struct prm_err_cqe *cqe)
{
	return (uint8_t)(prm_be32_get(cqe->s_wqe_opcode_qpn) >> 24);
}

/** enum prm_cqe_opcode - op_own 7:4 */
enum prm_cqe_opcode {
	PRM_CQE_REQ = 0x0,
	PRM_CQE_RESP_WR_IMM = 0x1,
	PRM_CQE_RESP_SEND = 0x2, /* every Ethernet packet received */
	PRM_CQE_REQ_ERR = 0xd,
	PRM_CQE_RESP_ERR = 0xe,
	PRM_CQE_INVALID = 0xf, /* never written by the device */
};

static inline uint8_t prm_cqe_opcode(uint8_t op_own)
{
	return op_own >> 4;
}

/* Returns the op_own of an uncompressed CQE without the solicited bit. */
static inline uint8_t prm_cqe_op_own(enum prm_cqe_opcode opcode, uint8_t owner)
{
	return (uint8_t)((unsigned int)opcode << 4 | owner);
}

/** enum prm_cqe_syndrome - why a WQE failed; PRM "Completion with Error syndromes" */
enum prm_cqe_syndrome {
	PRM_SYND_LOCAL_LENGTH = 0x01,
	PRM_SYND_LOCAL_QP_OP = 0x02,
	PRM_SYND_LOCAL_PROT = 0x04,
	PRM_SYND_WR_FLUSH = 0x05,
	PRM_SYND_MW_BIND = 0x06,
	PRM_SYND_BAD_RESP = 0x10,
	PRM_SYND_LOCAL_ACCESS = 0x11,
	PRM_SYND_REMOTE_INVAL_REQ = 0x12,
	PRM_SYND_REMOTE_ACCESS = 0x13,
	PRM_SYND_REMOTE_OP = 0x14,
	PRM_SYND_TRANSPORT_RETRY = 0x15,
	PRM_SYND_RNR_RETRY = 0x16,
	PRM_SYND_REMOTE_ABORTED = 0x22,
};

/** struct prm_mini_cqe - a packet of a session of compressed CQEs; 8 of them fill a slot */
struct prm_mini_cqe {
	prm_be32 result; /* by mini_cqe_res_format: rss_hash_result, or check_sum in 31:16 */
	prm_be32 byte_cnt;
};
static_assert(sizeof(struct prm_mini_cqe) == 8, "a mini CQE is 8 bytes");

enum {
	PRM_CQE_OWNER = 0x01,
	PRM_CQE_FORMAT_SHIFT = 2,
	PRM_CQE_COMPRESSED = 3, /* format: the title of a session, whose byte_cnt is its packets */
	PRM_CQE_INIT_OP_OWN = 0xf1, /* an unwritten CQE: opcode invalid, owner bit 1 */

	/* outer_tunnel; with TUNNELED, the other fields describe the inner headers */
	PRM_CQE_TUNNELED = 1 << 0,
	PRM_CQE_OUTER_IPV6 = 1 << 1, /* net_mlx5: outer_l3_type */

	/* hds_ip_ext */
	PRM_CQE_L2_OK = 1 << 0,
	PRM_CQE_L3_OK = 1 << 1,
	PRM_CQE_L4_OK = 1 << 2,

	/* l4_l3_hdr_type */
	PRM_CQE_HDR_CV = 1 << 0, /* a VLAN tag was stripped */
	PRM_CQE_HDR_IP_EXT = 1 << 1,
	PRM_CQE_HDR_L3_SHIFT = 2, /* 0 none, 1 IPv6, 2 IPv4 */
	PRM_CQE_HDR_L4_SHIFT = 4, /* 0 none, 1 TCP, 2 UDP, 3 TCP empty ack, 4 TCP ack + data */
	PRM_CQE_HDR_IP_FRAG = 1 << 7,
	PRM_CQE_L3_NONE = 0,
	PRM_CQE_L3_IPV6 = 1,
	PRM_CQE_L3_IPV4 = 2,
	PRM_CQE_L4_NONE = 0,
	PRM_CQE_L4_TCP = 1,
	PRM_CQE_L4_UDP = 2,
	PRM_CQE_L4_TCP_EMPTY_ACK = 3,
	PRM_CQE_L4_TCP_ACK = 4,

	/* rss_hash_type: fields from which the hash was computed */
	PRM_RSS_SRC_L3_SHIFT = 0, /* 0 none, 1 IPv4, 2 IPv6 */
	PRM_RSS_DST_L3_SHIFT = 2,
	PRM_RSS_SRC_L4_SHIFT = 4, /* 0 none, 1 TCP, 2 UDP, 3 IPsec SPI */
	PRM_RSS_DST_L4_SHIFT = 6,
};

/** struct prm_eqe - one event, 64 bytes */
struct prm_eqe {
	uint8_t rsvd00;
	uint8_t type; /* enum prm_event */
	uint8_t rsvd02;
	uint8_t sub_type;
	uint8_t rsvd04[28];
	prm_be32 data[7]; /* enum prm_eqe_data */
	uint8_t rsvd3c[2];
	uint8_t signature;
	uint8_t owner; /* bit 0 changes with each pass over the ring; software sets it to 1 first */
};
static_assert(sizeof(struct prm_eqe) == 64, "an EQE is 64 bytes");
static_assert(offsetof(struct prm_eqe, data) == 0x20, "event data are at 20h");
static_assert(offsetof(struct prm_eqe, owner) == 0x3f, "owner is the last byte");

/** enum prm_eqe_data - indices into struct prm_eqe data; bits of these dwords */
enum prm_eqe_data {
	PRM_EQE_CQ_ERROR_CQN = 0,      /* CQ_ERROR: number of the CQ, 23:0 */
	PRM_EQE_CQ_ERROR_SYNDROME = 2, /* CQ_ERROR: syndrome, 7:0 */
	PRM_EQE_PORT = 2,              /* PORT_CHANGE: number of the port, 31:28 */
	PRM_EQE_QUEUE_TYPE = 5,        /* QP, SQ or RQ: type of the queue, 31:24 */
	PRM_EQE_NUMBER = 6, /* completion: number of the CQ; QP, SQ or RQ: its number, 23:0 */

	PRM_EQE_PORT_SHIFT = 28,
	PRM_EQE_QUEUE_TYPE_SHIFT = 24,
	PRM_EQE_NUMBER_MASK = 0xffffff,
};

/** enum prm_event - struct prm_eqe type */
enum prm_event {
	PRM_EVENT_COMP = 0x00,
	PRM_EVENT_PATH_MIG = 0x01,
	PRM_EVENT_COMM_EST = 0x02,
	PRM_EVENT_SQ_DRAINED = 0x03,
	PRM_EVENT_CQ_ERROR = 0x04,
	PRM_EVENT_WQ_CATAS_ERROR = 0x05,
	PRM_EVENT_PATH_MIG_FAILED = 0x07,
	PRM_EVENT_INTERNAL_ERROR = 0x08,
	PRM_EVENT_PORT_CHANGE = 0x09,
	PRM_EVENT_CMD = 0x0a,
	PRM_EVENT_PAGE_REQUEST = 0x0b,
	PRM_EVENT_PAGE_FAULT = 0x0c,
	PRM_EVENT_NIC_VPORT_CHANGE = 0x0d,
	PRM_EVENT_WQ_INVAL_REQ_ERROR = 0x10,
	PRM_EVENT_WQ_ACCESS_ERROR = 0x11,
	PRM_EVENT_SRQ_CATAS_ERROR = 0x12,
	PRM_EVENT_SRQ_LAST_WQE = 0x13,
	PRM_EVENT_SRQ_RQ_LIMIT = 0x14,
	PRM_EVENT_XRQ_ERROR = 0x18,
	PRM_EVENT_DCT_DRAINED = 0x1c,
	PRM_EVENT_DCT_KEY_VIOLATION = 0x1d,
	PRM_EVENT_GENERAL = 0x22,
};

#endif
