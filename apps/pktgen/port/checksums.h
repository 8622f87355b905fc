/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CHECKSUMS_H
#define PKTGEN_CHECKSUMS_H

#include "model/job.h"
#include "port/ports.h"

/**
 * ports_choose_checksums - choose the flows whose checksums the port writes (--checksums)
 * @p: open ports, before ports_configure(). Receives the offloads that their flows need
 * @j: the flows. Receives, for each flow, the checksums that its port writes
 * @o: the command line
 *
 * With --checksums auto, the port writes checksums that depend on the payload. The checksum of an
 * IPv4 header alone costs software less than the port.
 *
 * Return: PKTGEN_MET; or PKTGEN_USAGE after one line on stderr if --checksums port asks for more
 * than a flow or its port can do
 */
enum pktgen_exit ports_choose_checksums(struct ports *p, struct job *j, const struct options *o);

#endif
