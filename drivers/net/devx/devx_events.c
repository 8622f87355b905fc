/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_events.h"
#include "devx_port.h"

bool devx_eth_is_lost(const struct devx_eth *eth)
{
	return __atomic_load_n(&eth->events.lost, __ATOMIC_ACQUIRE);
}

int devx_eth_cq_create(struct devx_cq *cq, struct devx_eth *eth, const struct devx_cq_attr *attr,
		       const struct devx_umem_ring *ring, enum devx_eth_cq_side side,
		       uint16_t queue, uint64_t *cookie)
{
	int rc = devx_cq_create_in_umem(cq, &eth->dev, attr, ring);

	if (rc)
		return rc;
	rc = devx_eth_cq_watch(cq, eth, side, queue, cookie);
	if (rc)
		devx_cq_destroy(cq);
	return rc;
}

int devx_eth_cq_watch(const struct devx_cq *cq, struct devx_eth *eth, enum devx_eth_cq_side side,
		      uint16_t queue, uint64_t *cookie)
{
	static const uint16_t cq_error = PRM_EVENT_CQ_ERROR;

	*cookie = (uint64_t)++eth->events.n_cqs << 32 | (uint64_t)side << 16 | queue;
	return devx_event_subscribe(&eth->events.channel, cq->obj, &cq_error, 1, *cookie);
}
