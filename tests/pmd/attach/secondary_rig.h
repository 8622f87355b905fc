/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SECONDARY_RIG_H
#define SECONDARY_RIG_H

#include <stdbool.h>

#include <rte_eal.h>

#include "port_rig.h"
#include "process/devx_message.h"

/**
 * DOC: The secondary side of a port, in the process of its primary side
 *
 *     driver, secondary side -- rte_mp_request_sync() --> rig --> devx_eth_processes_answer()
 *     driver, secondary side <-- handler of messages ---- rig <-- test
 *     driver, primary side -- rte_mp_sendmsg() -> EAL and, if @hear is set, the test
 *
 * The rig takes the calls of DPDK that reach another process (-Wl,--wrap=NAME in meson.build), and
 * duplicates descriptors as a socket does. The secondary side has an ethdev of its own, with the
 * data of the port. It maps doorbell registers at other addresses, because the primary side has
 * those of the queues. tests/scripts/secondary.sh runs several processes.
 */

/* The number of the port on the secondary side */
enum { SECONDARY_RIG_PORT = RTE_MAX_ETHPORTS - 1 };

/**
 * struct secondary_rig - the secondary side
 * @rig: the port of the primary side
 * @ethdev: of the secondary side; attached between secondary_rig_probe() and its end
 * @answer: changes the reply of the primary side; NULL: the request fails
 * @n_left: number of messages DETACH of the secondary side
 * @n_followed: number of messages FOLLOWED of the secondary side
 * @followed: number of the message that it followed last
 * @hear: gets the messages of the primary side to all processes; NULL: nobody does
 * @ops: functions of the primary side for bursts, from secondary_rig_start_port() on
 */
struct secondary_rig {
	struct port_rig *rig;
	struct rte_eth_dev *ethdev;
	void (*answer)(struct rte_mp_reply *replies);
	unsigned int n_left, n_followed;
	uint32_t followed;
	void (*hear)(const struct devx_eth_message *message);
	struct rte_eth_fp_ops ops;
};

/** secondary_rig_play - make EAL report a secondary process, while @on */
void secondary_rig_play(bool on);
/** secondary_rig_up - prepare a secondary side of @rig, whose port is probed */
void secondary_rig_up(struct secondary_rig *s, struct port_rig *rig);
/** secondary_rig_down - detach the secondary side if it is attached */
void secondary_rig_down(struct secondary_rig *s);
/** secondary_rig_probe - probe the device in the secondary process. Return: as a probe of a bus */
int secondary_rig_probe(struct secondary_rig *s);
/** secondary_rig_close - close the port in the secondary process, and remove the device */
int secondary_rig_close(struct secondary_rig *s);
/** secondary_rig_start_port - configure and start the port of the primary side */
void secondary_rig_start_port(struct secondary_rig *s, uint16_t n_rxq, uint16_t n_txq);
/** secondary_rig_use_primary - from here on the test bursts as the primary process */
void secondary_rig_use_primary(struct secondary_rig *s);
/** secondary_rig_has_bursts - check whether the bursts of the secondary side move packets */
bool secondary_rig_has_bursts(const struct secondary_rig *s);
/** secondary_rig_is_mapped - check whether it maps the doorbell register of a send queue */
bool secondary_rig_is_mapped(const struct secondary_rig *s, uint16_t queue);
/** secondary_rig_send - hand a message of the primary process with a descriptor of the device */
void secondary_rig_send(struct secondary_rig *s, enum devx_eth_message_type type, const char *port);
/** secondary_rig_send_lost_request - hand the primary side a request whose reply cannot be sent */
void secondary_rig_send_lost_request(struct rte_mp_msg *request);
/** secondary_rig_end_primary - end the primary process, or revive it for later tests */
void secondary_rig_end_primary(bool end);

#endif
