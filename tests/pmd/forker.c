/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To be preloaded into a DPDK program: forks while the program sends and receives on port 0. Each
 * child calls bursts on all queues of the program; it must get and send no packet. The last child
 * stays until a signal ends it. Prints one line when all children but the last have ended.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_ethdev.h>

enum { N_CHILDREN = 10, N_QUEUES = 2, N_BURSTS = 1000, ALARM_S = 120, POLL_US = 10000 };

static bool is_busy(void)
{
	struct rte_eth_stats stats;

	return rte_eth_dev_is_valid_port(0) && !rte_eth_stats_get(0, &stats) && stats.opackets;
}

/* Returns how many packets the bursts of a child moved. */
static unsigned int use_bursts(void)
{
	struct rte_mbuf *m[4] = { NULL };
	unsigned int n = 0;

	for (uint16_t i = 0; i < N_BURSTS; i++) {
		n += rte_eth_rx_burst(0, i % N_QUEUES, m, RTE_DIM(m));
		n += rte_eth_tx_burst(0, i % N_QUEUES, m, 1);
	}
	return n;
}

static pid_t begin_child(bool last)
{
	const pid_t pid = fork();
	unsigned int n;

	if (pid)
		return pid;
	alarm(ALARM_S);
	n = use_bursts();
	if (last)
		pause();
	_exit(n != 0);
}

static void *make_children(void *arg)
{
	int status, n_failed = 0;

	while (!is_busy())
		usleep(POLL_US);
	for (int i = 0; i < N_CHILDREN; i++)
		if (waitpid(begin_child(false), &status, 0) < 0 || status)
			n_failed++;
	printf("forker: %d of %d children failed, the last child is %d\n", n_failed, N_CHILDREN,
	       begin_child(true));
	fflush(stdout);
	return arg;
}

__attribute__((constructor)) static void start_forker(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, make_children, NULL))
		pthread_detach(thread);
}
