/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_QUEUES_H
#define PKTGEN_QUEUES_H

#include "run/run.h"

/**
 * queues_make_tx - make the send queues, and choose the sender of each stream
 * @r: has its streams
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit queues_make_tx(struct run *r);

/**
 * queues_make_rx - prepare all receive queues of all ports
 *
 * Ports that expect no stream are polled as well, to notice frames that the wire returned to them.
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit queues_make_rx(struct run *r);

/** queues_make_responders - prepare the answers of ports with addresses. Return: as above */
enum pktgen_exit queues_make_responders(struct run *r);

/** queues_free - undo all of the above. The ports are closed */
void queues_free(struct run *r);

#endif
