/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LOSS_RIG_H
#define LOSS_RIG_H

#include "port_rig.h"

/** DOC: Events of a port that loses its device, and calls of bursts while a test waits for one */

enum { LOSS_RIG_EVENTS = 64 };

/**
 * struct loss_seen - events of a port since loss_rig_listen()
 * @n_recovering, @n_success, @n_failed, @n_removed, @n_link: numbers of
 *	RTE_ETH_EVENT_ERR_RECOVERING, RECOVERY_SUCCESS, RECOVERY_FAILED, INTR_RMV, INTR_LSC
 * @order: a letter for each event: r, s, f, x, l
 * @n: length of @order
 * @hook: called in the callback of an event, after it was counted; NULL: no call
 */
struct loss_seen {
	unsigned int n_recovering, n_success, n_failed, n_removed, n_link;
	char order[LOSS_RIG_EVENTS + 1];
	unsigned int n;
	void (*hook)(uint16_t port, enum rte_eth_event_type event);
};
extern struct loss_seen loss_seen;

/** loss_rig_listen - count events of all ports from now on */
void loss_rig_listen(void);
/** loss_rig_forget - undo loss_rig_listen(); also without it */
void loss_rig_forget(void);
/**
 * loss_rig_wait - wait until @counter, a member of loss_seen, is at least @n
 *
 * Calls the bursts of all queues meanwhile, as an application does, and frees what comes.
 *
 * Return: false after a minute
 */
bool loss_rig_wait(const struct port_rig *rig, const unsigned int *counter, unsigned int n);
/** loss_rig_burst - call the bursts of all queues once. Return: number of packets that came */
unsigned int loss_rig_burst(const struct port_rig *rig);
/** loss_rig_wait_for_packet - call the bursts until a packet comes. Return: false after a minute */
bool loss_rig_wait_for_packet(const struct port_rig *rig);
/** loss_rig_inject - raise an event of the device, such as DEVX_EMU_INJECT_DEVICE_FATAL */
void loss_rig_inject(const struct port_rig *rig, enum devx_emu_inject what);

#endif
