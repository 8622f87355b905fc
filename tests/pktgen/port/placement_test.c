/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "port/placement.h"

static struct topology machine;
static struct cores cores;

/* Chooses the workers for --cores @text on @synthetic, for ports on these nodes. */
static void make_cores(const char *synthetic, const char *text, int node0, int node1)
{
	const int nodes[] = { node0, node1 };
	struct cores_option option;
	const struct cores_request request = { &option, nodes, 2, 4 };

	ASSERT_EQ(0, topology_read(&machine, synthetic));
	ASSERT_TRUE(cores_option_parse(&option, text) == NULL);
	ASSERT_TRUE(cores_choose(&cores, &machine, &request) == NULL);
}

/* A flow from port 0 to port 1, each on its node. */
static void init_ports(struct placement p[2], int node0, int node1)
{
	p[0] = (struct placement){ .node = node0, .sends = true, .most_tx = 8, .most_rx = 8 };
	p[1] = (struct placement){
		.id = 1, .node = node1, .receives = true, .most_tx = 8, .most_rx = 8
	};
}

TEST(placement, one_flow_one_worker_receives_and_one_sends)
{
	struct placement p[2];
	char text[200];

	make_cores("node:1 core:8 pu:1", "auto", 0, 0);
	init_ports(p, 0, 0);
	placement_make(p, 2, &cores, false);
	EXPECT_EQ(1, p[0].n_tx);
	EXPECT_EQ(1, p[0].n_rx);
	EXPECT_EQ(0, p[1].rx_worker[0]);
	EXPECT_EQ(1, p[0].tx_worker[0]);
	/* The queue without a flow does not wake a third worker. */
	EXPECT_GT(2, p[0].rx_worker[0]);
	ASSERT_TRUE(placement_format_worker(p, 2, &cores, 0, text, sizeof(text)));
	EXPECT_STREQ("CPU 1 (NUMA node 0): receives port 1 queue 0", text);
	ASSERT_TRUE(placement_format_worker(p, 2, &cores, 1, text, sizeof(text)));
	EXPECT_STREQ("CPU 2 (NUMA node 0): sends port 0 queue 0", text);
	EXPECT_FALSE(placement_format_worker(p, 2, &cores, 2, text, sizeof(text)));
}

TEST(placement, one_worker_does_everything)
{
	struct placement p[2];
	char text[200];

	make_cores("node:1 core:2 pu:1", "auto", 0, 0);
	init_ports(p, 0, 0);
	placement_make(p, 2, &cores, false);
	ASSERT_TRUE(placement_format_worker(p, 2, &cores, 0, text, sizeof(text)));
	EXPECT_STREQ("any of 2 CPUs: receives port 1 queue 0; sends port 0 queue 0", text);
	EXPECT_EQ(0, placement_count_far(&p[0], &cores));
}

TEST(placement, more_workers_than_directions_get_more_queues)
{
	struct placement p[2];

	make_cores("node:1 core:8 pu:1", "5", 0, 0);
	init_ports(p, 0, 0);
	placement_make(p, 2, &cores, true);
	EXPECT_EQ(3, p[0].n_tx);
	EXPECT_EQ(2, p[1].n_rx);
	/* Directions without a flow keep one queue. */
	EXPECT_EQ(1, p[0].n_rx);
	EXPECT_EQ(1, p[1].n_tx);
	EXPECT_EQ(0, p[1].rx_worker[0]);
	EXPECT_EQ(1, p[1].rx_worker[1]);
	EXPECT_EQ(2, p[0].tx_worker[0]);
	EXPECT_EQ(4, p[0].tx_worker[2]);
}

TEST(placement, a_port_gets_no_more_queues_than_are_of_use)
{
	struct placement p[2];

	make_cores("node:1 core:16 pu:1", "12", 0, 0);
	init_ports(p, 0, 0);
	p[1].most_rx = 1;
	placement_make(p, 2, &cores, true);
	EXPECT_EQ(8, p[0].n_tx);
	EXPECT_EQ(1, p[1].n_rx);
}

TEST(placement, queues_asked_for_are_kept)
{
	struct placement p[2];

	make_cores("node:1 core:16 pu:1", "8", 0, 0);
	init_ports(p, 0, 0);
	p[0].asked = (struct queues_option){ 2, 20 };
	placement_make(p, 2, &cores, true);
	EXPECT_EQ(2, p[0].n_tx);
	EXPECT_EQ(20, p[0].n_rx);
	EXPECT_EQ(6, p[1].n_rx);
}

TEST(placement, queues_go_to_workers_on_the_node_of_the_port)
{
	struct placement p[2];

	make_cores("node:2 core:4 pu:2", "4", 1, 0);
	init_ports(p, 1, 0);
	placement_make(p, 2, &cores, true);
	for (unsigned i = 0; i < 2; i++) {
		EXPECT_EQ(1, cores.workers[p[0].tx_worker[i]].node);
		EXPECT_EQ(0, cores.workers[p[1].rx_worker[i]].node);
	}
	EXPECT_EQ(0, placement_count_far(&p[0], &cores));
	EXPECT_EQ(0, placement_count_far(&p[1], &cores));
}

TEST(placement, an_idle_worker_of_another_node_comes_before_a_busy_near_one)
{
	struct placement p[2];

	make_cores("node:2 core:4 pu:1", "1,4-6", 0, 0);
	init_ports(p, 0, 0);
	placement_make(p, 2, &cores, true);
	EXPECT_EQ(0, p[1].rx_worker[0]);
	EXPECT_EQ(1, p[1].rx_worker[1]);
	EXPECT_EQ(2, placement_count_far(&p[0], &cores));
	EXPECT_EQ(1, placement_count_far(&p[1], &cores));
}

TEST(placement, a_long_line_is_cut)
{
	struct placement p[2];
	char text[24];

	make_cores("node:1 core:2 pu:1", "1", 0, 0);
	init_ports(p, 0, 0);
	p[0].asked.tx = 64;
	placement_make(p, 2, &cores, true);
	ASSERT_TRUE(placement_format_worker(p, 2, &cores, 0, text, sizeof(text)));
	EXPECT_STREQ("CPU 1 (NUMA node 0): re", text);
}
