/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "queue/devx_desc.h"

uint16_t devx_eth_desc_get_max(const struct devx_eth *eth)
{
	const struct devx_caps *caps = &eth->dev.caps;
	const uint32_t max = 1u << RTE_MIN(caps->log_max_wq_sz, caps->log_max_cq_sz);

	return (uint16_t)RTE_MIN(max, (uint32_t)DEVX_ETH_DESC_MAX);
}

int devx_eth_desc_validate(struct devx_eth *eth, const char *kind, uint16_t queue, uint16_t *n_desc)
{
	const uint32_t n = rte_align32pow2(*n_desc);

	if (*n_desc < DEVX_ETH_DESC_MIN || n > devx_eth_desc_get_max(eth)) {
		devx_eth_log(eth, ERR, "%s queue %u: %u descriptors are invalid (valid: %u to %u)",
			     kind, queue, *n_desc, DEVX_ETH_DESC_MIN, devx_eth_desc_get_max(eth));
		return -EINVAL;
	}
	if (n != *n_desc)
		devx_eth_log(eth, NOTICE,
			     "%s queue %u: %u descriptors rounded up to %u (a power of two)", kind,
			     queue, *n_desc, n);
	*n_desc = (uint16_t)n;
	return 0;
}

int devx_eth_desc_validate_threshold(const struct devx_eth *eth, const char *kind, uint16_t queue,
				     const char *name, uint16_t n, uint16_t n_desc)
{
	if (n <= n_desc)
		return 0;
	devx_eth_log(eth, ERR,
		     "%s queue %u: %s of %u is beyond the ring (valid: at most its %u descriptors)",
		     kind, queue, name, n, n_desc);
	return -EINVAL;
}
