/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/caps.h"
#include "emu/base/dev.h"
#include "emu/base/profile.h"
#include "prm/prm.h"

void emu_profile_fill_ethernet(const struct emu_profile *p,
			       struct prm_per_protocol_networking_offload_caps *c)
{
	prm_set(c, csum_cap, 1);
	prm_set(c, max_lso_cap, EMU_LOG_MAX_LSO);
	prm_set(c, tunnel_stateless_vxlan, 1);
	prm_set(c, tunnel_stateless_gre, 1);
	prm_set(c, tunnel_stateless_ip_over_ip, 1);
	prm_set(c, max_vxlan_udp_ports, EMU_VXLAN_PORTS);
	prm_set(c, vlan_cap, 1);
	prm_set(c, wqe_vlan_insert, 1);
	prm_set(c, scatter_fcs, 1);
	prm_set(c, multi_pkt_send_wqe, 1);
	prm_set(c, enhanced_multi_pkt_send_wqe, 1);
	prm_set(c, wqe_inline_mode,
		p->model.vport_inline ? PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT
				      : PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED);
	prm_set(c, rss_ind_tbl_cap, p->log_max_rqt_size);
}
