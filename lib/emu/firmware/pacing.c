/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packet pacing: the table of rate limits.
 */
#include "emu/firmware/wq.h"

#include "emu/firmware/cmd.h"

uint8_t emu_rate_check(struct emu *emu, uint16_t uid, uint32_t index)
{
	const uint32_t n = (uint32_t)emu_qos_cap(emu, packet_pacing_rate_table_size);

	if (!index)
		return PRM_STATUS_OK;
	if (index >= n)
		return emu_refuse_range(emu, EMU_SYND_RATE, "packet_pacing_rate_limit_index", index,
					0, n - 1);
	if (!emu->rate[index].kbps || (uid && emu->rate[index].uid && emu->rate[index].uid != uid))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_RATE,
				  "packet_pacing_rate_limit_index: entry %u has no rate for uid "
				  "0x%x",
				  index, uid);
	return PRM_STATUS_OK;
}

static uint8_t check_rate(struct emu *emu, const struct prm_set_pp_rate_limit_context *ctx)
{
	const uint64_t rate = prm_get(ctx, rate_limit);
	const uint64_t min = emu_qos_cap(emu, packet_pacing_min_rate);
	const uint64_t max = emu_qos_cap(emu, packet_pacing_max_rate);

	if (rate < min || rate > max)
		return emu_refuse_range(emu, EMU_SYND_RATE, "rate_limit", rate, min, max);
	if (prm_get(ctx, burst_upper_bound) && !emu_qos_cap(emu, packet_pacing_burst_bound))
		return emu_refuse_feature(emu, "burst_upper_bound", "packet_pacing_burst_bound");
	if (prm_get(ctx, typical_packet_size) && !emu_qos_cap(emu, packet_pacing_typical_size))
		return emu_refuse_feature(emu, "typical_packet_size", "packet_pacing_typical_size");
	return PRM_STATUS_OK;
}

/*
 * rate_limit 0 frees an entry, even if an SQ uses it. Source: Linux, mlx5e_set_sq_maxrate and
 * mlx5_set_pp_rate_limit_cmd.
 *
 * PRM-MISSING: an SQ that names a free entry has no limit, and an entry can change while SQs use
 * it. (Linux assigns such an SQ another entry at once, and never changes an entry in use.)
 */
uint8_t emu_fw_set_pp_rate_limit(EMU_FW_ARGS(set_pp_rate_limit))
{
	const struct prm_set_pp_rate_limit_context *ctx = prm_sub(in, ctx);
	const uint32_t n = (uint32_t)emu_qos_cap(emu, packet_pacing_rate_table_size);
	const uint32_t index = (uint32_t)prm_get(in, rate_limit_index);
	struct emu_rate *rate = &emu->rate[index < n ? index : 0];
	uint8_t status;

	if (!index || index >= n)
		return emu_refuse_range(emu, EMU_SYND_RATE, "rate_limit_index", index, 1, n - 1);
	if (uid && rate->kbps && rate->uid != uid)
		return emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT,
				  "rate_limit_index: entry %u belongs to uid 0x%x", index,
				  rate->uid);
	if (!prm_get(ctx, rate_limit)) {
		*rate = (struct emu_rate){ 0 };
		return PRM_STATUS_OK;
	}
	status = check_rate(emu, ctx);
	if (status == PRM_STATUS_OK)
		*rate = (struct emu_rate){ uid, (uint32_t)prm_get(ctx, rate_limit),
					   (uint32_t)prm_get(ctx, burst_upper_bound) };
	return status;
}
