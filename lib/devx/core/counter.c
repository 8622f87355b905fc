/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/counter.h"
#include "prm/prm.h"

int devx_counter_create(struct devx_counter *counter, struct devx_dev *dev)
{
	struct prm_alloc_q_counter_in in = { 0 };
	struct prm_alloc_q_counter_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_alloc_q_counter);
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), &counter->obj);
	if (rc)
		return rc;
	counter->dev = dev;
	counter->id = (uint8_t)prm_get(&out, counter_set_id);
	return 0;
}

void devx_counter_destroy(struct devx_counter *counter)
{
	devx_cmd_destroy(counter->dev, counter->obj);
	*counter = (struct devx_counter){ 0 };
}

static struct prm_query_q_counter_in build_query(const struct devx_counter *counter)
{
	struct prm_query_q_counter_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_q_counter);
	prm_set(&in, counter_set_id, counter->id);
	return in;
}

int devx_counter_read(const struct devx_counter *counter, uint32_t *out_of_buffer)
{
	const struct prm_query_q_counter_in in = build_query(counter);
	struct prm_query_q_counter_out out = { 0 };
	int rc;

	rc = devx_cmd_query(counter->dev, counter->obj, &in, sizeof(in), &out, sizeof(out));
	if (!rc)
		*out_of_buffer = (uint32_t)prm_get(&out, out_of_buffer);
	return rc;
}

int devx_counter_query(const struct devx_counter *counter, struct devx_async *async, uint64_t wr_id)
{
	const struct prm_query_q_counter_in in = build_query(counter);

	return devx_async_query(async, counter->obj, &in, sizeof(in),
				sizeof(struct prm_query_q_counter_out), wr_id);
}

int devx_counter_take(struct devx_async *async, uint64_t *wr_id, uint32_t *out_of_buffer)
{
	struct {
		uint64_t wr_id;
		struct prm_query_q_counter_out out;
	} reply;
	const int rc = devx_async_take(async, &reply, sizeof(reply));

	if (!rc || rc == -EREMOTEIO)
		*wr_id = reply.wr_id;
	if (!rc)
		*out_of_buffer = (uint32_t)prm_get(&reply.out, out_of_buffer);
	if (rc == -EREMOTEIO)
		async->refusal.opcode = PRM_OP_query_q_counter;
	return rc;
}
