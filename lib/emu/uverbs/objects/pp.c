/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/pp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/object.h"

/** struct uv_rate - an entry of uv_dev.rates; its index in firmware is its position plus 1 */
struct uv_rate {
	struct prm_set_pp_rate_limit_context ctx;
	uint16_t uid;
	bool dedicated;
	uint32_t users;
};

/* Entry 0 of firmware's table means "no limit" and is not in uv_dev.rates. */
static uint32_t count_rates(const struct uv_dev *dev)
{
	return (uint32_t)prm_get(&dev->qos, packet_pacing_rate_table_size) - 1;
}

static int send_rate(struct uv_dev *dev, uint32_t place, bool set)
{
	const struct uv_rate *r = &dev->rates[place];
	struct prm_set_pp_rate_limit_in in = { 0 };
	struct prm_set_pp_rate_limit_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_set_pp_rate_limit);
	prm_set(&in, uid, r->uid);
	prm_set(&in, rate_limit_index, place + 1);
	if (set)
		*prm_sub(&in, ctx) = r->ctx;
	return UV_EXEC(dev, in, out);
}

/* Returns a shareable entry with the same rate limit; else the first free entry, or NULL. */
static struct uv_rate *find_rate(struct uv_dev *dev,
				 const struct prm_set_pp_rate_limit_context *ctx, uint16_t uid,
				 bool dedicated)
{
	struct uv_rate *unused = NULL;

	for (uint32_t i = 0; i < count_rates(dev); i++) {
		struct uv_rate *r = &dev->rates[i];

		if (!r->users && !unused)
			unused = r;
		if (r->users && !dedicated && !r->dedicated && r->uid == uid &&
		    !memcmp(&r->ctx, ctx, sizeof(*ctx)))
			return r;
	}
	return unused;
}

static int use_rate(struct uv_dev *dev, const struct prm_set_pp_rate_limit_context *ctx,
		    uint16_t uid, bool dedicated, uint16_t *index)
{
	const uint64_t rate = prm_get(ctx, rate_limit);
	struct uv_rate *r;
	int rc;

	if (!rate || rate < prm_get(&dev->qos, packet_pacing_min_rate) ||
	    rate > prm_get(&dev->qos, packet_pacing_max_rate))
		return -EINVAL;
	if (!dev->rates)
		dev->rates = calloc(count_rates(dev), sizeof(*dev->rates));
	if (!dev->rates)
		return -ENOMEM;
	r = find_rate(dev, ctx, uid, dedicated);
	if (!r)
		return -ENOSPC;
	*index = (uint16_t)(r - dev->rates + 1);
	if (!r->users) {
		*r = (struct uv_rate){ *ctx, uid, dedicated, 0 };
		rc = send_rate(dev, *index - 1u, true);
		if (rc)
			return rc;
	}
	r->users++;
	return 0;
}

/* Ignores firmware's status, as Linux does. */
static int pp_free(struct uv_obj *obj)
{
	const struct uv_pp *pp = (struct uv_pp *)obj;
	struct uv_dev *dev = obj->file->dev;

	if (pp->index && !--dev->rates[pp->index - 1].users)
		send_rate(dev, pp->index - 1u, false);
	return 0;
}

const struct uv_type uv_type_pp = { "PP", pp_free };

int uv_pp_create(struct uv_file *file, const struct prm_set_pp_rate_limit_context *ctx,
		 bool dedicated, struct uv_pp **out)
{
	const uint16_t uid = dedicated ? file->uid : PRM_UID_SHARED_RESOURCE;
	struct uv_pp *pp = uv_obj_alloc(file, &uv_type_pp, sizeof(*pp));
	int rc;

	if (!pp)
		return -ENOMEM;
	rc = use_rate(file->dev, ctx, uid, dedicated, &pp->index);
	if (rc) {
		uv_obj_free(&pp->obj);
		return rc;
	}
	*out = pp;
	return 0;
}
