/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/pause.h"

#include <stddef.h>
#include <string.h>

/*
 * Names of DPDK 22.11. Where a driver counts frames of both kinds together and those of each
 * priority again, the table has only the sums.
 */
static const char *const names[] = {
	"rx_phy_pause_packets",            /* net_devx */
	"rx_xon_packets",                  /* e1000, igc, ixgbe, i40e, ice, ngbe, txgbe */
	"rx_xoff_packets",                 /* the same */
	"rx_pause_frames",                 /* bnxt, qede */
	"rx_pfc_frames",                   /* bnxt */
	"rx_priority_flow_control_frames", /* qede */
	"rx_pause_packets",                /* cxgbe, octeontx */
	"mac_rx_mac_pause_num",            /* hns3 */
	"mac_rx_pfc_pkt_num",              /* hns3 */
	"rx_valid_pause",                  /* dpaa */
};

bool pause_is_counter(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}
