/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "port/cores.h"

static struct topology machine;
static struct cores cores;

/* Chooses CPUs for --cores @text and ports on nodes 0 and 1. Returns the reason of a refusal. */
static const char *choose_cores(const char *text, int node0, int node1)
{
	const int nodes[] = { node0, node1 };
	struct cores_option option;
	const char *why = cores_option_parse(&option, text);
	const struct cores_request request = { &option, nodes, 2, 4 };

	return why ? why : cores_choose(&cores, &machine, &request);
}

TEST(cores, hwloc_tells_node_core_and_hyperthread)
{
	ASSERT_EQ(0, topology_read(&machine, "node:2 core:4 pu:2"));
	ASSERT_EQ(16, machine.n_cpus);
	EXPECT_EQ(2, machine.n_nodes);
	EXPECT_EQ(0, machine.cpus[0].node);
	EXPECT_EQ(0, machine.cpus[0].thread);
	EXPECT_EQ(1, machine.cpus[1].thread);
	EXPECT_EQ(machine.cpus[0].core, machine.cpus[1].core);
	EXPECT_NE(machine.cpus[0].core, machine.cpus[2].core);
	EXPECT_EQ(0, machine.cpus[7].node);
	EXPECT_EQ(1, machine.cpus[8].node);
	EXPECT_NE(0, topology_read(&machine, "no such machine"));
	/* CPUs are in the order of their numbers, and the second thread of a core may come last. */
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:2 pu:2(indexes=0,2,1,3)"));
	for (unsigned i = 0; i < 4; i++) {
		EXPECT_EQ(i, machine.cpus[i].id);
		EXPECT_EQ(i / 2, machine.cpus[i].thread);
		EXPECT_EQ(machine.cpus[i % 2].core, machine.cpus[i].core);
	}
}

TEST(cores, this_machine_has_the_cpus_of_the_affinity_mask)
{
	unsigned n = 0;

	ASSERT_EQ(0, topology_read(&machine, NULL));
	for (unsigned i = 0; i < machine.n_cpus; i++)
		n += machine.cpus[i].allowed;
	EXPECT_LT(0, n);
}

TEST(cores, a_number_takes_cores_of_the_ports_node_and_no_siblings)
{
	ASSERT_EQ(0, topology_read(&machine, "node:2 core:4 pu:2"));
	ASSERT_TRUE(choose_cores("4", 1, 1) == NULL);
	EXPECT_STREQ("0@0,1@8,2@10,3@12,4@14", cores_format_lcores(&cores));
	/* More workers than the node has cores: its siblings come before the other node. */
	ASSERT_TRUE(choose_cores("6", 1, 1) == NULL);
	EXPECT_STREQ("0@0,1@8,2@10,3@12,4@14,5@9,6@11", cores_format_lcores(&cores));
	/* The controlling thread has the first core: its sibling comes after all other cores. */
	ASSERT_TRUE(choose_cores("7", 0, 0) == NULL);
	EXPECT_STREQ("0@0,1@2,2@4,3@6,4@1,5@3,6@5,7@7", cores_format_lcores(&cores));
}

TEST(cores, workers_take_turns_at_the_nodes_of_the_ports)
{
	ASSERT_EQ(0, topology_read(&machine, "node:2 core:4 pu:2"));
	ASSERT_TRUE(choose_cores("4", 1, 0) == NULL);
	EXPECT_STREQ("0@0,1@8,2@2,3@10,4@4", cores_format_lcores(&cores));
	EXPECT_EQ(1, cores.workers[0].node);
	EXPECT_EQ(0, cores.workers[1].node);
}

TEST(cores, an_unknown_node_takes_any_core)
{
	ASSERT_EQ(0, topology_read(&machine, "node:2 core:2 pu:2"));
	ASSERT_TRUE(choose_cores("3", -1, -1) == NULL);
	EXPECT_STREQ("0@0,1@2,2@4,3@6", cores_format_lcores(&cores));
}

TEST(cores, all_cpus_leave_the_controller_without_its_own)
{
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:2 pu:2"));
	ASSERT_TRUE(choose_cores("4", 0, 0) == NULL);
	EXPECT_STREQ("0@(0,1,2,3),1@0,2@2,3@1,4@3", cores_format_lcores(&cores));
	EXPECT_FALSE(cores.has_main_cpu);
}

TEST(cores, a_list_is_taken_as_given)
{
	ASSERT_EQ(0, topology_read(&machine, "node:2 core:4 pu:2"));
	ASSERT_TRUE(choose_cores("9,2-4", 0, 0) == NULL);
	/* CPU 0 and its core are free. */
	EXPECT_STREQ("0@0,1@9,2@2,3@3,4@4", cores_format_lcores(&cores));
	ASSERT_TRUE(choose_cores("0-2", 0, 0) == NULL);
	/* The cores of CPUs 0 to 3 have workers: the controller takes the next. */
	EXPECT_STREQ("0@4,1@0,2@1,3@2", cores_format_lcores(&cores));
	/* The cores of CPUs 1 and 3 have workers, although their first threads are free. */
	ASSERT_TRUE(choose_cores("1,3", 0, 0) == NULL);
	EXPECT_STREQ("0@4,1@1,2@3", cores_format_lcores(&cores));
}

TEST(cores, more_workers_than_cpus_are_refused_with_the_cpus)
{
	ASSERT_EQ(0, topology_read(&machine, "node:2 core:4 pu:2"));
	machine.cpus[3].allowed = false;
	EXPECT_SUBSTR("may use 15 CPUs: 0-2,4-15 (valid: 1 to 15)", choose_cores("16", 0, 0));
	EXPECT_SUBSTR("no CPU 16 (valid: 0-2,4-15)", choose_cores("15,16", 0, 0));
	EXPECT_SUBSTR("CPU 3 is not in the affinity mask", choose_cores("2-5", 0, 0));
	ASSERT_TRUE(choose_cores("15", 0, 0) == NULL);
	for (unsigned i = 0; i < cores.n_workers; i++)
		EXPECT_NE(3, cores.workers[i].cpu);
}

TEST(cores, isolated_cpus_are_used_if_the_list_names_them)
{
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:4 pu:1"));
	machine.cpus[2] = (struct cpu){ .id = 2, .core = 2, .isolated = true };
	machine.cpus[3] = (struct cpu){ .id = 3, .core = 3, .isolated = true };
	ASSERT_TRUE(choose_cores("2-3", 0, 0) == NULL);
	EXPECT_STREQ("0@0,1@2,2@3", cores_format_lcores(&cores));
	EXPECT_SUBSTR("may use 2 CPUs: 0-1", choose_cores("3", 0, 0));
}

TEST(cores, auto_takes_the_useful_number_and_leaves_one_for_the_controller)
{
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:8 pu:1"));
	ASSERT_TRUE(choose_cores("auto", 0, 0) == NULL);
	EXPECT_STREQ("0@0,1@1,2@2,3@3,4@4", cores_format_lcores(&cores));
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:3 pu:1"));
	ASSERT_TRUE(choose_cores("auto", 0, 0) == NULL);
	EXPECT_STREQ("0@0,1@1,2@2", cores_format_lcores(&cores));
}

TEST(cores, auto_leaves_the_threads_to_the_scheduler_with_one_or_two_cpus)
{
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:2 pu:1"));
	ASSERT_TRUE(choose_cores("auto", 0, 0) == NULL);
	EXPECT_STREQ("(0,1)@(0,1)", cores_format_lcores(&cores));
	EXPECT_EQ(1, cores.n_workers);
	ASSERT_TRUE(choose_cores("1", 0, 0) == NULL);
	EXPECT_STREQ("0@0,1@1", cores_format_lcores(&cores));
	ASSERT_EQ(0, topology_read(&machine, "node:1 core:1 pu:1"));
	ASSERT_TRUE(choose_cores("auto", 0, 0) == NULL);
	EXPECT_STREQ("(0,1)@(0)", cores_format_lcores(&cores));
	ASSERT_TRUE(choose_cores("1", 0, 0) == NULL);
	EXPECT_STREQ("0@(0),1@0", cores_format_lcores(&cores));
}
