/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <errno.h>
#include <error.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devx/event.h"
#include "devx/flow.h"
#include "devx/port.h"
#include "devx/verbs_event.h"
#include "devx/version.h"

/**
 * DOC: Watches a port, with libdevxio alone
 *
 *     port --> rule: our MAC, ETHERTYPE --> TIR --> RQ without buffers --> queue counter
 *
 *     devx_counter_query() ---------------> firmware --> async channel --.
 *     port ----> PORT_CHANGE ---------------------------> event channel --+--> poll() --> a line
 *     device --> fatal error ---------------------------> verbs context --'
 *
 * The RQ has no buffers, so it drops the frames of the rule and the queue counter counts them. The
 * program never blocks on firmware: poll() reports the replies.
 */
enum { ETHERTYPE = 0x88b5 }; /* EtherType for local experiments */
enum { EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };
enum { REPLY, EVENT, VERBS, N_FILES };

const char *argp_program_version = "devx-monitor (net-devx) " DEVX_VERSION;

static const char doc[] =
	"Print changes of the link of DEVICE, and count frames of EtherType 0x88b5 to its MAC.\v"
	"DEVICE is the name of an RDMA device, as ibv_devices prints it. Default mlx5_0. MS is "
	"the time between readings of the count, 1 to 3600000 ms, default 1000. The program ends "
	"after COUNT readings, 1 to 1000000000, or at Ctrl-C. The adapter drops the frames.\n\n"
	"Examples:\n"
	"  devx-monitor mlx5_0 500\n"
	"  devx-emu -- devx-monitor mlx5_0 100 3\n\n"
	"Exit status: 0 after COUNT readings or Ctrl-C, 2 wrong arguments, 3 the device cannot be "
	"used, or was removed.";

struct monitor {
	struct devx_dev dev;
	struct devx_port port;
	struct devx_uar uar;
	struct devx_cq cq;
	struct devx_counter counter;
	struct devx_rq rq;
	struct devx_td td;
	struct devx_tir tir;
	struct devx_flow_rule rule;
	struct devx_event_channel events;
	struct devx_async async;
	struct pollfd files[N_FILES];
	uint32_t n_replies, frames;
};

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
	interrupted = number;
}

static int set_up_monitor(struct monitor *m, const char *name)
{
	static const uint16_t port_change[] = { PRM_EVENT_PORT_CHANGE };
	const struct devx_cq_attr cq = { .log2_n = 4, .uar = &m->uar };
	const struct devx_rq_attr rq = {
		.log2_n = 4, .cq = &m->cq, .counter = &m->counter, .keep_vlan = true
	};
	const struct devx_tir_attr tir = { .td = &m->td, .rq = &m->rq };
	struct devx_match ours = DEVX_MATCH_BROADCAST; /* for its MAC mask */
	int rc = devx_dev_open(&m->dev, name);

	rc = rc ? rc : devx_port_query(&m->dev, &m->port);
	rc = rc ? rc : devx_event_channel_create(&m->events, &m->dev, false);
	rc = rc ? rc : devx_event_subscribe(&m->events, NULL, port_change, 1, 0);
	rc = rc ? rc : devx_verbs_event_open(&m->dev, &m->files[VERBS].fd);
	rc = rc ? rc : devx_async_create(&m->async, &m->dev);
	rc = rc ? rc : devx_uar_create(&m->uar, &m->dev, DEVX_UAR_BF);
	rc = rc ? rc : devx_cq_create(&m->cq, &m->dev, &cq);
	rc = rc ? rc : devx_counter_create(&m->counter, &m->dev);
	rc = rc ? rc : devx_rq_create(&m->rq, &m->dev, &rq);
	rc = rc ? rc : devx_rq_ready(&m->rq);
	rc = rc ? rc : devx_td_create(&m->td, &m->dev);
	rc = rc ? rc : devx_tir_create(&m->tir, &m->dev, &tir);
	ours.ethertype = ETHERTYPE;
	memcpy(ours.dmac, m->port.mac, sizeof(ours.dmac));
	rc = rc ? rc : devx_flow_create(&m->rule, &m->dev, &ours, 0, &m->tir);
	m->files[EVENT].fd = m->events.fd;
	m->files[REPLY].fd = m->async.fd;
	m->files[REPLY].events = m->files[EVENT].events = m->files[VERBS].events = POLLIN;
	return rc;
}

static void tear_down_monitor(struct monitor *m)
{
	devx_flow_destroy(&m->rule);
	devx_tir_destroy(&m->tir);
	devx_td_destroy(&m->td);
	devx_rq_destroy(&m->rq);
	devx_counter_destroy(&m->counter);
	devx_cq_destroy(&m->cq);
	devx_uar_destroy(&m->uar);
	devx_async_destroy(&m->async);
	devx_event_channel_destroy(&m->events);
	devx_dev_close(&m->dev);
}

/* Returns -EAGAIN after the last reply; another -errno: no more replies can arrive. */
static int print_replies(struct monitor *m)
{
	uint64_t number;
	uint32_t frames;
	int rc;

	while (!(rc = devx_counter_take(&m->async, &number, &frames))) {
		printf("reading %u: %u frames, %u more\n", ++m->n_replies, frames,
		       frames - m->frames);
		m->frames = frames;
	}
	return rc;
}

/* Returns -EAGAIN after the last event; another -errno: no more events can arrive. */
static int print_events(struct monitor *m)
{
	enum devx_verbs_event verbs;
	struct devx_event event;
	int rc;

	while (!(rc = devx_event_read(&m->events, &event)) || rc == -EOVERFLOW)
		if (rc)
			printf("an event was lost\n");
		else
			printf("link %s\n",
			       event.sub_type == PRM_PORT_CHANGE_SUBTYPE_ACTIVE ? "up" : "down");
	while (rc == -EAGAIN && !(rc = devx_verbs_event_read(&m->dev, &verbs)))
		rc = verbs == DEVX_VERBS_DEVICE_FATAL ? -EIO : -EAGAIN;
	return rc;
}

/* Returns 0 after @count readings (0: no limit) or Ctrl-C, else -errno. */
static int watch_port(struct monitor *m, int ms, uint32_t count)
{
	int rc = -EAGAIN;

	printf("%s: link %s\n", m->dev.ibdev, m->port.up ? "up" : "down");
	while (rc == -EAGAIN && !interrupted && (!count || m->n_replies < count)) {
		if (poll(m->files, N_FILES, ms) == 0) /* timeout: time for the next reading */
			rc = devx_counter_query(&m->counter, &m->async, 0);
		rc = rc && rc != -EAGAIN ? rc : print_replies(m);
		rc = rc == -EAGAIN ? print_events(m) : rc;
		fflush(stdout);
	}
	return rc == -EAGAIN ? 0 : rc;
}

static unsigned long read_number(const char *text, const char *name, unsigned long max)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	if (*end || n < 1 || n > max)
		error(EXIT_USAGE, 0, "%s: \"%s\" is invalid (valid: 1 to %lu)", name, text, max);
	return n;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .args_doc = "[DEVICE [MS [COUNT]]]", .doc = doc };
	static struct monitor m;
	char why[DEVX_TEXT_BYTES];
	unsigned long ms, count;
	bool removed = false;
	int rc, i;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, &i, NULL);
	ms = i + 1 < argc ? read_number(argv[i + 1], "MS (milliseconds)", 3600000) : 1000;
	count = i + 2 < argc ? read_number(argv[i + 2], "COUNT", 1000000000) : 0;
	if (i + 3 < argc)
		error(EXIT_USAGE, 0, "%s: too many arguments; see --help", argv[i + 3]);
	signal(SIGINT, note_signal);
	rc = set_up_monitor(&m, i < argc ? argv[i] : "mlx5_0");
	if (rc)
		devx_strerror(&m.dev, rc, why, sizeof(why));
	else if ((rc = watch_port(&m, (int)ms, (uint32_t)count))) {
		removed = rc == -EIO; /* during setup, EIO has other causes */
		devx_async_strerror(&m.async, rc, why, sizeof(why));
	}
	if (rc)
		fprintf(stderr, "devx-monitor: %s\n", removed ? "the device was removed" : why);
	else
		printf("%u readings, %u frames\n", m.n_replies, m.frames);
	tear_down_monitor(&m);
	return rc ? EXIT_ENVIRONMENT : 0;
}
