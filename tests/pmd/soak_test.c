/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "devx/account.h"

#include "devx_port.h"
#include "fault_rig.h"
#include "loss_rig.h"
#include "open_files.h"
#include "wait_limit.h"

/*
 * A long run: faults under traffic, restarts of the port, and secondary processes that send and
 * also receive. A round has two halves. In the first a secondary process attaches, and queues fail;
 * it sees one loss of the device at the end. In the second the device is lost often. Then the port
 * stops, and each packet has a fate.
 *
 *	SOAK_SECONDS  how long; 60 if it is not set
 *	SOAK_PEER     command of the secondary process; none if it is not set
 *
 * Prints a line a minute, or six in shorter runs. Memory and descriptors must not grow after the
 * first line.
 */

enum {
	N_QUEUES = 2, /* the secondary process has the next pair */
	HALF_ROUND = 150,
	LINES = 6,
	FEW_FDS = 20,
	FEW_BYTES = 1 << 20,
	/* libmlx5 frees no object whose destruction the kernel refuses, as on a lost device */
	LEAK_OF_A_LOSS = 4096,
	/* EAL keeps 6 KiB of the shared heap of each process that ended, also without net_devx */
	LEAK_OF_A_PEER = 8192,
};

extern char **environ;

static const enum devx_emu_inject queue_faults[] = {
	DEVX_EMU_INJECT_SQ_ERROR,  DEVX_EMU_INJECT_RQ_ERROR,  DEVX_EMU_INJECT_CQ_ERROR,
	DEVX_EMU_INJECT_LINK_DOWN, DEVX_EMU_INJECT_LINK_DOWN, DEVX_EMU_INJECT_EVENT_LOSS,
};
static const enum devx_emu_inject device_faults[] = {
	DEVX_EMU_INJECT_SQ_ERROR,     DEVX_EMU_INJECT_RQ_ERROR,      DEVX_EMU_INJECT_CQ_ERROR,
	DEVX_EMU_INJECT_DEVICE_FATAL, DEVX_EMU_INJECT_DEVICE_REMOVE, DEVX_EMU_INJECT_DEVICE_REMOVE,
};

static const enum devx_emu_inject losses[] = { DEVX_EMU_INJECT_DEVICE_FATAL,
					       DEVX_EMU_INJECT_DEVICE_REMOVE };

/* struct sizes - memory and descriptors, which must not grow, and the cost of a start */
struct sizes {
	unsigned int n_fds;
	uint64_t eal_bytes, malloc_bytes, resident_bytes;
	double start_ms;
	uint64_t n_commands; /* fewest of a stop and a start; telemetry readers send more */
	unsigned int n_recoveries, n_peers;
};

FIXTURE(soak)
{
	struct port_rig rig;
	struct fault_rig faults;
	struct devx_emu_counters before; /* objects of the stopped port */
	pid_t peer;
	unsigned int n_restarts, n_peers;
	struct sizes first, now;
};
FIXTURE_SETUP(soak)
{
	const struct port_rig_config config = fault_rig_config(N_QUEUES + 1);

	port_rig_up(&self->rig, &config);
	NEEDS_EMU("to inject faults");
	fault_rig_up(&self->faults, &self->rig, N_QUEUES);
	self->faults.n_idle = 1;
	self->rig.device_lost = true; /* missed frames of a lost device are unknown */
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	self->before = port_rig_start_and_stop(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(soak)
{
	if (self->peer) {
		kill(self->peer, SIGKILL);
		waitpid(self->peer, NULL, 0);
	}
	fault_rig_down(&self->faults);
	/* the test compares memory and descriptors itself: processes and readers changed them */
	self->rig.stuck = self->rig.stuck || self->n_peers;
	port_rig_down(&self->rig);
}

static double get_now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- the secondary process ------------------------------------------------------------------ */

static void begin_peer(struct ct_fix_soak *self)
{
	char *argv[] = { (char *)"sh", (char *)"-c", getenv("SOAK_PEER"), NULL };

	if (!argv[2])
		return;
	self->faults.n_idle = 0;
	ASSERT_EQ(0, posix_spawn(&self->peer, "/bin/sh", NULL, NULL, argv, environ));
}

static void note_end_of_peer(struct ct_fix_soak *self, int status)
{
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
	self->n_peers++;
	self->peer = 0;
	self->faults.n_idle = 1;
}

/* struct end - a process that ends, under traffic: its queues are left to the recovery */
struct end {
	struct fault_rig *faults;
	pid_t process;
	int *status;
};

static bool has_ended(const struct port_rig *rig, void *arg)
{
	const struct end *end = arg;

	RTE_SET_USED(rig);
	fault_rig_move(end->faults, 1);
	return waitpid(end->process, end->status, WNOHANG) == end->process;
}

static void end_peer(struct ct_fix_soak *self)
{
	int status = 0;
	struct end end = { &self->faults, self->peer, &status };

	if (!self->peer)
		return;
	kill(self->peer, SIGTERM);
	if (!port_rig_wait_until(has_ended, &self->rig, &end)) {
		ADD_FAILURE("the secondary process does not end");
		kill(self->peer, SIGKILL);
		waitpid(self->peer, &status, 0);
	}
	note_end_of_peer(self, status);
}

/* Returns whether the secondary process has sent since the port had sent @before, or has ended. */
static bool has_peer_worked(struct ct_fix_soak *self, uint64_t before)
{
	int status;

	if (self->peer && waitpid(self->peer, &status, WNOHANG) == self->peer)
		note_end_of_peer(self, status);
	return !self->peer || port_rig_get_xstat(&self->rig, "tx_q2_packets") > before;
}

/* ---- rounds --------------------------------------------------------------------------------- */

static void inject_one(struct ct_fix_soak *self, const enum devx_emu_inject *kinds, unsigned int n)
{
	struct fault_rig *f = &self->faults;

	fault_rig_inject(f, kinds, n);
	fault_rig_move(f, fault_rig_draw(f, 8));
	/* one in four faults is followed by another one during its recovery */
	if (fault_rig_draw(f, 4))
		ASSERT_TRUE(fault_rig_run_until_healthy(f));
}

static uint64_t count_commands(const struct ct_fix_soak *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.account->n_commands;
}

/* Stops the port, compares all accounts, and starts it again. */
static void restart_port(struct ct_fix_soak *self)
{
	struct fault_rig *f = &self->faults;
	uint64_t n_commands;
	double begin;

	ASSERT_TRUE(fault_rig_run_until_healthy(f));
	ASSERT_TRUE(fault_rig_drain(f));
	/* the last event comes after the port works again */
	EXPECT_TRUE(loss_rig_wait(&self->rig, &loss_seen.n_success, loss_seen.n_recovering));
	EXPECT_EQ(loss_seen.n_recovering, loss_seen.n_success);
	EXPECT_EQ(0, loss_seen.n_failed + loss_seen.n_removed);
	n_commands = count_commands(self);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	port_account_expect(&self->rig);
	port_rig_expect_objects(&self->rig, &self->before);
	mbuf_pool_expect_all(self->rig.pool);
	fault_rig_expect_fates(f);
	fault_rig_begin_numbers(f);
	port_rig_read_log();
	begin = get_now_s();
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->now.start_ms = (get_now_s() - begin) * 1e3;
	n_commands = count_commands(self) - n_commands;
	self->now.n_commands = RTE_MIN(self->now.n_commands, n_commands);
	self->n_restarts++;
}

static void run_round(struct ct_fix_soak *self)
{
	const uint64_t sent = port_rig_get_xstat(&self->rig, "tx_q2_packets");
	double end;

	begin_peer(self);
	for (unsigned int i = 0; i < HALF_ROUND && !ct_has_failed(); i++)
		inject_one(self, queue_faults, RTE_DIM(queue_faults));
	end = get_now_s() + WAIT_LIMIT_S;
	while (!has_peer_worked(self, sent) && !ct_has_failed()) {
		inject_one(self, queue_faults, RTE_DIM(queue_faults));
		EXPECT_LT(get_now_s(), end);
	}
	/* the removal of the port ends the secondary process, if it does not end before */
	inject_one(self, losses, RTE_DIM(losses));
	end_peer(self);
	for (unsigned int i = 0; i < HALF_ROUND && !ct_has_failed(); i++) {
		inject_one(self, device_faults, RTE_DIM(device_faults));
		if (i % 50 == 0)
			port_rig_read_log();
	}
	if (!ct_has_failed())
		restart_port(self);
}

/* ---- what a person reads -------------------------------------------------------------------- */

static uint64_t read_resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long size = 0, resident = 0;

	if (file && fscanf(file, "%lu %lu", &size, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void measure_sizes(struct sizes *s)
{
	s->n_fds = count_open_files();
	s->eal_bytes = driver_objects_count_heap_bytes();
	s->malloc_bytes = mallinfo2().uordblks;
	s->resident_bytes = read_resident_bytes();
	s->n_recoveries = loss_seen.n_success;
}

static unsigned int count_faults(const struct ct_fix_soak *self)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < FAULT_RIG_KINDS; i++)
		n += self->faults.n_injected[i];
	return n;
}

static void print_line(const struct ct_fix_soak *self, double seconds)
{
	const struct fault_rig *f = &self->faults;

	printf("%6.0f s: %" PRIu64 " packets sent, %" PRIu64 " received; %u faults, %u link flaps, "
	       "%u removals, %u restarts, %u secondaries; %.1f MiB, %u descriptors, "
	       "start %.1f ms\n",
	       seconds, f->n_taken, f->n_received, count_faults(self),
	       f->n_injected[DEVX_EMU_INJECT_LINK_DOWN],
	       f->n_injected[DEVX_EMU_INJECT_DEVICE_REMOVE], self->n_restarts, self->n_peers,
	       (double)self->now.resident_bytes / (1 << 20), self->now.n_fds, self->now.start_ms);
	fflush(stdout);
}

static void print_table(const struct ct_fix_soak *self)
{
	static const struct {
		const char *name;
		enum devx_emu_inject what;
	} kinds[] = {
		{ "SQ to error state", DEVX_EMU_INJECT_SQ_ERROR },
		{ "RQ to error state", DEVX_EMU_INJECT_RQ_ERROR },
		{ "CQ error", DEVX_EMU_INJECT_CQ_ERROR },
		{ "link down and up", DEVX_EMU_INJECT_LINK_DOWN },
		{ "event lost", DEVX_EMU_INJECT_EVENT_LOSS },
		{ "device fatal", DEVX_EMU_INJECT_DEVICE_FATAL },
		{ "device removed and returned", DEVX_EMU_INJECT_DEVICE_REMOVE },
	};
	const struct sizes *first = &self->first, *last = &self->now;

	for (unsigned int i = 0; i < RTE_DIM(kinds); i++)
		printf("%-32s %12u\n", kinds[i].name, self->faults.n_injected[kinds[i].what]);
	printf("%-32s %12u\n", "recoveries of the device", loss_seen.n_success);
	printf("%-32s %12u\n", "restarts of the port", self->n_restarts);
	printf("%-32s %12u\n", "secondary processes", self->n_peers);
	printf("%-32s %12" PRIu64 "\n", "packets sent", self->faults.n_taken);
	printf("%-32s %12" PRIu64 "\n", "packets received", self->faults.n_received);
	printf("%-32s %12s %12s\n", "", "first line", "last line");
	printf("%-32s %12u %12u\n", "descriptors", first->n_fds, last->n_fds);
	printf("%-32s %12" PRIu64 " %12" PRIu64 "\n", "heap of EAL, bytes", first->eal_bytes,
	       last->eal_bytes);
	printf("%-32s %12" PRIu64 " %12" PRIu64 "\n", "malloc(), bytes", first->malloc_bytes,
	       last->malloc_bytes);
	printf("%-32s %12" PRIu64 " %12" PRIu64 "\n", "resident memory, bytes",
	       first->resident_bytes, last->resident_bytes);
	printf("%-32s %12.1f %12.1f\n", "start of the port, ms", first->start_ms, last->start_ms);
	printf("%-32s %12" PRIu64 " %12" PRIu64 "\n", "firmware commands of a restart",
	       first->n_commands, last->n_commands);
}

static void expect_no_growth(const struct sizes *first, const struct sizes *last)
{
	const uint64_t n_losses = last->n_recoveries - first->n_recoveries;
	const uint64_t n_peers = last->n_peers - first->n_peers;

	EXPECT_GT(first->n_fds + FEW_FDS, last->n_fds);
	EXPECT_GT(first->eal_bytes + FEW_BYTES + n_peers * LEAK_OF_A_PEER, last->eal_bytes);
	EXPECT_GT(first->malloc_bytes + FEW_BYTES + n_losses * LEAK_OF_A_LOSS, last->malloc_bytes);
	EXPECT_EQ(first->n_commands, last->n_commands);
}

static double get_duration_s(void)
{
	const char *text = getenv("SOAK_SECONDS");

	return text ? atof(text) : 60;
}

TEST_F(soak, every_packet_has_a_fate_and_nothing_grows)
{
	const double begin = get_now_s(), end = begin + get_duration_s();
	const double period = RTE_MIN(60, get_duration_s() / LINES);

	for (unsigned int line = 1; get_now_s() < end && !ct_has_failed(); line++) {
		self->now.n_commands = UINT64_MAX;
		do
			run_round(self);
		while (get_now_s() < begin + line * period && !ct_has_failed());
		measure_sizes(&self->now);
		self->now.n_peers = self->n_peers;
		if (line == 1)
			self->first = self->now;
		print_line(self, get_now_s() - begin);
	}
	print_table(self);
	expect_no_growth(&self->first, &self->now);
}
