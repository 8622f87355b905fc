/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_string_fns.h>

#include "stats/devx_report.h"
#include "stats/devx_telemetry.h"

/* ---- ports -------------------------------------------------------------------------------- */

static struct devx_eth *ports[RTE_MAX_ETHPORTS];
static pthread_mutex_t ports_lock = PTHREAD_MUTEX_INITIALIZER; /* taken before eth->lock */

void devx_eth_telemetry_add(struct devx_eth *eth)
{
	pthread_mutex_lock(&ports_lock);
	ports[eth->data->port_id] = eth;
	pthread_mutex_unlock(&ports_lock);
}

void devx_eth_telemetry_remove(struct devx_eth *eth)
{
	pthread_mutex_lock(&ports_lock);
	if (ports[eth->data->port_id] == eth)
		ports[eth->data->port_id] = NULL;
	pthread_mutex_unlock(&ports_lock);
}

/* ---- answers ------------------------------------------------------------------------------ */

/* struct answer - a report as a dictionary of telemetry; @group: the open group, or NULL */
struct answer {
	struct devx_eth_report ops;
	struct rte_tel_data *top, *group;
	char group_name[RTE_TEL_MAX_STRING_LEN];
	bool no_memory; /* for the open group, which is left out */
};

static void add_string(struct rte_tel_data *d, const char *name, const char *text)
{
	char copy[RTE_TEL_MAX_STRING_LEN];

	rte_strscpy(copy, text, sizeof(copy)); /* telemetry refuses longer texts */
	rte_tel_data_add_dict_string(d, name, copy);
}

static struct rte_tel_data *get_target(const struct answer *a)
{
	return a->group || a->no_memory ? a->group : a->top;
}

static void add_number(struct devx_eth_report *report, const char *name, uint64_t value)
{
	struct answer *a = (struct answer *)report;

	if (get_target(a))
		devx_eth_tel_add_number(get_target(a), name, value);
}

static void add_text(struct devx_eth_report *report, const char *name, const char *text)
{
	struct answer *a = (struct answer *)report;

	if (get_target(a))
		add_string(get_target(a), name, text);
}

static void begin_group(struct devx_eth_report *report, const char *name)
{
	struct answer *a = (struct answer *)report;

	rte_strscpy(a->group_name, name, sizeof(a->group_name));
	a->group = rte_tel_data_alloc();
	a->no_memory = !a->group;
	if (a->group)
		rte_tel_data_start_dict(a->group);
}

static void end_group(struct devx_eth_report *report)
{
	struct answer *a = (struct answer *)report;

	if (a->group && rte_tel_data_add_dict_container(a->top, a->group_name, a->group, 0))
		rte_tel_data_free(a->group);
	a->group = NULL;
	a->no_memory = false;
}

static int answer_error(struct rte_tel_data *d, const char *text)
{
	add_string(d, "error", text);
	return 0;
}

/* ---- parameters --------------------------------------------------------------------------- */

/* Reads a number of up to 5 digits from the start of *text, then skips it and one comma. */
static bool take_number(const char **text, unsigned int *number)
{
	char *end;

	if (!*text || !isdigit((unsigned char)**text))
		return false;
	*number = (unsigned int)strtoul(*text, &end, 10);
	if (end - *text > 5 || (*end && *end != ','))
		return false;
	*text = *end ? end + 1 : end;
	return true;
}

/* Answers a request with a missing or unknown port number. The caller holds ports_lock. */
static int answer_bad_port(struct rte_tel_data *d, const char *command, bool missing)
{
	char text[2 * RTE_TEL_MAX_STRING_LEN], valid[64] = "";

	for (unsigned int i = 0; i < RTE_MAX_ETHPORTS; i++)
		if (ports[i] && strlen(valid) < sizeof(valid) - 8)
			snprintf(valid + strlen(valid), sizeof(valid) - strlen(valid), "%s%u",
				 *valid ? ", " : "", i);
	if (!*valid)
		return answer_error(d, "port: this process has no port of net_devx");
	snprintf(text, sizeof(text), "port: %s (valid: %s); send %s,PORT",
		 missing ? "missing" : "no such port of net_devx", valid, command);
	return answer_error(d, text);
}

/* Kinds of queues. */
enum side { RX, TX, RING, N_SIDES };

static const struct {
	const char *name;
	void (*report)(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report);
} sides[N_SIDES] = {
	[RX] = { "rx,", devx_eth_report_rxq },
	[TX] = { "tx,", devx_eth_report_txq },
	[RING] = { "ring,", devx_eth_report_ring },
};

/* Reads and skips "rx,", "tx," or "ring," at the start of *text. N_SIDES: none is there. */
static enum side take_side(const char **text)
{
	for (enum side s = RX; s < N_SIDES; s++)
		if (!strncmp(*text, sides[s].name, strlen(sides[s].name))) {
			*text += strlen(sides[s].name);
			return s;
		}
	return N_SIDES;
}

static int answer_bad_queue(struct rte_tel_data *d, const unsigned int *n)
{
	char text[RTE_TEL_MAX_STRING_LEN], ring[32] = "";

	if (n[RING])
		snprintf(ring, sizeof(ring), "; ring,0 to ring,%u", n[RING] - 1);
	snprintf(text, sizeof(text), "queue: no such queue (valid: rx,0 to rx,%u; tx,0 to tx,%u%s)",
		 n[RX] - 1, n[TX] - 1, ring);
	return answer_error(d, text);
}

/* Reports the queue that @params names, such as "rx,0". The caller holds eth->lock. */
static int answer_queue(struct devx_eth *eth, const char *params, struct rte_tel_data *d,
			struct devx_eth_report *report)
{
	const unsigned int n[N_SIDES] = { eth->data->nb_rx_queues, eth->data->nb_tx_queues,
					  devx_eth_report_count_rings(eth) };
	const enum side side = take_side(&params);
	unsigned int queue;

	if (!eth->started)
		return answer_error(d, "queue: the port is stopped; start it");
	if (side == N_SIDES || !take_number(&params, &queue) || *params || queue >= n[side])
		return answer_bad_queue(d, n);
	sides[side].report(eth, (uint16_t)queue, report);
	return 0;
}

/* ---- commands ----------------------------------------------------------------------------- */

static const struct command {
	const char *name;
	void (*report)(struct devx_eth *eth, struct devx_eth_report *report);
	const char *help;
} commands[] = {
	{ "/net_devx/caps", devx_eth_report_caps,
	  "Names and capabilities of the device of a net_devx port. Parameter: port id" },
	{ "/net_devx/queues", devx_eth_report_queues,
	  "Queues of a started net_devx port by state, or one queue. Parameters: port id, or port "
	  "id; rx, tx or ring; queue id" },
	{ "/net_devx/objects", devx_eth_report_objects,
	  "Numbers of objects that a net_devx port has on its device. Parameter: port id" },
	{ "/net_devx/commands", devx_eth_report_commands,
	  "Firmware commands of a net_devx port by opcode, and the last one that failed. "
	  "Parameter: port id" },
	{ "/net_devx/history", devx_eth_report_history,
	  "The newest firmware commands of a net_devx port, oldest first. Parameter: port id" },
	{ "/net_devx/recovery", devx_eth_report_recovery,
	  "Errors and recoveries of the queues of a started net_devx port. Parameter: port id" },
};

static int answer_command(const struct command *command, const char *params, struct rte_tel_data *d)
{
	struct answer a = {
		.ops = { add_number, add_text, begin_group, end_group },
		.top = d,
	};
	struct devx_eth *eth = NULL;
	const bool missing = !params || !*params;
	unsigned int port;
	int rc = 0;

	if (take_number(&params, &port) && port < RTE_MAX_ETHPORTS)
		eth = ports[port];
	if (eth && *params && command->report != devx_eth_report_queues)
		return answer_error(d, "parameters: more than a port id; send only the port id");
	if (!eth)
		return answer_bad_port(d, command->name, missing);
	pthread_mutex_lock(&eth->lock);
	if (*params)
		rc = answer_queue(eth, params, d, &a.ops);
	else
		command->report(eth, &a.ops);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

/* Callback for all commands; runs on a thread of telemetry. */
static int serve_telemetry(const char *name, const char *params, struct rte_tel_data *d)
{
	int rc = -ENOENT;

	rte_tel_data_start_dict(d);
	pthread_mutex_lock(&ports_lock);
	for (unsigned int i = 0; i < RTE_DIM(commands); i++)
		if (!strcmp(name, commands[i].name))
			rc = answer_command(&commands[i], params, d);
	pthread_mutex_unlock(&ports_lock);
	return rc;
}

RTE_INIT(devx_eth_telemetry_register)
{
	for (unsigned int i = 0; i < RTE_DIM(commands); i++)
		rte_telemetry_register_cmd(commands[i].name, serve_telemetry, commands[i].help);
}
