/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PORT_ACCOUNT_H
#define PORT_ACCOUNT_H

#include <stdint.h>

#include "devx_counts.h"
#include "needs_emu.h"

/**
 * DOC: The account of a port: each frame was delivered, or is counted as lost under a name
 *
 *     opackets                   = frames that emu's port sent or dropped with a name, and those
 *                                  of tx_lost_packets and tx_unknown_packets that it never saw
 *     ipackets + rx_lost_packets = frames that emu's port delivered
 *     imissed                    = frames without a buffer
 *     ierrors, oerrors           = sums of the extended statistics that name the losses
 *     rx_unicast_packets, ...    = counters of emu's port
 *     frames sent                = frames received, duplicated or dropped by the wire (loop)
 *
 * A reset of statistics does not disturb the account, because the driver keeps what it subtracts.
 */

/**
 * struct port_account - where the account of a port began
 * @emu: emu's counters of the port
 * @imissed: frames without a buffer that the driver had counted
 * @released: counts of queues that were released before
 */
struct port_account {
	struct devx_emu_counters emu;
	uint64_t imissed;
	struct devx_eth_counts released;
};

struct port_rig;

/** port_account_begin - begin an account: the queues of the port have counted nothing yet */
void port_account_begin(struct port_rig *rig);
/**
 * port_account_expect - expect that the account of a stopped port is right
 *
 * Without emu the function compares only the sums of the driver itself.
 */
void port_account_expect(const struct port_rig *rig);

#endif
