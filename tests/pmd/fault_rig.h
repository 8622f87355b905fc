/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAULT_RIG_H
#define FAULT_RIG_H

#include "port_rig.h"

/**
 * DOC: Faults under traffic
 *
 * Each packet has a number, so a test sees which packets came, and how often:
 *
 *     packets taken by send bursts = packets of the send queues
 *     packets of receive bursts    = packets of the receive queues, and no number came twice
 *
 * port_account_expect() follows the frames between them through emu. The seed decides which faults
 * happen, and when.
 */

enum {
	FAULT_RIG_RING = 128,
	FAULT_RIG_NUMBERS = 1 << 22, /* numbers that packets can have */
	FAULT_RIG_KINDS = DEVX_EMU_INJECT_DEVICE_RETURN + 1,
};

/**
 * struct fault_rig - traffic and faults of a port
 * @port: the port; it has events of link and removal, and at least @n_queues pairs of queues
 * @n_queues: pairs of queues that the rig uses
 * @n_idle: pairs behind them whose bursts the rig calls without packets, for the recovery; it frees
 *          what they receive
 * @random: state of the random numbers
 * @n_made: numbers that packets have since fault_rig_begin_numbers()
 * @n_taken, @n_received: packets that bursts took and gave, since the rig began
 * @n_twice, @n_unknown: packets that came twice, and packets with a number that no packet has
 * @seen: how often each number came
 * @n_injected: faults by enum devx_emu_inject
 */
struct fault_rig {
	struct port_rig *port;
	uint16_t n_queues, n_idle;
	uint64_t random;
	uint32_t n_made;
	uint64_t n_taken, n_received, n_twice, n_unknown;
	uint8_t *seen;
	unsigned int n_injected[FAULT_RIG_KINDS];
};

/**
 * fault_rig_up - begin, with the seed of the environment variable FAULTS_SEED or a random one
 *
 * Prints the seed. Begins loss_rig_listen().
 */
void fault_rig_up(struct fault_rig *f, struct port_rig *port, uint16_t n_queues);
void fault_rig_down(struct fault_rig *f);
/** fault_rig_config - get the configuration of a port with @n_queues pairs of queues and events */
struct port_rig_config fault_rig_config(uint16_t n_queues);
/** fault_rig_draw - draw a number below @n */
uint32_t fault_rig_draw(struct fault_rig *f, uint32_t n);
/** fault_rig_move - send and receive on each queue, @rounds times */
void fault_rig_move(struct fault_rig *f, unsigned int rounds);
/**
 * fault_rig_inject - inject one fault of a random queue
 * @kinds: kinds to choose from; the device returns at once from a removal, the link from a fall
 *
 * Return: whether the fault happened; false: the queue has no such object now
 */
bool fault_rig_inject(struct fault_rig *f, const enum devx_emu_inject *kinds, unsigned int n);
/** fault_rig_run_until_healthy - move traffic until no fault is left. Return: false: too long */
bool fault_rig_run_until_healthy(struct fault_rig *f);
/** fault_rig_drain - receive until no packet comes any more. Return: false: it took too long */
bool fault_rig_drain(struct fault_rig *f);
/** fault_rig_begin_numbers - forget all numbers; no packet is on its way */
void fault_rig_begin_numbers(struct fault_rig *f);
/** fault_rig_expect_fates - expect what the first comment says of packets and queues */
void fault_rig_expect_fates(const struct fault_rig *f);

#endif
