/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/port.h"
#include "prm/prm.h"

enum { PORT = 1 }; /* a PCI function has one port; verbs number ports from 1 */

static int query_vport_state(struct devx_dev *dev, bool *up, bool *admin_up)
{
	struct prm_query_vport_state_in in = { 0 };
	struct prm_query_vport_state_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_query_vport_state);
	rc = devx_cmd_general(dev, &in, sizeof(in), &out, sizeof(out));
	if (rc)
		return rc;
	*up = prm_get(&out, state) == PRM_VPORT_STATE_UP;
	*admin_up = prm_get(&out, admin_state) == PRM_VPORT_STATE_UP;
	return 0;
}

static int query_vport_context(struct devx_dev *dev, struct devx_port *port)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out = { 0 };
	const struct prm_nic_vport_context *ctx = prm_sub(&out, nic_vport_context);
	const struct prm_mac_address_layout *mac = prm_sub(ctx, permanent_address);
	int rc;

	prm_set(&in, opcode, PRM_OP_query_nic_vport_context);
	rc = devx_cmd_general(dev, &in, sizeof(in), &out, sizeof(out));
	if (rc)
		return rc;
	const uint64_t addr = prm_get(mac, mac_addr_47_32) << 32 | prm_get(mac, mac_addr_31_0);

	for (size_t i = 0; i < DEVX_PORT_MAC_BYTES; i++)
		port->mac[i] = (uint8_t)(addr >> 8 * (DEVX_PORT_MAC_BYTES - 1 - i));
	port->frame_bytes = (uint16_t)prm_get(ctx, mtu);
	if (port->frame_bytes > DEVX_PORT_HARD_MTU)
		port->mtu = (uint16_t)(port->frame_bytes - DEVX_PORT_HARD_MTU);
	port->min_inline = (uint8_t)prm_get(ctx, min_wqe_inline_mode);
	port->promisc = prm_get(ctx, promisc_all) || prm_get(ctx, promisc_uc);
	port->allmulti = prm_get(ctx, promisc_all) || prm_get(ctx, promisc_mc);
	return 0;
}

/* Newer rdma-core has a wider member: active_speed has 8 bits, too few for 200 Gb/s per lane. */
static uint32_t get_speed_code(const struct ibv_port_attr *attr)
{
#ifdef DEVX_HAS_ACTIVE_SPEED_EX
	if (attr->active_speed_ex)
		return attr->active_speed_ex;
#endif
	return attr->active_speed;
}

/*
 * Returns the number of lanes times the speed of a lane in Mb/s, or 0 for an unknown code. Source:
 * InfiniBand specification, PortInfo LinkSpeedActive and LinkWidthActive; ibv_query_port(3).
 */
static uint32_t compute_speed_mbps(const struct ibv_port_attr *attr)
{
	static const struct {
		uint32_t code, lane_mbps;
	} speeds[] = {
		{ 1, 2500 },   { 2, 5000 },   { 4, 10000 },    { 8, 10000 },    { 16, 14000 },
		{ 32, 25000 }, { 64, 50000 }, { 128, 100000 }, { 256, 200000 },
	};
	static const struct {
		uint8_t code, lanes;
	} widths[] = {
		{ 1, 1 }, { 2, 4 }, { 4, 8 }, { 8, 12 }, { 16, 2 },
	};
	uint32_t mbps = 0, lanes = 0;

	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
		if (get_speed_code(attr) == speeds[i].code)
			mbps = speeds[i].lane_mbps;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (attr->active_width == widths[i].code)
			lanes = widths[i].lanes;
	return mbps * lanes;
}

static int query_verbs_port(struct devx_dev *dev, struct ibv_port_attr *attr)
{
	const int err = ibv_query_port(dev->ctx, PORT, attr);

	return err ? devx_fail_sys(dev, err, "cannot query the port of %s", dev->ibdev) : 0;
}

int devx_port_query_ethernet(struct devx_dev *dev, bool *ethernet)
{
	struct ibv_port_attr attr;
	const int rc = query_verbs_port(dev, &attr);

	if (!rc)
		*ethernet = attr.link_layer == IBV_LINK_LAYER_ETHERNET;
	return rc;
}

int devx_port_query_speed(struct devx_dev *dev, uint32_t *mbps)
{
	struct ibv_port_attr attr;
	const int rc = query_verbs_port(dev, &attr);

	if (rc)
		return rc;
	/* Linux reports 40 Gb/s for a port that is down. */
	*mbps = attr.state == IBV_PORT_ACTIVE ? compute_speed_mbps(&attr) : 0;
	return 0;
}

int devx_port_query_carrier(struct devx_dev *dev, bool *up)
{
	struct ibv_port_attr attr;
	const int rc = query_verbs_port(dev, &attr);

	if (!rc)
		*up = attr.state == IBV_PORT_ACTIVE;
	return rc;
}

/*
 * The MAC address is the first and the last three bytes of the node GUID.
 *
 * PRM-MISSING: the node GUID contains the MAC address of the port. (That of a VF does: Linux,
 * node_guid_gen_from_mac. Only a port without a netdev needs the address.)
 */
static int read_mac_of_guid(struct devx_dev *dev, uint8_t *mac)
{
	enum { HALF = DEVX_PORT_MAC_BYTES / 2 };
	struct ibv_device_attr attr;
	const int err = ibv_query_device(dev->ctx, &attr);

	if (err)
		return devx_fail_sys(dev, err, "cannot read the node GUID of %s", dev->ibdev);
	memcpy(mac, &attr.node_guid, HALF);
	memcpy(mac + HALF, (const uint8_t *)(&attr.node_guid + 1) - HALF, HALF);
	return 0;
}

/* Firmware may refuse the vport commands of users. Verbs then provide part of the answer. */
int devx_port_query(struct devx_dev *dev, struct devx_port *port)
{
	struct devx_port got = { 0 };
	int rc = 0;

	if (dev->caps.eth_virt)
		rc = query_vport_context(dev, &got);
	if (!dev->caps.eth_virt || devx_cmd_is_refused(rc))
		rc = read_mac_of_guid(dev, got.mac);
	if (rc)
		return rc;
	rc = query_vport_state(dev, &got.up, &got.admin_up);
	got.link_of_kernel = devx_cmd_is_refused(rc);
	if (got.link_of_kernel) {
		rc = devx_port_query_carrier(dev, &got.up);
		got.admin_up = got.up;
	}
	if (!rc)
		rc = devx_port_query_speed(dev, &got.speed_mbps);
	if (rc)
		return rc;
	*port = got;
	return 0;
}

int devx_port_query_link(struct devx_dev *dev, bool *up)
{
	bool admin_up;

	return query_vport_state(dev, up, &admin_up);
}

static struct devx_port_traffic read_traffic(const struct prm_traffic_counter *c)
{
	return (struct devx_port_traffic){ prm_get(c, packets), prm_get(c, octets) };
}

int devx_port_read_counters(struct devx_dev *dev, struct devx_port_counters *counters)
{
	struct prm_query_vport_counter_in in = { 0 };
	struct prm_query_vport_counter_out out = { 0 };
	int rc;

	if (!dev->caps.vport_counters)
		return devx_fail(dev, -ENOTSUP,
				 "port counters are unsupported (capability vport_counters is 0)");
	prm_set(&in, opcode, PRM_OP_query_vport_counter);
	rc = devx_cmd_general(dev, &in, sizeof(in), &out, sizeof(out));
	if (rc)
		return rc;
	*counters = (struct devx_port_counters){
		.rx_unicast = read_traffic(prm_sub(&out, received_eth_unicast)),
		.rx_multicast = read_traffic(prm_sub(&out, received_eth_multicast)),
		.rx_broadcast = read_traffic(prm_sub(&out, received_eth_broadcast)),
		.rx_errors = read_traffic(prm_sub(&out, received_errors)),
		.tx_unicast = read_traffic(prm_sub(&out, transmitted_eth_unicast)),
		.tx_multicast = read_traffic(prm_sub(&out, transmitted_eth_multicast)),
		.tx_broadcast = read_traffic(prm_sub(&out, transmitted_eth_broadcast)),
		.tx_errors = read_traffic(prm_sub(&out, transmit_errors)),
	};
	return 0;
}
