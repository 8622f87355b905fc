/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_bus_vdev.h>

#include "devx/netdev.h"
#include "devx_port.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Events of the device reach the application: change of the link, loss of the device. */

FIXTURE(port_event)
{
	struct port_rig rig;
};
FIXTURE_SETUP(port_event)
{
	port_rig_up(&self->rig,
		    &(struct port_rig_config){ .eth.intr_conf = { .lsc = 1, .rmv = 1 } });
}
static void forget_callbacks(void);
static void plug_in(const struct port_rig *rig);
FIXTURE_TEARDOWN(port_event)
{
	forget_callbacks();
	plug_in(&self->rig);
	port_rig_down(&self->rig);
}

/* Calls of the callback, and the state of the link at the last one. */
static struct seen {
	unsigned int n_lsc, n_rmv;
	bool up;
} seen;

static int note_event(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	struct rte_eth_link link;

	RTE_SET_USED(arg);
	RTE_SET_USED(ret);
	if (event == RTE_ETH_EVENT_INTR_RMV) {
		__atomic_add_fetch(&seen.n_rmv, 1, __ATOMIC_RELEASE);
		return 0;
	}
	EXPECT_EQ(0, rte_eth_link_get_nowait(port, &link));
	seen.up = link.link_status == RTE_ETH_LINK_UP;
	EXPECT_EQ(seen.up, link.link_speed != RTE_ETH_SPEED_NUM_NONE);
	__atomic_add_fetch(&seen.n_lsc, 1, __ATOMIC_RELEASE);
	return 0;
}

/* The application closes the port in its callback, on the interrupt thread itself. */
static int close_port(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	RTE_SET_USED(event);
	RTE_SET_USED(ret);
	rte_eth_dev_stop(port);
	rte_eth_dev_close(port);
	__atomic_store_n((unsigned int *)arg, 1, __ATOMIC_RELEASE);
	return 0;
}

/* ethdev keeps the callbacks of a closed port for the next port with its number. */
static void forget_callbacks(void)
{
	static const enum rte_eth_event_type events[] = { RTE_ETH_EVENT_INTR_LSC,
							  RTE_ETH_EVENT_INTR_RMV };

	for (unsigned int i = 0; i < RTE_DIM(events); i++) {
		rte_eth_dev_callback_unregister(RTE_ETH_ALL, events[i], note_event, (void *)-1);
		rte_eth_dev_callback_unregister(RTE_ETH_ALL, events[i], close_port, (void *)-1);
	}
}

static void listen_to_port(const struct port_rig *rig)
{
	seen = (struct seen){ 0 };
	EXPECT_EQ(0, rte_eth_dev_callback_register(rig->port, RTE_ETH_EVENT_INTR_LSC, note_event,
						   NULL));
	EXPECT_EQ(0, rte_eth_dev_callback_register(rig->port, RTE_ETH_EVENT_INTR_RMV, note_event,
						   NULL));
}

/* On emu the device changes the link; a real kernel changes it with the state of its netdev. */
static void set_link(const struct port_rig *rig, bool up)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);

	if (rig->emu) {
		EXPECT_EQ(0,
			  rig->emu->inject(
				  0, up ? DEVX_EMU_INJECT_LINK_UP : DEVX_EMU_INJECT_LINK_DOWN, 0));
		return;
	}
	pthread_mutex_lock(&eth->lock);
	EXPECT_EQ(0, devx_netdev_set_up(&eth->dev, up));
	pthread_mutex_unlock(&eth->lock);
}

static void lose_device(const struct port_rig *rig)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
}

/* A device that is plugged in stays. */
static void plug_in(const struct port_rig *rig)
{
	if (rig->emu)
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
}

static bool has_seen(const struct port_rig *rig, void *n)
{
	RTE_SET_USED(rig);
	return __atomic_load_n((unsigned int *)n, __ATOMIC_ACQUIRE);
}

static bool is_link_up(const struct port_rig *rig)
{
	struct rte_eth_link link = { 0 };

	EXPECT_EQ(0, rte_eth_link_get_nowait(rig->port, &link));
	return link.link_status == RTE_ETH_LINK_UP;
}

static bool is_link(const struct port_rig *rig, void *up)
{
	return is_link_up(rig) == *(bool *)up;
}

/* Lets EAL's interrupt thread handle everything that waits. */
static bool has_slept(const struct port_rig *rig, void *n)
{
	RTE_SET_USED(rig);
	rte_delay_us_sleep(1000);
	return ++*(unsigned int *)n == 20;
}

static void wait_a_while(const struct port_rig *rig)
{
	unsigned int n = 0;

	EXPECT_TRUE(port_rig_wait_until(has_slept, rig, &n));
}

TEST_F(port_event, change_of_the_link_calls_the_application_once)
{
	struct port_rig *rig = &self->rig;

	EXPECT_TRUE(is_link_up(rig)); /* read by the start */
	listen_to_port(rig);
	for (unsigned int i = 0; i < 4; i++) {
		const bool up = i % 2;

		seen.n_lsc = 0;
		set_link(rig, up);
		ASSERT_TRUE(port_rig_wait_until(has_seen, rig, &seen.n_lsc));
		wait_a_while(rig);
		EXPECT_EQ(1, seen.n_lsc);
		EXPECT_EQ(up, seen.up);
		EXPECT_EQ(up, is_link_up(rig));
	}
	port_rig_exchange_one(rig, 1);
	EXPECT_EQ(0, seen.n_rmv);
}

TEST_F(port_event, change_while_stopped_is_seen_by_the_next_start)
{
	struct port_rig *rig = &self->rig;
	bool down = false;

	listen_to_port(rig);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	set_link(rig, false);
	EXPECT_TRUE(port_rig_wait_until(is_link, rig, &down));
	wait_a_while(rig);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_FALSE(is_link_up(rig));
	EXPECT_EQ(0, seen.n_lsc);
	set_link(rig, true);
	ASSERT_TRUE(port_rig_wait_until(has_seen, rig, &seen.n_lsc));
	EXPECT_TRUE(is_link_up(rig));
}

TEST_F(port_event, without_lsc_the_application_is_not_called)
{
	struct port_rig *rig = &self->rig;
	bool up = true, down = false;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	listen_to_port(rig);
	set_link(rig, false);
	EXPECT_TRUE(port_rig_wait_until(is_link, rig, &down));
	set_link(rig, true);
	EXPECT_TRUE(port_rig_wait_until(is_link, rig, &up)); /* the next test needs the link */
	wait_a_while(rig);
	EXPECT_EQ(0, seen.n_lsc);
}

/* Receives all packets that are on the way: sends a longer one, and waits until it arrives. */
static void drain_port(const struct port_rig *rig)
{
	enum { LONGER = 300 };
	struct rte_mbuf *m = port_rig_make_packet(rig, LONGER, 0);
	uint32_t bytes = 0;

	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	while (bytes != LONGER) {
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		bytes = m->pkt_len;
		rte_pktmbuf_free(m);
	}
}

TEST_F(port_event, link_flaps_under_traffic)
{
	enum { FLAPS = 50 };
	struct port_rig *rig = &self->rig;
	struct rte_mbuf *m[PORT_RIG_BURST];
	bool up = true, down = false;

	NEEDS_EMU("to change the link a hundred times in a short time");
	listen_to_port(rig);
	for (unsigned int i = 0; i < 2 * FLAPS; i++) {
		uint16_t n;

		set_link(rig, i % 2);
		for (unsigned int k = 0; k < 4; k++) {
			m[0] = port_rig_make_packet(rig, 60, i);
			if (!rte_eth_tx_burst(rig->port, 0, m, 1))
				rte_pktmbuf_free(m[0]);
			n = rte_eth_rx_burst(rig->port, 0, m, PORT_RIG_BURST);
			rte_pktmbuf_free_bulk(m, n);
		}
	}
	set_link(rig, false);
	EXPECT_TRUE(port_rig_wait_until(is_link, rig, &down));
	set_link(rig, true);
	EXPECT_TRUE(port_rig_wait_until(is_link, rig, &up));
	drain_port(rig);
	port_rig_exchange_one(rig, 7);
	EXPECT_LT(0, seen.n_lsc);
	EXPECT_TRUE(seen.up);
}

/* ---- loss of the device ------------------------------------------------------------------- */

/* Sends on while the device disappears, and expects that bursts then do nothing. */
static void unplug_under_traffic(struct port_rig *rig)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	rig->emu->pause();
	for (unsigned int i = 0; i < PORT_RIG_BURST; i++)
		m[i] = port_rig_make_packet(rig, 60, i);
	ASSERT_EQ(PORT_RIG_BURST, rte_eth_tx_burst(rig->port, 0, m, PORT_RIG_BURST));
	lose_device(rig);
	rig->emu->resume();
	ASSERT_TRUE(port_rig_wait_until(has_seen, rig, &seen.n_rmv));
	m[0] = port_rig_make_packet(rig, 60, 0);
	EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 0, m, 1));
	rte_pktmbuf_free(m[0]);
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, m, PORT_RIG_BURST));
}

static unsigned int count_losses(const char *log)
{
	static const char line[] = "the kernel reports that the device failed or was removed";
	unsigned int n = 0;

	for (; (log = strstr(log, line)); log++)
		n++;
	return n;
}

TEST_F(port_event, loss_of_the_device_stops_the_port_for_good)
{
	struct port_rig *rig = &self->rig;
	struct rte_eth_stats stats;
	const char *log;

	NEEDS_EMU("to let the device fail");
	port_rig_exchange_one(rig, 1);
	listen_to_port(rig);
	unplug_under_traffic(rig);
	wait_a_while(rig);
	EXPECT_EQ(1, seen.n_rmv);
	log = port_rig_read_log();
	EXPECT_EQ(1, count_losses(log));
	EXPECT_EQ(1, rte_eth_dev_is_removed(rig->port));
	EXPECT_EQ(1, seen.n_lsc);
	EXPECT_FALSE(seen.up);
	EXPECT_FALSE(is_link_up(rig));
	EXPECT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	mbuf_pool_expect_all(rig->pool);
	port_rig_read_log();
	EXPECT_EQ(-EIO, rte_eth_dev_start(rig->port));
	EXPECT_SUBSTR("close the port, and probe it again", port_rig_read_log());
}

TEST_F(port_event, device_works_again_after_a_new_probe)
{
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to let the device fail");
	listen_to_port(rig);
	unplug_under_traffic(rig);
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_remove_port(rig);
	plug_in(rig);
	port_rig_add_port(rig);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, 3);
}

TEST_F(port_event, loss_while_stopped_is_reported)
{
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to let the device fail");
	listen_to_port(rig);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	lose_device(rig);
	ASSERT_TRUE(port_rig_wait_until(has_seen, rig, &seen.n_rmv));
	EXPECT_EQ(-EIO, rte_eth_dev_start(rig->port));
}

static const struct closing {
	const char *name;
	enum rte_eth_event_type event;
} closings[] = {
	{ "rmv", RTE_ETH_EVENT_INTR_RMV }, { "lsc", RTE_ETH_EVENT_INTR_LSC }, /* comes before RMV */
};

TEST_F_EACH(port_event, application_closes_the_port_in_its_callback, struct closing, closings)
{
	struct port_rig *rig = &self->rig;
	unsigned int closed = 0;

	NEEDS_EMU("to let the device fail");
	EXPECT_EQ(0, rte_eth_dev_callback_register(rig->port, RTE_ETH_EVENT_INTR_RMV, note_event,
						   NULL));
	EXPECT_EQ(0, rte_eth_dev_callback_register(rig->port, row->event, close_port, &closed));
	lose_device(rig);
	ASSERT_TRUE(port_rig_wait_until(has_seen, rig, &closed));
	wait_a_while(rig);
	port_rig_remove_port(rig);
	mbuf_pool_expect_all(rig->pool);
}
