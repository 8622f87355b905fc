/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_errno.h>

#include "devx_port.h"
#include "port_rig.h"
#include "process/devx_message.h"
#include "quiet_fork.h"
#include "rte_pmd_devx.h"

/* A process with a port calls fork(): the child has no port, and the parent goes on. */

enum { FRAME_BYTES = 60, N_CHILDREN = 10, N_BURSTS = 100, ALARM_S = 60, MAX_FD = 1024 };

FIXTURE(fork)
{
	struct port_rig rig;
	struct rte_device *device;
	uint8_t frame[FRAME_BYTES];
	struct rte_pmd_devx_ring *ring;
	bool done;
	ino_t pipe;
	int status; /* status of the first child that failed; 0: none */
};

FIXTURE_SETUP(fork)
{
	struct rte_mbuf *m;

	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	self->device = rte_eth_devices[self->rig.port].device;
	m = port_rig_make_packet(&self->rig, FRAME_BYTES, 7);
	memcpy(self->frame, rte_pktmbuf_mtod(m, void *), FRAME_BYTES);
	rte_pktmbuf_free(m);
	port_rig_read_log();
}

FIXTURE_TEARDOWN(fork)
{
	port_rig_down(&self->rig);
}

/* Runs @child, which returns the number of the step that failed, in a child. Return: its status */
static int run_child(struct ct_fix_fork *self, int (*child)(struct ct_fix_fork *self))
{
	int status = -1;
	const pid_t pid = quiet_fork();

	if (!pid) {
		alarm(ALARM_S);
		_exit(child(self));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* No mbuf: the memory of EAL may be missing in a child. */
static int use_bursts(struct ct_fix_fork *self)
{
	struct rte_mbuf *m[4] = { NULL };

	for (int i = 0; i < N_BURSTS; i++) {
		if (rte_eth_rx_burst(self->rig.port, 0, m, RTE_DIM(m)))
			return 1;
		if (rte_eth_tx_prepare(self->rig.port, 0, m, 1) ||
		    rte_eth_tx_burst(self->rig.port, 0, m, 1))
			return 2;
	}
	return 0;
}

/* Operations that ethdev calls without a look whether the driver has them. */
static const size_t refused[] = {
	offsetof(struct eth_dev_ops, dev_configure),
	offsetof(struct eth_dev_ops, dev_start),
	offsetof(struct eth_dev_ops, dev_stop),
	offsetof(struct eth_dev_ops, stats_reset),
	offsetof(struct eth_dev_ops, promiscuous_enable),
	offsetof(struct eth_dev_ops, promiscuous_disable),
	offsetof(struct eth_dev_ops, allmulticast_enable),
	offsetof(struct eth_dev_ops, allmulticast_disable),
	offsetof(struct eth_dev_ops, dev_set_link_up),
	offsetof(struct eth_dev_ops, dev_set_link_down),
};
typedef int (*operation)(struct rte_eth_dev *ethdev);

static operation get_operation(const struct rte_eth_dev *ethdev, size_t offset)
{
	return *(const operation *)((const char *)ethdev->dev_ops + offset);
}

static int use_operations(struct ct_fix_fork *self)
{
	const uint16_t port = self->rig.port;
	struct rte_eth_stats stats;

	if (rte_eth_rx_queue_count(port, 0) ||
	    rte_eth_rx_descriptor_status(port, 0, 0) != -ENOTSUP ||
	    rte_eth_tx_descriptor_status(port, 0, 0) != -ENOTSUP)
		return 1;
	if (!rte_eth_dev_stop(port) || !rte_eth_dev_close(port))
		return 2;
	if (rte_eth_dev_is_removed(port) != 1 || !rte_eth_stats_get(port, &stats))
		return 3;
	if (!rte_eth_promiscuous_enable(port))
		return 4;
	for (size_t i = 0; i < RTE_DIM(refused); i++)
		if (get_operation(&rte_eth_devices[port], refused[i])(&rte_eth_devices[port]) !=
		    -ENOTSUP)
			return 10 + (int)i;
	if (!rte_dev_dma_map(self->device, self->rig.pool, 0, 1) || rte_errno != ENOTSUP ||
	    !rte_dev_dma_unmap(self->device, self->rig.pool, 0, 1) || rte_errno != ENOTSUP)
		return 5;
	return 0;
}

static unsigned int count_lines(const char *log)
{
	unsigned int n = 0;

	while ((log = strstr(log, "is a child of fork and has no ports"))) {
		n++;
		log++;
	}
	return n;
}

TEST_F(fork, child_moves_no_packets_and_says_so_once)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME_BYTES, 1);

	/* a packet that the child must not take */
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	EXPECT_EQ(0, run_child(self, use_bursts));
	EXPECT_EQ(1, count_lines(port_rig_read_log()));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	port_rig_expect_packet(&self->rig, m, FRAME_BYTES, 1);
	rte_pktmbuf_free(m);
	port_rig_exchange_one(&self->rig, 2);
}

TEST_F(fork, child_changes_no_port)
{
	EXPECT_EQ(0, run_child(self, use_operations));
	EXPECT_EQ(1, count_lines(port_rig_read_log()));
	EXPECT_TRUE(rte_eth_dev_is_valid_port(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F(fork, child_that_uses_no_port_says_nothing)
{
	const pid_t pid = quiet_fork();
	int status = -1;

	if (!pid)
		_exit(0);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, count_lines(port_rig_read_log()));
}

/* ---- in the middle of bursts -------------------------------------------------------------- */

static void *make_children(void *arg)
{
	struct ct_fix_fork *self = arg;

	for (int i = 0; i < N_CHILDREN && !self->status; i++)
		self->status = run_child(self, use_bursts);
	__atomic_store_n(&self->done, true, __ATOMIC_RELEASE);
	return NULL;
}

TEST_F(fork, parent_loses_no_packet_while_children_use_its_bursts)
{
	pthread_t forker;
	uint32_t n = 0;

	ASSERT_EQ(0, pthread_create(&forker, NULL, make_children, self));
	while (!__atomic_load_n(&self->done, __ATOMIC_ACQUIRE))
		port_rig_exchange_one(&self->rig, n++);
	pthread_join(forker, NULL);
	EXPECT_EQ(0, self->status);
	EXPECT_LT(0, n);
	EXPECT_EQ(N_CHILDREN, count_lines(port_rig_read_log()));
}

/* ---- generator rings ---------------------------------------------------------------------- */

static int use_ring(struct ct_fix_fork *self)
{
	const struct rte_pmd_devx_ring_conf conf = { .frame = self->frame,
						     .frame_bytes = FRAME_BYTES,
						     .n_packets = 4 };
	struct rte_pmd_devx_ring *other;

	if (rte_pmd_devx_ring_send(self->ring, NULL, 4))
		return 1;
	if (rte_pmd_devx_ring_create(self->rig.port, &conf, &other) != -ENOTSUP)
		return 2;
	rte_pmd_devx_ring_destroy(self->ring); /* a copy */
	return 0;
}

TEST_F(fork, child_leaves_the_generator_ring_of_its_parent)
{
	const struct rte_pmd_devx_ring_conf conf = { .frame = self->frame,
						     .frame_bytes = FRAME_BYTES,
						     .n_packets = 4 };

	ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &self->ring));
	EXPECT_EQ(0, run_child(self, use_ring));
	EXPECT_EQ(4, rte_pmd_devx_ring_send(self->ring, NULL, 4));
	self->rig.n_generated = 4;
	self->rig.generated_bytes = 4 * FRAME_BYTES;
	rte_pmd_devx_ring_destroy(self->ring);
}

/* ---- the end of a process ------------------------------------------------------------------ */

/* The pipe of a process hangs up at its end, so no child may have it (process/devx_message.h). */
static int find_pipe(struct ct_fix_fork *self)
{
	struct stat st;

	for (int fd = 0; fd < MAX_FD; fd++)
		if (!fstat(fd, &st) && S_ISFIFO(st.st_mode) && st.st_ino == self->pipe)
			return 1;
	return 0;
}

TEST_F(fork, child_does_not_keep_the_pipe_of_its_parent)
{
	struct stat st;

	ASSERT_EQ(0, fstat(devx_eth_message_get_pipe(), &st));
	self->pipe = st.st_ino;
	EXPECT_EQ(1, find_pipe(self));
	EXPECT_EQ(0, run_child(self, find_pipe));
}
