/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_LINK_H
#define EMU_QUEUE_LINK_H

#include "emu/base/dev.h"
#include "emu/emu.h"
#include "emu/packet/frame.h"

/** emu_frame_is_group - whether the frame is to a multicast address or to broadcast */
static inline bool emu_frame_is_group(const struct emu_frame *f)
{
	return f->data[0] & 1;
}

/** emu_frame_is_own - whether the frame is to an address in the lists of the port */
bool emu_frame_is_own(const struct emu *emu, const struct emu_frame *f);

/**
 * emu_mac_filter_passes - whether the switch before the port passes a frame from the wire
 *
 * The e-switch of SR-IOV passes frames to the addresses of the vport. Promiscuous and
 * all-multicast mode count only if the host trusts the function. Source: Linux,
 * mlx5/core/eswitch.c, esw_update_vport_rx_mode and esw_apply_vport_addr_list.
 *
 * PRM-MISSING: the switch of an adapter with several PFs compares unicast addresses only, and
 * passes all frames to a function in promiscuous mode. (Linux writes only unicast addresses to the
 * table of this switch, mlx5/core/lib/mpfs.c.)
 */
bool emu_mac_filter_passes(const struct emu *emu, const struct emu_frame *f);

/** emu_change_mac - replace the MAC of a port, also in its list of unicast addresses */
void emu_change_mac(struct emu *emu, const uint8_t mac[EMU_MAC_BYTES]);

/** emu_change_link - do emu_set_link() for a caller that holds the adapter's lock */
void emu_change_link(struct emu *emu, const struct emu_link *link);

#endif
