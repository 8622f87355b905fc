/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_events.h"
#include "devx_log.h"
#include "devx_port.h"

bool devx_eth_is_lost(const struct devx_eth *eth)
{
	return __atomic_load_n(&eth->events.lost, __ATOMIC_ACQUIRE);
}

int devx_eth_event_subscribe(struct devx_eth *eth, struct mlx5dv_devx_obj *obj, uint16_t type,
			     uint64_t *cookie)
{
	const int rc = devx_event_subscribe(&eth->events.channel, obj, &type, 1, *cookie);

	if (rc != -EINVAL)
		return rc;
	eth->events.withheld |= 1u << type;
	*cookie = 0;
	return 0;
}

bool devx_eth_event_is_withheld(const struct devx_eth *eth, enum prm_event type)
{
	return eth->events.withheld >> type & 1;
}

void devx_eth_events_report(struct devx_eth *eth)
{
	if (eth->events.reported)
		return;
	eth->events.reported = eth->events.withheld;
	if (devx_eth_event_is_withheld(eth, PRM_EVENT_PORT_CHANGE))
		devx_eth_log(eth, NOTICE,
			     "events: the device withholds PORT_CHANGE from users; the verbs "
			     "context reports changes of the link");
	if (devx_eth_event_is_withheld(eth, PRM_EVENT_CQ_ERROR))
		devx_eth_log(eth, NOTICE,
			     "events: the device withholds CQ_ERROR from users; the recovery timer "
			     "reads the state of one CQ every %d ms",
			     DEVX_ETH_CQ_POLL_MS);
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
	*cookie = (uint64_t)++eth->events.n_cqs << 32 | (uint64_t)side << 16 | queue;
	return devx_eth_event_subscribe(eth, cq->obj, PRM_EVENT_CQ_ERROR, cookie);
}
