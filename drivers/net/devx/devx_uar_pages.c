/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devx_uar_pages.h"

enum { ATTEMPTS = 16 }; /* other code may use addresses of the region too */

static const struct devx_eth_uar_page *find_address(const struct devx_eth_uar_page *page,
						    const void *base)
{
	while (page && page->uar.base != base)
		page = page->next;
	return page;
}

static const struct devx_eth_uar_page *find_share(const struct devx_eth_uar_page *page,
						  const struct devx_share *share)
{
	while (page && memcmp(&page->share, share, sizeof(*share)))
		page = page->next;
	return page;
}

int devx_eth_uar_pages_map(struct devx_eth_uar_page **pages, void *base, struct devx_dev *dev,
			   int fd, const struct devx_share *share)
{
	struct devx_eth_uar_page *page;
	int rc;

	if (find_address(*pages, base))
		return 0;
	page = calloc(1, sizeof(*page));
	if (!page)
		return -ENOMEM;
	rc = devx_uar_map_at(&page->uar, dev, fd, share, base);
	if (rc) {
		free(page);
		return rc;
	}
	page->share = *share;
	page->next = *pages;
	*pages = page;
	return 0;
}

/* Returns the next address of the region for this process; ports start on different threads. */
static void *choose_address(void)
{
	static uint64_t n;
	const uint64_t at = __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);

	return (void *)(uintptr_t)(DEVX_ETH_UAR_PAGES_AT + at * (uint64_t)sysconf(_SC_PAGESIZE));
}

int devx_eth_uar_pages_move(struct devx_eth_uar_page **pages, struct devx_uar *uar,
			    struct devx_dev *dev, struct devx_share *share)
{
	const struct devx_eth_uar_page *page;
	int rc = devx_uar_export(dev, uar, share);

	if (rc)
		return rc;
	page = find_share(*pages, share);
	rc = page ? 0 : -EEXIST;
	for (unsigned int i = 0; i < ATTEMPTS && rc == -EEXIST; i++)
		rc = devx_eth_uar_pages_map(pages, choose_address(), dev, -1, share);
	if (rc)
		return rc;
	if (!page)
		page = *pages;
	uar->base = page->uar.base;
	uar->reg = page->uar.reg;
	return 0;
}

void devx_eth_uar_pages_free(struct devx_eth_uar_page **pages)
{
	struct devx_eth_uar_page *page;

	while ((page = *pages)) {
		*pages = page->next;
		devx_uar_destroy(&page->uar);
		free(page);
	}
}
