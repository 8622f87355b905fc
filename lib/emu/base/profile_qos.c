/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/profile.h"

#include "prm/prm.h"

enum { RATE_MIN_KBPS = 1, RATE_MAX_KBPS = 100000000 };

/*
 * PRM-MISSING: rate limits of 1 kbit/s to 100 Gbit/s, 127 of them (a ConnectX-6 Dx reports them in
 * the log line of mlx5_core in public reports).
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
