/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "open_files.h"
#include "process/devx_processes.h"
#include "secondary_rig.h"

/* The primary process waits until each secondary process has followed a message. */

FIXTURE(secondary_wait)
{
	struct port_rig rig;
	struct secondary_rig other;
};
FIXTURE_SETUP(secondary_wait)
{
	port_rig_probe(&self->rig);
	if (self->rig.port == RTE_MAX_ETHPORTS)
		return;
	NEEDS_EMU("to play both processes");
	secondary_rig_up(&self->other, &self->rig);
}
FIXTURE_TEARDOWN(secondary_wait)
{
	secondary_rig_down(&self->other);
	port_rig_down(&self->rig);
}

static struct process {
	uint32_t number;
	int alive; /* closed at its end */
	bool follows, leaves;
} processes[2];

static int attach_process(struct process *process)
{
	struct rte_mp_msg msg, reply;
	const struct devx_eth_message *answer = (const struct devx_eth_message *)reply.param;
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	msg.fds[msg.num_fds++] = pipes[0];
	if (!devx_eth_processes_answer(&msg, &reply) || answer->result)
		return -EPROTO;
	close(reply.fds[0]);
	*process = (struct process){ .number = answer->process, .alive = pipes[1] };
	return 0;
}

static void send_as(const struct process *process, enum devx_eth_message_type type, uint32_t n_told)
{
	struct rte_mp_msg msg, reply;
	struct devx_eth_message *m = devx_eth_message_write(&msg, type, "net_devx0");

	m->process = process->number;
	m->n_told = n_told;
	EXPECT_FALSE(devx_eth_processes_answer(&msg, &reply));
}

static void hear_as_processes(const struct devx_eth_message *message)
{
	for (unsigned int i = 0; i < RTE_DIM(processes); i++) {
		if (processes[i].follows)
			send_as(&processes[i], DEVX_ETH_MESSAGE_FOLLOWED, message->n_told);
		send_as(&processes[i], DEVX_ETH_MESSAGE_FOLLOWED, message->n_told - 1); /* late */
		if (processes[i].leaves)
			send_as(&processes[i], DEVX_ETH_MESSAGE_DETACH, 0);
	}
}

static const struct company {
	const char *name;
	bool follows[2], leaves[2];
	unsigned int n_missing;
} companies[] = {
	{ "both_follow", { true, true }, { false, false }, 0 },
	{ "none_follows", { false, false }, { false, false }, 2 },
	{ "second_follows", { false, true }, { false, false }, 1 },
	{ "first_follows_and_leaves", { true, false }, { true, false }, 1 },
	{ "first_leaves", { false, true }, { true, false }, 0 },
};

TEST_F_EACH(secondary_wait, primary_waits_for_each_process, struct company, companies)
{
	char warning[128] = "";
	const char *log;

	secondary_rig_start_port(&self->other, 1, 1);
	for (unsigned int i = 0; i < RTE_DIM(processes); i++) {
		ASSERT_EQ(0, attach_process(&processes[i]));
		processes[i].follows = row->follows[i];
		processes[i].leaves = row->leaves[i];
	}
	self->other.hear = hear_as_processes;
	port_rig_read_log();
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	if (row->n_missing)
		snprintf(warning, sizeof(warning),
			 "%u of the secondary processes did not react within 1000 ms",
			 row->n_missing);
	log = port_rig_read_log();
	EXPECT_SUBSTR(warning, log);
	EXPECT_EQ(row->n_missing > 0, strstr(log, "did not react") != NULL);
	for (unsigned int i = 0; i < RTE_DIM(processes); i++)
		close(processes[i].alive);
}

TEST_F(secondary_wait, process_that_gets_no_reply_has_not_attached)
{
	unsigned int files;
	struct rte_mp_msg msg;
	int pipes[2];

	secondary_rig_start_port(&self->other, 1, 1);
	ASSERT_EQ(0, attach_process(&processes[0])); /* opens what all of them use */
	close(processes[0].alive);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port)); /* forgets it */
	files = count_open_files();
	ASSERT_EQ(0, pipe2(pipes, O_CLOEXEC));
	devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "net_devx0");
	msg.fds[msg.num_fds++] = pipes[0];
	secondary_rig_send_lost_request(&msg);
	EXPECT_EQ(files + 2, count_open_files());
	port_rig_read_log();
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(NULL, strstr(port_rig_read_log(), "did not react"));
	close(pipes[1]);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(files, count_open_files());
}
