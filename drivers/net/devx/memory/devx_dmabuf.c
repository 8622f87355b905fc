/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "devx_log.h"
#include "memory/devx_dmabuf.h"
#include "memory/devx_mr.h"

static int refuse_overlap(const struct devx_eth *eth, const struct devx_dmabuf *from, uint64_t addr,
			  uint64_t bytes)
{
	devx_eth_log(eth, ERR,
		     "dma-buf: addresses %#" PRIx64 " to %#" PRIx64
		     " overlap registered memory at %#" PRIx64 " (%" PRIu64
		     " bytes); reserve a separate range of addresses with mmap()",
		     from->iova, from->iova + from->bytes, addr, bytes);
	return -EEXIST;
}

/* Refuses addresses of another dma-buf, and those of other registered memory. */
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

/* Registers a dma-buf, and duplicates its descriptor, because the application may close its own. */
static int create_mr(struct devx_eth *eth, struct devx_eth_dmabuf *d)
{
	const int fd = d->from.fd;
	int rc;

	d->from.fd = -1;
	rc = devx_mr_create_dmabuf(&d->mr, &eth->dev,
				   &(struct devx_dmabuf){ fd, d->from.offset, d->from.bytes,
							  d->from.iova, d->from.access });
	if (rc)
		return rc;
	d->from.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return d->from.fd < 0 ? -errno : 0;
}

static void free_dmabuf(struct devx_eth_dmabuf *d)
{
	devx_mr_destroy(&d->mr);
	if (d->from.fd >= 0)
		close(d->from.fd);
	free(d);
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
	d->from = *from;
	rc = create_mr(eth, d);
	if (rc)
		rc = devx_eth_log_failure(eth, rc, "cannot use a dma-buf for packets");
	else
		rc = devx_eth_memory_add_dmabuf(eth, &d->mr, d->write);
	if (rc) {
		free_dmabuf(d);
		return rc;
	}
	d->next = eth->dmabufs;
	eth->dmabufs = d;
	return 0;
}

void devx_eth_dmabuf_suspend(struct devx_eth *eth)
{
	for (struct devx_eth_dmabuf *d = eth->dmabufs; d; d = d->next)
		devx_mr_destroy(&d->mr);
}

int devx_eth_dmabuf_resume(struct devx_eth *eth)
{
	int rc = 0;

	for (struct devx_eth_dmabuf *d = eth->dmabufs; !rc && d; d = d->next) {
		rc = devx_mr_create_dmabuf(&d->mr, &eth->dev, &d->from);
		if (rc)
			return devx_eth_log_failure(eth, rc, "cannot use a dma-buf for packets");
		rc = devx_eth_memory_add_dmabuf(eth, &d->mr, d->write);
	}
	return rc;
}

int devx_eth_dmabuf_unregister(struct devx_eth *eth, uint64_t addr)
{
	struct devx_eth_dmabuf **at = &eth->dmabufs, *d;
	int rc;

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
	rc = devx_eth_memory_remove(eth, d->mr.addr, d->mr.bytes);
	if (rc)
		return rc;
	*at = d->next;
	free_dmabuf(d);
	return 0;
}

void devx_eth_dmabuf_release(struct devx_eth *eth)
{
	while (eth->dmabufs) {
		struct devx_eth_dmabuf *d = eth->dmabufs;

		eth->dmabufs = d->next;
		free_dmabuf(d);
	}
}
