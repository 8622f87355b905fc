/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <rte_devargs.h>
#include <rte_memzone.h>

#include "attach/devx_args.h"
#include "attach/devx_choice.h"
#include "attach/devx_probe.h"
#include "attach/devx_secondary.h"
#include "attach/devx_secondary_ops.h"
#include "devx_log.h"

/* Returns the memzone that marks a device as ours, or NULL. @create: reserves a missing one. */
static const struct rte_memzone *get_mark(const struct rte_device *device, bool create)
{
	const struct rte_memzone *mark;
	char name[RTE_MEMZONE_NAMESIZE];

	snprintf(name, sizeof(name), "net_devx:%s", rte_dev_name(device));
	mark = rte_memzone_lookup(name);
	return mark || !create ? mark : rte_memzone_reserve(name, 1, SOCKET_ID_ANY, 0);
}

static int create_mark(const struct rte_device *device)
{
	if (get_mark(device, true))
		return 0;
	devx_eth_probe_log(device, ERR,
			   "cannot allocate a memzone (out of memory, or too many memzones)");
	return -ENOMEM;
}

static const char *get_args(const struct rte_device *device)
{
	const struct rte_devargs *devargs = rte_dev_devargs(device);

	return devargs ? devargs->args : NULL;
}

static int probe_primary(struct rte_device *device,
			 struct rte_eth_dev *(*allocate)(struct rte_device *device))
{
	const char *name = rte_dev_name(device);
	struct devx_eth_args args;
	int rc = devx_eth_args_parse(&args, name, get_args(device), name);

	if (!rc)
		rc = create_mark(device);
	if (rc)
		return rc;
	rc = devx_eth_probe(device, allocate(device), &args);
	if (rc)
		rte_memzone_free(get_mark(device, false));
	return rc;
}

bool devx_eth_choice_is_named(const struct rte_device *device)
{
	return devx_eth_args_name_driver(get_args(device));
}

int devx_eth_choice_probe(struct rte_device *device,
			  struct rte_eth_dev *(*allocate)(struct rte_device *device))
{
	enum { NOT_OURS = 1 };
	const bool named = devx_eth_choice_is_named(device);

	if (devx_eth_is_secondary())
		return named || get_mark(device, false)
			       ? devx_eth_secondary_probe(device, &devx_eth_secondary_ops)
			       : NOT_OURS;
	return named ? probe_primary(device, allocate) : NOT_OURS;
}

int devx_eth_choice_remove(const struct rte_device *device)
{
	const int rc = devx_eth_remove(device);

	if (!devx_eth_is_secondary())
		rte_memzone_free(get_mark(device, false));
	return rc;
}
