/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "devx_queue_uar.h"
#include "port/devx_doorbell.h"

/** struct choice - the types of UAR to try for a value of uar=, in order */
struct choice {
	unsigned int n;
	enum devx_uar_type types[3];
};

static const struct choice choices[] = {
#ifdef RTE_ARCH_X86_64
	[DEVX_ETH_UAR_AUTO] = { 3, { DEVX_UAR_NC_DEDICATED, DEVX_UAR_BF, DEVX_UAR_NC } },
#else
	[DEVX_ETH_UAR_AUTO] = { 3, { DEVX_UAR_BF, DEVX_UAR_NC_DEDICATED, DEVX_UAR_NC } },
#endif
	[DEVX_ETH_UAR_BF] = { 3, { DEVX_UAR_BF, DEVX_UAR_NC_DEDICATED, DEVX_UAR_NC } },
	[DEVX_ETH_UAR_NC] = { 1, { DEVX_UAR_NC } },
	[DEVX_ETH_UAR_NC_DEDICATED] = { 2, { DEVX_UAR_NC_DEDICATED, DEVX_UAR_NC } },
};

static const char *const names[] = {
	[DEVX_UAR_BF] = "BlueFlame, a register per queue",
	[DEVX_UAR_NC] = "non-cached, all queues share one register",
	[DEVX_UAR_NC_DEDICATED] = "non-cached, a register per queue",
};

/*
 * Reports that @type is unsupported. Only uar=nc_dedicated asks for dedicated pages by name; with
 * other values the port silently tries the next type if rdma-core is too old for them.
 */
static void report_unsupported(struct devx_eth *eth, enum devx_uar_type type, int rc)
{
	char why[DEVX_TEXT_BYTES + 64];

	if (eth->args.uar != DEVX_ETH_UAR_NC_DEDICATED && type == DEVX_UAR_NC_DEDICATED)
		return;
	devx_eth_log(eth, WARNING, "doorbells: %s", devx_strerror(&eth->dev, rc, why, sizeof(why)));
}

/* Sets eth->uar_type to the first supported type. Returns the result of devx_uar_create(). */
static int choose_type(struct devx_eth *eth, struct devx_uar *uar)
{
	const struct choice *choice = &choices[eth->args.uar];
	const unsigned int n = eth->args.tx_bf_wqe ? 1 : choice->n;
	int rc = -EOPNOTSUPP;

	for (unsigned int i = 0; i < n && rc == -EOPNOTSUPP; i++) {
		eth->uar_type = choice->types[i];
		rc = devx_uar_create(uar, &eth->dev, eth->uar_type);
		if (rc == -EOPNOTSUPP && i + 1 < n)
			report_unsupported(eth, eth->uar_type, rc);
	}
	return rc;
}

int devx_eth_doorbell_open(struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES + 64];
	struct devx_uar first = { 0 };
	int rc;

	devx_uar_create(&eth->uar, &eth->dev, DEVX_UAR_NC); /* stays all zero if unsupported */
	rc = choose_type(eth, &first);
	devx_strerror(&eth->dev, rc, why, sizeof(why));
	if (eth->uar.uar)
		devx_uar_destroy(&first); /* free again for the first send queue */
	else
		eth->uar = first;
	if (rc && !devx_eth_uar_may_share(eth, rc))
		return devx_eth_log_failure(eth, rc, "%s",
					    eth->args.tx_bf_wqe
						    ? "tx_bf_wqe=1 needs a BlueFlame register"
						    : "cannot create the UAR");
	if (rc) {
		devx_eth_log(eth, NOTICE,
			     "doorbells: %s; send queues share one register until a UAR page is "
			     "free at a start of the port",
			     why);
		return 0;
	}
	rte_log(eth->uar_type == DEVX_UAR_NC ? RTE_LOG_NOTICE : RTE_LOG_INFO, devx_eth_logtype,
		"%s (%s): doorbells: %s\n", eth->name, eth->dev.ibdev, names[eth->uar_type]);
	return 0;
}
