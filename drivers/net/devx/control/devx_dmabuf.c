/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "control/devx_dmabuf.h"
#include "control/devx_mr.h"
#include "devx_log.h"

static int refuse_overlap(const struct devx_eth *eth, const struct devx_dmabuf *from, uint64_t addr,
			  uint64_t bytes)
{
	devx_eth_log(eth, ERR,
		     "dma-buf: addresses %#" PRIx64 " to %#" PRIx64
		     " overlap registered memory at %#" PRIx64 " (%" PRIu64
		     " bytes); reserve addresses of its own with mmap()",
		     from->iova, from->iova + from->bytes, addr, bytes);
	return -EEXIST;
}

/* Refuses addresses of another dma-buf, and those of the table of a started port. */
static int check_overlap(const struct devx_eth *eth, const struct devx_dmabuf *from)
{
	const struct devx_eth_table *t = eth->memory.table;
	const uint64_t end = from->iova + from->bytes;
	const unsigned int i = devx_eth_table_find(t, from->iova);

	for (const struct devx_eth_dmabuf *d = eth->dmabufs; d; d = d->next)
		if (from->iova < d->mr.addr + d->mr.bytes && d->mr.addr < end)
			return refuse_overlap(eth, from, d->mr.addr, d->mr.bytes);
	if (t && i < t->n && t->range[i].addr < end)
		return refuse_overlap(eth, from, t->range[i].addr, t->range[i].bytes);
	return 0;
}

int devx_eth_dmabuf_register(struct devx_eth *eth, const struct devx_dmabuf *from)
{
	struct devx_eth_dmabuf *d;
	int rc = check_overlap(eth, from);

	if (rc)
		return rc;
	d = calloc(1, sizeof(*d));
	if (!d) {
		devx_eth_log(eth, ERR, "dma-buf: out of memory");
		return -ENOMEM;
	}
	d->write = from->access & DEVX_DMABUF_WRITE;
	rc = devx_mr_create_dmabuf(&d->mr, &eth->dev, from);
	if (rc) {
		free(d);
		return devx_eth_log_failure(eth, rc, "cannot use a dma-buf for packets");
	}
	if (eth->started)
		rc = devx_eth_memory_add_dmabuf(eth, &d->mr, d->write);
	if (rc) {
		devx_mr_destroy(&d->mr);
		free(d);
		return rc;
	}
	d->next = eth->dmabufs;
	eth->dmabufs = d;
	return 0;
}

int devx_eth_dmabuf_unregister(struct devx_eth *eth, uint64_t addr)
{
	struct devx_eth_dmabuf **at = &eth->dmabufs, *d;

	while (*at && (*at)->mr.addr != addr)
		at = &(*at)->next;
	d = *at;
	if (!d) {
		devx_eth_log(eth, ERR, "dma-buf: none is registered at address %#" PRIx64, addr);
		return -ENOENT;
	}
	if (eth->started) {
		devx_eth_log(eth, ERR,
			     "dma-buf at %#" PRIx64 ": the device may still use it; stop the port "
			     "first",
			     addr);
		return -EBUSY;
	}
	*at = d->next;
	devx_mr_destroy(&d->mr);
	free(d);
	return 0;
}

void devx_eth_dmabuf_release(struct devx_eth *eth)
{
	while (eth->dmabufs) {
		struct devx_eth_dmabuf *d = eth->dmabufs;

		eth->dmabufs = d->next;
		devx_mr_destroy(&d->mr);
		free(d);
	}
}
