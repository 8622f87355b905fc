/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/profile.h"

#include "prm/prm.h"

enum { RATE_MIN_KBPS = 1, RATE_MAX_KBPS = 100000000 };

/*
 * Rate limits of 1 kbit/s to 100 Gbit/s. Entry 0 of the 128 entries means "no limit".
 * Source: the dump of the QoS capabilities in the README of github.com/saeedtx/mlx5ctl; Linux,
 * mlx5_init_rl_table, and the line that it logs for a ConnectX-6 Dx in public reports.
 */
void emu_profile_fill_qos(const struct emu_profile *p, struct prm_qos_cap *c)
{
	prm_set(c, packet_pacing, 1);
	prm_set(c, packet_pacing_uid, 1);
	prm_set(c, packet_pacing_burst_bound, 1);
	prm_set(c, packet_pacing_typical_size, 1);
	prm_set(c, packet_pacing_min_rate, RATE_MIN_KBPS);
	prm_set(c, packet_pacing_max_rate, RATE_MAX_KBPS);
	prm_set(c, packet_pacing_rate_table_size, p->n_rates);
}
