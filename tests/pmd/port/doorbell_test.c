/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "devx_port.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Types of doorbell registers (port/devx_doorbell.c). */

enum { N_TXQ = 4 };

#ifdef MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED /* rdma-core 45 */
#define DEDICATED DEVX_UAR_NC_DEDICATED
#define OTHERWISE(type) DEVX_UAR_NC_DEDICATED
#define NO_DEDICATED NULL
#else
#define DEDICATED DEVX_UAR_NC
#define OTHERWISE(type) (type)
#define NO_DEDICATED "dedicated non-cached UAR pages are unsupported (needed: rdma-core 45"
#endif
#ifdef RTE_ARCH_X86_64
#define AUTO OTHERWISE(DEVX_UAR_BF)
#else
#define AUTO DEVX_UAR_BF
#endif

struct uar {
	const char *name, *args;
	enum devx_uar_type type;
	const char *warning;
};

static const char one_register[] = "doorbells: non-cached, all queues share one register\n";

/* Expects that probe logs @warning, if it is given, and whether queues share a register. */
static void expect_log_of_probe(const char *args, enum devx_uar_type type, const char *warning)
{
	const char *log;

	port_rig_read_log();
	ASSERT_EQ(0, port_rig_init_vdev("net_devx0", args));
	log = port_rig_read_log();
	if (warning)
		EXPECT_SUBSTR(warning, log);
	else
		EXPECT_EQ(NULL, strstr(log, "unsupported"));
	EXPECT_EQ(type == DEVX_UAR_NC, strstr(log, one_register) != NULL);
	EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
}

static void add_port(struct port_rig *rig, const struct uar *row)
{
	port_rig_remove_port(rig);
	expect_log_of_probe(row->args, row->type, row->warning);
	port_rig_add_port_with(rig, row->args);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_txq = N_TXQ }));
}

static struct devx_eth *get_port(const struct port_rig *rig)
{
	return devx_eth_port_get(&rte_eth_devices[rig->port]);
}

/* Sends one packet on each queue and receives it; expects registers as of @type. */
static void exchange_on_all_queues(const struct port_rig *rig, enum devx_uar_type type)
{
	const struct devx_eth *eth = get_port(rig);
	const void *first = ((struct devx_eth_txq *)eth->data->tx_queues[0])->sq.doorbell;

	EXPECT_EQ(type, eth->uar_type);
	for (uint16_t i = 0; i < N_TXQ; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];
		struct rte_mbuf *m = port_rig_make_packet(rig, 100, i);

		SCOPED_TRACE("Tx queue %u", i);
		EXPECT_EQ(type != DEVX_UAR_BF, txq->sq.nc);
		if (i)
			EXPECT_EQ(type == DEVX_UAR_NC, txq->sq.doorbell == first);
		ASSERT_NE(NULL, m);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, i, &m, 1));
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, 100, i);
		rte_pktmbuf_free(m);
	}
}

/* Starts twice: both starts use the registers that probe chose. */
static void start_twice(const struct port_rig *rig, enum devx_uar_type type)
{
	for (int i = 0; i < 2; i++) {
		SCOPED_TRACE("start %d", i);
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		exchange_on_all_queues(rig, type);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	}
	EXPECT_EQ(NULL, strstr(port_rig_read_log(), "doorbells"));
}

FIXTURE(doorbell)
{
	struct port_rig rig;
};
FIXTURE_SETUP(doorbell)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(doorbell)
{
	port_rig_down(&self->rig);
}

static const struct uar uars[] = {
	{ "auto", "ibdev=mlx5_0,uar=auto", AUTO, NULL },
	{ "bf", "ibdev=mlx5_0,uar=bf", DEVX_UAR_BF, NULL },
	{ "nc", "ibdev=mlx5_0,uar=nc", DEVX_UAR_NC, NULL },
	{ "nc_dedicated", "ibdev=mlx5_0,uar=nc_dedicated", DEDICATED, NO_DEDICATED },
};

TEST_F_EACH(doorbell, every_queue_sends_with_each_type, struct uar, uars)
{
	add_port(&self->rig, row);
	start_twice(&self->rig, row->type);
}

/* ---- devx-emu --no-write-combining, or a guest whose kernel found no write combining ------- */

FIXTURE(no_write_combining)
{
	struct port_rig rig;
};
FIXTURE_SETUP(no_write_combining)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(no_write_combining)
{
	port_rig_down(&self->rig);
}

#define NO_BF "doorbells: BlueFlame UAR pages are unsupported (needed: a kernel that found write"

static const struct uar apart[] = {
	{ "auto", "ibdev=mlx5_0", OTHERWISE(DEVX_UAR_NC),
	  OTHERWISE(DEVX_UAR_BF) == DEVX_UAR_BF ? NO_BF : NULL },
	{ "bf", "ibdev=mlx5_0,uar=bf", OTHERWISE(DEVX_UAR_NC), NO_BF },
	{ "nc", "ibdev=mlx5_0,uar=nc", DEVX_UAR_NC, NULL },
};

TEST_F_EACH(no_write_combining, port_uses_non_cached_registers_and_says_why_once, struct uar, apart)
{
	add_port(&self->rig, row);
	start_twice(&self->rig, row->type);
}

TEST_F(no_write_combining, probe_with_tx_bf_wqe_is_refused_in_one_line)
{
	const char *log;

	port_rig_remove_port(&self->rig);
	EXPECT_EQ(-EOPNOTSUPP, port_rig_init_vdev("net_devx0", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1"));
	log = port_rig_read_log();
	EXPECT_SUBSTR("net_devx0 (mlx5_0): tx_bf_wqe=1 needs a BlueFlame register: BlueFlame UAR",
		      log);
	EXPECT_EQ(NULL, strstr(strstr(log, "net_devx0") + 1, "net_devx0"));
	port_rig_add_port(&self->rig);
}
