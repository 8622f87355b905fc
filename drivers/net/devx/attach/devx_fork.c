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
 * A child has the mappings of its parent: mbufs, rings, doorbell registers, and the descriptor of
 * the device. A burst or a close in the child would change queues that its parent uses. Therefore
 * the handlers of pthread_atfork() take the ports away from the child, before fork() returns there:
 *
 *     bursts, generator rings     move no packets
 *     operations of ethdev        -ENOTSUP
 *
 * One line says so, at the first call. The parent goes on, and a child that calls exec sees nothing
 * of this. The functions of the packet path do not check the process.
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

/* Without dev_close: ethdev would free the shared memory of the port behind it. */
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
 * Memory of a port in the child. That of EAL may be missing there: libibverbs can keep registered
 * memory from children of fork (ibv_fork_init(), which net_mlx5 calls).
 */
static struct rte_eth_dev_data child_data[RTE_MAX_ETHPORTS];
static struct rte_ether_addr no_address;
static void *no_queues[RTE_MAX_QUEUES_PER_PORT];

/* ethdev copied the functions of a port that is started or attached (rte_eth_fp_ops). */
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

/* Other threads may have held locks at the fork: calls nothing that takes one. */
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
