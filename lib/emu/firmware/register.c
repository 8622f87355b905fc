/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ACCESS_REGISTER for the port registers that a kernel needs. Refuses a mailbox that is shorter
 * than the register. Ignores the rest of a longer input, and fills a longer output with 0.
 *
 * Source: Linux include/linux/mlx5/driver.h, MLX5_REG_*; port.c.
 */
#include <string.h>

#include "emu/firmware/cmd.h"
#include "emu/packet/frame.h"
#include "emu/queue/port.h"

/** struct access - an access to a register, whose data is at @in and @out in the mailboxes */
struct access {
	bool write;
	const prm_be32 *in;
	prm_be32 *out;
};

static uint8_t access_ptys(struct emu *emu, const struct access *a)
{
	const struct prm_ptys_reg *in = (const struct prm_ptys_reg *)a->in;
	struct prm_ptys_reg *out = (struct prm_ptys_reg *)a->out;

	if (a->write)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_REGISTER,
				  "PTYS: read-only, because the speed of the wire is fixed");
	prm_set(out, local_port, prm_get(in, local_port));
	prm_set(out, proto_mask, prm_get(in, proto_mask));
	if (prm_get(in, proto_mask) != PRM_PTYS_PROTO_MASK_EN)
		return PRM_STATUS_OK;
	prm_set(out, eth_proto_capability, PRM_PTYS_ETH_PROTO_100GBASE_CR4);
	prm_set(out, eth_proto_admin, PRM_PTYS_ETH_PROTO_100GBASE_CR4);
	prm_set(out, eth_proto_oper, emu->link.up ? PRM_PTYS_ETH_PROTO_100GBASE_CR4 : 0);
	prm_set(out, connector_type, PRM_PTYS_CONNECTOR_TYPE_DA);
	return PRM_STATUS_OK;
}

/* The wire is always connected, so the link state equals the administrative state. */
static uint8_t access_paos(struct emu *emu, const struct access *a)
{
	const struct prm_paos_reg *in = (const struct prm_paos_reg *)a->in;
	struct prm_paos_reg *out = (struct prm_paos_reg *)a->out;
	struct emu_link link = emu->link;

	if (a->write) {
		const unsigned status = (unsigned)prm_get(in, admin_status);

		if (status != PRM_PAOS_STATUS_UP && status != PRM_PAOS_STATUS_DOWN)
			return emu_refuse_value(emu, EMU_SYND_REGISTER, "PAOS.admin_status", status,
						"1 = up, 2 = down");
		link.up = status == PRM_PAOS_STATUS_UP;
		emu_change_link(emu, &link);
	}
	prm_set(out, local_port, prm_get(in, local_port));
	prm_set(out, admin_status, emu->link.up ? PRM_PAOS_STATUS_UP : PRM_PAOS_STATUS_DOWN);
	prm_set(out, oper_status, emu->link.up ? PRM_PAOS_STATUS_UP : PRM_PAOS_STATUS_DOWN);
	return PRM_STATUS_OK;
}

static uint8_t access_pmtu(struct emu *emu, const struct access *a)
{
	const struct prm_pmtu_reg *in = (const struct prm_pmtu_reg *)a->in;
	struct prm_pmtu_reg *out = (struct prm_pmtu_reg *)a->out;
	const unsigned mtu = (unsigned)prm_get(in, admin_mtu);

	if (a->write &&
	    (mtu < EMU_MTU_MIN + EMU_PORT_OVERHEAD || mtu > EMU_MTU_MAX + EMU_PORT_OVERHEAD))
		return emu_refuse_range(emu, EMU_SYND_REGISTER, "PMTU.admin_mtu", mtu,
					EMU_MTU_MIN + EMU_PORT_OVERHEAD,
					EMU_MTU_MAX + EMU_PORT_OVERHEAD);
	if (a->write)
		emu->link.mtu = (uint16_t)(mtu - EMU_PORT_OVERHEAD);
	prm_set(out, local_port, prm_get(in, local_port));
	prm_set(out, max_mtu, EMU_MTU_MAX + EMU_PORT_OVERHEAD);
	prm_set(out, admin_mtu, emu->link.mtu + EMU_PORT_OVERHEAD);
	prm_set(out, oper_mtu, emu->link.mtu + EMU_PORT_OVERHEAD);
	return PRM_STATUS_OK;
}

static void put_counter(struct prm_eth_802_3_cntrs_grp_data_layout *c, size_t bit, uint64_t value)
{
	c->dw[bit / 32] = prm_be32_of((uint32_t)(value >> 32));
	c->dw[bit / 32 + 1] = prm_be32_of((uint32_t)value);
}

/* Only the counters of group IEEE 802.3 count; those of other groups are 0. */
static uint8_t access_ppcnt(struct emu *emu, const struct access *a)
{
	const struct prm_ppcnt_reg *in = (const struct prm_ppcnt_reg *)a->in;
	struct prm_ppcnt_reg *out = (struct prm_ppcnt_reg *)a->out;
	struct prm_eth_802_3_cntrs_grp_data_layout *c =
		(struct prm_eth_802_3_cntrs_grp_data_layout *)&out
			->dw[prm_bit(out, counter_set) / 32];
	const struct emu_vport_counters *v = &emu->vport;

	prm_set(out, local_port, prm_get(in, local_port));
	prm_set(out, grp, prm_get(in, grp));
	prm_set(out, prio_tc, prm_get(in, prio_tc));
	if (prm_get(in, grp) != PRM_PPCNT_GRP_IEEE_802_3)
		return PRM_STATUS_OK;
	put_counter(c, prm_bit(c, a_frames_transmitted_ok_high),
		    v->tx_uc_packets + v->tx_mc_packets + v->tx_bc_packets);
	put_counter(c, prm_bit(c, a_frames_received_ok_high),
		    v->rx_uc_packets + v->rx_mc_packets + v->rx_bc_packets);
	put_counter(c, prm_bit(c, a_octets_transmitted_ok_high),
		    v->tx_uc_bytes + v->tx_mc_bytes + v->tx_bc_bytes);
	put_counter(c, prm_bit(c, a_octets_received_ok_high),
		    v->rx_uc_bytes + v->rx_mc_bytes + v->rx_bc_bytes);
	put_counter(c, prm_bit(c, a_multicast_frames_xmitted_ok_high), v->tx_mc_packets);
	put_counter(c, prm_bit(c, a_broadcast_frames_xmitted_ok_high), v->tx_bc_packets);
	put_counter(c, prm_bit(c, a_multicast_frames_received_ok_high), v->rx_mc_packets);
	put_counter(c, prm_bit(c, a_broadcast_frames_received_ok_high), v->rx_bc_packets);
	put_counter(c, prm_bit(c, a_frame_too_long_errors_high), v->rx_oversize);
	return PRM_STATUS_OK;
}

/* The port does not support flow control by pause frames, so PFCC accepts only zeros. */
static uint8_t access_pfcc(struct emu *emu, const struct access *a)
{
	const struct prm_pfcc_reg *in = (const struct prm_pfcc_reg *)a->in;
	struct prm_pfcc_reg *out = (struct prm_pfcc_reg *)a->out;

	if (a->write &&
	    (prm_get(in, pptx) || prm_get(in, pprx) || prm_get(in, pfctx) || prm_get(in, pfcrx)))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_REGISTER,
			"PFCC: flow control is unsupported (valid: pptx, pprx, pfctx, pfcrx "
			"0)");
	prm_set(out, local_port, prm_get(in, local_port));
	return PRM_STATUS_OK;
}

/* Stores and returns the node description, a text that an administrator chooses. */
static uint8_t access_node_desc(struct emu *emu, const struct access *a)
{
	if (a->write)
		memcpy(emu->boot.node_desc, a->in, sizeof(emu->boot.node_desc));
	memcpy(a->out, emu->boot.node_desc, sizeof(emu->boot.node_desc));
	return PRM_STATUS_OK;
}

/* Accepts the host's byte order, which matters only to queue types that emu does not model. */
static uint8_t access_host_endianness(struct emu *emu, const struct access *a)
{
	(void)emu;
	memcpy(a->out, a->in, sizeof(*a->out));
	return PRM_STATUS_OK;
}

static const struct reg {
	uint16_t id;
	size_t bytes;
	uint8_t (*access)(struct emu *emu, const struct access *a);
} regs[] = {
	{ PRM_REG_PMTU, sizeof(struct prm_pmtu_reg), access_pmtu },
	{ PRM_REG_PTYS, sizeof(struct prm_ptys_reg), access_ptys },
	{ PRM_REG_PFCC, sizeof(struct prm_pfcc_reg), access_pfcc },
	{ PRM_REG_PPCNT, sizeof(struct prm_ppcnt_reg), access_ppcnt },
	{ PRM_REG_PAOS, sizeof(struct prm_paos_reg), access_paos },
	{ PRM_REG_NODE_DESC, EMU_NODE_DESC_BYTES, access_node_desc },
	{ PRM_REG_HOST_ENDIANNESS, sizeof(prm_be32), access_host_endianness },
};

uint8_t emu_fw_access_register(EMU_FW_ARGS(access_register))
{
	const unsigned op = (unsigned)prm_get(in, op_mod), id = (unsigned)prm_get(in, register_id);
	const struct access a = {
		.write = op == PRM_ACCESS_REGISTER_OP_MOD_WRITE,
		.in = in->dw + sizeof(*in) / sizeof(in->dw[0]),
		.out = out->dw + sizeof(*out) / sizeof(out->dw[0]),
	};
	const size_t room = in_bytes - sizeof(*in) < out_bytes - sizeof(*out)
				    ? in_bytes - sizeof(*in)
				    : out_bytes - sizeof(*out);

	if (op > PRM_ACCESS_REGISTER_OP_MOD_READ)
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "op_mod", op, "0 = write, 1 = read");
	for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		if (regs[i].id != id)
			continue;
		if (room < regs[i].bytes)
			return emu_refuse(
				emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				"register_data: %zu bytes are too few for register 0x%x (valid: "
				"at least %zu)",
				room, id, regs[i].bytes);
		return regs[i].access(emu, &a);
	}
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_REGISTER,
			  "register_id: 0x%x is unknown to emu", id);
}
