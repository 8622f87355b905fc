/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CHECKSUMS_H
#define PKTGEN_CHECKSUMS_H

#include "model/job.h"
#include "port/ports.h"

/**
 * ports_choose_checksums - choose which flows have checksums that their port writes (--checksums)
 * @p: open ports, before ports_configure(). Receives the offloads that their flows need
 * @j: the flows. Receives the checksums of each
 * @o: the command line
 *
 * With --checksums auto, the port writes checksums that depend on the payload. The checksum of an
 * IPv4 header alone costs software less than the port.
 *
 * Return: PKTGEN_MET, or another code after one line on stderr: the flow or the port cannot do what
 * --checksums port asks for
 */
enum pktgen_exit ports_choose_checksums(struct ports *p, struct job *j, const struct options *o);

#endif
