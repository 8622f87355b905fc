/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RESOLVE_H
#define PKTGEN_RESOLVE_H

#include "run/run.h"

/**
 * run_resolve - find the MAC addresses of the gateways of all ports
 * @r: the ports are started, and their responders are made; no worker polls
 * @stop: the wait ends as soon as *@stop is not 0
 *
 * Asks three times, a second apart, as hosts do (RFC 4861, section 10). Answers requests meanwhile.
 *
 * Return: PKTGEN_MET, also when *@stop ended the wait; or PKTGEN_ENVIRONMENT after one line on
 * stderr for each gateway that did not answer
 */
enum pktgen_exit run_resolve(struct run *r, const volatile int *stop);

#endif
