/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The object limits of cx6dx are those of profile_mlx5ctl.def, except for XRC domains, whose
 * numbers Linux stores in 16 bits. emu numbers at most 2^22 objects of a type (firmware/boot.c).
 */
#include "emu/base/dev.h"
#include "emu/base/profile.h"

#define CX6DX_FW .fw = { 22, 35, 1012 }
#define CX6DX_MODEL .device_id = 0x101d, CX6DX_FW

/* clang-format off */
#define SIZES(n_q_counters, log_rqt)                                                               \
	.limit = {                                                                                 \
		[EMU_UCTX] = 1 << 10, [EMU_PD] = 1 << 23, [EMU_TD] = 1 << 16,                      \
		[EMU_UMEM] = 1 << 16, [EMU_MKEY] = 1 << 24, [EMU_EQ] = 1 << 7,                     \
		[EMU_CQ] = 1 << 24, [EMU_SQ] = 1 << 23, [EMU_RQ] = 1 << 23, [EMU_RMP] = 16,        \
		[EMU_TIS] = 1 << 23, [EMU_TIR] = 1 << 16, [EMU_RQT] = 1 << 20,                     \
		[EMU_Q_COUNTER] = (n_q_counters), [EMU_FLOW_TABLE] = 1 << 12,                      \
		[EMU_FLOW_COUNTER] = 1 << 23, [EMU_XRCD] = 1 << 14, [EMU_SRQ] = 1 << 23,           \
		[EMU_QP] = 1 << 17,                                                                \
	},                                                                                         \
	.log_max_cq_sz = 22, .log_max_eq_sz = 22, .log_max_wq_sz = 15,                             \
	.log_max_rqt_size = (log_rqt), .log_max_ft_size = 16, .max_ft_level = 128,                 \
	.n_rates = EMU_MAX_RATES, .cqe_compression = true
#define CX6DX SIZES(1 << 7, 9)

const struct emu_profile emu_profiles[] = {
	/* a ConnectX-6 Dx with the features that emu models */
	{
		.model = { .name = "cx6dx", .board_id = "EMU0000000001", CX6DX_MODEL },
		CX6DX,
	},
	/* cx6dx with tiny limits and without CQE compression */
	{
		.model = { .name = "small", .board_id = "EMU0000000002", CX6DX_MODEL },
		.limit = {
			[EMU_UCTX] = 4, [EMU_PD] = 8, [EMU_TD] = 4, [EMU_UMEM] = 32,
			[EMU_MKEY] = 16, [EMU_EQ] = 8, [EMU_CQ] = 8, [EMU_SQ] = 4, [EMU_RQ] = 4,
			[EMU_RMP] = 4, [EMU_TIS] = 4, [EMU_TIR] = 8, [EMU_RQT] = 4,
			[EMU_Q_COUNTER] = 2, [EMU_FLOW_TABLE] = 128, [EMU_FLOW_COUNTER] = 4,
			[EMU_XRCD] = 4, [EMU_SRQ] = 4, [EMU_QP] = 4,
		},
		.set = "uar_pages=16",
		.log_max_cq_sz = 8, .log_max_eq_sz = 8, .log_max_wq_sz = 7, .log_max_rqt_size = 2,
		.log_max_ft_size = 8, .max_ft_level = 128, .n_rates = 4,
	},
	/* a published dump; log_max_rqt_size, which it lacks, equals its rss_ind_tbl_cap */
	{
		.model = { .name = "mlx5ctl", .board_id = "EMU0000000010", CX6DX_MODEL },
		SIZES(1 << 7, 11),
		.mlx5ctl = true,
	},
	/*
	 * PRM-MISSING: other devices differ from cx6dx only in identity, and a ConnectX-5 takes the
	 * inline mode from the vport (no dump of them is public; DPDK's mlx5_set_min_inline has a
	 * rule for a ConnectX-5 with this mode; published outputs of ibv_devinfo show limits close
	 * to those of cx6dx).
	 */
	{
		.model = { .name = "cx5", .board_id = "EMU0000000011",
			   .device_id = 0x1017, .fw = { 16, 35, 4030 }, .vport_inline = true },
		CX6DX,
	},
	{
		.model = { .name = "cx7", .board_id = "EMU0000000012",
			   .device_id = 0x1021, .fw = { 28, 48, 1000 } },
		CX6DX,
	},
	/* BlueField-3, seen from its host */
	{
		.model = { .name = "bf3", .board_id = "EMU0000000013",
			   .device_id = 0xa2dc, .fw = { 32, 48, 1000 } },
		CX6DX,
	},
	/* cx6dx with the capabilities that a kernel needs to start RoCE; without a transport */
	{
		.model = { .name = "roce", .board_id = "EMU0000000003", CX6DX_MODEL,
			   .roce = true },
		CX6DX,
	},
	/*
	 * A virtual function that its host does not trust.
	 *
	 * PRM-MISSING: a VF has the capabilities and limits of its physical function (the
	 * firmware's configuration divides resources between functions; a public log of a
	 * ConnectX-6 Dx shows the same rate limits for a VF). Both have vport_group_manager 0 in
	 * emu.
	 */
	{
		.model = { .name = "vf", .board_id = "EMU0000000004", .device_id = 0x101e,
			   .vf = true, .filter = EMU_FILTER_ESWITCH, CX6DX_FW },
		CX6DX,
	},
	/* a virtual function that its host trusts */
	{
		.model = { .name = "vf-trusted", .board_id = "EMU0000000005", .device_id = 0x101e,
			   .vf = true, .filter = EMU_FILTER_ESWITCH, .trusted = true, CX6DX_FW },
		CX6DX,
	},
	/* cx6dx behind a switch that several PFs share */
	{
		.model = { .name = "multi-pf", .board_id = "EMU0000000006", CX6DX_MODEL,
			   .filter = EMU_FILTER_UNICAST, .trusted = true },
		CX6DX,
	},
	/* with a real-time clock, without queue counters, current capabilities below the maximum */
	{
		.model = { .name = "realtime", .board_id = "EMU0000000007", CX6DX_MODEL },
		.set = "ts_format=1",
		SIZES(0, 9),
		.below_max = true,
	},
	/* cx6dx whose port is InfiniBand, to test that programs refuse it */
	{
		.model = { .name = "ib", .board_id = "EMU0000000008", CX6DX_MODEL, .ib = true },
		CX6DX,
	},
	/* cx6dx that, like a ConnectX-4, needs the L2 header in each send WQE */
	{
		.model = { .name = "inline", .board_id = "EMU0000000009", CX6DX_MODEL,
			   .vport_inline = true, .min_inline = PRM_MIN_WQE_INLINE_MODE_L2 },
		CX6DX,
	},
	{ .model = { .name = NULL } },
};
