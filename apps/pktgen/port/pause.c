/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/pause.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>

/*
 * The names in DPDK 22.11. Some drivers count all pause frames together and, again, those of each
 * priority. The table then has only the totals.
 */
static const char *const counters[] = {
	"rx_phy_pause_packets",            /* net_devx */
	"rx_xon_packets",                  /* e1000, igc, ixgbe, i40e, ice, ngbe, txgbe */
	"rx_xoff_packets",                 /* the same */
	"rx_pause_frames",                 /* bnxt, qede */
	"rx_pfc_frames",                   /* bnxt */
	"rx_priority_flow_control_frames", /* qede */
	"rx_pause_packets",                /* cxgbe, octeontx */
	"mac_rx_mac_pause_num",            /* hns3 */
	"mac_rx_pfc_pkt_num",              /* hns3 */
	"rx_valid_pause",                  /* dpaa */
};

bool pause_is_counter(const char *name)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (!strcmp(name, counters[i]))
			return true;
	}
	return false;
}

/* Adds the counters of pause frames. Returns whether there is one. */
static bool add_counters(const struct rte_eth_xstat_name *names, const struct rte_eth_xstat *values,
			 unsigned n, uint64_t *sum)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++) {
		if (values[i].id >= n || !pause_is_counter(names[values[i].id].name))
			continue;
		*sum += values[i].value;
		found = true;
	}
	return found;
}

bool pause_read(uint16_t port, uint64_t *n)
{
	const int count = rte_eth_xstats_get_names(port, NULL, 0);
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *values;
	bool found = false;

	*n = 0;
	if (count <= 0)
		return false;
	names = calloc((size_t)count, sizeof(*names));
	values = calloc((size_t)count, sizeof(*values));
	if (names && values && rte_eth_xstats_get_names(port, names, (unsigned)count) == count &&
	    rte_eth_xstats_get(port, values, (unsigned)count) == count)
		found = add_counters(names, values, (unsigned)count, n);
	free(names);
	free(values);
	return found;
}
