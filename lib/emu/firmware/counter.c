/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands for counter objects: queue counters (of RQs) and flow counters (of flow entries).
 */
#include "emu/firmware/cmd.h"
#include "emu/queue/rq.h"
#include "emu/steering/flow.h"

uint8_t emu_fw_alloc_q_counter(EMU_FW_ARGS(alloc_q_counter))
{
	struct emu_q_counter *counter =
		emu_make_object(emu, EMU_Q_COUNTER, uid, sizeof(*counter), NULL);

	if (!counter)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, counter_set_id, counter->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_q_counter(EMU_FW_ARGS(query_q_counter))
{
	struct emu_q_counter *counter = emu_use_field(emu, EMU_Q_COUNTER, in, counter_set_id, uid);

	if (!counter)
		return PRM_STATUS_BAD_RES;
	prm_set(out, out_of_buffer, (uint32_t)counter->out_of_buffer); /* wraps at 32 bits */
	if (prm_get(in, clear))
		counter->out_of_buffer = 0;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_dealloc_q_counter(EMU_FW_ARGS(dealloc_q_counter))
{
	return emu_destroy_field(emu, EMU_Q_COUNTER, in, counter_set_id, uid);
}

uint8_t emu_fw_alloc_flow_counter(EMU_FW_ARGS(alloc_flow_counter))
{
	struct emu_flow_counter *counter =
		emu_make_object(emu, EMU_FLOW_COUNTER, uid, sizeof(*counter), NULL);

	if (!counter)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, flow_counter_id, counter->obj.id);
	return PRM_STATUS_OK;
}

/* Returns one counter for num_of_counters 0 and 1; emu does not model bulks of counters. */
uint8_t emu_fw_query_flow_counter(EMU_FW_ARGS(query_flow_counter))
{
	struct emu_flow_counter *counter =
		emu_use_field(emu, EMU_FLOW_COUNTER, in, flow_counter_id, uid);
	struct prm_traffic_counter *result = prm_sub_at(out, flow_statistics, 0);

	if (!counter)
		return PRM_STATUS_BAD_RES;
	if (prm_get(in, num_of_counters) > 1)
		return emu_refuse_range(emu, EMU_SYND_SIZE, "num_of_counters",
					prm_get(in, num_of_counters), 0, 1);
	if (out_bytes >= sizeof(*out) + sizeof(*result)) {
		prm_set(result, packets, counter->packets);
		prm_set(result, octets, counter->bytes);
	}
	if (prm_get(in, clear))
		counter->packets = counter->bytes = 0;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_dealloc_flow_counter(EMU_FW_ARGS(dealloc_flow_counter))
{
	return emu_destroy_field(emu, EMU_FLOW_COUNTER, in, flow_counter_id, uid);
}
