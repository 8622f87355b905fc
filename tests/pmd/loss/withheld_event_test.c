/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "loss_rig.h"

/* A device may withhold events from users. The port then starts, and goes on without them. */

FIXTURE(withheld_event)
{
	struct port_rig rig;
};
FIXTURE_SETUP(withheld_event)
{
	self->rig.port = RTE_MAX_ETHPORTS;
	NEEDS_EMU("to withhold events");
}
FIXTURE_TEARDOWN(withheld_event)
{
	if (!emu_if_any())
		return;
	loss_rig_forget();
	port_rig_down(&self->rig);
	emu_if_any()->option("port_events", 1);
	emu_if_any()->option("cq_error_events", 1);
}

static const struct mask {
	const char *name;
	bool port, cq_error; /* the device gives PORT_CHANGE, CQ_ERROR */
} masks[] = {
	{ "no_port_change", false, true },
	{ "no_cq_error", true, false },
	{ "neither", false, false },
	{ "both_events", true, true },
};

static void set_masks(bool port, bool cq_error)
{
	EXPECT_LE(0, emu_if_any()->option("port_events", port));
	EXPECT_LE(0, emu_if_any()->option("cq_error_events", cq_error));
}

static void start_port(struct port_rig *rig, const struct mask *mask)
{
	const struct port_rig_config config = { .eth.intr_conf = { .lsc = 1, .rmv = 1 } };

	set_masks(mask->port, mask->cq_error);
	port_rig_probe(rig);
	port_rig_read_log();
	ASSERT_EQ(0, port_rig_configure(rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	loss_rig_listen();
}

static void expect_notices(const struct mask *mask)
{
	const char *log = port_rig_read_log(), *at = log;
	unsigned int found = 0;

	for (; (at = strstr(at, "withholds")); at++)
		found++;
	EXPECT_EQ(!mask->port + !mask->cq_error, found);
	if (!mask->port)
		EXPECT_SUBSTR("events: the device withholds PORT_CHANGE from users; the verbs "
			      "context reports changes of the link\n",
			      log);
	if (!mask->cq_error)
		EXPECT_SUBSTR("events: the device withholds CQ_ERROR from users; the recovery "
			      "timer reads the state of one CQ every 10 ms\n",
			      log);
}

static struct devx_eth_rxq *get_rxq(const struct port_rig *rig)
{
	return rte_eth_devices[rig->port].data->rx_queues[0];
}

static bool is_repaired(const struct port_rig *rig, void *n)
{
	loss_rig_burst(rig);
	return port_rig_get_xstat(rig, "rx_recoveries") == *(uint64_t *)n;
}

/* The port sees changes of the link and the error of a CQ. */
static void expect_port_sees_events(struct port_rig *rig)
{
	const unsigned int n = loss_seen.n_link;
	uint64_t recoveries = port_rig_get_xstat(rig, "rx_recoveries") + 1;

	loss_rig_inject(rig, DEVX_EMU_INJECT_LINK_DOWN);
	EXPECT_TRUE(loss_rig_wait(rig, &loss_seen.n_link, n + 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_LINK_UP);
	EXPECT_TRUE(loss_rig_wait(rig, &loss_seen.n_link, n + 2));
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_rxq(rig)->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &recoveries));
	port_rig_exchange_one(rig, n);
}

TEST_F_EACH(withheld_event, port_goes_on_and_says_so_once, struct mask, masks)
{
	struct port_rig *rig = &self->rig;

	start_port(rig, row);
	expect_notices(row);
	EXPECT_EQ(row->cq_error, get_rxq(rig)->cq_cookie != 0);
	expect_port_sees_events(rig);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_port_sees_events(rig);
	expect_notices(&masks[3]);
}

TEST_F_EACH(withheld_event, device_that_returns_is_asked_again, struct mask, masks)
{
	struct port_rig *rig = &self->rig;

	start_port(rig, row);
	expect_notices(row);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	EXPECT_EQ(row->cq_error, get_rxq(rig)->cq_cookie != 0);
	expect_port_sees_events(rig);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 2));
	set_masks(true, true);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 2));
	EXPECT_NE(0, get_rxq(rig)->cq_cookie);
	EXPECT_EQ(0, get_rxq(rig)->eth->events.withheld);
	expect_port_sees_events(rig);
	expect_notices(&masks[3]);
}

/* The k-th ioctl of a start fails for lack of memory, for every k: also each subscription. */
TEST_F(withheld_event, missing_memory_withholds_no_event)
{
	struct port_rig *rig = &self->rig;
	bool fired = true;

	start_port(rig, &masks[3]);
	for (int k = 0; fired; k++) {
		ASSERT_LT(k, 300);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
		rig->emu->fail(DEVX_EMU_FAIL_IOCTL, k, ENOMEM);
		const int rc = rte_eth_dev_start(rig->port);

		fired = rig->emu->fail_pending(DEVX_EMU_FAIL_IOCTL) < 0;
		rig->emu->fail(DEVX_EMU_FAIL_IOCTL, -1, 0);
		EXPECT_EQ(0, get_rxq(rig)->eth->events.withheld);
		EXPECT_TRUE(!rc || fired);
		if (!rc)
			EXPECT_NE(0, get_rxq(rig)->cq_cookie);
	}
	expect_notices(&masks[3]);
}
