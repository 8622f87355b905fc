/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_STAMPS_H
#define PKTGEN_STAMPS_H

#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>

#include "base/device_clock.h"

/**
 * struct port_stamps - timestamps that a port writes to received mbufs
 * @on: whether the receiver uses them
 * @why: the reason why @on is false, or NULL
 * @offset, @flag: dynamic field and flag of the mbufs
 * @clock: the clock of the device
 */
struct port_stamps {
	bool on;
	const char *why;
	int offset;
	uint64_t flag;
	struct device_clock clock;
};

static inline bool stamps_has(const struct port_stamps *s, const struct rte_mbuf *m)
{
	return (m->ol_flags & s->flag) != 0;
}

/** stamps_get_tsc - convert the timestamp of an mbuf to the TSC; undefined if it has none */
static inline uint64_t stamps_get_tsc(const struct port_stamps *s, const struct clock_line *line,
				      const struct rte_mbuf *m)
{
	return clock_line_to_tsc(line,
				 *RTE_MBUF_DYNFIELD(m, s->offset, const rte_mbuf_timestamp_t *));
}

#endif
