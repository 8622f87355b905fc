/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_ADDRESSES_H
#define EMU_ADDRESSES_H

#include "emu/emu.h"

/**
 * DOC: Addresses of a vport
 *
 *     netdev: addresses, lists, flags --mlx5_core--> vport context --host's kernel--> switch
 *
 * A switch before a port passes frames by their destination address (enum emu_mac_filter). After
 * power on the only address is the MAC of the port. A kernel replaces the lists by
 * MODIFY_NIC_VPORT_CONTEXT, and the uverbs front by emu_set_addresses().
 */

enum {
	EMU_MAX_UC = 16,  /* unicast addresses in the list of a vport, with its own MAC */
	EMU_MAX_MC = 128, /* multicast addresses in the list of a vport */
};

/** struct emu_addresses - the lists of a vport; broadcast is one of the multicast addresses */
struct emu_addresses {
	unsigned n_uc, n_mc;
	uint8_t uc[EMU_MAX_UC][EMU_MAC_BYTES];
	uint8_t mc[EMU_MAX_MC][EMU_MAC_BYTES];
};

/** emu_set_addresses - replace the lists of a vport; takes the adapter lock */
void emu_set_addresses(struct emu *emu, const struct emu_addresses *addresses);

#endif
