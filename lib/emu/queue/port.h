/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_PORT_H
#define EMU_QUEUE_PORT_H

#include "emu/base/dev.h"
#include "emu/emu.h"
#include "emu/packet/frame.h"

struct emu_sq;

/** emu_port_limit - length of the longest frame that the port sends or accepts, without FCS */
static inline uint32_t emu_port_limit(const struct emu *emu)
{
	return (uint32_t)emu->link.mtu + EMU_FRAME_OVERHEAD;
}

/**
 * emu_port_rx - deliver a frame that arrived from the wire: steering, RQ, CQE
 * @may_wait: if an RQ lacks a buffer, refuse the frame instead of dropping it (pause=on)
 *
 * Return: false if it refused the frame; true if it delivered the frame, or dropped and counted it
 */
bool emu_port_rx(struct emu *emu, const struct emu_frame *f, bool may_wait);

/**
 * emu_port_tx - send a frame: check link and MTU, pass it to the wire, count it
 * @from: the SQ, or NULL. While local loopback is on, the port also receives frames to its own
 *	addresses and to groups, but TIRs that block loopback from @from do not
 *
 * Return: false if the wire cannot take the frame now (pause=on); true if it sent the frame, or
 * dropped and counted it
 */
bool emu_port_tx(struct emu *emu, const struct emu_frame *f, const struct emu_sq *from);

/** emu_frame_is_group - whether the destination is multicast or broadcast */
static inline bool emu_frame_is_group(const struct emu_frame *f)
{
	return f->data[0] & 1;
}

/** emu_frame_is_own - whether the destination is in the port's lists of addresses */
bool emu_frame_is_own(const struct emu *emu, const struct emu_frame *f);

/**
 * emu_mac_filter_passes - whether the switch between wire and port passes a frame to the port
 *
 * The e-switch of SR-IOV passes frames to the addresses of the vport. Promiscuous and
 * all-multicast mode have an effect only if the host trusts the function. Source: Linux,
 * mlx5/core/eswitch.c, esw_update_vport_rx_mode and esw_apply_vport_addr_list.
 *
 * PRM-MISSING: the switch of an adapter with several PFs compares unicast addresses only, and
 * passes all frames to a function in promiscuous mode. (Linux writes only unicast addresses to the
 * table of this switch, mlx5/core/lib/mpfs.c.)
 */
bool emu_mac_filter_passes(const struct emu *emu, const struct emu_frame *f);

/** emu_change_mac - replace the MAC of a port, also in its list of unicast addresses */
void emu_change_mac(struct emu *emu, const uint8_t mac[EMU_MAC_BYTES]);

/** emu_change_link - emu_set_link() for a caller that holds the adapter's lock */
void emu_change_link(struct emu *emu, const struct emu_link *link);

#endif
