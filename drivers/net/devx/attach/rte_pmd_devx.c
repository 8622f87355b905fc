/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>
#include <rte_mbuf.h>

/* The driver is built with hidden symbols; version.map exports these. */
#pragma GCC visibility push(default)
#include "rte_pmd_devx.h"
#pragma GCC visibility pop

#include "attach/devx_device_map.h"
#include "attach/devx_ethdev.h"
#include "attach/devx_secondary_ended.h"
#include "attach/devx_secondary_ops.h"
#include "burst/devx_generator_burst.h"
#include "devx_forked.h"
#include "devx_log.h"
#include "memory/devx_dmabuf.h"
#include "queue/devx_generator_lifecycle.h"

static_assert((unsigned int)RTE_PMD_DEVX_DMABUF_WRITE == DEVX_DMABUF_WRITE &&
		      (unsigned int)RTE_PMD_DEVX_DMABUF_DATA_DIRECT == DEVX_DMABUF_DATA_DIRECT,
	      "access rights of lib/devx");

/* Finds a port of this driver and enters its gate. Return: 0 or -errno, logged */
static int enter_port(const char *subject, uint16_t port_id, struct devx_eth **eth)
{
	if (devx_eth_fork_refuse())
		return -ENOTSUP;
	if (rte_eth_dev_is_valid_port(port_id) &&
	    devx_eth_secondary_is_ended(&rte_eth_devices[port_id])) {
		rte_log(RTE_LOG_ERR, devx_eth_logtype,
			"%s: the primary process closed port %u; close it here as well\n", subject,
			port_id);
		return -ENODEV;
	}
	if (!rte_eth_dev_is_valid_port(port_id) ||
	    (rte_eth_devices[port_id].dev_ops != &devx_eth_ops &&
	     rte_eth_devices[port_id].dev_ops != &devx_eth_secondary_ops)) {
		rte_log(RTE_LOG_ERR, devx_eth_logtype, "%s: port %u is not a port of net_devx\n",
			subject, port_id);
		return -ENODEV;
	}
	*eth = devx_eth_port_get(&rte_eth_devices[port_id]);
	if (rte_eal_process_type() == RTE_PROC_PRIMARY)
		return devx_eth_port_enter(subject, *eth);
	devx_eth_log(*eth, ERR, "%s: unsupported in a secondary process; use the primary one",
		     subject);
	return -ENOTSUP;
}

int rte_pmd_devx_dmabuf_register(uint16_t port_id, const struct rte_pmd_devx_dmabuf *buf)
{
	struct devx_eth *eth;
	int rc = enter_port("dma-buf", port_id, &eth);

	if (rc)
		return rc;
	pthread_mutex_lock(&eth->lock);
	rc = devx_eth_dmabuf_register(eth, &(struct devx_dmabuf){ .fd = buf->fd,
								  .offset = buf->offset,
								  .bytes = buf->length,
								  .iova = buf->address,
								  .access = buf->access });
	pthread_mutex_unlock(&eth->lock);
	devx_eth_gate_leave(&eth->recovery.gate);
	return rc;
}

int rte_pmd_devx_dmabuf_unregister(uint16_t port_id, uint64_t address)
{
	struct devx_eth *eth;
	int rc = enter_port("dma-buf", port_id, &eth);

	if (rc)
		return rc;
	pthread_mutex_lock(&eth->lock);
	rc = devx_eth_dmabuf_unregister(eth, address);
	pthread_mutex_unlock(&eth->lock);
	devx_eth_gate_leave(&eth->recovery.gate);
	return rc;
}

struct rte_mempool *rte_pmd_devx_dmabuf_pool_create(const char *name, unsigned int n,
						    unsigned int cache_size,
						    uint16_t data_room_size, int socket_id,
						    uint64_t address, uint64_t length)
{
	const uint32_t element = RTE_ALIGN_CEIL((uint32_t)data_room_size, RTE_CACHE_LINE_SIZE);
	const struct rte_pktmbuf_extmem memory = {
		.buf_ptr = (void *)(uintptr_t)address,
		.buf_iova = RTE_BAD_IOVA,
		.buf_len = length,
		.elt_size = (uint16_t)element,
	};

	if (!address || !n || !element || element > UINT16_MAX || length / element < n) {
		rte_log(RTE_LOG_ERR, devx_eth_logtype,
			"pool %s: %u buffers of %u bytes at address %#" PRIx64
			" are invalid (valid: an address other than 0, 1 to 65472 bytes, up to "
			"%" PRIu64 " bytes in all)\n",
			name, n, element, address, length);
		rte_errno = EINVAL;
		return NULL;
	}
	return rte_pktmbuf_pool_create_extbuf(name, n, cache_size, 0, data_room_size, socket_id,
					      &memory, 1);
}

int rte_pmd_devx_ring_create(uint16_t port_id, const struct rte_pmd_devx_ring_conf *conf,
			     struct rte_pmd_devx_ring **ring)
{
	struct devx_eth *eth;
	int rc = enter_port("generator ring", port_id, &eth);

	if (rc)
		return rc;
	rc = devx_eth_generator_create(ring, eth, conf);
	devx_eth_gate_leave(&eth->recovery.gate);
	return rc;
}

uint16_t rte_pmd_devx_ring_send(struct rte_pmd_devx_ring *ring, const void *patches, uint16_t n)
{
	return devx_eth_generator_send(ring, patches, n);
}

void rte_pmd_devx_ring_destroy(struct rte_pmd_devx_ring *ring)
{
	if (ring)
		devx_eth_generator_destroy(ring);
}
