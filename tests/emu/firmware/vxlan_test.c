/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig.h"
#include "emu/packet/parse.h"
#include "packet/tunnel_frames.h"
#include "prm/prm.h"

#include <string.h>

enum { OTHER = 8472 };

FIXTURE(vxlan_port)
{
	struct core_rig r;
};
FIXTURE_SETUP(vxlan_port)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .no_context = true });
}
FIXTURE_TEARDOWN(vxlan_port)
{
	core_rig_close(&self->r);
}

static uint8_t add_port(struct core_rig *r, uint16_t port)
{
	struct prm_add_vxlan_udp_dport_in in = { 0 };
	struct prm_add_vxlan_udp_dport_out out;

	prm_set(&in, vxlan_udp_port, port);
	return CORE_RIG_EXEC(r, add_vxlan_udp_dport, &in, &out);
}

static uint8_t delete_port(struct core_rig *r, uint16_t port)
{
	struct prm_delete_vxlan_udp_dport_in in = { 0 };
	struct prm_delete_vxlan_udp_dport_out out;

	prm_set(&in, vxlan_udp_port, port);
	return CORE_RIG_EXEC(r, delete_vxlan_udp_dport, &in, &out);
}

/* Tells whether the parser takes a frame to @port for VXLAN. */
static bool is_tunnel(struct core_rig *r, uint16_t port)
{
	const struct tunnel_frame *row = &tunnel_frames[0];
	struct emu_parsed p;
	uint8_t frame[256];

	memcpy(frame, row->data, row->bytes);
	frame[36] = (uint8_t)(port >> 8);
	frame[37] = (uint8_t)port;
	emu_parse_frame(&(struct emu_frame){ frame, row->bytes }, &r->emu->vxlan, &p);
	return p.tunnel == EMU_TUNNEL_VXLAN;
}

TEST_F(vxlan_port, added_port_is_parsed_until_it_is_deleted)
{
	struct core_rig *r = &self->r;

	EXPECT_TRUE(is_tunnel(r, EMU_VXLAN_PORT));
	EXPECT_FALSE(is_tunnel(r, OTHER));
	EXPECT_EQ(PRM_STATUS_OK, add_port(r, OTHER));
	EXPECT_EQ(PRM_STATUS_OK, add_port(r, OTHER));
	EXPECT_TRUE(is_tunnel(r, OTHER));
	EXPECT_EQ(PRM_STATUS_OK, delete_port(r, OTHER));
	EXPECT_FALSE(is_tunnel(r, OTHER));
	EXPECT_EQ(PRM_STATUS_BAD_RES, delete_port(r, OTHER));
}

/* Linux adds and deletes the default port, although the device has it from the start. */
TEST_F(vxlan_port, default_port_stays)
{
	struct core_rig *r = &self->r;

	EXPECT_EQ(PRM_STATUS_OK, add_port(r, EMU_VXLAN_PORT));
	EXPECT_EQ(PRM_STATUS_OK, delete_port(r, EMU_VXLAN_PORT));
	EXPECT_TRUE(is_tunnel(r, EMU_VXLAN_PORT));
}

TEST_F(vxlan_port, device_has_4_ports)
{
	struct core_rig *r = &self->r;

	for (uint16_t i = 0; i < 3; i++)
		EXPECT_EQ(PRM_STATUS_OK, add_port(r, (uint16_t)(OTHER + i)));
	EXPECT_EQ(PRM_STATUS_LIM_ERR, add_port(r, OTHER + 3));
	EXPECT_FALSE(is_tunnel(r, OTHER + 3));
	EXPECT_EQ(PRM_STATUS_OK, delete_port(r, OTHER));
	EXPECT_TRUE(is_tunnel(r, OTHER + 2));
	emu_power_on(r->emu); /* a reset forgets all but the default port */
	EXPECT_FALSE(is_tunnel(r, OTHER + 2));
	EXPECT_TRUE(is_tunnel(r, EMU_VXLAN_PORT));
}
