/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"

enum { OK = PRM_STATUS_OK, BAD = PRM_STATUS_BAD_PARAM };

FIXTURE(port_register)
{
	struct core_rig r;
};
FIXTURE_SETUP(port_register)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .no_context = true });
}
FIXTURE_TEARDOWN(port_register)
{
	core_rig_close(&self->r);
}

static uint8_t access_reg(struct core_rig *r, bool read, uint16_t id, prm_be32 *reg, size_t bytes)
{
	struct {
		struct prm_access_register_in head;
		prm_be32 reg[64];
	} in = { 0 };
	struct {
		struct prm_access_register_out head;
		prm_be32 reg[64];
	} out = { 0 };
	uint8_t status;

	prm_set(&in.head, op_mod, read);
	prm_set(&in.head, register_id, id);
	memcpy(in.reg, reg, bytes);
	status = core_rig_exec(r, PRM_OP_access_register, &in, sizeof(in.head) + bytes, &out,
			       sizeof(out.head) + bytes);
	memcpy(reg, out.reg, bytes);
	return status;
}

TEST_F(port_register, paos_takes_the_port_down)
{
	struct prm_paos_reg paos = { 0 };

	prm_set(&paos, local_port, 1);
	prm_set(&paos, admin_status, PRM_PAOS_STATUS_DOWN);
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PAOS, paos.dw, sizeof(paos)));
	EXPECT_TRUE(self->r.emu->link.up);
	EXPECT_EQ(PRM_PAOS_STATUS_UP, prm_get(&paos, oper_status));
	EXPECT_EQ(PRM_PAOS_STATUS_UP, prm_get(&paos, admin_status));
	prm_set(&paos, admin_status, PRM_PAOS_STATUS_DOWN);
	EXPECT_EQ(OK, access_reg(&self->r, false, PRM_REG_PAOS, paos.dw, sizeof(paos)));
	EXPECT_FALSE(self->r.emu->link.up);
	EXPECT_EQ(PRM_PAOS_STATUS_DOWN, prm_get(&paos, oper_status));
	EXPECT_EQ(PRM_PAOS_STATUS_DOWN, prm_get(&paos, admin_status));
	EXPECT_EQ(1, prm_get(&paos, local_port));
	prm_set(&paos, admin_status, PRM_PAOS_STATUS_UP);
	EXPECT_EQ(OK, access_reg(&self->r, false, PRM_REG_PAOS, paos.dw, sizeof(paos)));
	EXPECT_TRUE(self->r.emu->link.up);
	prm_set(&paos, admin_status, 3);
	EXPECT_EQ(BAD, access_reg(&self->r, false, PRM_REG_PAOS, paos.dw, sizeof(paos)));
	EXPECT_EQ(EMU_SYND_REGISTER, core_rig_get_syndrome(&self->r));
}

static const struct mtu {
	const char *name;
	unsigned admin_mtu;
	uint8_t status;
	unsigned mtu; /* afterwards */
} mtus[] = {
	{ "above_the_largest", 10001, BAD, 1500 },
	{ "largest", 10000, OK, 9978 },
	{ "below_the_smallest", 89, BAD, 9978 },
	{ "smallest", 90, OK, 68 },
	{ "jumbo", 9022, OK, 9000 },
};

TEST_F(port_register, pmtu_checks_the_range_of_the_mtu)
{
	struct prm_pmtu_reg pmtu = { 0 };

	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PMTU, pmtu.dw, sizeof(pmtu)));
	EXPECT_EQ(1522, prm_get(&pmtu, oper_mtu));
	EXPECT_EQ(1522, prm_get(&pmtu, admin_mtu));
	EXPECT_EQ(10000, prm_get(&pmtu, max_mtu));
	FOR_EACH_ROW (row, mtus) {
		prm_set(&pmtu, local_port, 1);
		prm_set(&pmtu, admin_mtu, row->admin_mtu);
		EXPECT_EQ(row->status,
			  access_reg(&self->r, false, PRM_REG_PMTU, pmtu.dw, sizeof(pmtu)));
		EXPECT_EQ(row->mtu, self->r.emu->link.mtu);
		if (row->status == OK)
			EXPECT_EQ(1, prm_get(&pmtu, local_port));
		else
			EXPECT_SUBSTR("(valid: 90 to 10000)", self->r.emu->detail);
	}
}

TEST_F(port_register, ptys_reports_a_direct_attach_cable)
{
	struct prm_ptys_reg ptys = { 0 };

	prm_set(&ptys, proto_mask, PRM_PTYS_PROTO_MASK_EN);
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PTYS, ptys.dw, sizeof(ptys)));
	EXPECT_EQ(PRM_PTYS_CONNECTOR_TYPE_DA, prm_get(&ptys, connector_type));
}

TEST_F(port_register, ptys_reports_a_speed_to_those_who_ask_for_ethernet)
{
	static const struct {
		unsigned mask;
		bool up;
		uint32_t speed, now;
	} rows[] = {
		{ PRM_PTYS_PROTO_MASK_EN, true, PRM_PTYS_ETH_PROTO_100GBASE_CR4,
		  PRM_PTYS_ETH_PROTO_100GBASE_CR4 },
		{ PRM_PTYS_PROTO_MASK_EN, false, PRM_PTYS_ETH_PROTO_100GBASE_CR4, 0 },
		{ 1, true, 0, 0 }, /* InfiniBand */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct prm_ptys_reg ptys = { 0 };

		SCOPED_TRACE("row %zu", i);
		self->r.emu->link.up = rows[i].up;
		prm_set(&ptys, local_port, 1);
		prm_set(&ptys, proto_mask, rows[i].mask);
		EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PTYS, ptys.dw, sizeof(ptys)));
		EXPECT_EQ(1, prm_get(&ptys, local_port));
		EXPECT_EQ(rows[i].mask, prm_get(&ptys, proto_mask));
		EXPECT_EQ(rows[i].speed, prm_get(&ptys, eth_proto_capability));
		EXPECT_EQ(rows[i].speed, prm_get(&ptys, eth_proto_admin));
		EXPECT_EQ(rows[i].now, prm_get(&ptys, eth_proto_oper));
	}
}

TEST_F(port_register, ptys_cannot_be_written)
{
	struct prm_ptys_reg ptys = { 0 };

	prm_set(&ptys, proto_mask, PRM_PTYS_PROTO_MASK_EN);
	EXPECT_EQ(BAD, access_reg(&self->r, false, PRM_REG_PTYS, ptys.dw, sizeof(ptys)));
	EXPECT_EQ(EMU_SYND_REGISTER, core_rig_get_syndrome(&self->r));
}

#define PFCC(name, field)                                                                          \
	{                                                                                          \
		name, prm_bit((const struct prm_pfcc_reg *)0, field),                              \
			prm_width((const struct prm_pfcc_reg *)0, field)                           \
	}
static const struct pause {
	const char *name;
	size_t bit, width;
} pauses[] = {
	PFCC("sent", pptx),
	PFCC("received", pprx),
	PFCC("sent_by_priority", pfctx),
	PFCC("received_by_priority", pfcrx),
};

TEST_F_EACH(port_register, pfcc_refuses_pause_frames, struct pause, pauses)
{
	struct prm_pfcc_reg pfcc = { 0 };

	prm_set(&pfcc, local_port, 1);
	EXPECT_EQ(OK, access_reg(&self->r, false, PRM_REG_PFCC, pfcc.dw, sizeof(pfcc)));
	EXPECT_EQ(1, prm_get(&pfcc, local_port));
	prm_set_(pfcc.dw, row->bit, row->width, 1);
	EXPECT_EQ(BAD, access_reg(&self->r, false, PRM_REG_PFCC, pfcc.dw, sizeof(pfcc)));
	EXPECT_EQ(EMU_SYND_REGISTER, core_rig_get_syndrome(&self->r));
	prm_set_(pfcc.dw, row->bit, row->width, 1);
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PFCC, pfcc.dw, sizeof(pfcc)));
	EXPECT_EQ(0, prm_get_(pfcc.dw, row->bit, row->width));
}

TEST_F(port_register, node_description_is_kept)
{
	enum { BYTES = EMU_NODE_DESC_BYTES };
	prm_be32 desc[BYTES / 4] = { 0 };
	char zeroes[BYTES] = "";

	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_NODE_DESC, desc, BYTES));
	EXPECT_MEMEQ(zeroes, desc, BYTES);
	memset(desc, 'x', BYTES);
	EXPECT_EQ(OK, access_reg(&self->r, false, PRM_REG_NODE_DESC, desc, BYTES));
	memset(desc, 0, BYTES);
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_NODE_DESC, desc, BYTES));
	memset(zeroes, 'x', BYTES);
	EXPECT_MEMEQ(zeroes, desc, BYTES);
}

TEST_F(port_register, host_endianness_is_accepted)
{
	prm_be32 order = prm_be32_of(0x80000000);

	EXPECT_EQ(OK, access_reg(&self->r, false, PRM_REG_HOST_ENDIANNESS, &order, sizeof(order)));
	EXPECT_EQ(0x80000000, prm_be32_get(order));
}

TEST_F(port_register, ppcnt_counts_frames_and_errors)
{
	struct prm_ppcnt_reg ppcnt = { 0 };
	const struct prm_eth_802_3_cntrs_grp_data_layout *c =
		(const void *)&ppcnt.dw[prm_bit(&ppcnt, counter_set) / 32];
	struct emu_vport_counters *v = &self->r.emu->vport;

	v->rx_uc_packets = 1;
	v->rx_mc_packets = 20;
	v->rx_bc_packets = 300;
	v->rx_oversize = 7;
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PPCNT, ppcnt.dw, sizeof(ppcnt)));
	EXPECT_EQ(321, prm_get(c, a_frames_received_ok_low));
	EXPECT_EQ(7, prm_get(c, a_frame_too_long_errors_low));
	EXPECT_EQ(0, prm_get(c, a_frame_check_sequence_errors_low));
	prm_set(&ppcnt, grp, PRM_PPCNT_GRP_RFC_2863);
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PPCNT, ppcnt.dw, sizeof(ppcnt)));
	EXPECT_EQ(0, prm_get(c, a_frames_received_ok_low));
}

/* Each number of the port is in one field of the group; all are different. */
TEST_F(port_register, ppcnt_has_each_counter_of_the_port)
{
	struct prm_ppcnt_reg ppcnt = { 0 };
	const struct prm_eth_802_3_cntrs_grp_data_layout *c =
		(const void *)&ppcnt.dw[prm_bit(&ppcnt, counter_set) / 32];

	self->r.emu->vport = (struct emu_vport_counters){
		.rx_uc_packets = 1,
		.rx_mc_packets = 20,
		.rx_bc_packets = 300,
		.tx_uc_packets = 4,
		.tx_mc_packets = 50,
		.tx_bc_packets = 600,
		.rx_uc_bytes = 1000,
		.rx_mc_bytes = 20000,
		.rx_bc_bytes = 300000,
		.tx_uc_bytes = 4000,
		.tx_mc_bytes = 50000,
		.tx_bc_bytes = 600000 + (7ull << 32),
		.rx_oversize = 9,
		.tx_oversize = 11,
	};
	prm_set(&ppcnt, local_port, 1);
	prm_set(&ppcnt, prio_tc, 3);
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PPCNT, ppcnt.dw, sizeof(ppcnt)));
	EXPECT_EQ(321, prm_get(c, a_frames_received_ok_low));
	EXPECT_EQ(654, prm_get(c, a_frames_transmitted_ok_low));
	EXPECT_EQ(321000, prm_get(c, a_octets_received_ok_low));
	EXPECT_EQ(654000, prm_get(c, a_octets_transmitted_ok_low));
	EXPECT_EQ(7, prm_get(c, a_octets_transmitted_ok_high));
	EXPECT_EQ(0, prm_get(c, a_octets_received_ok_high));
	EXPECT_EQ(9, prm_get(c, a_frame_too_long_errors_low));
	EXPECT_EQ(1, prm_get(&ppcnt, local_port));
	EXPECT_EQ(3, prm_get(&ppcnt, prio_tc));
	EXPECT_EQ(PRM_PPCNT_GRP_IEEE_802_3, prm_get(&ppcnt, grp));
	EXPECT_EQ(20, prm_get(c, a_multicast_frames_received_ok_low));
	EXPECT_EQ(300, prm_get(c, a_broadcast_frames_received_ok_low));
	EXPECT_EQ(50, prm_get(c, a_multicast_frames_xmitted_ok_low));
	EXPECT_EQ(600, prm_get(c, a_broadcast_frames_xmitted_ok_low));
}

TEST_F(port_register, short_register_is_refused)
{
	struct prm_ptys_reg ptys = { 0 };

	EXPECT_EQ(PRM_STATUS_BAD_INP_LEN,
		  access_reg(&self->r, true, PRM_REG_PTYS, ptys.dw, sizeof(ptys) - 4));
	EXPECT_EQ(OK, access_reg(&self->r, true, PRM_REG_PTYS, ptys.dw, sizeof(ptys)));
}

TEST_F(port_register, unknown_register_is_refused)
{
	struct {
		struct prm_access_register_in head;
		prm_be32 regs[4];
	} in = { 0 };
	const struct core_rig_refusal pmtu = { "pmtu", "register_id", 0x5001, BAD,
					       EMU_SYND_REGISTER };

	const struct core_rig_refusal op_mod = { "op_mod", "op_mod", 2, BAD, EMU_SYND_OP_MOD };

	core_rig_expect_refusal(&self->r, &pmtu, PRM_OP_access_register, &in, sizeof(in));
	EXPECT_SUBSTR("0x5001", self->r.emu->detail);
	prm_set(&in.head, register_id, PRM_REG_PAOS);
	core_rig_expect_refusal(&self->r, &op_mod, PRM_OP_access_register, &in, sizeof(in));
}
