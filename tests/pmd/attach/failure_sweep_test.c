/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "devx_log.h"
#include "dmabuf.h"
#include "driver_calls.h"
#include "port_rig.h"
#include "prm/prm.h"

/* Start and probe, with the k-th firmware command, ioctl or mmap failing, for every k. */

FIXTURE(sweep)
{
	struct port_rig rig;
};
FIXTURE_SETUP(sweep)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to make calls fail");
}
FIXTURE_TEARDOWN(sweep)
{
	driver_calls_fail_alloc(-1);
	driver_calls_fail_netdev(-1);
	port_rig_down(&self->rig);
}

static const struct what {
	const char *name;
	enum devx_emu_fail what;
	bool allocation; /* the driver allocates in vain */
	bool netdev;     /* a call about the network interface, if the port has one */
} whats[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND, false, false },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL, false, false },
	{ "mmap", DEVX_EMU_FAIL_MMAP, false, false },
	{ "allocation", 0, true, false },
	{ "netdev", 0, false, true },
};

static const struct what starts[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND, false, false },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL, false, false },
	{ "allocation", 0, true, false },
};

static void arm_fault(const struct devx_emu_ctl *emu, const struct what *what, int k)
{
	if (what->netdev)
		driver_calls_fail_netdev(k);
	else if (what->allocation)
		driver_calls_fail_alloc(k);
	else
		emu->fail(what->what, k, 0);
}

/* Tells whether a fault fired, and disarms it. */
static bool end_fault(const struct devx_emu_ctl *emu, const struct what *what)
{
	const int64_t left = what->netdev       ? driver_calls_get_pending_netdev_fault()
			     : what->allocation ? driver_calls_get_pending_fault()
						: emu->fail_pending(what->what);

	arm_fault(emu, what, -1);
	return left < 0;
}

enum { K_MAX = 300, DMABUF_BYTES = 1 << 16 };

/*
 * A start may succeed although a call failed: closing the device frees objects whose destroy
 * failed.
 */
TEST_F_EACH(sweep, failed_start_leaves_nothing_behind, struct what, starts)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then;
	struct driver_objects objects;
	int k, allocations, failed = 0;
	uint64_t used;

	ASSERT_EQ(0, port_rig_configure(&self->rig,
					&(struct port_rig_config){ .n_rxq = 2, .n_txq = 3 }));
	then = port_rig_start_and_stop(&self->rig);
	objects = driver_objects_count();
	used = driver_objects_count_heap_bytes();
	allocations = driver_calls_count_allocations();
	for (k = 0; k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		arm_fault(emu, row, k);
		const int rc = rte_eth_dev_start(self->rig.port);
		const bool fired = end_fault(emu, row);

		if (rc) {
			failed++;
			EXPECT_TRUE(fired);
			EXPECT_SUBSTR("net_devx0 (mlx5_0): ", port_rig_read_log());
			EXPECT_EQ(used, driver_objects_count_heap_bytes());
		} else {
			port_rig_exchange_one(&self->rig, (uint32_t)k);
			EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		}
		port_rig_expect_objects(&self->rig, &then);
		driver_objects_expect(&objects);
		mbuf_pool_expect_all(self->rig.pool);
		if (!fired)
			break;
	}
	EXPECT_LT(k, K_MAX);
	EXPECT_LT(0, failed);
	EXPECT_EQ(allocations, driver_calls_count_allocations()); /* after the last stop */
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, (uint32_t)k);
}

/*
 * Start of the line about each command of port start that fails. The kernel turns the status of its
 * own commands into an errno. Without the result of an optional command the start goes on.
 */
static const struct step {
	const char *name, *line;
	bool kernel, optional;
} steps[] = {
	{ "packet_memory", "cannot use memory at ", .kernel = true },
	{ "rings", "cannot use memory for rings of queues: cannot register ", .kernel = true },
	{ "rx_cq", "Rx queue 0: cannot create the CQ: firmware refused CREATE_CQ" },
	{ "rq", "Rx queue 0: cannot create the RQ: firmware refused CREATE_RQ" },
	{ "rq_ready", "Rx queue 0: cannot change the RQ to RDY: firmware refused MODIFY_RQ of " },
	{ "tx_cq", "Tx queue 0: cannot create the CQ: firmware refused CREATE_CQ" },
	{ "sq", "Tx queue 0: cannot create the SQ (the process needs CAP_NET_RAW when it opens the "
		"device): firmware refused CREATE_SQ" },
	{ "sq_ready", "Tx queue 0: cannot change the SQ to RDY: firmware refused MODIFY_SQ of " },
	{ "rqt", "cannot create the RQT: firmware refused CREATE_RQT" },
	{ "tir",
	  "inner headers of tunnels: the device does not describe them (firmware refused "
	  "CREATE_TIR",
	  .optional = true },
	{ "unicast",
	  "cannot create the receive rule for unicast packets (rule 1 of 3): ", .kernel = true },
	{ "broadcast",
	  "cannot create the receive rule for broadcast packets (rule 2 of 3): ", .kernel = true },
	{ "multicast",
	  "cannot create the receive rule for multicast packets (rule 3 of 3): ", .kernel = true },
	{ "link", "cannot read the state of the link: firmware refused QUERY_VPORT_STATE",
	  .optional = true },
};

/* A start whose k-th command is answered with @status, and the log until after its stop. */
struct attempt {
	int k, status, rc;
	bool fired;
	const char *log;
};

static void try_start(const struct port_rig *rig, struct attempt *a)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);

	eth->hash.inner_refused = false; /* the port asks again */
	port_rig_read_log();
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, a->k, a->status);
	a->rc = rte_eth_dev_start(rig->port);
	a->fired = rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	if (!a->rc) {
		port_rig_exchange_one(rig, (uint32_t)a->status);
		EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	}
	a->log = port_rig_read_log();
}

/* Expects that the log is one line: the one of the step, with its status and syndrome or errno. */
static void expect_one_line(const struct step *step, const struct attempt *a)
{
	const char *end = strchr(a->log, '\n');
	char want[512];

	EXPECT_TRUE(a->fired);
	EXPECT_EQ(step->optional, !a->rc);
	EXPECT_TRUE(end && !end[1]);
	snprintf(want, sizeof(want), "net_devx0 (mlx5_0): %s", step->line);
	EXPECT_EQ(a->log, strstr(a->log, want));
	if (step->kernel)
		snprintf(want, sizeof(want), ": %s\n", strerror(-a->rc));
	else
		snprintf(want, sizeof(want), ": %s (%d), syndrome 0x%06x",
			 prm_status_name((uint8_t)a->status), a->status, EMU_FAILED_SYNDROME);
	EXPECT_SUBSTR(want, a->log);
	if (!step->kernel && a->rc)
		EXPECT_EQ(-EIO, a->rc);
}

/* Returns the step that the log names, or NULL. */
static const struct step *find_step(const char *log)
{
	for (size_t i = 0; i < RTE_DIM(steps); i++)
		if (strstr(log, steps[i].line))
			return &steps[i];
	return NULL;
}

/* One status is enough for a command of the kernel: the line names the errno only. */
TEST_F(sweep, start_names_every_status_in_one_line)
{
	struct attempt a = { 0 };
	bool seen[RTE_DIM(steps)] = { 0 };
	struct devx_emu_counters then;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	then = port_rig_start_and_stop(&self->rig);
	for (a.k = 0; a.k < K_MAX; a.k++) {
		SCOPED_TRACE("command %d fails", a.k);
		a.status = PRM_STATUS_INT_ERR;
		try_start(&self->rig, &a);
		if (!a.fired)
			break;
		const struct step *step = find_step(a.log);

		if (!step) {
			ADD_FAILURE("no step has the line: %s", a.log);
			continue;
		}
		SCOPED_TRACE("step %s", step->name);
		expect_one_line(step, &a);
		while (!step->kernel && ++a.status <= PRM_STATUS_BAD_QP_STATE) {
			SCOPED_TRACE("status 0x%x", a.status);
			try_start(&self->rig, &a);
			expect_one_line(step, &a);
		}
		port_rig_expect_objects(&self->rig, &then);
		if (seen[step - steps])
			continue;
		seen[step - steps] = true;
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		port_rig_exchange_one(&self->rig, (uint32_t)a.k);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
	EXPECT_FALSE(a.fired);
	FOR_EACH_ROW (step, steps)
		EXPECT_TRUE(seen[step - steps]);
}

TEST_F_EACH(sweep, failed_probe_leaves_nothing_behind, struct what, whats)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then;
	struct test_dmabuf buf;
	char args[128];
	int k, rc = -1;

	port_rig_remove_port(&self->rig);
	then = port_rig_get_counters(&self->rig);
	ASSERT_TRUE(test_dmabuf_up(&buf, DMABUF_BYTES));
	snprintf(args, sizeof(args), "ibdev=mlx5_0,dmabuf=%d:0:%d:%p", buf.fd, DMABUF_BYTES,
		 (void *)buf.device);
	for (k = 0; k < K_MAX; k++) {
		SCOPED_TRACE("%s %d fails", row->name, k);
		const struct driver_objects objects = driver_objects_count();

		arm_fault(emu, row, k);
		rc = port_rig_init_vdev("net_devx0", args);
		const bool fired = end_fault(emu, row);

		if (!rc)
			EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
		port_rig_expect_objects(&self->rig, &then);
		driver_objects_expect_all(&objects);
		EXPECT_EQ(0, rte_eth_dev_count_avail());
		if (!fired)
			break;
	}
	test_dmabuf_down(&buf);
	EXPECT_LT(k, K_MAX);
	EXPECT_EQ(0, rc);
}

/* Start of the line about a command of probe that creates an object which all queues share. */
static const struct shared {
	const char *name, *line;
	bool optional;
} shared[] = {
	{ "td", "cannot create the transport domain: firmware refused ALLOC_TRANSPORT_DOMAIN" },
	{ "tis", "cannot create the TIS: firmware refused CREATE_TIS" },
	{ "counter",
	  "cannot create the queue counter; packets without a buffer are not counted: firmware "
	  "refused ALLOC_Q_COUNTER",
	  .optional = true },
};

/* Probes while the command after @k others fails. Return: the object that the log names, or NULL */
static const struct shared *try_probe(const struct port_rig *rig, int k, bool *fired)
{
	const char *log;
	int rc;

	port_rig_read_log();
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, PRM_STATUS_LIM_ERR);
	rc = port_rig_init_vdev("net_devx0", "ibdev=mlx5_0");
	*fired = rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	if (!rc)
		EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
	log = port_rig_read_log();
	FOR_EACH_ROW (s, shared) {
		if (!strstr(log, s->line))
			continue;
		EXPECT_EQ(s->optional ? 0 : -EIO, rc);
		EXPECT_SUBSTR("LIM_ERR (8), syndrome 0x", log);
		EXPECT_EQ(strlen(log) - 1, strcspn(log, "\n"));
		return s;
	}
	return NULL;
}

TEST_F(sweep, probe_names_a_shared_object_that_firmware_refuses_in_one_line)
{
	bool seen[RTE_DIM(shared)] = { 0 }, fired = true;

	port_rig_remove_port(&self->rig);
	for (int k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("command %d fails", k);
		const struct shared *s = try_probe(&self->rig, k, &fired);

		if (s)
			seen[s - shared] = true;
	}
	FOR_EACH_ROW (s, shared)
		EXPECT_TRUE(seen[s - shared]);
}
