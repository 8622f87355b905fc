/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_port.h"
#include "port_rig.h"

/* Lists of unicast and multicast addresses, and the VLAN filter: with RSS and without. */

enum { N_QUEUES = 2 };

FIXTURE(filter)
{
	struct port_rig rig;
	bool rss;
};
FIXTURE_SETUP(filter)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(filter)
{
	port_rig_down(&self->rig);
}

static const struct setting {
	const char *name;
	bool rss;
} settings[] = { { "one_queue", false }, { "rss", true } };

static void start_with(struct port_rig *rig, const struct setting *s)
{
	const struct port_rig_config config = {
		.n_rxq = s->rss ? N_QUEUES : 1,
		.n_rx_desc = 64,
		.eth.rxmode.mq_mode = s->rss ? RTE_ETH_MQ_RX_RSS : RTE_ETH_MQ_RX_NONE,
		.eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_FILTER,
		.eth.rx_adv_conf.rss_conf.rss_hf = s->rss ? RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP : 0,
	};

	ASSERT_EQ(0, port_rig_configure(rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

/* ---- frames ------------------------------------------------------------------------------ */

/* Destinations of frames. Bit number * N_TAGS + tag stands for a frame in a set. */
enum { OWN, FIRST, SECOND, FOREIGN, BROADCAST, IPV6, GROUP, OTHER_GROUP, N_DESTINATIONS };
enum { UNTAGGED, VLAN_0, VLAN_7, VLAN_8, N_TAGS };

static struct rte_ether_addr addresses[N_DESTINATIONS] = {
	[FIRST] = { { 0x02, 0, 0, 0, 1, 1 } },
	[SECOND] = { { 0x02, 0, 0, 0, 1, 2 } },
	[FOREIGN] = { { 0x02, 0, 0, 0, 1, 3 } },
	[BROADCAST] = { { 255, 255, 255, 255, 255, 255 } },
	[IPV6] = { { 0x33, 0x33, 0, 0, 0, 1 } },
	[GROUP] = { { 0x01, 0, 0x5e, 0, 0, 5 } },
	[OTHER_GROUP] = { { 0x01, 0, 0x5e, 0, 0, 6 } },
};

/* Returns the frames with any tag to a destination. */
static uint32_t get_row(int destination)
{
	return ((1u << N_TAGS) - 1) << destination * N_TAGS;
}

/* Returns the frames that a port without lists receives. */
static uint32_t get_basics(void)
{
	return get_row(OWN) | get_row(BROADCAST) | get_row(IPV6);
}

/* Returns those frames of a set that have a tag. */
static uint32_t pick_tag(uint32_t set, int tag)
{
	return set & 0x11111111u << tag;
}

static struct rte_mbuf *make_frame(struct port_rig *rig, int destination, int tag)
{
	static const uint16_t vlans[N_TAGS] = { 0, 0, 7, 8 };
	struct rte_mbuf *m = port_rig_make_packet(
		rig, 100 + (uint32_t)(destination * N_TAGS + tag) - (tag ? RTE_VLAN_HLEN : 0), 0);
	struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, struct rte_ether_hdr *);

	eth->dst_addr = destination == OWN ? rig->mac : addresses[destination];
	if (tag) {
		m->vlan_tci = vlans[tag];
		EXPECT_EQ(0, rte_vlan_insert(&m));
	}
	return m;
}

static bool try_queues(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf **m = arg;

	for (uint16_t queue = 0; queue < rte_eth_devices[rig->port].data->nb_rx_queues; queue++)
		if (rte_eth_rx_burst(rig->port, queue, m, 1))
			return true;
	return false;
}

/*
 * Sends each frame; returns the set of those received. A last frame ends the wait: it goes to
 * @end, which the port receives, and is longer than the others.
 */
static uint32_t find_taken(struct port_rig *rig, uint32_t end)
{
	enum { LAST_BYTES = 300 };
	struct rte_mbuf *m;
	uint32_t taken = 0;

	for (int i = 0; i < N_DESTINATIONS * N_TAGS; i++) {
		m = make_frame(rig, i / N_TAGS, i % N_TAGS);
		if (!port_rig_send(rig, &m, 1))
			return 0;
	}
	m = make_frame(rig, (int)end / N_TAGS, (int)end % N_TAGS);
	rte_pktmbuf_append(m, (uint16_t)(LAST_BYTES - m->pkt_len));
	if (!port_rig_send(rig, &m, 1))
		return 0;
	/* the device delivers in order: when the last frame is here, so are the others */
	for (bool last = false; !last || try_queues(rig, &m);) {
		if (!last && !port_rig_wait_until(try_queues, rig, &m)) {
			ADD_FAILURE("the last frame was not received");
			break;
		}
		if (m->pkt_len == LAST_BYTES) {
			last = true;
		} else {
			EXPECT_FALSE(taken & 1u << (m->pkt_len - 100)); /* not received twice */
			taken |= 1u << (m->pkt_len - 100);
		}
		rte_pktmbuf_free(m);
	}
	return taken;
}

enum {
	END_UNTAGGED = OWN * N_TAGS + UNTAGGED,
	END_VLAN_7 = OWN * N_TAGS + VLAN_7,
	END_VLAN_8 = OWN * N_TAGS + VLAN_8
};

/* ---- tests ------------------------------------------------------------------------------- */

TEST_F_EACH(filter, listed_addresses_are_received_until_they_are_removed, struct setting, settings)
{
	struct port_rig *rig = &self->rig;

	start_with(rig, row);
	EXPECT_EQ(get_basics(), find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &addresses[FIRST], 0));
	EXPECT_EQ(get_basics() | get_row(FIRST), find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &addresses[SECOND], 0));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &addresses[SECOND], 0)); /* again */
	ASSERT_EQ(0, rte_eth_dev_mac_addr_remove(rig->port, &addresses[FIRST]));
	EXPECT_EQ(get_basics() | get_row(SECOND), find_taken(rig, END_UNTAGGED));

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &addresses[FIRST], 0));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(get_basics() | get_row(FIRST) | get_row(SECOND), find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_remove(rig->port, &addresses[FIRST]));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_remove(rig->port, &addresses[SECOND]));
	EXPECT_EQ(get_basics(), find_taken(rig, END_UNTAGGED));
	EXPECT_EQ(-EADDRINUSE, rte_eth_dev_mac_addr_remove(rig->port, &rig->mac));
}

TEST_F_EACH(filter, listed_groups_are_received, struct setting, settings)
{
	struct port_rig *rig = &self->rig;
	/* the port receives broadcast and IPv6 multicast without a list too, but each frame once */
	struct rte_ether_addr list[] = { addresses[GROUP], addresses[OTHER_GROUP], addresses[GROUP],
					 addresses[BROADCAST], addresses[IPV6] };

	start_with(rig, row);
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, &addresses[GROUP], 1));
	EXPECT_EQ(get_basics() | get_row(GROUP), find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, list, RTE_DIM(list)));
	EXPECT_EQ(get_basics() | get_row(GROUP) | get_row(OTHER_GROUP),
		  find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_allmulticast_enable(rig->port));
	EXPECT_EQ(get_basics() | get_row(GROUP) | get_row(OTHER_GROUP),
		  find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_allmulticast_disable(rig->port));
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, &addresses[OTHER_GROUP], 1));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(get_basics() | get_row(OTHER_GROUP), find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, NULL, 0));
	EXPECT_EQ(get_basics(), find_taken(rig, END_UNTAGGED));
}

/* The first VLAN excludes untagged frames and other VLANs, until the last VLAN is removed. */
TEST_F_EACH(filter, vlan_filter_lets_its_vlans_in, struct setting, settings)
{
	struct port_rig *rig = &self->rig;
	const uint32_t all = get_basics() | get_row(FIRST) | get_row(GROUP);

	start_with(rig, row);
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &addresses[FIRST], 0));
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, &addresses[GROUP], 1));
	EXPECT_EQ(all, find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 7, 1));
	EXPECT_EQ(pick_tag(all, VLAN_7), find_taken(rig, END_VLAN_7));
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 8, 1));
	EXPECT_EQ(pick_tag(all, VLAN_7) | pick_tag(all, VLAN_8), find_taken(rig, END_VLAN_7));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(pick_tag(all, VLAN_7) | pick_tag(all, VLAN_8), find_taken(rig, END_VLAN_7));

	ASSERT_EQ(0, rte_eth_allmulticast_enable(rig->port)); /* without the filter, as net_mlx5 */
	EXPECT_EQ(pick_tag(get_row(OWN) | get_row(FIRST), VLAN_7) |
			  pick_tag(get_row(OWN) | get_row(FIRST), VLAN_8) | get_row(BROADCAST) |
			  get_row(IPV6) | get_row(GROUP) | get_row(OTHER_GROUP),
		  find_taken(rig, END_VLAN_7));
	ASSERT_EQ(0, rte_eth_promiscuous_enable(rig->port));
	EXPECT_EQ(UINT32_MAX, find_taken(rig, END_UNTAGGED));
	ASSERT_EQ(0, rte_eth_promiscuous_disable(rig->port));
	ASSERT_EQ(0, rte_eth_allmulticast_disable(rig->port));

	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 7, 0)); /* the first one of the list */
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 9, 0)); /* was never in the filter */
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 0, 1));
	EXPECT_EQ(pick_tag(all, VLAN_8) | pick_tag(all, VLAN_0), find_taken(rig, END_VLAN_8));
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 0, 0));
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 8, 0));
	EXPECT_EQ(all, find_taken(rig, END_UNTAGGED));
	EXPECT_EQ(-EINVAL, rte_eth_dev_vlan_filter(rig->port, 4096, 1));
}

/* The list of VLANs has an effect only with the offload. */
TEST_F(filter, vlan_filter_can_be_off)
{
	struct port_rig *rig = &self->rig;

	start_with(rig, &settings[0]);
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 7, 1));
	EXPECT_EQ(pick_tag(get_basics(), VLAN_7), find_taken(rig, END_VLAN_7));
	ASSERT_EQ(0, rte_eth_dev_set_vlan_offload(rig->port, 0));
	EXPECT_EQ(get_basics(), find_taken(rig, END_UNTAGGED));
	EXPECT_EQ(-ENOSYS, rte_eth_dev_vlan_filter(rig->port, 8, 1));
	ASSERT_EQ(0, rte_eth_dev_set_vlan_offload(rig->port, RTE_ETH_VLAN_FILTER_OFFLOAD));
	EXPECT_EQ(pick_tag(get_basics(), VLAN_7), find_taken(rig, END_VLAN_7));
}

static void expect_one_line(const char *says)
{
	const char *log = port_rig_read_log();

	EXPECT_SUBSTR(says, log);
	EXPECT_EQ(log + strlen(log) - 1, strchr(log, '\n'));
}

TEST_F(filter, full_lists_are_refused_in_one_line)
{
	struct port_rig *rig = &self->rig;
	struct rte_ether_addr mac = { { 0x02, 0, 0, 0, 2, 0 } }, list[129];

	for (uint8_t i = 0; i < RTE_DIM(list); i++)
		list[i] = (struct rte_ether_addr){ { 0x01, 0, 0x5e, 1, 1, i } };
	start_with(rig, &settings[0]);
	for (int i = 1; i < 128; i++) {
		mac.addr_bytes[5] = (uint8_t)i;
		ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &mac, 0));
	}
	port_rig_read_log();
	mac.addr_bytes[5] = 128;
	EXPECT_EQ(-ENOSPC, rte_eth_dev_mac_addr_add(rig->port, &mac, 0));
	expect_one_line("full");
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	for (int i = 1; i < 128; i++) {
		mac.addr_bytes[5] = (uint8_t)i;
		ASSERT_EQ(0, rte_eth_dev_mac_addr_remove(rig->port, &mac));
	}
	EXPECT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, list, 128));
	EXPECT_EQ(-ENOSPC, rte_eth_dev_set_mc_addr_list(rig->port, list, 129));
	expect_one_line("valid: 128");
	EXPECT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, NULL, 0));
	EXPECT_EQ(-EINVAL, rte_eth_dev_set_mc_addr_list(rig->port, &mac, 1));
	expect_one_line("not a multicast address");
	for (uint16_t vlan = 1; vlan <= 128; vlan++)
		ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, vlan, 1));
	EXPECT_EQ(-ENOMEM, rte_eth_dev_vlan_filter(rig->port, 129, 1));
	expect_one_line("at most 128 VLANs");
	for (uint16_t vlan = 2; vlan <= 128; vlan++)
		ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, vlan, 0));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

/* ---- failures ---------------------------------------------------------------------------- */

static const struct change {
	const char *name;
	enum devx_emu_fail what;
} changes[] = { { "command", DEVX_EMU_FAIL_COMMAND }, { "ioctl", DEVX_EMU_FAIL_IOCTL } };

enum { ADD_UNICAST, SET_GROUPS, ADD_VLAN, N_CHANGES };

static int make_change(struct port_rig *rig, int change)
{
	return change == ADD_UNICAST ? rte_eth_dev_mac_addr_add(rig->port, &addresses[SECOND], 0)
	       : change == SET_GROUPS
		       ? rte_eth_dev_set_mc_addr_list(rig->port, &addresses[GROUP], 2)
		       : rte_eth_dev_vlan_filter(rig->port, 7, 1);
}

/*
 * The k-th call of a change fails, for every k: the port goes on as before. The changes only add
 * rules, because the kernel keeps a rule whose removal fails.
 */
TEST_F_EACH(filter, failed_change_keeps_the_old_filters, struct change, changes)
{
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to make calls fail");
	start_with(rig, &settings[1]);
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, &addresses[OTHER_GROUP], 1));
	for (int change = 0; change < N_CHANGES; change++) {
		const uint32_t end = change == ADD_VLAN ? END_VLAN_8 : END_UNTAGGED;
		struct devx_emu_counters then;
		uint32_t before;
		int k, rc = -1;

		if (change == ADD_VLAN)
			ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 8, 1));
		then = port_rig_get_counters(rig);
		before = find_taken(rig, end);
		for (k = 0; k < 50; k++) {
			SCOPED_TRACE("change %d, %s %d fails", change, row->name, k);
			rig->emu->fail(row->what, k, 0);
			rc = make_change(rig, change);
			rig->emu->fail(row->what, -1, 0);
			if (!rc)
				break;
			EXPECT_EQ(then.flows, port_rig_get_counters(rig).flows);
			EXPECT_EQ(before, find_taken(rig, end));
		}
		EXPECT_EQ(0, rc);
		EXPECT_LT(0, k);
		EXPECT_NE(before, find_taken(rig, end));
	}
}

/* Frames to the own address arrive while rules come and go. */
TEST_F_EACH(filter, changes_lose_and_double_no_packet, struct setting, settings)
{
	struct port_rig *rig = &self->rig;
	struct rte_mbuf *m[PORT_RIG_BURST], *back;

	start_with(rig, row);
	for (int round = 0; round < 30; round++) {
		for (int i = 0; i < PORT_RIG_BURST; i++)
			m[i] = make_frame(rig, OWN, VLAN_7);
		ASSERT_TRUE(port_rig_send(rig, m, PORT_RIG_BURST));
		if (round % 3 == 0)
			ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, 7, round % 2));
		else if (round % 3 == 1)
			ASSERT_EQ(0, round % 2 ? rte_eth_promiscuous_enable(rig->port)
					       : rte_eth_promiscuous_disable(rig->port));
		else
			ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, &addresses[GROUP],
								  1 + round % 2));
		for (int i = 0; i < PORT_RIG_BURST; i++) {
			ASSERT_TRUE(port_rig_wait_until(try_queues, rig, &back));
			rte_pktmbuf_free(back);
		}
		EXPECT_FALSE(try_queues(rig, &back));
	}
}

/* RSS adds no rule: its classes are entries of one flow table. */
TEST_F(filter, a_long_list_takes_one_rule_per_address)
{
	struct port_rig *rig = &self->rig;
	struct rte_ether_addr mac = { { 0x02, 0, 0, 0, 2, 0 } };
	const uint64_t before = port_rig_get_counters(rig).flows;

	NEEDS_EMU("to count rules");
	start_with(rig, &settings[1]);
	for (int i = 1; i < 128; i++) {
		mac.addr_bytes[5] = (uint8_t)i;
		ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &mac, 0));
	}
	EXPECT_EQ(before + 128 + 2, port_rig_get_counters(rig).flows);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(before + 128 + 2, port_rig_get_counters(rig).flows);
}
