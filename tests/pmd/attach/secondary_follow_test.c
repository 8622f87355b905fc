/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "attach/devx_secondary.h"
#include "burst/devx_user_burst.h"
#include "devx_txq.h"
#include "loss_rig.h"
#include "open_files.h"
#include "process/devx_processes.h"
#include "secondary_rig.h"

/* A secondary process follows the messages of the primary process, and sees its end. */

FIXTURE(secondary_follow)
{
	struct port_rig rig;
	struct secondary_rig other;
};
FIXTURE_SETUP(secondary_follow)
{
	port_rig_probe(&self->rig);
	if (self->rig.port == RTE_MAX_ETHPORTS)
		return;
	NEEDS_EMU("to play both processes");
	secondary_rig_up(&self->other, &self->rig);
}
FIXTURE_TEARDOWN(secondary_follow)
{
	loss_rig_forget();
	secondary_rig_down(&self->other);
	port_rig_down(&self->rig);
}

static uint32_t get_told(const struct ct_fix_secondary_follow *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->rig.port])->sharing.n_told;
}

TEST_F(secondary_follow, process_follows_the_port)
{
	unsigned int files;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, secondary_rig_probe(&self->other)); /* the port is stopped */
	EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
	files = count_open_files();
	secondary_rig_use_primary(&self->other);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port)); /* waits in vain for this process */
	self->other.ops = rte_eth_fp_ops[self->rig.port];
	for (int i = 0; i < 2; i++) {
		rte_eth_fp_ops[self->rig.port].rxq.data = NULL;
		rte_eth_fp_ops[self->rig.port].txq.data = NULL;
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx0");
		EXPECT_EQ(2u * i + 1, self->other.n_followed);
		EXPECT_EQ(get_told(self), self->other.followed);
		EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
		EXPECT_TRUE(secondary_rig_is_mapped(&self->other, 0));
		port_rig_exchange_one(&self->rig, 1);
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_STOP, "net_devx0");
		EXPECT_EQ(2u * i + 2, self->other.n_followed);
		EXPECT_EQ(get_told(self), self->other.followed);
		EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx1");
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_DETACH, "net_devx0");
		EXPECT_EQ(2u * i + 2, self->other.n_followed);
		EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
		EXPECT_EQ(files, count_open_files());
	}
	loss_rig_listen();
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	EXPECT_EQ(5, self->other.n_followed);
	EXPECT_EQ(get_told(self), self->other.followed);
	EXPECT_EQ(1, loss_seen.n_removed);
	EXPECT_EQ(NULL, self->other.ethdev->process_private);
	EXPECT_EQ(1, devx_eth_secondary_is_removed(self->other.ethdev));
	EXPECT_FALSE(secondary_rig_is_mapped(&self->other, 0));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	EXPECT_EQ(0, self->other.n_left);
	secondary_rig_use_primary(&self->other);
}

/* ---- messages between the reply to an attach and its end ------------------------------------ */

static struct secondary_rig *attaching;
static enum devx_eth_message_type sent_last;
static bool starts_after_close;

static void send_messages(void)
{
	secondary_rig_send(attaching, DEVX_ETH_MESSAGE_START, "net_devx1");
	secondary_rig_send(attaching, DEVX_ETH_MESSAGE_STOP, "net_devx0");
	if (sent_last != DEVX_ETH_MESSAGE_STOP)
		secondary_rig_send(attaching, sent_last, "net_devx0");
	if (starts_after_close) /* other processes, which stay attached, get START */
		secondary_rig_send(attaching, DEVX_ETH_MESSAGE_START, "net_devx0");
}

static void send_after_reply(struct rte_mp_reply *replies)
{
	RTE_SET_USED(replies);
	send_messages();
}

/* The last step of a probe: ethdev reports the port to the application. */
static int send_at_end(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	RTE_SET_USED(port);
	RTE_SET_USED(event);
	RTE_SET_USED(arg);
	RTE_SET_USED(ret);
	send_messages();
	return 0;
}

static const struct late {
	const char *name;
	enum devx_eth_message_type last;
	bool at_end;
	int rc;
	bool has_bursts, starts_after_close;
} lates[] = {
	{ "STOP", DEVX_ETH_MESSAGE_STOP, false, 0, false },
	{ "STOP_and_START", DEVX_ETH_MESSAGE_START, false, 0, true },
	{ "STOP_and_CLOSE", DEVX_ETH_MESSAGE_CLOSE, false, -ENODEV, false },
	{ "STOP_and_CLOSE_and_START", DEVX_ETH_MESSAGE_CLOSE, false, -ENODEV, false, true },
	{ "STOP_at_the_end_of_probe", DEVX_ETH_MESSAGE_STOP, true, 0, false },
	{ "STOP_and_START_at_the_end_of_probe", DEVX_ETH_MESSAGE_START, true, 0, true },
	{ "STOP_and_CLOSE_at_the_end_of_probe", DEVX_ETH_MESSAGE_CLOSE, true, -ENODEV, false },
};

TEST_F_EACH(secondary_follow, process_follows_what_came_after_the_reply, struct late, lates)
{
	secondary_rig_start_port(&self->other, 1, 1);
	attaching = &self->other;
	sent_last = row->last;
	starts_after_close = row->starts_after_close;
	if (row->at_end)
		rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_NEW, send_at_end, NULL);
	else
		self->other.answer = send_after_reply;
	EXPECT_EQ(row->rc, secondary_rig_probe(&self->other));
	rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_NEW, send_at_end, NULL);
	EXPECT_EQ(1, self->other.n_followed);
	EXPECT_EQ(get_told(self) - row->starts_after_close, self->other.followed);
	EXPECT_EQ(row->rc ? RTE_ETH_DEV_UNUSED : RTE_ETH_DEV_ATTACHED, self->other.ethdev->state);
	if (!row->rc) {
		EXPECT_EQ(row->has_bursts, secondary_rig_has_bursts(&self->other));
		EXPECT_EQ(0, secondary_rig_close(&self->other));
	}
	secondary_rig_use_primary(&self->other);
	port_rig_exchange_one(&self->rig, 1);
}

/* Sends the message as if it were on its way when the primary process answered. */
static void send_before_reply(struct rte_mp_reply *replies)
{
	secondary_rig_send(attaching, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	((struct devx_eth_message *)replies->msgs->param)->n_told++;
}

TEST_F(secondary_follow, message_that_did_not_wait_for_the_process_changes_nothing)
{
	secondary_rig_start_port(&self->other, 1, 1);
	attaching = &self->other;
	self->other.answer = send_before_reply;
	EXPECT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_EQ(0, self->other.n_followed);
	EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}

TEST_F(secondary_follow, process_that_comes_during_a_stop_moves_no_packets)
{
	struct devx_eth_sharing *sharing =
		&devx_eth_port_get(&rte_eth_devices[self->rig.port])->sharing;

	secondary_rig_start_port(&self->other, 1, 1);
	sharing->stopping = true; /* STOP has been sent, and the objects of the port are there */
	EXPECT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_FALSE(sharing->stopping);
	self->other.ops = rte_eth_fp_ops[self->rig.port];
	EXPECT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
}

TEST_F(secondary_follow, reply_has_a_descriptor_of_its_own)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	struct rte_mp_msg msg, reply;
	int pipes[2];

	secondary_rig_start_port(&self->other, 1, 1);
	ASSERT_EQ(0, pipe2(pipes, O_CLOEXEC));
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	msg.fds[msg.num_fds++] = pipes[0];
	ASSERT_TRUE(devx_eth_processes_answer(&msg, &reply));
	ASSERT_EQ(2, reply.num_fds);
	devx_eth_processes_leave(eth); /* before the reply is sent */
	EXPECT_EQ(-1, eth->sharing.export_fd);
	EXPECT_LE(0, fcntl(reply.fds[0], F_GETFD));
	close(reply.fds[0]);
	close(pipes[1]);
}

/* ---- registers, and the end of the primary process ------------------------------------------ */

TEST_F(secondary_follow, register_that_cannot_be_mapped_stops_the_bursts)
{
	struct devx_eth_txq *txq;
	void *base;

	secondary_rig_start_port(&self->other, 1, 1);
	txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	base = txq->uar.base;
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
	port_rig_read_log();
	txq->uar.base = (char *)base + (1ll << 30); /* that of another start */
	self->rig.emu->fail(DEVX_EMU_FAIL_MMAP, 0, 0);
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx0");
	txq->uar.base = base;
	EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
	EXPECT_SUBSTR("Tx queue 0: cannot map the doorbell register at its address in the primary "
		      "process; start this process again: ",
		      port_rig_read_log());
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx0");
	EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
	secondary_rig_play(true);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(0, devx_eth_secondary_close(self->other.ethdev));
		EXPECT_EQ(1, self->other.n_left);
		EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
		EXPECT_EQ(NULL, self->other.ethdev->process_private);
	}
	secondary_rig_play(false);
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
	port_rig_exchange_one(&self->rig, 1);
}

static bool is_lost(const struct port_rig *rig, void *arg)
{
	const struct ct_fix_secondary_follow *self = arg;

	RTE_SET_USED(rig);
	return devx_eth_secondary_is_removed(self->other.ethdev);
}

static bool is_reported(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	RTE_SET_USED(arg);
	return __atomic_load_n(&loss_seen.n_removed, __ATOMIC_ACQUIRE) > 0;
}

TEST_F(secondary_follow, end_of_the_primary_process_stops_the_bursts)
{
	secondary_rig_start_port(&self->other, 1, 1);
	loss_rig_listen();
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, secondary_rig_probe(&self->other));
		EXPECT_EQ(0, devx_eth_secondary_is_removed(self->other.ethdev));
		loss_seen.n_removed = 0;
		secondary_rig_end_primary(true);
		ASSERT_TRUE(port_rig_wait_until(is_lost, &self->rig, self));
		ASSERT_TRUE(port_rig_wait_until(is_reported, &self->rig, NULL));
		secondary_rig_end_primary(false);
		EXPECT_FALSE(secondary_rig_has_bursts(&self->other));
		EXPECT_EQ(1, loss_seen.n_removed);
		EXPECT_SUBSTR("the primary process ended; the port moves no packets",
			      port_rig_read_log());
		EXPECT_EQ(0, secondary_rig_close(&self->other));
		EXPECT_EQ(0, self->other.n_left); /* nobody reads a message */
		secondary_rig_use_primary(&self->other);
	}
	port_rig_exchange_one(&self->rig, 1);
}
