/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx/account.h"
#include "devx_port.h"
#include "driver_calls.h"
#include "loss_rig.h"
#include "port_rig.h"
#include "prm/prm.h"

/*
 * The e-switch manager of a function may forbid TIRs that describe inner headers. The port starts
 * without, says so once, and its TIRs always agree. (Their packets: burst/packet_type_test.c)
 */

static const struct port_rig_config with_rss = {
	.n_rxq = 2,
	.n_rx_desc = 64,
	.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
	.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_UDP,
	.eth.intr_conf.rmv = 1,
};

static const char notice[] = "inner headers of tunnels: the device does not describe them";

FIXTURE(inner_headers)
{
	struct port_rig rig;
	struct devx_eth *eth;
};
FIXTURE_SETUP(inner_headers)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to forbid inner headers");
	self->eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &with_rss));
	port_rig_read_log();
}
FIXTURE_TEARDOWN(inner_headers)
{
	if (self->rig.emu) {
		self->rig.emu->option("inner_hashing", 1);
		self->rig.emu->option("inner_ip_version", 1);
	}
	loss_rig_forget();
	port_rig_down(&self->rig);
}

/* Expects that all TIRs of the port have tunneled_offload_en, or that none has it. */
static void expect_tirs(const struct ct_fix_inner_headers *self, bool inner)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < DEVX_ETH_N_CLASSES; i++) {
		const struct devx_tir *tir = &self->eth->hash.classes[i].tir;
		struct prm_query_tir_in in = { 0 };
		struct prm_query_tir_out out = { 0 };

		if (!tir->obj)
			continue;
		SCOPED_TRACE("class %u", i);
		prm_set(&in, opcode, PRM_OP_query_tir);
		prm_set(&in, tirn, tir->tirn);
		ASSERT_EQ(0, driver_calls_query(&self->eth->dev, tir->obj, &in, sizeof(in), &out,
						sizeof(out)));
		EXPECT_EQ(inner, prm_get(prm_sub(&out, tir_context), tunneled_offload_en));
		n++;
	}
	EXPECT_LT(1, n);
}

static bool lists_inner_types(const struct ct_fix_inner_headers *self)
{
	uint32_t types[32];
	const int n = rte_eth_dev_get_supported_ptypes(
		self->rig.port, RTE_PTYPE_INNER_L3_MASK | RTE_PTYPE_INNER_L4_MASK, types,
		RTE_DIM(types));

	return n > 0;
}

static uint64_t count_failed_commands(const struct ct_fix_inner_headers *self)
{
	return self->eth->dev.account->n_failed;
}

TEST_F(inner_headers, refusal_is_said_once_and_asked_for_once)
{
	const struct port_rig *rig = &self->rig;
	struct rte_eth_rss_conf conf = { .rss_hf = RTE_ETH_RSS_UDP | RTE_ETH_RSS_IP };
	const uint64_t failed = count_failed_commands(self);
	const char *log;

	EXPECT_TRUE(lists_inner_types(self));
	EXPECT_EQ(1, rig->emu->option("inner_hashing", 0));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	log = port_rig_read_log();
	EXPECT_SUBSTR(notice, log);
	EXPECT_SUBSTR("not enabled by the eswitch manager", log);
	EXPECT_EQ(log + strlen(log) - 1, strchr(log, '\n'));
	EXPECT_FALSE(lists_inner_types(self));
	expect_tirs(self, false);
	ASSERT_EQ(0, rte_eth_dev_rss_hash_update(rig->port, &conf));
	expect_tirs(self, false);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_EQ(0,
		  rig->emu->option("inner_hashing", 1)); /* too late: the port keeps its answer */
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_tirs(self, false);
	EXPECT_EQ(NULL, strstr(port_rig_read_log(), notice));
	EXPECT_EQ(failed + 1, count_failed_commands(self));
}

TEST_F(inner_headers, port_that_lost_its_device_does_not_ask_again)
{
	const struct port_rig *rig = &self->rig;

	EXPECT_EQ(1, rig->emu->option("inner_hashing", 0));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_SUBSTR(notice, port_rig_read_log());
	loss_rig_listen();
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	expect_tirs(self, false);
	EXPECT_EQ(NULL, strstr(port_rig_read_log(), notice));
}

/* The e-switch manager started before the driver read the capability. */
TEST_F(inner_headers, device_without_the_capability_is_not_asked)
{
	struct port_rig *rig = &self->rig;
	const char *log;

	EXPECT_EQ(1, rig->emu->option("inner_hashing", 0));
	EXPECT_EQ(1, rig->emu->option("inner_ip_version", 0));
	port_rig_remove_port(rig);
	port_rig_add_port(rig);
	self->eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	ASSERT_EQ(0, port_rig_configure(rig, &with_rss));
	EXPECT_FALSE(lists_inner_types(self));
	port_rig_read_log();
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_tirs(self, false);
	log = port_rig_read_log();
	EXPECT_EQ(NULL, strstr(log, "inner headers"));
	EXPECT_EQ(0, count_failed_commands(self));
}

static const struct device {
	const char *name;
	bool inner;
} devices[] = { { "that_allows_inner_headers", true }, { "that_forbids_them", false } };

/* The k-th command of the start fails: also a later TIR, and also one of the second attempt. */
TEST_F_EACH(inner_headers, tirs_agree_and_nothing_is_left_on_a_device, struct device, devices)
{
	const struct port_rig *rig = &self->rig;
	const struct devx_emu_counters then = port_rig_start_and_stop(rig);
	unsigned int n_without = 0, n_failed = 0;
	bool fired = true;

	rig->emu->option("inner_hashing", row->inner);
	for (int k = 0; fired; k++) {
		bool inner;
		int rc;

		SCOPED_TRACE("command %d fails", k);
		ASSERT_LT(k, 300);
		self->eth->hash.inner_refused = false; /* the port asks again */
		port_rig_read_log();
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		rc = rte_eth_dev_start(rig->port);
		fired = rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		inner = !strstr(port_rig_read_log(), notice);
		n_failed += !!rc;
		if (!rc) {
			n_without += !inner;
			expect_tirs(self, inner);
			EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
		}
		port_rig_expect_objects(rig, &then);
	}
	EXPECT_LT(0, n_failed);
	EXPECT_LT(row->inner ? 2 : 0, n_without); /* UDP over IPv4, over IPv6, others */
}

/* A start that fails for another reason leaves the port free to ask for inner headers again. */
TEST_F(inner_headers, port_asks_again_after_a_start_that_failed)
{
	const struct port_rig *rig = &self->rig;
	int rc = 0;

	EXPECT_EQ(1, rig->emu->option("inner_hashing", 0));
	for (int k = 0; !strstr(port_rig_read_log(), "cannot create the TIR of"); k++) {
		ASSERT_LT(k, 300);
		self->eth->hash.inner_refused = false;
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		rc = rte_eth_dev_start(rig->port);
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		if (!rc)
			EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	}
	EXPECT_NE(0, rc);
	EXPECT_EQ(0, rig->emu->option("inner_hashing", 1));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_tirs(self, true);
}
