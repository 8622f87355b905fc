/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "cli/messages.h"
#include "port/ports.h"
#include "send/tx.h"

/* Prepares the generator ring. Returns whether the choice is made, or has failed with @e. */
static bool try_ring(struct tx *tx, const struct port *port, const struct options *o,
		     enum pktgen_exit *e)
{
	const int rc = sender_ring.prepare(tx, port, o, tx->sender_why, sizeof(tx->sender_why));

	if (!rc) {
		tx->sender = &sender_ring;
		return true;
	}
	sender_ring.release(tx);
	if (o->sender == SENDER_AUTO)
		return false;
	*e = report_error(rc == -ENOMEM ? PKTGEN_ENVIRONMENT : PKTGEN_USAGE,
			  "--sender ring: %s; give --sender mbuf or auto", tx->sender_why);
	return true;
}

enum pktgen_exit tx_prepare(struct tx *tx, const struct port *port, const struct options *o)
{
	char why[TX_WHY_BYTES] = "";
	enum pktgen_exit e = PKTGEN_MET;

	if (port->addresses.n && o->sender == SENDER_RING)
		return report_error(
			PKTGEN_USAGE,
			"--sender ring: port %s also sends answers (--address), and the "
			"ring cannot; give --sender mbuf or auto",
			port->device);
	if (port->addresses.n)
		snprintf(tx->sender_why, sizeof(tx->sender_why),
			 "the port also sends answers (--address)");
	else if (o->sender != SENDER_MBUF && try_ring(tx, port, o, &e))
		return e;
	tx->sender = &sender_mbuf;
	if (sender_mbuf.prepare(tx, port, o, why, sizeof(why)))
		e = report_error(PKTGEN_ENVIRONMENT, "stream %u: %s", tx->id, why);
	return e;
}

void tx_release(struct tx *tx)
{
	if (tx->sender)
		tx->sender->release(tx);
	histogram_free(&tx->gaps);
	histogram_free(&tx->late);
}
