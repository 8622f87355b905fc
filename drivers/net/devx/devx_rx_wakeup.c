/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "devx/cq.h"
#include "devx_rx_wakeup.h"
#include "prm/values.h"

int devx_eth_rx_wakeup_create(struct devx_eth_rx_wakeup *w, struct devx_dev *dev)
{
	int rc = devx_event_channel_create(&w->channel, dev, true);

	if (rc || w->kept) {
		w->kept = w->kept && rc;
		return rc;
	}
	w->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (w->fd >= 0)
		return 0;
	rc = -errno;
	devx_event_channel_destroy(&w->channel);
	dev->refusal = (struct devx_refusal){ 0 }; /* devx_strerror() then describes @rc alone */
	return rc;
}

void devx_eth_rx_wakeup_destroy(struct devx_eth_rx_wakeup *w)
{
	if (!devx_eth_rx_wakeup_is_on(w) && !w->kept)
		return;
	devx_event_channel_destroy(&w->channel);
	close(w->fd);
	*w = (struct devx_eth_rx_wakeup){ 0 };
}

void devx_eth_rx_wakeup_detach(struct devx_eth_rx_wakeup *w)
{
	if (!devx_eth_rx_wakeup_is_on(w))
		return;
	devx_event_channel_destroy(&w->channel);
	w->kept = true;
}

int devx_eth_rx_wakeup_attach(struct devx_eth_rx_wakeup *w, const struct devx_cq *cq)
{
	if (!devx_eth_rx_wakeup_is_on(w))
		return 0;
	devx_eth_rx_wakeup_drain(w);
	w->sn = 0;
	return devx_event_subscribe_fd(&w->channel, cq->obj, PRM_EVENT_COMP, w->fd);
}

/* Counts in the high half of the eventfd. The kernel adds 1 for each completion event: low half. */
static const uint64_t raise_value = UINT64_C(1) << 32;

void devx_eth_rx_wakeup_drain(struct devx_eth_rx_wakeup *w)
{
	uint64_t n;

	if (read(w->fd, &n, sizeof(n)) == sizeof(n))
		w->sn = (uint8_t)(w->sn + n);
}

/*
 * A thread that sleeps after this call must not miss a CQE from before the call. The device sends
 * an event for such a CQE at once (devx_uar_arm_cq()); the check after the arm does not rely on
 * that. If an event fires between the read and the arm, the device ignores the arm, but @w->fd is
 * already readable.
 */
void devx_eth_rx_wakeup_arm(struct devx_eth_rx_wakeup *w, struct devx_cq *cq)
{
	devx_eth_rx_wakeup_drain(w);
	devx_cq_arm(cq, w->sn);
	if (devx_cq_peek(cq))
		devx_eth_rx_wakeup_raise(w);
}

void devx_eth_rx_wakeup_raise(const struct devx_eth_rx_wakeup *w)
{
	if (devx_eth_rx_wakeup_is_on(w) &&
	    write(w->fd, &raise_value, sizeof(raise_value)) != sizeof(raise_value))
		return; /* the counter is full, so that the descriptor is readable */
}
