/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <rte_devargs.h>
#include <rte_kvargs.h>

#include "attach/devx_args.h"
#include "burst/devx_burst_mode.h"
#include "devx_log.h"
#include "queue/devx_copy_limit.h"

#define ARG_IBDEV "ibdev"
#define ARG_PCI "pci"
#define ARG_DRIVER RTE_DEVARGS_KEY_DRIVER
#define ARG_UAR "uar"
#define ARG_DMABUF "dmabuf"
#define ARG_TX_BF_WQE "tx_bf_wqe"
#define ARG_RX_BURST "rx_burst"
#define ARG_INLINE "inline"
#define ARG_TX_BURST "tx_burst"
#define ARG_RECOVERY_WAIT "recovery_wait"

enum { RECOVERY_WAIT_DEFAULT = 30, RECOVERY_WAIT_MAX = 3600 };

/* Logs an error before struct devx_eth exists. The line begins with the name of the port. */
#define log_error(port, fmt, ...)                                                                  \
	rte_log(RTE_LOG_ERR, devx_eth_logtype, "%s: " fmt "\n", port, ##__VA_ARGS__)

/**
 * struct arg - an argument that sets a field of struct devx_eth_args
 * @valid: valid values, for the message
 * @parse: stores @value in @args; returns 0, or -EINVAL if it is invalid
 */
struct arg {
	const char *key;
	const char *valid;
	int (*parse)(struct devx_eth_args *args, const char *value);
};

static int parse_uar(struct devx_eth_args *args, const char *value)
{
	static const char *const names[] = {
		[DEVX_ETH_UAR_AUTO] = "auto",
		[DEVX_ETH_UAR_BF] = "bf",
		[DEVX_ETH_UAR_NC] = "nc",
		[DEVX_ETH_UAR_NC_DEDICATED] = "nc_dedicated",
	};

	for (unsigned int i = 0; i < RTE_DIM(names); i++) {
		if (!strcmp(value, names[i])) {
			args->uar = (enum devx_eth_uar)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* Parses "fd:offset:length:address[:access]". The numbers may be decimal, octal or hexadecimal. */
static int parse_dmabuf(struct devx_eth_args *args, const char *value)
{
	static const struct {
		const char *name;
		unsigned int access;
	} accesses[] = {
		{ "", DEVX_DMABUF_WRITE },
		{ ":rw", DEVX_DMABUF_WRITE },
		{ ":ro", 0 },
		{ ":direct", DEVX_DMABUF_WRITE | DEVX_DMABUF_DATA_DIRECT },
	};
	unsigned long long number[4];

	for (unsigned int i = 0; i < RTE_DIM(number); i++) {
		char *end;

		if (i && *value++ != ':')
			return -EINVAL;
		if (!isdigit((unsigned char)*value))
			return -EINVAL;
		errno = 0;
		number[i] = strtoull(value, &end, 0);
		if (errno)
			return -EINVAL;
		value = end;
	}
	if (number[0] > INT_MAX || !number[2])
		return -EINVAL;
	for (unsigned int i = 0; i < RTE_DIM(accesses); i++) {
		if (!strcmp(value, accesses[i].name)) {
			args->dmabuf = (struct devx_dmabuf){ (int)number[0], number[1], number[2],
							     number[3], accesses[i].access };
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_tx_bf_wqe(struct devx_eth_args *args, const char *value)
{
	args->tx_bf_wqe = *value == '1';
	return strcmp(value, "0") && strcmp(value, "1") ? -EINVAL : 0;
}

static int parse_inline(struct devx_eth_args *args, const char *value)
{
	unsigned long bytes;
	char *end;

	if (!strcmp(value, "auto") || !strcmp(value, "off")) {
		args->inlining = *value == 'a' ? DEVX_ETH_INLINE_AUTO : DEVX_ETH_INLINE_OFF;
		return 0;
	}
	if (!isdigit((unsigned char)*value))
		return -EINVAL;
	errno = 0;
	bytes = strtoul(value, &end, 0);
	if (errno || *end || bytes < RTE_ETHER_HDR_LEN || bytes > DEVX_ETH_TX_COPY_MAX)
		return -EINVAL;
	args->inlining = DEVX_ETH_INLINE_BYTES;
	args->inline_max = (uint16_t)bytes;
	return 0;
}

static int parse_rx_burst(struct devx_eth_args *args, const char *value)
{
	return devx_eth_rx_simd_find(value, &args->rx_burst);
}

static int parse_tx_burst(struct devx_eth_args *args, const char *value)
{
	static const char *const names[] = {
		[DEVX_ETH_TX_AUTO] = "auto",
		[DEVX_ETH_TX_MULTI] = "multi",
		[DEVX_ETH_TX_SINGLE] = "single",
	};

	for (unsigned int i = 0; i < RTE_DIM(names); i++) {
		if (!strcmp(value, names[i])) {
			args->tx_burst = (enum devx_eth_tx_wqes)i;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_recovery_wait(struct devx_eth_args *args, const char *value)
{
	unsigned long seconds;
	char *end;

	if (!isdigit((unsigned char)*value))
		return -EINVAL;
	errno = 0;
	seconds = strtoul(value, &end, 10);
	if (errno || *end || seconds > RECOVERY_WAIT_MAX)
		return -EINVAL;
	args->recovery_wait = (uint16_t)seconds;
	return 0;
}

static const struct arg table[] = {
	{ ARG_UAR, "auto, bf, nc, nc_dedicated", parse_uar },
	{ ARG_DMABUF, "FD:OFFSET:LENGTH:ADDRESS, then nothing, :rw, :ro or :direct", parse_dmabuf },
	{ ARG_TX_BF_WQE, "0, 1", parse_tx_bf_wqe },
	{ ARG_INLINE, "off, auto, 14 to 924", parse_inline },
	{ ARG_RX_BURST, "auto, scalar, avx2, avx512; the processor must have it", parse_rx_burst },
	{ ARG_TX_BURST, "auto, multi, single", parse_tx_burst },
	{ ARG_RECOVERY_WAIT, "0 to 3600 seconds; 0: no recovery", parse_recovery_wait },
};

/* Stores the name of the device. Fails unless the arguments name exactly one device. */
static int choose_adapter(struct devx_eth_args *args, const char *port,
			  const struct rte_kvargs *list)
{
	const unsigned int n = rte_kvargs_count(list, ARG_IBDEV) + rte_kvargs_count(list, ARG_PCI);
	const char *name;
	char there[512];

	if (n != 1) {
		const int devices = devx_dev_list(there, sizeof(there));

		log_error(port,
			  "%s (valid: one of %s=NAME and %s=ADDRESS; devices of this machine: %s)",
			  n ? "more than one RDMA device named" : "no RDMA device named", ARG_IBDEV,
			  ARG_PCI, devices > 0 ? there : "none");
		return -EINVAL;
	}
	name = rte_kvargs_get(list, rte_kvargs_count(list, ARG_IBDEV) ? ARG_IBDEV : ARG_PCI);
	/* A truncated name is still too long for devx_dev_open(), which rejects it. */
	rte_strscpy(args->adapter, name ? name : "", sizeof(args->adapter));
	return 0;
}

static int parse_arg(struct devx_eth_args *args, const char *port, const struct rte_kvargs *list,
		     const struct arg *arg)
{
	const unsigned int n = rte_kvargs_count(list, arg->key);
	const char *value;

	if (!n)
		return 0;
	if (n > 1) {
		log_error(port, "argument %s: found %u times (valid: once)", arg->key, n);
		return -EINVAL;
	}
	value = rte_kvargs_get(list, arg->key);
	if (!value)
		value = "";
	if (arg->parse(args, value)) {
		log_error(port, "argument %s: '%s' is invalid (valid: %s)", arg->key, value,
			  arg->valid);
		return -EINVAL;
	}
	return 0;
}

/* Rejects arguments that are valid alone but contradict each other. */
static int check_combinations(const struct devx_eth_args *args, const char *port)
{
	if (args->tx_bf_wqe && args->uar != DEVX_ETH_UAR_BF) {
		log_error(port, "argument %s: 1 needs BlueFlame registers (valid: with %s=bf)",
			  ARG_TX_BF_WQE, ARG_UAR);
		return -EINVAL;
	}
	if (args->tx_burst == DEVX_ETH_TX_SINGLE && args->inline_max) {
		log_error(
			port,
			"argument %s: %u needs multi-packet WQEs (valid: off, auto with %s=single)",
			ARG_INLINE, args->inline_max, ARG_TX_BURST);
		return -EINVAL;
	}
	return 0;
}

int devx_eth_args_parse(struct devx_eth_args *args, const char *port, const char *text,
			const char *adapter)
{
	const char *known[RTE_DIM(table) + 3] = { adapter ? ARG_DRIVER : ARG_IBDEV,
						  adapter ? ARG_DRIVER : ARG_PCI };
	struct rte_kvargs *list;
	int rc = 0;

	*args = (struct devx_eth_args){ .recovery_wait = RECOVERY_WAIT_DEFAULT };
	for (unsigned int i = 0; i < RTE_DIM(table); i++)
		known[2 + i] = table[i].key;
	list = rte_kvargs_parse(text ? text : "", known);
	if (!list) {
		log_error(port, "arguments: '%s' is invalid (valid: %s)", text,
			  adapter ? DEVX_ETH_BUS_ARGS_TEXT : DEVX_ETH_VDEV_ARGS_TEXT);
		return -EINVAL;
	}
	if (adapter)
		rte_strscpy(args->adapter, adapter, sizeof(args->adapter));
	else
		rc = choose_adapter(args, port, list);
	for (unsigned int i = 0; !rc && i < RTE_DIM(table); i++)
		rc = parse_arg(args, port, list, &table[i]);
	if (!rc)
		rc = check_combinations(args, port);
	rte_kvargs_free(list);
	return rc;
}

bool devx_eth_args_name_driver(const char *text)
{
	struct rte_kvargs *list = rte_kvargs_parse(text ? text : "", NULL);
	const char *name = list ? rte_kvargs_get(list, ARG_DRIVER) : NULL;
	const bool named = name && !strcmp(name, "net_devx");

	rte_kvargs_free(list);
	return named;
}
