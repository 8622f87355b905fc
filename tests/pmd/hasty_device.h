/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HASTY_DEVICE_H
#define HASTY_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/cq.h"
#include "devx/rq.h"
#include "devx/sq.h"
#include "write_trap.h"

/**
 * DOC: A device that acts at the store to a doorbell record or register
 *
 * An adapter may act at any time after such a store, emu acts later most of the time. This device
 * acts before the next instruction of the driver (write_trap.h):
 *
 *     record of a CQ    overwrites the CQEs that the driver released
 *     record of an RQ   copies the WQEs that the driver posted
 *     record of an SQ   copies them
 *     doorbell          compares the WQE that it names with the record
 *
 * hasty_device_end() compares the copies with the rings: the driver wrote no WQE after its record.
 * What the driver reads from a released CQE is garbage, and the test compares its packets. The
 * engine of emu is paused meanwhile, or does not know the queues.
 */

/**
 * struct hasty_device - what the device knows of the queues of a burst
 * @cq, @rq, @sq: the queues; NULL: none
 * @ci: consumer counter of the CQ, as the driver published it
 * @pi: WQEs or blocks that the driver published
 * @unread: CQEs that the posted WQEs will make, and those that the driver has not released
 * @from: @pi at the beginning
 * @copy: WQEs at the moment at which the driver published them, where they are in the ring
 * @n_doorbells: number of doorbells
 * @rung: a doorbell came after the last record of the SQ
 * @mistake: the first mistake of the driver, or NULL
 */
struct hasty_device {
	struct write_trap trap;
	const struct devx_cq *cq;
	const struct devx_rq *rq;
	const struct devx_sq *sq;
	uint32_t ci, unread;
	uint16_t pi, from;
	uint8_t *copy;
	unsigned int n_doorbells;
	bool rung;
	const char *mistake;
};

/** hasty_device_begin_rx - play the device for a receive queue; @ci: packets that it has taken */
void hasty_device_begin_rx(struct hasty_device *device, const struct devx_cq *cq,
			   const struct devx_rq *rq, uint32_t ci);
/** hasty_device_begin_tx - play the device for a send queue */
void hasty_device_begin_tx(struct hasty_device *device, const struct devx_cq *cq,
			   const struct devx_sq *sq);
/** hasty_device_end - stop to play, and expect the driver to have made no mistake */
void hasty_device_end(struct hasty_device *device);

#endif
