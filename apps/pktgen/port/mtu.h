/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MTU_H
#define PKTGEN_MTU_H

#include "model/job.h"
#include "port/ports.h"

/**
 * port_set_mtu - set the MTU of a port
 * @port: attached, not started
 * @mtu: the MTU that the user asked for
 * @dev: the limits of the port
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit port_set_mtu(struct port *port, uint16_t mtu, const struct rte_eth_dev_info *dev);

/**
 * ports_check_frames - check that the frames of all flows fit the MTU of their ports
 * @p: open ports
 * @j: the job
 *
 * Return: PKTGEN_MET, or PKTGEN_USAGE after one line on stderr
 */
enum pktgen_exit ports_check_frames(const struct ports *p, const struct job *j);

#endif
