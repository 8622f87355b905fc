/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "attach/devx_secondary.h"
#include "burst/devx_user_burst.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "devx_uar_pages.h"
#include "driver_calls.h"
#include "open_files.h"
#include "process/devx_processes.h"
#include "secondary_rig.h"

/* A secondary process attaches to a port, uses its queues, and leaves. */

enum { K_MAX = 100 };

FIXTURE(secondary_attach)
{
	struct port_rig rig;
	struct secondary_rig other;
};
FIXTURE_SETUP(secondary_attach)
{
	port_rig_probe(&self->rig);
	if (self->rig.port == RTE_MAX_ETHPORTS)
		return;
	NEEDS_EMU("to play both processes");
	secondary_rig_up(&self->other, &self->rig);
}
FIXTURE_TEARDOWN(secondary_attach)
{
	driver_calls_fail_alloc(-1);
	secondary_rig_down(&self->other);
	port_rig_down(&self->rig);
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

	secondary_rig_start_port(&self->other, row->n_rxq, row->n_txq);
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
		EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
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
			EXPECT_TRUE(secondary_rig_is_mapped(&self->other, q));
		}
		((struct devx_eth_rxq *)data->rx_queues[0])->user.process = number + 7;
		EXPECT_EQ(0, secondary_rig_close(&self->other));
		EXPECT_EQ(number + 7, ((struct devx_eth_rxq *)data->rx_queues[0])->user.process);
		((struct devx_eth_rxq *)data->rx_queues[0])->user.process = 0;
		for (uint16_t q = 1; q < row->n_rxq; q++)
			EXPECT_EQ(0, ((struct devx_eth_rxq *)data->rx_queues[q])->user.process);
		for (uint16_t q = 0; q < row->n_txq; q++) {
			EXPECT_EQ(0, ((struct devx_eth_txq *)data->tx_queues[q])->user.process);
			EXPECT_FALSE(secondary_rig_is_mapped(&self->other, q));
		}
		EXPECT_EQ(i + 1, self->other.n_left);
		EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
		EXPECT_EQ(files, count_open_files());
		secondary_rig_use_primary(&self->other);
	}
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	EXPECT_EQ(allocations, driver_calls_count_allocations());
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
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
	{ "device_in_recovery", answer_refusal, -EBUSY,
	  "the port waits for the return of its device" },
	{ "lost_device", answer_refusal, -EIO, "the port lost its device" },
	{ "other_error", answer_refusal, -EXDEV, "Invalid cross-device link" },
	{ "reply_of_another_layout", answer_layout, -EPROTO, "start both from the same build" },
	{ "reply_without_pipe", answer_one_descriptor, -EBADMSG, "Bad message" },
};

TEST_F_EACH(secondary_attach, refusal_is_one_line_and_leaves_nothing_behind, struct refusal,
	    refusals)
{
	void (*const keep)(struct rte_mp_reply *) = self->other.answer;
	unsigned int files;

	secondary_rig_start_port(&self->other, 1, 1);
	ASSERT_EQ(0, secondary_rig_probe(&self->other)); /* keeps the pipe of the primary process */
	ASSERT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
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
	EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
	EXPECT_EQ(0, secondary_rig_close(&self->other));
	secondary_rig_use_primary(&self->other);
	port_rig_exchange_one(&self->rig, 1);
}

static const struct fault {
	const char *name;
	bool mmap;
} faults[] = { { "allocation", false }, { "mmap", true } };

static void arm_fault(const struct ct_fix_secondary_attach *self, const struct fault *f, int k)
{
	if (f->mmap)
		self->rig.emu->fail(DEVX_EMU_FAIL_MMAP, k, 0);
	else
		driver_calls_fail_alloc(k);
}

/* Tells whether a fault fired, and disarms it. */
static bool end_fault(const struct ct_fix_secondary_attach *self, const struct fault *f)
{
	const bool fired = f->mmap ? self->rig.emu->fail_pending(DEVX_EMU_FAIL_MMAP) < 0
				   : driver_calls_get_pending_fault() < 0;

	arm_fault(self, f, -1);
	return fired;
}

TEST_F_EACH(secondary_attach, failed_attach_leaves_nothing_behind, struct fault, faults)
{
	unsigned int files;
	bool fired = true;
	int k, failed = 0;

	secondary_rig_start_port(&self->other, 1, 3);
	ASSERT_EQ(0, secondary_rig_probe(&self->other));
	ASSERT_EQ(0, secondary_rig_close(&self->other));
	files = count_open_files();
	for (k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		secondary_rig_use_primary(&self->other);
		arm_fault(self, row, k);
		const int rc = secondary_rig_probe(&self->other);

		fired = end_fault(self, row);
		EXPECT_EQ(fired, rc != 0);
		failed += rc != 0;
		if (!rc) {
			EXPECT_TRUE(secondary_rig_has_bursts(&self->other));
			EXPECT_EQ(0, secondary_rig_close(&self->other));
		}
		for (uint16_t q = 0; q < 3; q++)
			EXPECT_FALSE(secondary_rig_is_mapped(&self->other, q));
		EXPECT_EQ(RTE_ETH_DEV_UNUSED, self->other.ethdev->state);
		EXPECT_EQ(NULL, self->other.ethdev->process_private);
		EXPECT_EQ(files, count_open_files());
	}
	EXPECT_FALSE(fired);
	EXPECT_LT(0, failed);
	secondary_rig_use_primary(&self->other);
	port_rig_exchange_one(&self->rig, 1);
}

static unsigned int count_uar_pages(const struct port_rig *rig)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	unsigned int n = 0;

	for (const struct devx_eth_uar_page *page = eth->sharing.uar_pages; page; page = page->next)
		n++;
	return n;
}

/* Otherwise each restart of the primary process would take more addresses of the region. */
TEST_F(secondary_attach, restart_uses_the_doorbell_pages_that_it_knows)
{
	unsigned int n;

	secondary_rig_start_port(&self->other, 1, 3);
	n = count_uar_pages(&self->rig);
	EXPECT_LE(1, n);
	EXPECT_GE(3, n);
	for (int i = 0; i < 4; i++) {
		EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	EXPECT_GE(2 * n, count_uar_pages(&self->rig)); /* libmlx5 may have given other pages */
}
