/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "burst/devx_user_burst.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "devx_uar_pages.h"
#include "port_rig.h"
#include "process/devx_leftovers.h"
#include "process/devx_message.h"
#include "process/devx_processes.h"

/*
 * Secondary processes, as far as one process can play both sides. tests/scripts/secondary.sh runs
 * several processes.
 */

enum { OURS = 1, OTHER = 2 };

FIXTURE(secondary)
{
	struct port_rig rig;
	struct devx_eth *eth;
	struct devx_eth_rxq *rxq;
	struct devx_eth_txq *txq;
};

FIXTURE_SETUP(secondary)
{
	struct rte_eth_dev *ethdev;

	port_rig_probe(&self->rig);
	ethdev = &rte_eth_devices[self->rig.port];
	self->eth = devx_eth_port_get(ethdev);
	self->eth->sharing.multi_process = true; /* as with hugepages, but nobody sends messages */
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->rxq = ethdev->data->rx_queues[0];
	self->txq = ethdev->data->tx_queues[0];
	devx_eth_user_set_process(OURS);
	devx_eth_user_select(self->rig.port, ethdev->rx_pkt_burst, ethdev->tx_pkt_burst);
	port_rig_read_log();
}

FIXTURE_TEARDOWN(secondary)
{
	port_rig_down(&self->rig);
}

static bool has_packet(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return rte_eth_rx_queue_count(rig->port, 0) > 0;
}

static bool has_no_user(const struct port_rig *rig, void *arg)
{
	const struct devx_eth_user *user = arg;

	RTE_SET_USED(rig);
	return !__atomic_load_n(&user->process, __ATOMIC_ACQUIRE);
}

static bool is_reported(const struct port_rig *rig, void *arg)
{
	const struct devx_eth_user *user = arg;

	RTE_SET_USED(rig);
	return __atomic_load_n(&user->reported, __ATOMIC_ACQUIRE);
}

TEST_F(secondary, burst_takes_a_queue_without_user)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, 0);

	ASSERT_EQ(1, devx_eth_user_tx_burst(self->txq, &m, 1));
	EXPECT_EQ(OURS, self->txq->user.process);
	ASSERT_TRUE(port_rig_wait_until(has_packet, &self->rig, NULL));
	ASSERT_EQ(1, devx_eth_user_rx_burst(self->rxq, &m, 1));
	EXPECT_EQ(OURS, self->rxq->user.process);
	port_rig_expect_packet(&self->rig, m, 60, 0);
	rte_pktmbuf_free(m);
}

TEST_F(secondary, burst_leaves_the_queue_of_another_process)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, 0), *in[4];

	self->rxq->user.process = self->txq->user.process = OTHER;
	EXPECT_EQ(0, devx_eth_user_tx_burst(self->txq, &m, 1));
	EXPECT_EQ(0, devx_eth_user_rx_burst(self->rxq, in, 4));
	rte_pktmbuf_free(m);
	ASSERT_TRUE(port_rig_wait_until(is_reported, &self->rig, &self->rxq->user));
	ASSERT_TRUE(port_rig_wait_until(is_reported, &self->rig, &self->txq->user));
	EXPECT_SUBSTR("queue 0: process 1 cannot use it, because process 2 does",
		      port_rig_read_log());
}

static bool has_freed(const struct port_rig *rig, void *txq)
{
	RTE_SET_USED(rig);
	return devx_eth_user_tx_done_cleanup(txq, 0);
}

/* A process without the doorbell registers has other burst functions. */
TEST_F(secondary, cleanup_works_on_a_queue_of_the_process_with_its_registers)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, 0);
	eth_tx_burst_t *burst = &rte_eth_fp_ops[self->rig.port].tx_pkt_burst;
	const eth_tx_burst_t of_primary = *burst;
	const uint16_t pi = self->txq->sq.pi + 1;

	ASSERT_EQ(1, devx_eth_user_tx_burst(self->txq, &m, 1));
	EXPECT_EQ(-EINVAL, devx_eth_user_tx_done_cleanup(NULL, 0));
	EXPECT_EQ(0, devx_eth_user_tx_done_cleanup(self->txq, 0));
	EXPECT_EQ(pi, self->txq->sq.pi);
	*burst = devx_eth_user_tx_burst;
	self->txq->user.process = OTHER;
	EXPECT_EQ(0, devx_eth_user_tx_done_cleanup(self->txq, 0));
	EXPECT_EQ(pi, self->txq->sq.pi);
	self->txq->user.process = OURS;
	EXPECT_TRUE(port_rig_wait_until(has_freed, &self->rig, self->txq));
	*burst = of_primary;
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	rte_pktmbuf_free(m);
}

TEST_F(secondary, recovery_resets_the_queues_of_an_ended_process)
{
	struct rte_mbuf *m[8];

	self->rxq->user.process = self->txq->user.process = OURS;
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = port_rig_make_packet(&self->rig, 60, i);
	ASSERT_EQ(8, devx_eth_user_tx_burst(self->txq, m, 8));
	ASSERT_TRUE(port_rig_wait_until(has_packet, &self->rig, NULL));
	devx_eth_leftovers_release_queues(self->eth, OURS);
	ASSERT_TRUE(port_rig_wait_until(has_no_user, &self->rig, &self->rxq->user));
	ASSERT_TRUE(port_rig_wait_until(has_no_user, &self->rig, &self->txq->user));
	EXPECT_SUBSTR("queue 0: secondary process 1 ended while it used the queue",
		      port_rig_read_log());
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "rx_recoveries"));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_recoveries"));
	port_rig_exchange_one(&self->rig, 9);
}

TEST_F(secondary, end_of_a_process_leaves_queues_of_others)
{
	self->rxq->user.process = self->txq->user.process = OTHER;
	devx_eth_leftovers_release_queues(self->eth, OURS);
	EXPECT_EQ(DEVX_ETH_RUNNING, self->rxq->owner);
	EXPECT_EQ(DEVX_ETH_RUNNING, self->txq->owner);
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F(secondary, send_queue_rings_a_register_in_the_region)
{
	const uint64_t at = (uintptr_t)self->txq->uar.base;

	EXPECT_TRUE(at - DEVX_ETH_UAR_PAGES_AT < 1ull << 32);
	EXPECT_EQ(self->txq->uar.reg, self->txq->sq.doorbell);
	port_rig_exchange_one(&self->rig, 1);
}

/* A page holds at most 4 registers, so the last queue shares one. */
TEST_F(secondary, send_queue_without_register_of_its_own_rings_one_in_the_region)
{
	enum { N_TXQ = 6 };
	struct port_rig *rig = &self->rig;
	const struct devx_eth_txq *last;
	struct rte_mbuf *m;
	int64_t before;
	int rc;

	NEEDS_EMU("for a device with few UAR pages");
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_txq = N_TXQ }));
	before = rig->emu->option("uar_pages", 0);
	rc = rte_eth_dev_start(rig->port);
	rig->emu->option("uar_pages", (uint32_t)before);
	ASSERT_EQ(0, rc);
	last = self->eth->data->tx_queues[N_TXQ - 1];
	EXPECT_TRUE(last->uar.shared);
	EXPECT_TRUE((uintptr_t)last->uar.base - DEVX_ETH_UAR_PAGES_AT < 1ull << 32);
	EXPECT_EQ(last->uar.reg, last->sq.doorbell);
	m = port_rig_make_packet(rig, 60, 0);
	ASSERT_EQ(1, rte_eth_tx_burst(rig->port, N_TXQ - 1, &m, 1));
	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	port_rig_expect_packet(rig, m, 60, 0);
	rte_pktmbuf_free(m);
}

/* ---- messages --------------------------------------------------------------------------- */

TEST(secondary_message, read_accepts_its_own_layout)
{
	struct devx_eth_message got;
	struct rte_mp_msg msg;

	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_STOP, "net_devx0")->process = 5;
	ASSERT_EQ(0, devx_eth_message_read(&msg, &got));
	EXPECT_EQ(DEVX_ETH_MESSAGE_STOP, got.type);
	EXPECT_EQ(5, got.process);
	EXPECT_EQ(0, strcmp("net_devx0", got.port));
}

TEST(secondary_message, read_rejects_other_layouts_and_lengths)
{
	struct devx_eth_message got, *m;
	struct rte_mp_msg msg;

	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_STOP, "net_devx0");
	m->layout++;
	EXPECT_EQ(-EPROTO, devx_eth_message_read(&msg, &got));
	EXPECT_EQ(DEVX_ETH_LAYOUT + 1, got.layout);
	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_STOP, "net_devx0");
	m->rxq_bytes += 8;
	EXPECT_EQ(-EPROTO, devx_eth_message_read(&msg, &got));
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_STOP, "net_devx0");
	msg.len_param += 8; /* the layout is equal, but the message is not */
	EXPECT_EQ(-EPROTO, devx_eth_message_read(&msg, &got));
	msg.len_param = 3;
	EXPECT_EQ(-EBADMSG, devx_eth_message_read(&msg, &got));
	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_STOP, "net_devx0");
	m->type = DEVX_ETH_MESSAGE_CLOSE + 1;
	EXPECT_EQ(-EBADMSG, devx_eth_message_read(&msg, &got));
	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_STOP, "net_devx0");
	memset(m->port, 'x', sizeof(m->port));
	EXPECT_EQ(-EBADMSG, devx_eth_message_read(&msg, &got));
}

/* Returns the result that the primary process answers to @msg; 1: it sends no reply. */
static int get_answer(const struct rte_mp_msg *msg)
{
	struct devx_eth_message *answer;
	struct rte_mp_msg reply;

	if (!devx_eth_processes_answer(msg, &reply))
		return 1;
	EXPECT_EQ(0, reply.num_fds);
	answer = (struct devx_eth_message *)reply.param;
	EXPECT_EQ(DEVX_ETH_LAYOUT, answer->layout);
	return answer->result;
}

TEST_F(secondary, primary_refuses_another_version_in_one_line)
{
	struct rte_mp_msg msg;

	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0")->layout++;
	EXPECT_EQ(-EPROTO, get_answer(&msg));
	EXPECT_SUBSTR("net_devx: refused a secondary process of another version (layout 3, ",
		      port_rig_read_log());
}

TEST_F(secondary, primary_refuses_an_unknown_port_and_process)
{
	struct devx_eth_message *m;
	struct rte_mp_msg msg;

	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx7");
	EXPECT_EQ(-ENODEV, get_answer(&msg));
	self->eth->sharing.tables.outside = false; /* as with hugepages */
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	EXPECT_EQ(-EINVAL, get_answer(&msg)); /* no pipe */
	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	m->process = 77;
	msg.fds[msg.num_fds++] = dup(0);
	EXPECT_EQ(-ENOMEM, get_answer(&msg));
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_DETACH, "net_devx0");
	EXPECT_EQ(1, get_answer(&msg));
	self->eth->sharing.multi_process = false; /* as while the port closes */
	EXPECT_EQ(1, get_answer(&msg));
}

TEST_F(secondary, port_in_private_memory_refuses_to_attach)
{
	struct rte_mp_msg msg;

	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	msg.fds[msg.num_fds++] = dup(0);
	EXPECT_EQ(-ENOSPC, get_answer(&msg)); /* without hugepages the tables are private memory */
	self->eth->sharing.multi_process = false;
	msg.fds[0] = dup(0);
	EXPECT_EQ(-ENODEV, get_answer(&msg));
}

static bool has_logged_end(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	RTE_SET_USED(arg);
	return strstr(port_rig_read_log(), "secondary process") != NULL;
}

/* Attaches a process that lives until the test closes @pipe_end. */
static void attach_process(struct ct_fix_secondary *self, int *pipe_end, uint32_t *number)
{
	const struct devx_eth_message *answer;
	struct rte_mp_msg msg, reply;
	int fds[2];

	*pipe_end = -1;
	*number = 0;
	ASSERT_EQ(0, pipe(fds));
	*pipe_end = fds[1];
	self->eth->sharing.tables.outside = false;
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	msg.fds[msg.num_fds++] = fds[0];
	ASSERT_TRUE(devx_eth_processes_answer(&msg, &reply));
	answer = (const struct devx_eth_message *)reply.param;
	ASSERT_EQ(0, answer->result);
	ASSERT_EQ(2, reply.num_fds);
	EXPECT_FALSE(devx_eth_message_has_ended(reply.fds[1])); /* this process lives */
	EXPECT_FALSE(devx_eth_message_has_ended(fds[0]));
	close(reply.fds[0]);
	*number = answer->process;
}

TEST_F(secondary, primary_notices_the_end_of_a_process)
{
	uint32_t number;
	int pipe_end;

	attach_process(self, &pipe_end, &number);
	ASSERT_NE(0, number);
	self->rxq->user.process = number;
	close(pipe_end);
	ASSERT_TRUE(port_rig_wait_until(has_logged_end, &self->rig, NULL));
	ASSERT_TRUE(port_rig_wait_until(has_no_user, &self->rig, &self->rxq->user));
	port_rig_exchange_one(&self->rig, 3);
	self->eth->sharing.tables.outside = true;
}

/* A new send queue may have a register in a page that the other processes have not mapped. */
TEST_F(secondary, processes_hear_of_a_send_queue_that_is_set_up_again)
{
	const struct port_rig *rig = &self->rig;
	uint32_t number;
	int pipe_end;

	attach_process(self, &pipe_end, &number);
	ASSERT_NE(0, number);
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(rig->port, 0));
	port_rig_read_log();
	ASSERT_EQ(0, rte_eth_tx_queue_setup(rig->port, 0, 64, 0, NULL));
	EXPECT_SUBSTR("1 of the secondary processes did not react", port_rig_read_log());
	close(pipe_end);
	ASSERT_TRUE(port_rig_wait_until(has_logged_end, rig, NULL));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(rig->port, 0));
	port_rig_exchange_one(rig, 3);
	self->eth->sharing.tables.outside = true;
}
