/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_LOST_H
#define EMU_QUEUE_LOST_H

#include "emu/base/dev.h"

/**
 * DOC: Queues and keys whose memory a client unmapped or truncated
 *
 * base/guard.h calls these functions when an access to client memory faults. They find the object
 * that contains the byte that faulted:
 *
 *     ring or record of an SQ or RQ   WQ catastrophic error event; the queue goes to ERR
 *     ring or record of a CQ          CQ error event; the CQ fails, and its SQs and RQs with it
 *     ring of an EQ                   eqc.status becomes "write failure"
 *     a byte of an mkey               the WQE ends with an error CQE: local protection error
 *
 * PRM-MISSING: an SQ or RQ whose ring or doorbell record has no translation goes to ERR with a WQ
 * catastrophic error event (judging by its name; Linux pins the memory, so none occurs; net_mlx5
 * acts on events of devices and ports only, mlx5_dev_interrupt_handler)
 */

/** emu_is_in_frame - implements is_in_frame of struct emu_callbacks */
bool emu_is_in_frame(const struct emu_frame *f, const uint8_t *at);

/** emu_owns_memory - implements owns_memory of struct emu_callbacks */
bool emu_owns_memory(struct emu_adapter *a, const uint8_t *at, bool again);

/** emu_lose_memory - implements memory_lost of struct emu_callbacks; counts a mistake */
void emu_lose_memory(struct emu_adapter *a, const uint8_t *at);

/** emu_unblock_mkeys - implements unblock_mkeys of struct emu_callbacks */
void emu_unblock_mkeys(struct emu_adapter *a);

#endif
