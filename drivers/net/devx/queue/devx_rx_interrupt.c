/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_interrupts.h>

#include "devx_log.h"
#include "devx_rxq.h"
#include "queue/devx_rx_interrupt.h"

/**
 * DOC: Rx interrupts for ethdev
 *
 * The interrupt handle of the port has a vector per receive queue with the eventfd of the queue.
 * Its type is RTE_INTR_HANDLE_EXT, so that only the driver reads the eventfds, because it counts
 * events (devx_rx_wakeup.h). A thread sleeps in rte_epoll_wait(), or in epoll_wait(2) with the
 * descriptor of rte_eth_dev_rx_intr_ctl_q_get_fd().
 */

int devx_eth_rx_interrupt_configure(struct rte_eth_dev *ethdev)
{
	struct rte_intr_handle *h;

	devx_eth_rx_interrupt_free(ethdev);
	if (!ethdev->data->dev_conf.intr_conf.rxq)
		return 0;
	h = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (!h || rte_intr_type_set(h, RTE_INTR_HANDLE_EXT)) {
		rte_intr_instance_free(h);
		devx_eth_log(devx_eth_port_get(ethdev), ERR,
			     "cannot allocate the handle of Rx interrupts (out of memory); turn "
			     "intr_conf.rxq off");
		return -ENOMEM;
	}
	ethdev->intr_handle = h;
	return 0;
}

void devx_eth_rx_interrupt_free(struct rte_eth_dev *ethdev)
{
	rte_intr_instance_free(ethdev->intr_handle);
	ethdev->intr_handle = NULL;
}

int devx_eth_rx_interrupt_publish(struct rte_eth_dev *ethdev)
{
	struct rte_intr_handle *h = ethdev->intr_handle;
	const uint16_t n = ethdev->data->nb_rx_queues;
	int rc;

	if (!h || !n)
		return 0;
	rc = rte_intr_vec_list_alloc(h, NULL, n);
	for (uint16_t i = 0; !rc && i < n; i++) {
		const struct devx_eth_rxq *rxq = ethdev->data->rx_queues[i];

		rc = rte_intr_vec_list_index_set(h, i, RTE_INTR_VEC_RXTX_OFFSET + i);
		if (!rc)
			rc = rte_intr_efds_index_set(h, i, rxq ? rxq->wakeup.fd : -1);
	}
	if (!rc)
		rc = rte_intr_nb_efd_set(h, n);
	if (!rc)
		return 0;
	devx_eth_log(devx_eth_port_get(ethdev), ERR,
		     "Rx interrupts: cannot allocate %u vectors; turn intr_conf.rxq off", n);
	return -ENOMEM;
}

void devx_eth_rx_interrupt_withdraw(struct rte_eth_dev *ethdev)
{
	struct rte_intr_handle *h = ethdev->intr_handle;

	if (!h)
		return;
	rte_intr_free_epoll_fd(h);
	rte_intr_vec_list_free(h);
	rte_intr_nb_efd_set(h, 0);
}

/* Logs nothing if only the port is stopped: threads may arm their queues before the start. */
static struct devx_eth_rxq *get_queue_with_interrupt(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];

	if (rxq && devx_eth_rx_wakeup_is_on(&rxq->wakeup))
		return rxq;
	if (!ethdev->intr_handle)
		devx_eth_log(devx_eth_port_get(ethdev), ERR,
			     "Rx queue %u: interrupts are not configured; configure the port with "
			     "intr_conf.rxq",
			     queue);
	return NULL;
}

static enum devx_eth_owner get_owner(const struct devx_eth_rxq *rxq)
{
	return (enum devx_eth_owner)__atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE);
}

/*
 * The recovery timer may replace the CQ of a queue that is neither RUNNING nor STOPPED. Then the
 * caller must not sleep, because its next burst handles the error. On a stopped queue it sleeps
 * until the queue starts. The second check: another thread may have changed the owner and raised
 * the wakeup just before the arm or drain, which then cleared that wakeup.
 */
int devx_eth_rx_interrupt_enable(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth_rxq *rxq = get_queue_with_interrupt(ethdev, queue);
	enum devx_eth_owner owner;

	if (!rxq)
		return -EINVAL;
	if (devx_eth_is_lost(rxq->eth)) /* a queue that failed earlier is not in state LOST */
		return -EIO;
	owner = get_owner(rxq);
	if (owner == DEVX_ETH_RUNNING)
		devx_eth_rx_wakeup_arm(&rxq->wakeup, &rxq->cq);
	else if (owner == DEVX_ETH_STOPPED)
		devx_eth_rx_wakeup_drain(&rxq->wakeup);
	if (get_owner(rxq) != owner || (owner != DEVX_ETH_RUNNING && owner != DEVX_ETH_STOPPED))
		devx_eth_rx_wakeup_raise(&rxq->wakeup);
	return 0;
}

/*
 * The device cannot disarm a CQ, so one more wakeup may follow. If the queue is not RUNNING, its
 * events belong to the recovery timer, which counts those of the new CQ from 0.
 */
int devx_eth_rx_interrupt_disable(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth_rxq *rxq = get_queue_with_interrupt(ethdev, queue);

	if (!rxq)
		return -EINVAL;
	if (get_owner(rxq) == DEVX_ETH_RUNNING)
		devx_eth_rx_wakeup_drain(&rxq->wakeup);
	return 0;
}
