/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_mr_table.h"
#include "devx_port.h"
#include "devx_txq.h"
#include "port_rig.h"

/* The room for tables that secondary processes read. */

static struct devx_eth make_port(uint64_t *memory, size_t bytes, bool needed)
{
	static struct rte_eth_dev_data data;

	return (struct devx_eth){ .name = "net_devx9",
				  .data = &data,
				  .sharing.tables = { (char *)memory, bytes, false, needed } };
}

TEST(table_room, full_room_falls_back_to_private_memory_without_secondary)
{
	uint64_t memory[32];
	struct devx_eth eth = make_port(memory, sizeof(memory), false);
	struct devx_eth_range ranges[100] = { 0 };
	struct devx_eth_table *t = devx_eth_table_create(&eth, ranges, 2);

	ASSERT_EQ((void *)memory, (void *)t);
	devx_eth_table_publish(&eth, t);
	EXPECT_FALSE(eth.sharing.tables.outside);
	t = devx_eth_table_create(&eth, ranges, 100);
	ASSERT_NE(NULL, t);
	devx_eth_table_publish(&eth, t);
	EXPECT_TRUE(eth.sharing.tables.outside);
	devx_eth_table_free_all(&eth);
	EXPECT_FALSE(eth.sharing.tables.outside);
}

TEST(table_room, full_room_refuses_a_table_with_a_secondary)
{
	uint64_t memory[32];
	struct devx_eth eth = make_port(memory, sizeof(memory), true);
	struct devx_eth_range ranges[100] = { 0 };

	EXPECT_EQ(NULL, devx_eth_table_create(&eth, ranges, 100));
	EXPECT_FALSE(eth.sharing.tables.outside);
}

/* A table of a queue keeps its place, so that the queue sees that the next table is another one. */
TEST(table_room, a_table_that_no_queue_has_makes_room)
{
	uint64_t memory[32];
	struct devx_eth eth = make_port(memory, sizeof(memory), true);
	struct devx_eth_txq txq = { 0 };
	void *queues[] = { &txq };
	struct devx_eth_range ranges[2] = { 0 };
	struct devx_eth_table *t;

	eth.data->tx_queues = queues;
	eth.data->nb_tx_queues = 1;
	for (int i = 0; i < 100; i++) {
		t = devx_eth_table_create(&eth, ranges, 2);
		ASSERT_NE(NULL, t);
		EXPECT_NE((const void *)txq.table, (const void *)t);
		EXPECT_EQ(0, (uintptr_t)t % sizeof(uint64_t));
		devx_eth_table_publish(&eth, t);
		if (i % 3 == 0)
			txq.table = t;
	}
	eth.data->nb_tx_queues = 0;
}
