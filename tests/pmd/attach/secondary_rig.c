/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_lcore.h>

#include "attach/devx_probe.h"
#include "attach/devx_secondary.h"
#include "attach/devx_secondary_ops.h"
#include "burst/devx_user_burst.h"
#include "devx_port.h"
#include "devx_txq.h"
#include "devx_uar_pages.h"
#include "driver_calls.h"
#include "process/devx_processes.h"
#include "secondary_rig.h"

static const ptrdiff_t registers_away = 1ll << 31; /* from the addresses of the primary side */

static bool is_secondary, has_hugepages;
static struct secondary_rig *playing; /* between secondary_rig_up() and secondary_rig_down() */
static rte_mp_t on_request;           /* handler of the primary side */
static rte_mp_t on_message;           /* handler of the secondary side */
static int primary_pipe = -1;         /* the descriptor that the secondary side keeps */
static int alive[2] = { -1, -1 };     /* a pipe that hangs up when the secondary side ends */

/* EAL and the driver get this answer: one process plays both. */
enum rte_proc_type_t rte_eal_process_type(void)
{
	const uintptr_t next = (uintptr_t)dlsym(RTLD_NEXT, "rte_eal_process_type");

	return is_secondary ? RTE_PROC_SECONDARY : ((enum rte_proc_type_t(*)(void))next)();
}

void secondary_rig_play(bool on)
{
	is_secondary = on;
}

/* ---- calls of the driver ------------------------------------------------------------------ */

WRAP(int, rte_mp_action_register, (const char *name, rte_mp_t action))
{
	if (!is_secondary && !has_hugepages)
		return __real_rte_mp_action_register(name, action);
	*(is_secondary ? &on_message : &on_request) = action;
	return 0;
}

WRAP(int, rte_eal_has_hugepages, (void))
{
	return has_hugepages || __real_rte_eal_has_hugepages();
}

/* Expects that a request names the lcores of this process. */
static void expect_lcores(const struct rte_mp_msg *request)
{
	const struct devx_eth_message *m = (const struct devx_eth_message *)request->param;
	unsigned int n = 0;

	for (unsigned int i = 0; i < RTE_MIN(RTE_MAX_LCORE, 64u * DEVX_ETH_LCORE_WORDS); i++) {
		const bool ours = rte_eal_lcore_role(i) != ROLE_OFF;

		EXPECT_EQ(ours, m->lcores[i / 64] >> i % 64 & 1);
		n += ours;
	}
	EXPECT_LT(0, n);
}

/* Passes a request to the primary side. Its pipe becomes one that the rig can hang up. */
WRAP(int, rte_mp_request_sync,
     (struct rte_mp_msg * request, struct rte_mp_reply *reply, const struct timespec *limit))
{
	struct rte_mp_msg msg = *request;
	int k;

	EXPECT_LT(0, limit->tv_sec);
	EXPECT_EQ(1, request->num_fds);
	expect_lcores(request);
	if (!playing->answer)
		return -1;
	is_secondary = false;
	msg.fds[0] = fcntl(alive[0], F_DUPFD_CLOEXEC, 0);
	k = driver_calls_get_pending_fault();
	driver_calls_fail_alloc(-1); /* the allocation is EAL's */
	reply->msgs = calloc(1, sizeof(*reply->msgs));
	driver_calls_fail_alloc(k);
	EXPECT_TRUE(devx_eth_processes_answer(&msg, reply->msgs));
	is_secondary = true;
	for (int i = 0; i < reply->msgs->num_fds; i++) {
		const int fd = reply->msgs->fds[i];

		reply->msgs->fds[i] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (i == 0)
			close(fd); /* the pipe stays open */
	}
	reply->nb_sent = reply->nb_received = 1;
	playing->answer(reply);
	if (primary_pipe < 0 && reply->nb_received && reply->msgs->num_fds == 2) {
		primary_pipe = reply->msgs->fds[1];
		playing->rig->objects.descriptors++; /* until the end of the process */
	}
	return 0;
}

WRAP(int, rte_mp_sendmsg, (struct rte_mp_msg * msg))
{
	const struct devx_eth_message *m = (const struct devx_eth_message *)msg->param;
	struct rte_mp_msg reply;

	if (!is_secondary) {
		if (playing && playing->hear)
			playing->hear(m);
		return __real_rte_mp_sendmsg(msg);
	}
	playing->n_left += m->type == DEVX_ETH_MESSAGE_DETACH;
	if (m->type == DEVX_ETH_MESSAGE_FOLLOWED) {
		playing->n_followed++;
		playing->followed = m->n_told;
	}
	is_secondary = false;
	EXPECT_FALSE(devx_eth_processes_answer(msg, &reply)); /* no reply */
	is_secondary = true;
	return 0;
}

WRAP(struct rte_eth_dev *, rte_eth_dev_attach_secondary, (const char *name))
{
	struct rte_eth_dev *primary = &rte_eth_devices[playing->rig->port];

	if (strcmp(name, primary->data->name))
		return NULL;
	playing->ethdev->data = primary->data;
	return playing->ethdev;
}

WRAP(struct rte_eth_dev *, rte_eth_dev_allocated, (const char *name))
{
	return is_secondary ? playing->ethdev : __real_rte_eth_dev_allocated(name);
}

/* ---- the rig ------------------------------------------------------------------------------ */

static void keep_answer(struct rte_mp_reply *replies)
{
	RTE_SET_USED(replies);
}

void secondary_rig_up(struct secondary_rig *s, struct port_rig *rig)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);

	*s = (struct secondary_rig){ .rig = rig,
				     .ethdev = &rte_eth_devices[SECONDARY_RIG_PORT],
				     .answer = keep_answer };
	playing = s;
	devx_eth_processes_close(eth); /* the probe opened it without hugepages */
	has_hugepages = true;
	devx_eth_processes_open(eth);
	has_hugepages = false;
	ASSERT_TRUE(eth->sharing.multi_process);
	devx_eth_user_set_process(0);
	ASSERT_EQ(0, pipe2(alive, O_CLOEXEC));
}

void secondary_rig_down(struct secondary_rig *s)
{
	if (!s->ethdev)
		return;
	if (s->ethdev->state != RTE_ETH_DEV_UNUSED)
		secondary_rig_close(s);
	secondary_rig_end_primary(false);
	for (int i = 0; i < 2; i++)
		close(alive[i]);
	playing = NULL;
}

/* Gives the doorbell registers of the queues other addresses, or the old ones back. */
static void move_registers(const struct rte_eth_dev_data *data, bool there)
{
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && txq->uar.base)
			txq->uar.base =
				(char *)txq->uar.base + (there ? registers_away : -registers_away);
	}
}

/* ethdev has one table of functions for both sides. */
int secondary_rig_probe(struct secondary_rig *s)
{
	struct rte_eth_dev *primary = &rte_eth_devices[s->rig->port];
	struct rte_device *device = primary->device;
	const struct rte_eth_fp_ops ops = rte_eth_fp_ops[s->rig->port];
	int rc;

	move_registers(primary->data, true);
	is_secondary = true;
	rc = devx_eth_secondary_probe(device, &devx_eth_secondary_ops);
	is_secondary = false;
	move_registers(primary->data, false);
	if (rc)
		rte_eth_fp_ops[s->rig->port] = ops;
	return rc;
}

int secondary_rig_close(struct secondary_rig *s)
{
	struct rte_eth_dev *primary = &rte_eth_devices[s->rig->port];
	int rc;

	is_secondary = true;
	rc = devx_eth_remove(primary->device);
	is_secondary = false;
	return rc;
}

void secondary_rig_start_port(struct secondary_rig *s, uint16_t n_rxq, uint16_t n_txq)
{
	const struct port_rig_config config = { .n_rxq = n_rxq, .n_txq = n_txq };

	ASSERT_EQ(0, port_rig_configure(s->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(s->rig->port));
	s->ops = rte_eth_fp_ops[s->rig->port];
	port_rig_read_log();
}

void secondary_rig_use_primary(struct secondary_rig *s)
{
	rte_eth_fp_ops[s->rig->port] = s->ops;
}

bool secondary_rig_has_bursts(const struct secondary_rig *s)
{
	const struct rte_eth_fp_ops *ops = &rte_eth_fp_ops[s->rig->port];

	EXPECT_EQ((const void *)s->ethdev->rx_pkt_burst, (const void *)ops->rx_pkt_burst);
	EXPECT_EQ((const void *)s->ethdev->tx_pkt_burst, (const void *)ops->tx_pkt_burst);
	if (ops->rx_pkt_burst != devx_eth_user_rx_burst) {
		EXPECT_EQ((const void *)rte_eth_pkt_burst_dummy, (const void *)ops->rx_pkt_burst);
		EXPECT_EQ((const void *)rte_eth_pkt_burst_dummy, (const void *)ops->tx_pkt_burst);
		return false;
	}
	EXPECT_EQ((const void *)devx_eth_user_tx_burst, (const void *)ops->tx_pkt_burst);
	EXPECT_EQ((const void *)s->ethdev->data->rx_queues, (const void *)ops->rxq.data);
	EXPECT_EQ((const void *)s->ethdev->data->tx_queues, (const void *)ops->txq.data);
	return true;
}

bool secondary_rig_is_mapped(const struct secondary_rig *s, uint16_t queue)
{
	const struct devx_eth_txq *txq = rte_eth_devices[s->rig->port].data->tx_queues[queue];
	char *const page = (char *)txq->uar.base + registers_away;

	return !msync(page, 1, MS_ASYNC);
}

void secondary_rig_send(struct secondary_rig *s, enum devx_eth_message_type type, const char *port)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[s->rig->port]);
	const bool before = is_secondary;
	struct rte_mp_msg msg;

	devx_eth_message_write(&msg, type, port)->n_told = ++eth->sharing.n_told;
	if (type == DEVX_ETH_MESSAGE_START)
		msg.fds[msg.num_fds++] = fcntl(eth->sharing.export_fd, F_DUPFD_CLOEXEC, 0);
	move_registers(eth->data, true);
	is_secondary = true;
	EXPECT_EQ(0, on_message(&msg, NULL));
	is_secondary = before;
	move_registers(eth->data, false);
}

void secondary_rig_send_lost_request(struct rte_mp_msg *request)
{
	EXPECT_GT(0, on_request(request, NULL));
}

void secondary_rig_end_primary(bool end)
{
	int ended[2];

	if (primary_pipe < 0)
		return;
	if (!end) {
		EXPECT_LE(0, dup3(devx_eth_message_get_pipe(), primary_pipe, O_CLOEXEC));
		return;
	}
	ASSERT_EQ(0, pipe2(ended, O_CLOEXEC));
	close(ended[1]);
	EXPECT_LE(0, dup3(ended[0], primary_pipe, O_CLOEXEC));
	close(ended[0]);
}
