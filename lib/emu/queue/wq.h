/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQ_H
#define EMU_QUEUE_WQ_H

#include <stdint.h>

/**
 * DOC: Queues
 *
 *     UAR page --doorbell--> busy SQs --sq.c--> WQE --wqe_*.c--> frame --port.c--> wire
 *                                |                                              |
 *                               cq.c <--rq.c-- TIR <--steering-- packet <--port.c
 *                                '--eq.c--> interrupt
 *
 * Commands (firmware/) create, modify and destroy queues; the engine (device/engine.c) runs
 * them. The ring and the doorbell record of a queue are spans: over a umem (DEVX) or over the PAS
 * list of its mailbox (kernel). The callers of this folder hold the adapter's lock,
 * except for the functions of emu.h.
 */

enum { EMU_RING_INDEXES = 1 << 16 }; /* producer counters of SQs and RQs are 16 bits wide */

#endif
