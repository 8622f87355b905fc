/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "port/devx_doorbell.h"

/** struct choice - types of UAR to try for a value of uar=, in this order */
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
 * Says that @type is unsupported. Without a type in uar= an old rdma-core is no news: there
 * BlueFlame takes the place of dedicated pages.
 */
static void report_unsupported(struct devx_eth *eth, enum devx_uar_type type, int rc)
{
	char why[DEVX_TEXT_BYTES + 64];

	if (eth->args.uar != DEVX_ETH_UAR_NC_DEDICATED && type == DEVX_UAR_NC_DEDICATED)
		return;
	devx_eth_log(eth, WARNING, "doorbells: %s", devx_strerror(&eth->dev, rc, why, sizeof(why)));
}

int devx_eth_doorbell_open(struct devx_eth *eth)
{
	const struct choice *choice = &choices[eth->args.uar];
	const unsigned int n = eth->args.tx_bf_wqe ? 1 : choice->n;
	int rc = -EOPNOTSUPP;

	for (unsigned int i = 0; i < n && rc == -EOPNOTSUPP; i++) {
		eth->uar_type = choice->types[i];
		rc = devx_uar_create(&eth->uar, &eth->dev, eth->uar_type);
		if (rc == -EOPNOTSUPP && i + 1 < n)
			report_unsupported(eth, eth->uar_type, rc);
	}
	if (rc)
		return devx_eth_log_failure(eth, rc, "%s",
					    eth->args.tx_bf_wqe
						    ? "tx_bf_wqe=1 needs a BlueFlame register"
						    : "cannot create the UAR");
	rte_log(eth->uar.shared ? RTE_LOG_NOTICE : RTE_LOG_INFO, devx_eth_logtype,
		"%s (%s): doorbells: %s\n", eth->name, eth->dev.ibdev, names[eth->uar_type]);
	return 0;
}
