/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <rte_common.h>

#include "attach/devx_ethdev.h"
#include "attach/devx_secondary_ops.h"
#include "devx_forked.h"
#include "process/devx_message.h"
#include "queue/devx_generator_lifecycle.h"

/**
 * DOC: Children of fork
 *
 * A child inherits the mappings of its parent (mbufs, rings, doorbell registers) and the descriptor
 * of the device. A burst or a close in the child would change queues that the parent uses.
 * Therefore the handlers of pthread_atfork() disable the ports in the child before fork() returns:
 *
 *     bursts, generator rings     move no packets
 *     operations of ethdev        return -ENOTSUP
 *
 * The first call logs why. The parent is unaffected, and so is a child that calls exec. The burst
 * functions of the parent need no check for a fork.
 */

/* ---- functions of a port in a child ------------------------------------------------------- */

static uint16_t refuse_burst(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	RTE_SET_USED(queue);
	RTE_SET_USED(pkts);
	RTE_SET_USED(n);
	devx_eth_fork_refuse();
	return 0;
}

static devx_eth_rx_count refuse_count(void *queue)
{
	RTE_SET_USED(queue);
	devx_eth_fork_refuse();
	return 0;
}

static int refuse_status(void *queue, uint16_t offset)
{
	RTE_SET_USED(queue);
	RTE_SET_USED(offset);
	devx_eth_fork_refuse();
	return -ENOTSUP;
}

static int refuse_tx_count(void *queue)
{
	return refuse_status(queue, 0);
}

static int refuse_operation(struct rte_eth_dev *ethdev)
{
	RTE_SET_USED(ethdev);
	devx_eth_fork_refuse();
	return -ENOTSUP;
}

static int is_removed(struct rte_eth_dev *ethdev)
{
	RTE_SET_USED(ethdev);
	return 1;
}

/* Has no dev_close: after calling it, ethdev would free memory of the port that the parent uses. */
static const struct eth_dev_ops child_ops = {
	.dev_configure = refuse_operation,
	.dev_start = refuse_operation,
	.dev_stop = refuse_operation,
	.stats_reset = refuse_operation,
	.promiscuous_enable = refuse_operation,
	.promiscuous_disable = refuse_operation,
	.allmulticast_enable = refuse_operation,
	.allmulticast_disable = refuse_operation,
	.dev_set_link_up = refuse_operation,
	.dev_set_link_down = refuse_operation,
	.is_removed = is_removed,
};

/*
 * Replaces the memory of a port in the child, where memory of EAL may be missing: libibverbs can
 * withhold registered memory from children (ibv_fork_init(), which net_mlx5 calls).
 */
static struct rte_eth_dev_data child_data[RTE_MAX_ETHPORTS];
static struct rte_ether_addr no_address;
static void *no_queues[RTE_MAX_QUEUES_PER_PORT];

/* Also changes rte_eth_fp_ops, ethdev's copy of the functions of a started or attached port. */
static void take_port(uint16_t port)
{
	struct rte_eth_dev *ethdev = &rte_eth_devices[port];
	struct rte_eth_fp_ops *ops = &rte_eth_fp_ops[port];

	child_data[port] = (struct rte_eth_dev_data){
		.port_id = port, .mac_addrs = &no_address, .dev_configured = 1, .dev_started = 1
	};
	ethdev->data = &child_data[port];
	ethdev->dev_ops = &child_ops;
	ethdev->rx_pkt_burst = ops->rx_pkt_burst = refuse_burst;
	ethdev->tx_pkt_burst = ops->tx_pkt_burst = refuse_burst;
	ethdev->tx_pkt_prepare = ops->tx_pkt_prepare = refuse_burst;
	ethdev->rx_queue_count = ops->rx_queue_count = refuse_count;
	ethdev->rx_descriptor_status = ops->rx_descriptor_status = refuse_status;
	ethdev->tx_descriptor_status = ops->tx_descriptor_status = refuse_status;
	devx_eth_set_tx_queue_count(ethdev, refuse_tx_count);
	devx_eth_set_tx_queue_count(ops, refuse_tx_count);
	ops->rxq.data = ops->txq.data = no_queues;
}

/* ---- handlers of fork ----------------------------------------------------------------------- */

static pid_t forking;

static void before_fork(void)
{
	devx_eth_generator_lock_all();
	forking = getpid();
}

static void after_fork_in_parent(void)
{
	devx_eth_generator_unlock_all();
}

/* Must not take a lock: another thread may have held it at the fork. */
static void after_fork_in_child(void)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
		const struct eth_dev_ops *ops = rte_eth_devices[i].dev_ops;

		if (ops != &devx_eth_ops && ops != &devx_eth_secondary_ops)
			continue;
		take_port(i);
		devx_eth_fork_mark(forking);
	}
	devx_eth_generator_take_all();
	devx_eth_generator_unlock_all();
	devx_eth_message_close_pipe();
}

RTE_INIT(watch_forks)
{
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
