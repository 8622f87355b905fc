/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_LOSS_H
#define PKTGEN_LOSS_H

#include "run/figures.h"

/**
 * DOC: Why packets were lost
 *
 * No counter belongs to one lost packet. A counter names the reason if it is at least half as large
 * as the loss of the flow that lost most. A link that was down always is the reason.
 */

enum { LOSS_TEXT_BYTES = 320 };

/** enum loss_reason - why a flow lost packets */
enum loss_reason {
	LOSS_NONE,            /* no flow lost a packet */
	LOSS_LINK,            /* the link of the sending or the receiving port was down */
	LOSS_NOT_SENT,        /* the sending port counts them as errors */
	LOSS_MISDIRECTED,     /* another port received them */
	LOSS_DROPPED,         /* the receiving port dropped them */
	LOSS_FRAGMENTED,      /* the receiving port received fragments instead */
	LOSS_UNKNOWN,         /* the receiving port received frames of no flow instead */
	LOSS_NETWORK,         /* none of these: lost between the ports */
	LOSS_NOTHING_ARRIVED, /* the same, and no packet of the flow arrived */
};

/**
 * loss_find - find why packets were lost
 * @f: final figures
 * @text: receives the reason, and what to do or to look at; "" with LOSS_NONE
 *
 * Return: the reason for the flow that lost most packets
 */
enum loss_reason loss_find(const struct figures *f, char text[LOSS_TEXT_BYTES]);

/** loss_get_code - get the name of a reason for programs, which never changes */
const char *loss_get_code(enum loss_reason reason);

#endif
