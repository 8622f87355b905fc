/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TIMESTAMPS_H
#define PKTGEN_TIMESTAMPS_H

#include "model/job.h"
#include "port/ports.h"

/**
 * DOC: Timestamps of ports
 *
 * A port with the offload RTE_ETH_RX_OFFLOAD_TIMESTAMP writes the time of its own clock to each
 * received mbuf. rte_eth_read_clock() reads that clock; base/device_clock.h converts it to the TSC.
 */

/**
 * timestamps_choose - choose the ports that timestamp received frames themselves (--timestamps)
 * @p: open ports, before ports_configure(). Receives the choice
 * @j: the flows; only ports that receive generated frames need receive times
 * @o: the command line
 *
 * Return: PKTGEN_MET, or another code after one line on stderr if --timestamps device asks for
 * timestamps that a port does not have
 */
enum pktgen_exit timestamps_choose(struct ports *p, const struct job *j, const struct options *o);

/**
 * timestamps_begin - compare the clocks of the devices with the TSC for the first time
 * @p: started ports
 * @o: the command line
 *
 * Takes about 0.1 s. A port whose clock cannot be read uses the TSC from now on.
 *
 * Return: PKTGEN_MET, or another code after one line on stderr if --timestamps device asks for a
 * clock that cannot be read
 */
enum pktgen_exit timestamps_begin(struct ports *p, const struct options *o);

/** timestamps_resume - compare anew after a pause. Unreadable clocks keep their last conversion */
void timestamps_resume(struct ports *p);

/** timestamps_update - compare the clocks again. Call it every 0.1 s, and at the end */
void timestamps_update(struct ports *p);

#endif
