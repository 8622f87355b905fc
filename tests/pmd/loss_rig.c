/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <time.h>

#include "devx_port.h"
#include "loss_rig.h"
#include "wait_limit.h"

struct loss_seen loss_seen;

static const struct {
	enum rte_eth_event_type event;
	char letter;
	size_t offset;
} events[] = {
	{ RTE_ETH_EVENT_ERR_RECOVERING, 'r', offsetof(struct loss_seen, n_recovering) },
	{ RTE_ETH_EVENT_RECOVERY_SUCCESS, 's', offsetof(struct loss_seen, n_success) },
	{ RTE_ETH_EVENT_RECOVERY_FAILED, 'f', offsetof(struct loss_seen, n_failed) },
	{ RTE_ETH_EVENT_INTR_RMV, 'x', offsetof(struct loss_seen, n_removed) },
	{ RTE_ETH_EVENT_INTR_LSC, 'l', offsetof(struct loss_seen, n_link) },
};

static int note_event(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	RTE_SET_USED(arg);
	RTE_SET_USED(ret);
	for (size_t i = 0; i < RTE_DIM(events); i++) {
		if (events[i].event != event)
			continue;
		if (loss_seen.n < LOSS_RIG_EVENTS)
			loss_seen.order[loss_seen.n++] = events[i].letter;
		__atomic_add_fetch((unsigned int *)((char *)&loss_seen + events[i].offset), 1,
				   __ATOMIC_RELEASE);
	}
	if (loss_seen.hook)
		loss_seen.hook(port, event);
	return 0;
}

void loss_rig_listen(void)
{
	loss_seen = (struct loss_seen){ 0 };
	for (size_t i = 0; i < RTE_DIM(events); i++)
		EXPECT_EQ(0, rte_eth_dev_callback_register(RTE_ETH_ALL, events[i].event, note_event,
							   NULL));
}

void loss_rig_forget(void)
{
	for (size_t i = 0; i < RTE_DIM(events); i++)
		while (rte_eth_dev_callback_unregister(RTE_ETH_ALL, events[i].event, note_event,
						       (void *)-1) == -EAGAIN)
			sched_yield();
}

unsigned int loss_rig_burst(const struct port_rig *rig)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	struct rte_eth_dev_data *data;
	unsigned int n = 0;

	if (!rte_eth_dev_is_valid_port(rig->port))
		return 0;
	data = rte_eth_devices[rig->port].data;
	if (!data->dev_started)
		return 0;
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		rte_eth_tx_burst(rig->port, i, m, 0);
	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const uint16_t got = rte_eth_rx_burst(rig->port, i, m, PORT_RIG_BURST);

		rte_pktmbuf_free_bulk(m, got);
		n += got;
	}
	return n;
}

static time_t get_now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

bool loss_rig_wait(const struct port_rig *rig, const unsigned int *counter, unsigned int n)
{
	const time_t end_s = get_now_s() + WAIT_LIMIT_S;

	do {
		if (__atomic_load_n(counter, __ATOMIC_ACQUIRE) >= n)
			return true;
		loss_rig_burst(rig);
		sched_yield();
	} while (get_now_s() < end_s);
	return false;
}

bool loss_rig_wait_for_packet(const struct port_rig *rig)
{
	const time_t end_s = get_now_s() + WAIT_LIMIT_S;

	do {
		if (loss_rig_burst(rig))
			return true;
		sched_yield();
	} while (get_now_s() < end_s);
	return false;
}

void loss_rig_inject(const struct port_rig *rig, enum devx_emu_inject what)
{
	EXPECT_EQ(0, rig->emu->inject(0, what, 0));
}
