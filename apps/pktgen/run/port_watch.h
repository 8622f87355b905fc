/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PORT_WATCH_H
#define PKTGEN_PORT_WATCH_H

#include "run/run.h"

/**
 * port_watch_report - print what happened to the ports since the last call: link down, link up
 *
 * Return: the reason to end the run, because a port is gone; or NULL
 */
const char *port_watch_report(struct run *r);

/** port_watch_explain_stall - say why a port takes no frames any more */
const char *port_watch_explain_stall(const struct run *r);

#endif
