/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ethtool's statistics of the netdev of a port: names from mlx5_core, values from emu.
 *
 * The values are sums over all adapters of a launch, which each of its processes can read
 * (shared.h). Statistics that emu does not count are missing, such as frames by length. Statistics
 * of events that cannot happen in emu are 0, such as CRC errors.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/user_memory.h"
#include "emu/uverbs/ethtool/ethtool.h"

#define AT(field) (1 + offsetof(struct emu_vport_counters, field) / sizeof(uint64_t))
#define N_SUM 3

/* A statistic is the sum of up to N_SUM counters; 0 is not a counter. */
static const struct statistic {
	const char *name;
	uint8_t counter[N_SUM];
} statistics[] = {
/* clang-format off */
#define NAME(name, ...) { name, { __VA_ARGS__ } }
#define NEVER(name) { name, { 0 } }
/* clang-format on */
#define SUM(counter, unit) AT(counter##_uc_##unit), AT(counter##_mc_##unit), AT(counter##_bc_##unit)
#define VPORT(side, kind, letters)                                                                 \
	NAME(#side "_vport_" kind "_packets", AT(side##_##letters##_packets)),                     \
		NAME(#side "_vport_" kind "_bytes", AT(side##_##letters##_bytes))
#define NEVER_RDMA(side, kind)                                                                     \
	NEVER(side "_vport_rdma_" kind "_packets"), NEVER(side "_vport_rdma_" kind "_bytes")
#define NEVER_PRIO(prio) NEVER("rx_prio" prio "_discards")
	/* the emulated kernel has no receive queues, so these two stay 0 */
	NEVER("rx_wqe_err"),
	NEVER("rx_out_of_buffer"),
	NAME("rx_steer_missed_packets", AT(rx_steering_miss), AT(rx_dropped)),
	VPORT(rx, "unicast", uc),
	VPORT(tx, "unicast", uc),
	VPORT(rx, "multicast", mc),
	VPORT(tx, "multicast", mc),
	VPORT(rx, "broadcast", bc),
	VPORT(tx, "broadcast", bc),
	NEVER_RDMA("rx", "unicast"),
	NEVER_RDMA("tx", "unicast"),
	NEVER_RDMA("rx", "multicast"),
	NEVER_RDMA("tx", "multicast"),
	NAME("tx_packets_phy", SUM(tx, packets)),
	NAME("rx_packets_phy", SUM(rx, packets)),
	NEVER("rx_crc_errors_phy"),
	NAME("tx_bytes_phy", SUM(tx, bytes)),
	NAME("rx_bytes_phy", SUM(rx, bytes)),
	NAME("tx_multicast_phy", AT(tx_mc_packets)),
	NAME("tx_broadcast_phy", AT(tx_bc_packets)),
	NAME("rx_multicast_phy", AT(rx_mc_packets)),
	NAME("rx_broadcast_phy", AT(rx_bc_packets)),
	NEVER("rx_in_range_len_errors_phy"),
	NEVER("rx_out_of_range_len_phy"),
	NAME("rx_oversize_pkts_phy", AT(rx_oversize)),
	NEVER("rx_symbol_err_phy"),
	NEVER("tx_mac_control_phy"),
	NEVER("rx_mac_control_phy"),
	NEVER("rx_unsupported_op_phy"),
	NEVER("rx_pause_ctrl_phy"),
	NEVER("tx_pause_ctrl_phy"),
	NEVER("rx_discards_phy"),
	NEVER("tx_discards_phy"),
	NEVER("tx_errors_phy"),
	NEVER("rx_fragments_phy"),
	NEVER("rx_jabbers_phy"),
	NEVER_PRIO("0"),
	NEVER_PRIO("1"),
	NEVER_PRIO("2"),
	NEVER_PRIO("3"),
	NEVER_PRIO("4"),
	NEVER_PRIO("5"),
	NEVER_PRIO("6"),
	NEVER_PRIO("7"),
	NEVER("module_unplug"),
	NEVER("module_bus_stuck"),
	NEVER("module_high_temp"),
	NEVER("module_bad_shorted"),
#undef NAME
#undef NEVER
};

enum { N_STATISTICS = sizeof(statistics) / sizeof(statistics[0]) };

unsigned uv_ethtool_n_statistics(void)
{
	return N_STATISTICS;
}

static uint64_t compute_statistic(const struct statistic *s, const struct emu_vport_counters *c)
{
	const uint64_t *counters = (const uint64_t *)(const void *)c;
	uint64_t sum = 0;

	for (unsigned i = 0; i < N_SUM && s->counter[i]; i++)
		sum += __atomic_load_n(&counters[s->counter[i] - 1], __ATOMIC_RELAXED);
	return sum;
}

/* Writes all values, as Linux does: it ignores the number that the caller passes. */
int uv_ethtool_get_statistics(const struct uv_ethtool *e)
{
	const struct emu_vport_counters *c = &uv_front.shared->traffic[e->port].vport;
	const struct ethtool_stats head = { ETHTOOL_GSTATS, N_STATISTICS };
	uint64_t values[N_STATISTICS];
	int rc = uv_copy_to_user(e->data, &head, sizeof(head));

	for (unsigned i = 0; i < N_STATISTICS; i++)
		values[i] = compute_statistic(&statistics[i], c);
	return rc ? rc : uv_copy_to_user(e->data + sizeof(head), values, sizeof(values));
}

/* Leaves other sets of strings, such as features, to the driver of the netdev. */
int uv_ethtool_get_strings(const struct uv_ethtool *e)
{
	struct ethtool_gstrings head;
	char names[N_STATISTICS][ETH_GSTRING_LEN] = { 0 };
	int rc = uv_copy_from_user(&head, e->data, sizeof(head));

	if (rc)
		return rc;
	if (head.string_set == ETH_SS_PRIV_FLAGS)
		return -EOPNOTSUPP;
	if (head.string_set != ETH_SS_STATS)
		return -ENOTTY;
	head.len = N_STATISTICS;
	for (unsigned i = 0; i < N_STATISTICS; i++)
		strncpy(names[i], statistics[i].name, ETH_GSTRING_LEN - 1);
	rc = uv_copy_to_user(e->data, &head, sizeof(head));
	return rc ? rc : uv_copy_to_user(e->data + sizeof(head), names, sizeof(names));
}

/* Returns whether the netdev has a set of strings; @n receives the number of strings. */
static bool count_set(const struct uv_ethtool *e, unsigned set, uint32_t *n)
{
	union {
		struct ethtool_sset_info head;
		uint8_t bytes[sizeof(struct ethtool_sset_info) + sizeof(uint32_t)];
	} ask = { .head = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << set } };

	*n = N_STATISTICS;
	if (set == ETH_SS_STATS)
		return true;
	if (set == ETH_SS_PRIV_FLAGS || uv_ethtool_forward(e, &ask) || !ask.head.sset_mask)
		return false;
	memcpy(n, ask.bytes + sizeof(ask.head), sizeof(*n));
	return true;
}

int uv_ethtool_count_strings(const struct uv_ethtool *e)
{
	enum { MAX_SETS = 64 };
	struct ethtool_sset_info head;
	uint32_t counts[MAX_SETS];
	unsigned n = 0;
	uint64_t asked;
	int rc = uv_copy_from_user(&head, e->data, sizeof(head));

	if (rc)
		return rc;
	asked = head.sset_mask;
	head.sset_mask = 0;
	for (unsigned set = 0; set < MAX_SETS; set++)
		if (asked >> set & 1 && count_set(e, set, &counts[n])) {
			head.sset_mask |= 1ull << set;
			n++;
		}
	rc = uv_copy_to_user(e->data, &head, sizeof(head));
	return rc ? rc : uv_copy_to_user(e->data + sizeof(head), counts, n * sizeof(counts[0]));
}
