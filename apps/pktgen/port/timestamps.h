/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TIMESTAMPS_H
#define PKTGEN_TIMESTAMPS_H

#include "model/job.h"
#include "port/ports.h"

/**
 * DOC: Timestamps of ports
 *
 * A port with the offload RTE_ETH_RX_OFFLOAD_TIMESTAMP writes the time of its own clock to each
 * received mbuf. rte_eth_read_clock() reads this clock; base/device_clock.h converts it to the TSC.
 */

/**
 * timestamps_choose - choose the ports whose receive times are those of the device (--timestamps)
 * @p: open ports, before ports_configure(). Receives the choice
 * @j: the flows; only ports that receive generated frames need times
 * @o: the command line
 *
 * Return: PKTGEN_MET, or another code after one line on stderr: a port has no timestamps, and
 * --timestamps device asks for them
 */
enum pktgen_exit timestamps_choose(struct ports *p, const struct job *j, const struct options *o);

/**
 * timestamps_begin - compare the clocks of the devices with the TSC, at the start
 * @p: started ports
 * @o: the command line
 *
 * Takes about 0.1 s. A port whose clock cannot be read has the TSC from now on.
 *
 * Return: PKTGEN_MET, or another code after one line on stderr: the clock of a port cannot be read,
 * and --timestamps device asks for it
 */
enum pktgen_exit timestamps_begin(struct ports *p, const struct options *o);

/** timestamps_resume - begin again after a pause. A clock that cannot be read keeps its line */
void timestamps_resume(struct ports *p);

/** timestamps_update - compare the clocks once more. Call it every 0.1 s, and at the end */
void timestamps_update(struct ports *p);

#endif
