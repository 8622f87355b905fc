/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "attach/devx_cap_check.h"
#include "port_rig.h"

/* Devices with capabilities that no ConnectX has. The test changes those that probe read. */

FIXTURE(cap_check)
{
	struct port_rig rig;
	struct devx_eth *eth;
	struct devx_caps caps;
};
FIXTURE_SETUP(cap_check)
{
	port_rig_probe(&self->rig);
	self->eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	self->caps = self->eth->dev.caps;
	port_rig_read_log();
}
FIXTURE_TEARDOWN(cap_check)
{
	self->eth->dev.caps = self->caps;
	port_rig_down(&self->rig);
}

#define CAP(field) #field, offsetof(struct devx_caps, field), sizeof(((struct devx_caps *)0)->field)

struct cap_row {
	const char *name;
	size_t offset, bytes;
	uint16_t value;
	const char *valid; /* NULL: the driver accepts the value */
	bool no_tso;
};

static void set_cap(struct devx_caps *caps, const struct cap_row *row)
{
	const uint8_t byte = (uint8_t)row->value;

	memcpy((char *)caps + row->offset, row->bytes == 1 ? (const void *)&byte : &row->value,
	       row->bytes);
	if (row->no_tso)
		caps->max_lso_cap = 0;
}

static const struct cap_row invalid_caps[] = {
	{ CAP(num_ports), 0, "1", false },
	{ CAP(num_ports), 2, "1", false },
	{ CAP(cqe_version), 0, "1", false },
	{ CAP(log_max_cq), 0, "1 to 24", false },
	{ CAP(log_max_rq), 25, "0 to 24", false },
	{ CAP(log_max_sq), 31, "0 to 24", false },
	{ CAP(log_max_cq_sz), 0, "at least 6", false },
	{ CAP(log_max_wq_sz), 5, "at least 6", false },
	{ CAP(max_wqe_sz_sq), 0, "at least 240, a multiple of 16", false },
	{ CAP(max_wqe_sz_sq), 224, "at least 240, a multiple of 16", false },
	{ CAP(max_wqe_sz_sq), 1000, "at least 240, a multiple of 16", false },
	{ CAP(max_wqe_sz_sq), 0, "at least 64, a multiple of 16", true },
	{ CAP(max_wqe_sz_sq), 48, "at least 64, a multiple of 16", true },
	{ CAP(max_wqe_sz_rq), 0, "at least 16, a multiple of 16", false },
	{ CAP(max_wqe_sz_rq), 24, "at least 16, a multiple of 16", false },
	{ CAP(log_min_stride_sz_sq), 7, "0 to 6", false },
	{ CAP(log_max_stride_sz_sq), 5, "at least 6", false },
	{ CAP(log_min_stride_sz_rq), 5, "0 to 4", false },
	{ CAP(log_max_stride_sz_rq), 3, "at least 4", false },
	{ CAP(wqe_inline_mode), 3, "0 to 2", false },
	{ CAP(max_lso_cap), 10, "at least 11", false },
};

TEST_F_EACH(cap_check, refuses_a_value_that_no_adapter_has, struct cap_row, invalid_caps)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "net_devx0 (%s): capability %s: %u is invalid (valid: %s); update the firmware of "
		 "the adapter\n",
		 self->eth->dev.ibdev, row->name, row->value, row->valid);
	set_cap(&self->eth->dev.caps, row);
	EXPECT_EQ(-ENOTSUP, devx_eth_caps_check(self->eth));
	EXPECT_STREQ(line, port_rig_read_log());
}

static const struct cap_row valid_caps[] = {
	{ CAP(log_max_cq), 1, NULL, false },
	{ CAP(log_max_rq), 0, NULL, false },
	{ CAP(log_max_cq_sz), 6, NULL, false },
	{ CAP(log_max_wq_sz), 6, NULL, false },
	{ CAP(max_wqe_sz_sq), 240, NULL, false },
	{ CAP(max_wqe_sz_sq), 64, NULL, true },
	{ CAP(max_wqe_sz_rq), 16, NULL, false },
	{ CAP(log_max_stride_sz_rq), 4, NULL, false },
	{ CAP(log_max_stride_sz_sq), 0, NULL, false },
	{ CAP(log_max_stride_sz_rq), 0, NULL, false },
	{ CAP(log_min_stride_sz_rq), 0, NULL, false },
	{ CAP(max_lso_cap), 11, NULL, false },
	{ CAP(max_lso_cap), 0, NULL, false },
};

TEST_F_EACH(cap_check, accepts_the_least_valid_value, struct cap_row, valid_caps)
{
	set_cap(&self->eth->dev.caps, row);
	EXPECT_EQ(0, devx_eth_caps_check(self->eth));
	EXPECT_STREQ("", port_rig_read_log());
}

TEST_F(cap_check, shortest_WQE_with_TSO_has_room_for_a_segment)
{
	struct rte_eth_dev_info info;

	self->eth->dev.caps.max_wqe_sz_sq = 240;
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_EQ(1, info.tx_desc_lim.nb_seg_max);
}

static const struct hidden_mode {
	const char *name;
	uint8_t of_device;
	bool eth_virt;
	uint32_t frame_bytes; /* 0: firmware hides the context of the port from users */
	bool reported;
} hidden_modes[] = {
	{ "hidden", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, true, 0, true },
	{ "readable", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, true, 1518, false },
	{ "without_context", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, false, 0, false },
	{ "of_the_device", PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED, true, 0, false },
};

TEST_F_EACH(cap_check, reports_a_mode_that_firmware_hides, struct hidden_mode, hidden_modes)
{
	const struct devx_port before = self->eth->port;

	self->eth->dev.caps.wqe_inline_mode = row->of_device;
	self->eth->dev.caps.eth_virt = row->eth_virt;
	self->eth->port.min_inline = 0;
	self->eth->port.frame_bytes = row->frame_bytes;
	EXPECT_EQ(0, devx_eth_caps_check(self->eth));
	EXPECT_EQ(row->reported,
		  strstr(port_rig_read_log(), "hides its min_wqe_inline_mode") != NULL);
	self->eth->port = before;
}

static const struct inline_mode {
	const char *name;
	uint8_t of_device, of_port;
	bool eth_virt;
	int rc;
} inline_modes[] = {
	{ "not_required", PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED, 1, true, 0 },
	{ "of_the_port_and_none", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, 0, true, 0 },
	{ "of_the_port_and_L2", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, 1, true, -ENOTSUP },
	{ "of_a_port_without_mode", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, 1, false, 0 },
	{ "L2", PRM_ETH_CAP_WQE_INLINE_MODE_L2, 0, true, -ENOTSUP },
};

TEST_F_EACH(cap_check, refuses_a_device_that_needs_headers_in_WQEs, struct inline_mode,
	    inline_modes)
{
	const uint8_t before = self->eth->port.min_inline;

	self->eth->dev.caps.wqe_inline_mode = row->of_device;
	self->eth->dev.caps.eth_virt = row->eth_virt;
	self->eth->port.min_inline = row->of_port;
	EXPECT_EQ(row->rc, devx_eth_caps_check(self->eth));
	if (row->rc)
		EXPECT_SUBSTR("packet headers inside WQEs are unsupported", port_rig_read_log());
	self->eth->port.min_inline = before;
}
