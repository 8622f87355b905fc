/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An input of the fuzzer is what secondary processes send to the primary process (devtools/fuzz): a
 * list of messages, each with descriptors, and ends of processes. The port has no device: the
 * descriptor to export exists before. No descriptor may stay open.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ethdev_driver.h>
#include <rte_eal.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "input.h"
#include "open_files.h"
#include "process/devx_processes.h"

enum {
	N_PIPES = 4,
	N_COUNTS = 3,
	LEAK_WAIT_MS = 5000,
	NAMED = 1,
	RIGHT_LAYOUT = 2,
	RIGHT_LENGTH = 4
};

static struct devx_eth port;
static int pipes[N_PIPES][2]; /* each of a process; closed ends are -1 */

static void end_process(unsigned i)
{
	for (unsigned end = 0; end < 2; end++) {
		if (pipes[i][end] >= 0)
			close(pipes[i][end]);
		pipes[i][end] = -1;
	}
}

/* A message as EAL gives it to the driver: with copies of the descriptors of the sender. */
static void send_message(struct input *in)
{
	struct devx_eth_message *m;
	struct devx_eth_message ours;
	struct rte_mp_msg msg, reply;
	const uint8_t flags = take_u8(in), n_fds = take_u8(in) % (RTE_MP_MAX_FD_NUM + 1);

	m = devx_eth_message_write(&msg, DEVX_ETH_MESSAGE_ATTACH, "");
	ours = *m;
	take_bytes(in, msg.param, take_u8(in) * 2u % RTE_MP_MAX_PARAM_LEN);
	take_bytes(in, &m->type, 3 * sizeof(uint32_t));
	if (flags & NAMED)
		strcpy(m->port, port.name);
	if (flags & RIGHT_LAYOUT)
		memcpy(m, &ours, offsetof(struct devx_eth_message, type));
	if (!(flags & RIGHT_LENGTH))
		take_bytes(in, &msg.len_param, sizeof(msg.len_param));
	for (unsigned i = 0; i < n_fds; i++) {
		const int fd = pipes[take_u8(in) % N_PIPES][0];

		if (fd >= 0)
			msg.fds[msg.num_fds++] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	if (devx_eth_processes_answer(&msg, &reply) && reply.num_fds)
		close(reply.fds[0]);
}

/* The port that all messages may name. */
static void make_port(void)
{
	static char *args[] = {
		"fuzz", "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m",
		"16",   "-l",        "0",        "--log-level", "emergency",      NULL
	};
	struct rte_eth_dev *ethdev;

	if (rte_eal_init(sizeof(args) / sizeof(args[0]) - 1, args) < 0)
		abort();
	ethdev = rte_eth_dev_allocate("net_devx0");
	if (!ethdev)
		abort();
	ethdev->data->dev_private = &port;
	ethdev->state = RTE_ETH_DEV_ATTACHED;
	strcpy(port.name, "net_devx0");
	port.data = ethdev->data;
	devx_eth_processes_open(&port);
	port.sharing.export_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	devx_eth_message_get_pipe();
}

/* Returns the number of descriptors without those that threads of EAL open for a moment. */
static unsigned count_lasting_files(void)
{
	unsigned least = count_open_files();

	for (int i = 0; i < N_COUNTS; i++) {
		const unsigned n = count_open_files();

		least = n < least ? n : least;
	}
	return least;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	make_port();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct input in = { bytes, n };
	const unsigned fds = count_lasting_files();
	unsigned now;

	port.sharing.multi_process = true; /* otherwise only with huge pages */
	for (unsigned i = 0; i < N_PIPES; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			abort();
	while (in.left) {
		const uint8_t step = take_u8(&in);

		if (step & 1)
			end_process(step / 2 % N_PIPES);
		else
			send_message(&in);
	}
	for (unsigned i = 0; i < N_PIPES; i++)
		end_process(i);
	/* forgets the processes that ended; none is left to wait for */
	devx_eth_processes_tell(&port, DEVX_ETH_MESSAGE_STOP);
	for (int i = 0; (now = count_lasting_files()) > fds; i++) {
		if (i == LEAK_WAIT_MS) {
			fprintf(stderr, "messages: %u descriptors, %u before\n", now, fds);
			abort();
		}
		usleep(1000);
	}
	return 0;
}
