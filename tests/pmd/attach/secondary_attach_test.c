/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attach/devx_secondary.h"
#include "burst/devx_user_burst.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "driver_calls.h"
#include "loss_rig.h"
#include "open_files.h"
#include "secondary_rig.h"

/* A secondary process attaches to a port, follows its messages, and leaves. */

enum { K_MAX = 100 };

FIXTURE(secondary_attach)
{
	struct port_rig rig;
	struct secondary_rig other;
	struct rte_eth_fp_ops ops; /* of the primary side */
};
FIXTURE_SETUP(secondary_attach)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to play both processes");
	secondary_rig_up(&self->other, &self->rig);
}
FIXTURE_TEARDOWN(secondary_attach)
{
	driver_calls_fail_alloc(-1);
	loss_rig_forget();
	secondary_rig_down(&self->other);
	port_rig_down(&self->rig);
}

static void start_port(struct ct_fix_secondary_attach *self, uint16_t n_rxq, uint16_t n_txq)
{
	const struct port_rig_config config = { .n_rxq = n_rxq, .n_txq = n_txq };

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->ops = rte_eth_fp_ops[self->rig.port];
	port_rig_read_log();
}

/* From here on the test bursts as the primary process. */
static void use_primary(struct ct_fix_secondary_attach *self)
{
	rte_eth_fp_ops[self->rig.port] = self->ops;
}

static bool has_bursts(const struct ct_fix_secondary_attach *self)
{
	const struct rte_eth_fp_ops *ops = &rte_eth_fp_ops[self->rig.port];

	EXPECT_EQ((const void *)self->other.ethdev->rx_pkt_burst, (const void *)ops->rx_pkt_burst);
	EXPECT_EQ((const void *)self->other.ethdev->tx_pkt_burst, (const void *)ops->tx_pkt_burst);
	if (ops->rx_pkt_burst != devx_eth_user_rx_burst) {
		EXPECT_EQ((const void *)rte_eth_pkt_burst_dummy, (const void *)ops->rx_pkt_burst);
		EXPECT_EQ((const void *)rte_eth_pkt_burst_dummy, (const void *)ops->tx_pkt_burst);
		return false;
	}
	EXPECT_EQ((const void *)devx_eth_user_tx_burst, (const void *)ops->tx_pkt_burst);
	EXPECT_EQ((const void *)self->other.ethdev->data->rx_queues, (const void *)ops->rxq.data);
	EXPECT_EQ((const void *)self->other.ethdev->data->tx_queues, (const void *)ops->txq.data);
	return true;
}

/* Tells whether the page of a doorbell register is mapped for the secondary side too. */
static bool is_mapped(const struct ct_fix_secondary_attach *self, uint16_t queue)
{
	const struct devx_eth_txq *txq = self->other.ethdev->data->tx_queues[queue];
	char *const page = (char *)txq->uar.base + (1ll << 31);

	return !msync(page, 1, MS_ASYNC);
}

static const struct shape {
	const char *name;
	uint16_t n_rxq, n_txq;
} shapes[] = {
	{ "one_queue_each", 1, 1 },
	{ "more_receive_queues", 3, 1 },
	{ "more_send_queues", 1, 3 },
};

TEST_F_EACH(secondary_attach, process_uses_each_queue_and_gives_it_back, struct shape, shapes)
{
	struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	unsigned int files = 0;
	int allocations = 0;
	uint32_t number;

	start_port(self, row->n_rxq, row->n_txq);
	for (int i = 0; i < 3; i++) {
		SCOPED_TRACE("attach %d", i);
		ASSERT_EQ(0, secondary_rig_probe(&self->other));
		port_rig_read_log();
		if (i == 0)
			files = count_open_files(); /* the first one keeps the pipe */
		if (i == 1)
			allocations = driver_calls_count_allocations();
		EXPECT_EQ(files, count_open_files());
		EXPECT_EQ(RTE_ETH_DEV_ATTACHED, self->other.ethdev->state);
		EXPECT_EQ((void *)rte_eth_devices[self->rig.port].device,
			  (void *)self->other.ethdev->device);
		EXPECT_TRUE(has_bursts(self));
		EXPECT_EQ(0, rte_eth_dev_is_removed(RTE_MAX_ETHPORTS - 1));
		number = devx_eth_user_get_process();
		EXPECT_NE(0, number);
		port_rig_exchange_on_all(&self->rig);
		for (uint16_t q = 1; q < row->n_rxq; q++)
			rte_eth_rx_burst(self->rig.port, q, (struct rte_mbuf *[1]){ NULL }, 1);
		for (uint16_t q = 0; q < row->n_rxq; q++)
			EXPECT_EQ(number,
				  ((struct devx_eth_rxq *)data->rx_queues[q])->user.process);
		for (uint16_t q = 0; q < row->n_txq; q++) {
			EXPECT_EQ(number,
				  ((struct devx_eth_txq *)data->tx_queues[q])->user.process);
			EXPECT_TRUE(is_mapped(self, q));
		}
		((struct devx_eth_rxq *)data->rx_queues[0])->user.process = number + 7;
		EXPECT_EQ(0, secondary_rig_close(&self->other));
		EXPECT_EQ(number + 7, ((struct devx_eth_rxq *)data->rx_queues[0])->user.process);
		((struct devx_eth_rxq *)data->rx_queues[0])->user.process = 0;
		for (uint16_t q = 1; q < row->n_rxq; q++)
			EXPECT_EQ(0, ((struct devx_eth_rxq *)data->rx_queues[q])->user.process);
		for (uint16_t q = 0; q < row->n_txq; q++) {
			EXPECT_EQ(0, ((struct devx_eth_txq *)data->tx_queues[q])->user.process);
			EXPECT_FALSE(is_mapped(self, q));
		}
		EXPECT_EQ(i + 1, self->other.n_sent);
		EXPECT_EQ(DEVX_ETH_MESSAGE_DETACH, self->other.sent);
		EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
		EXPECT_EQ(files, count_open_files());
		use_primary(self);
	}
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_EQ(allocations, driver_calls_count_allocations());
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	use_primary(self);
	port_rig_exchange_one(&self->rig, 1);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static int refused; /* the answer of the primary side */

static void answer_refusal(struct rte_mp_reply *replies)
{
	((struct devx_eth_message *)replies->msgs->param)->result = refused;
}
static void answer_layout(struct rte_mp_reply *replies)
{
	((struct devx_eth_message *)replies->msgs->param)->layout++;
}
static void answer_one_descriptor(struct rte_mp_reply *replies)
{
	if (replies->msgs->num_fds == 2)
		close(replies->msgs->fds[--replies->msgs->num_fds]);
}
static void answer_nothing(struct rte_mp_reply *replies)
{
	devx_eth_message_close_fds(replies->msgs);
	replies->nb_received = 0;
}

static const struct refusal {
	const char *name;
	void (*answer)(struct rte_mp_reply *replies);
	int rc;
	const char *says;
} refusals[] = {
	{ "failed_request", NULL, -ETIMEDOUT, "Connection timed out" },
	{ "no_reply", answer_nothing, -ETIMEDOUT, "Connection timed out" },
	{ "another_version", answer_refusal, -EPROTO, "start both from the same build" },
	{ "no_such_port", answer_refusal, -ENODEV, "it has no such port of net_devx" },
	{ "full_tables", answer_refusal, -ENOSPC,
	  "its tables of memory are full; restart the port" },
	{ "lost_device", answer_refusal, -EBUSY, "the port waits for the return of its device" },
	{ "other_error", answer_refusal, -EXDEV, "Invalid cross-device link" },
	{ "reply_of_another_layout", answer_layout, -EPROTO, "start both from the same build" },
	{ "reply_without_pipe", answer_one_descriptor, -EBADMSG, "Bad message" },
};

TEST_F_EACH(secondary_attach, refusal_is_one_line_and_leaves_nothing_behind, struct refusal,
	    refusals)
{
	void (*const keep)(struct rte_mp_reply *) = self->other.answer;
	unsigned int files;

	start_port(self, 1, 1);
	ASSERT_EQ(0, secondary_rig_probe(&self->other)); /* keeps the pipe of the primary process */
	ASSERT_EQ(0, secondary_rig_close(&self->other));
	use_primary(self);
	files = count_open_files();
	port_rig_read_log();
	self->other.answer = row->answer;
	refused = row->rc;
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(row->rc, secondary_rig_probe(&self->other));
		const char *log = port_rig_read_log();

		EXPECT_SUBSTR("net_devx0: cannot attach to the port of the primary process: ", log);
		EXPECT_SUBSTR(row->says, log);
		EXPECT_EQ(strlen(log) - 1, strcspn(log, "\n"));
		EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
		EXPECT_EQ(NULL, self->other.ethdev->device);
		EXPECT_EQ(files, count_open_files());
	}
	self->other.answer = keep;
	EXPECT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_TRUE(has_bursts(self));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	use_primary(self);
	port_rig_exchange_one(&self->rig, 1);
}

static const struct fault {
	const char *name;
	bool mmap;
} faults[] = { { "allocation", false }, { "mmap", true } };

static bool arm_fault(const struct ct_fix_secondary_attach *self, const struct fault *f, int k)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	const bool fired = f->mmap ? emu->fail_pending(DEVX_EMU_FAIL_MMAP) < 0
				   : driver_calls_get_pending_fault() < 0;

	if (f->mmap)
		emu->fail(DEVX_EMU_FAIL_MMAP, k, 0);
	else
		driver_calls_fail_alloc(k);
	return fired;
}

TEST_F_EACH(secondary_attach, failed_attach_leaves_nothing_behind, struct fault, faults)
{
	unsigned int files;
	bool fired = true;
	int k, failed = 0;

	start_port(self, 1, 3);
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	ASSERT_EQ(0, secondary_rig_close(&self->other));
	files = count_open_files();
	for (k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		use_primary(self);
		self->other.n_sent = 0;
		arm_fault(self, row, k);
		const int rc = secondary_rig_probe(&self->other);

		fired = arm_fault(self, row, -1);
		EXPECT_EQ(fired, rc != 0);
		failed += rc != 0;
		if (!rc) {
			EXPECT_TRUE(has_bursts(self));
			EXPECT_EQ(0, secondary_rig_close(&self->other));
		}
		for (uint16_t q = 0; q < 3; q++)
			EXPECT_FALSE(is_mapped(self, q));
		EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
		EXPECT_EQ(NULL, self->other.ethdev->process_private);
		EXPECT_EQ(files, count_open_files());
	}
	EXPECT_LT(0, failed);
	use_primary(self);
	port_rig_exchange_one(&self->rig, 1);
}

/* ---- messages and the end of the primary process ------------------------------------------- */

static uint32_t get_followed(const struct ct_fix_secondary_attach *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->rig.port])->sharing.n_followed;
}

TEST_F(secondary_attach, process_follows_the_port)
{
	uint32_t followed;
	unsigned int files;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, secondary_rig_probe(&self->other)); /* the port is stopped */
	EXPECT_FALSE(has_bursts(self));
	files = count_open_files();
	use_primary(self);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port)); /* waits in vain for this process */
	self->ops = rte_eth_fp_ops[self->rig.port];
	for (int i = 0; i < 2; i++) {
		followed = get_followed(self);
		rte_eth_fp_ops[self->rig.port].rxq.data = NULL;
		rte_eth_fp_ops[self->rig.port].txq.data = NULL;
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx0");
		EXPECT_EQ(followed + 1, get_followed(self));
		EXPECT_TRUE(has_bursts(self));
		EXPECT_TRUE(is_mapped(self, 0));
		port_rig_exchange_one(&self->rig, 1);
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_STOP, "net_devx0");
		EXPECT_EQ(followed + 2, get_followed(self));
		EXPECT_FALSE(has_bursts(self));
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx1");
		secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_DETACH, "net_devx0");
		EXPECT_EQ(followed + 2, get_followed(self));
		EXPECT_FALSE(has_bursts(self));
		EXPECT_EQ(files, count_open_files());
	}
	loss_rig_listen();
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_CLOSE, "net_devx0");
	EXPECT_EQ(1, loss_seen.n_removed);
	EXPECT_EQ(NULL, self->other.ethdev->process_private);
	EXPECT_EQ(1, devx_eth_secondary_is_removed(self->other.ethdev));
	EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
	EXPECT_FALSE(is_mapped(self, 0));
	EXPECT_EQ(0, self->other.n_sent);
	use_primary(self);
}

TEST_F(secondary_attach, register_that_cannot_be_mapped_stops_the_bursts)
{
	struct devx_eth_txq *txq;
	void *base;

	start_port(self, 1, 1);
	txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	base = txq->uar.base;
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_TRUE(has_bursts(self));
	port_rig_read_log();
	txq->uar.base = (char *)base + (1ll << 30); /* that of another start */
	self->rig.emu->fail(DEVX_EMU_FAIL_MMAP, 0, 0);
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx0");
	txq->uar.base = base;
	EXPECT_FALSE(has_bursts(self));
	EXPECT_SUBSTR("Tx queue 0: cannot map the doorbell register at its address in the primary "
		      "process; start this process again: ",
		      port_rig_read_log());
	secondary_rig_send(&self->other, DEVX_ETH_MESSAGE_START, "net_devx0");
	EXPECT_TRUE(has_bursts(self));
	secondary_rig_play(true);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(0, devx_eth_secondary_close(self->other.ethdev));
		EXPECT_EQ(1, self->other.n_sent);
		EXPECT_FALSE(has_bursts(self));
		EXPECT_EQ(NULL, self->other.ethdev->process_private);
	}
	secondary_rig_play(false);
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	use_primary(self);
	port_rig_exchange_one(&self->rig, 1);
}

static bool is_lost(const struct port_rig *rig, void *arg)
{
	const struct ct_fix_secondary_attach *self = arg;

	RTE_SET_USED(rig);
	return devx_eth_secondary_is_removed(self->other.ethdev);
}

static bool is_reported(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	RTE_SET_USED(arg);
	return __atomic_load_n(&loss_seen.n_removed, __ATOMIC_ACQUIRE) > 0;
}

TEST_F(secondary_attach, end_of_the_primary_process_stops_the_bursts)
{
	start_port(self, 1, 1);
	loss_rig_listen();
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, secondary_rig_probe(&self->other));
		EXPECT_EQ(0, devx_eth_secondary_is_removed(self->other.ethdev));
		loss_seen.n_removed = 0;
		secondary_rig_end_primary(true);
		ASSERT_TRUE(port_rig_wait_until(is_lost, &self->rig, self));
		ASSERT_TRUE(port_rig_wait_until(is_reported, &self->rig, NULL));
		secondary_rig_end_primary(false);
		EXPECT_FALSE(has_bursts(self));
		EXPECT_EQ(1, loss_seen.n_removed);
		EXPECT_SUBSTR("the primary process ended; the port moves no packets",
			      port_rig_read_log());
		EXPECT_EQ(0, secondary_rig_close(&self->other));
		EXPECT_EQ(0, self->other.n_sent); /* nobody reads a message */
		use_primary(self);
	}
	port_rig_exchange_one(&self->rig, 1);
}
