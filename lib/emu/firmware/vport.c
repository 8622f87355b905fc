/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The only virtual port (vport) that emu has, that of the function: context, state and counters.
 */
#include <string.h>

#include "emu/base/profile.h"
#include "emu/firmware/cmd.h"
#include "emu/packet/frame.h"
#include "emu/queue/port.h"

static uint64_t read_mac(const uint8_t mac[EMU_MAC_BYTES])
{
	uint64_t v = 0;

	for (int i = 0; i < EMU_MAC_BYTES; i++)
		v = v << 8 | mac[i];
	return v;
}

/* Returns the EUI-64 of a MAC, the GUID that an adapter reports. */
static uint64_t make_guid(const uint8_t mac[EMU_MAC_BYTES])
{
	const uint64_t v = read_mac(mac);

	return v >> 24 << 40 | 0xfffeull << 24 | (v & 0xffffff);
}

static void write_mac(uint8_t mac[EMU_MAC_BYTES], uint64_t v)
{
	for (int i = EMU_MAC_BYTES - 1; i >= 0; i--, v >>= 8)
		mac[i] = (uint8_t)v;
}

/* Writes as much of the list of @type as fits. Without room, the caller does not want the list. */
static void write_list(const struct emu *emu, unsigned type, struct prm_nic_vport_context *ctx,
		       size_t room)
{
	const struct emu_addresses *a = &emu->addresses;
	const bool uc = type == PRM_NIC_VPORT_LIST_TYPE_UC;
	const unsigned n = uc ? a->n_uc : type == PRM_NIC_VPORT_LIST_TYPE_MC ? a->n_mc : 0;

	if (!room)
		return;
	prm_set(ctx, allowed_list_size, n);
	for (unsigned i = 0; i < n && i < room / sizeof(uint64_t); i++)
		prm_set_at(ctx, current_uc_mac_address, i, read_mac(uc ? a->uc[i] : a->mc[i]));
}

/*
 * PRM-MISSING: a device may refuse queries of the vport that a user sends, with BAD_PARAM. (DPDK
 * sends QUERY_NIC_VPORT_CONTEXT only with eth_virt, and never QUERY_VPORT_STATE. Nobody has
 * reported such a refusal.)
 */
uint8_t emu_fw_query_nic_vport_context(EMU_FW_ARGS(query_nic_vport_context))
{
	struct prm_nic_vport_context *ctx = prm_sub(out, nic_vport_context);
	struct prm_mac_address_layout *address = prm_sub(ctx, permanent_address);
	const unsigned type = (unsigned)prm_get(in, allowed_list_type);

	if (uid && !emu->profile->options.query_nic_vport)
		return emu_refuse_user(emu, uid);
	if (type > PRM_NIC_VPORT_LIST_TYPE_VLAN)
		return emu_refuse_value(emu, EMU_SYND_LIST, "allowed_list_type", type,
					"0 = unicast, 1 = multicast, 2 = VLAN");
	prm_set(ctx, mtu, emu->link.mtu + EMU_PORT_OVERHEAD);
	prm_set(ctx, system_image_guid, make_guid(emu->link.mac));
	prm_set(ctx, port_guid, make_guid(emu->link.mac));
	prm_set(ctx, node_guid, make_guid(emu->link.mac));
	prm_set(ctx, min_wqe_inline_mode, emu_model(emu)->min_inline);
	prm_set(ctx, roce_en, emu->roce_en);
	prm_set(ctx, disable_uc_local_lb, !emu->lb_uc);
	prm_set(ctx, disable_mc_local_lb, !emu->lb_mc);
	prm_set(ctx, promisc_uc, emu->link.promisc);
	prm_set(ctx, promisc_mc, emu->link.allmulti);
	prm_set(ctx, promisc_all, emu->link.promisc);
	prm_set(address, mac_addr_47_32, read_mac(emu->link.mac) >> 32);
	prm_set(address, mac_addr_31_0, read_mac(emu->link.mac) & UINT32_MAX);
	prm_set(ctx, allowed_list_type, type);
	write_list(emu, type, ctx, out_bytes - sizeof(*out));
	return PRM_STATUS_OK;
}

/* Replaces a list of the vport. This has an effect only in profiles with a MAC filter. */
static uint8_t set_list(struct emu *emu, const struct prm_nic_vport_context *ctx, size_t listed)
{
	const unsigned type = (unsigned)prm_get(ctx, allowed_list_type);
	const unsigned n = (unsigned)prm_get(ctx, allowed_list_size);
	const bool uc = type == PRM_NIC_VPORT_LIST_TYPE_UC;
	struct emu_addresses *a = &emu->addresses;

	if (n != listed)
		return emu_refuse_list(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LIST,
				       "allowed_list_size", n, listed);
	if (type > PRM_NIC_VPORT_LIST_TYPE_MC)
		return emu_refuse_value(emu, EMU_SYND_LIST, "allowed_list_type", type,
					"0 = unicast, 1 = multicast");
	if (n > (uc ? EMU_MAX_UC : EMU_MAX_MC))
		return emu_refuse_range(emu, EMU_SYND_LIST, "allowed_list_size", n, 0,
					uc ? EMU_MAX_UC : EMU_MAX_MC);
	for (unsigned i = 0; i < n; i++)
		write_mac(uc ? a->uc[i] : a->mc[i], prm_get_at(ctx, current_uc_mac_address, i));
	*(uc ? &a->n_uc : &a->n_mc) = n;
	return PRM_STATUS_OK;
}

/* Changes those fields in @select whose change cannot fail. */
static void change_flags(struct emu *emu, const struct prm_modify_nic_vport_field_select *select,
			 const struct prm_nic_vport_context *ctx)
{
	if (prm_get(select, roce_en))
		emu->roce_en = prm_get(ctx, roce_en);
	if (prm_get(select, disable_uc_local_lb))
		emu->lb_uc = !prm_get(ctx, disable_uc_local_lb);
	if (prm_get(select, disable_mc_local_lb))
		emu->lb_mc = !prm_get(ctx, disable_mc_local_lb);
	if (prm_get(select, promisc)) {
		emu->link.promisc = prm_get(ctx, promisc_all) || prm_get(ctx, promisc_uc);
		emu->link.allmulti = prm_get(ctx, promisc_all) || prm_get(ctx, promisc_mc);
	}
}

uint8_t emu_fw_modify_nic_vport_context(EMU_FW_ARGS(modify_nic_vport_context))
{
	const struct prm_modify_nic_vport_field_select *select = prm_sub(in, field_select);
	const struct prm_nic_vport_context *ctx = prm_sub(in, nic_vport_context);
	const struct prm_mac_address_layout *address = prm_sub(ctx, permanent_address);
	const size_t listed = (in_bytes - sizeof(*in)) / sizeof(uint64_t);
	const unsigned mtu = (unsigned)prm_get(ctx, mtu);
	uint8_t mac[EMU_MAC_BYTES], status = PRM_STATUS_OK;

	if (prm_get(select, mtu) &&
	    (mtu < EMU_MTU_MIN + EMU_PORT_OVERHEAD || mtu > EMU_MTU_MAX + EMU_PORT_OVERHEAD))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "mtu", mtu,
					EMU_MTU_MIN + EMU_PORT_OVERHEAD,
					EMU_MTU_MAX + EMU_PORT_OVERHEAD);
	if (prm_get(select, roce_en) && prm_get(ctx, roce_en) && !emu_cap(emu, roce))
		return emu_refuse_feature(emu, "roce_en", "roce");
	if (prm_get(select, addresses_list))
		status = set_list(emu, ctx, listed);
	else if (listed)
		status = emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LIST,
				    "field_select.addresses_list: 0, but the mailbox lists %zu "
				    "addresses (valid: no list)",
				    listed);
	if (status != PRM_STATUS_OK)
		return status;
	change_flags(emu, select, ctx);
	if (prm_get(select, mtu))
		emu->link.mtu = (uint16_t)(mtu - EMU_PORT_OVERHEAD);
	if (prm_get(select, permanent_address)) {
		write_mac(mac,
			  prm_get(address, mac_addr_47_32) << 32 | prm_get(address, mac_addr_31_0));
		emu_change_mac(emu, mac);
	}
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_vport_state(EMU_FW_ARGS(query_vport_state))
{
	if (uid && !emu->profile->options.query_vport_state)
		return emu_refuse_user(emu, uid);
	if (prm_get(in, op_mod) != PRM_QUERY_VPORT_STATE_OP_MOD_VNIC_VPORT)
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "op_mod", prm_get(in, op_mod),
					"0 = own vport; emu has no eswitch");
	prm_set(out, admin_state, PRM_VPORT_STATE_UP);
	prm_set(out, state, emu->link.up ? PRM_VPORT_STATE_UP : PRM_VPORT_STATE_DOWN);
	return PRM_STATUS_OK;
}

static void write_traffic(struct prm_traffic_counter *to, uint64_t packets, uint64_t bytes)
{
	prm_set(to, packets, packets);
	prm_set(to, octets, bytes);
}

/* Subtracts the counters from emu->published as well, to keep the sums in emu->traffic right. */
static void clear_counters(struct emu *emu)
{
	enum { N = sizeof(emu->vport) / sizeof(uint64_t) };
	uint64_t *published = (uint64_t *)(void *)&emu->published.vport;
	const uint64_t *counted = (const uint64_t *)(const void *)&emu->vport;

	for (unsigned i = 0; i < N; i++)
		published[i] -= counted[i];
	emu->vport = (struct emu_vport_counters){ 0 };
}

uint8_t emu_fw_query_vport_counter(EMU_FW_ARGS(query_vport_counter))
{
	const struct emu_vport_counters *c = &emu->vport;

	write_traffic(prm_sub(out, received_errors), c->rx_error + c->rx_oversize, 0);
	write_traffic(prm_sub(out, transmit_errors), c->tx_oversize, 0);
	write_traffic(prm_sub(out, received_eth_broadcast), c->rx_bc_packets, c->rx_bc_bytes);
	write_traffic(prm_sub(out, transmitted_eth_broadcast), c->tx_bc_packets, c->tx_bc_bytes);
	write_traffic(prm_sub(out, received_eth_unicast), c->rx_uc_packets, c->rx_uc_bytes);
	write_traffic(prm_sub(out, transmitted_eth_unicast), c->tx_uc_packets, c->tx_uc_bytes);
	write_traffic(prm_sub(out, received_eth_multicast), c->rx_mc_packets, c->rx_mc_bytes);
	write_traffic(prm_sub(out, transmitted_eth_multicast), c->tx_mc_packets, c->tx_mc_bytes);
	if (prm_get(in, clear))
		clear_counters(emu);
	return PRM_STATUS_OK;
}

/*
 * Returns the bond of option lag; without one, all fields are 0. Source: UCX queries every device,
 * and takes lag_state 0 as no bond (uct_ib_mlx5_devx_query_lag). With queue affinity, each port
 * sends its own traffic while both have a link (Linux, mlx5_infer_tx_affinity_mapping). In hash
 * mode tx_remap_affinity_* stay 0, as Linux leaves them (mlx5_cmd_create_lag).
 */
uint8_t emu_fw_query_lag(EMU_FW_ARGS(query_lag))
{
	struct prm_lagc *lagc = prm_sub(out, ctx);

	if (emu->profile->options.lag == EMU_LAG_NONE)
		return PRM_STATUS_OK;
	prm_set(lagc, lag_state, PRM_LAG_STATE_ACTIVE);
	if (emu->profile->options.lag == EMU_LAG_HASH) {
		prm_set(lagc, port_select_mode, PRM_LAG_PORT_SELECT_MODE_PORT_SELECT_FT);
		return PRM_STATUS_OK;
	}
	prm_set(lagc, port_select_mode, PRM_LAG_PORT_SELECT_MODE_QUEUE_AFFINITY);
	prm_set(lagc, tx_remap_affinity_1, 1);
	prm_set(lagc, tx_remap_affinity_2, EMU_LAG_PORTS);
	return PRM_STATUS_OK;
}

/* emu sets the capability of only one statistic. */
uint8_t emu_fw_query_vnic_env(EMU_FW_ARGS(query_vnic_env))
{
	struct prm_vnic_diagnostic_statistics *env = prm_sub(out, vport_env);

	prm_set(env, nic_receive_steering_discard,
		emu->vport.rx_dropped + emu->vport.rx_steering_miss);
	return PRM_STATUS_OK;
}
