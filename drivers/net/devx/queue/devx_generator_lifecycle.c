/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>

#include "burst/devx_generator_burst.h"
#include "devx_forked.h"
#include "devx_log.h"
#include "devx_queue_uar.h"
#include "queue/devx_copy_limit.h"
#include "queue/devx_generator_lifecycle.h"
#include "queue/devx_tx_drain.h"
#include "recovery/devx_generator_recovery.h"

enum { COUNT_BYTES = 4 }; /* byte count in front of each frame */

/* Chooses the size of a unit. Returns 0, or -EMSGSIZE if the frame does not fit a WQE. */
static int choose_unit(struct rte_pmd_devx_ring *r)
{
	const uint32_t entry_ds = (COUNT_BYTES + r->frame_bytes + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
	const uint32_t most = (devx_eth_tx_get_max_ds(r->eth) - 2u) / entry_ds;

	if (!most)
		return -EMSGSIZE;
	r->n_packets_log2 = (uint8_t)(31 - __builtin_clz(most));
	r->n_blocks =
		(uint8_t)prm_wqe_count_blocks((uint16_t)(2 + (entry_ds << r->n_packets_log2)));
	r->per_block = UINT32_MAX / r->n_blocks + 1;
	r->entry_bytes = (uint16_t)(entry_ds * PRM_DS_BYTES);
	return 0;
}

static int check_conf(struct devx_eth *eth, const struct rte_pmd_devx_ring_conf *conf)
{
	const uint32_t max = (uint32_t)eth->data->mtu + DEVX_ETH_OVERHEAD;

	if (!eth->dev.caps.enhanced_multi_pkt_send_wqe) {
		devx_eth_log(eth, ERR,
			     "generator ring: the device has no enhanced multi-packet WQEs");
		return -ENOTSUP;
	}
	if (!conf->frame ||
	    !devx_eth_tx_accepts_length(conf->frame_bytes, RTE_ETHER_HDR_LEN, max)) {
		devx_eth_log(eth, ERR,
			     "generator ring: a frame of %u bytes is invalid (valid: %u to %u)",
			     conf->frame_bytes, RTE_ETHER_HDR_LEN, max);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < RTE_DIM(conf->patch); i++) {
		const struct rte_pmd_devx_ring_patch *p = &conf->patch[i];

		if (!p->bytes || (uint32_t)p->offset + p->bytes <= conf->frame_bytes)
			continue;
		devx_eth_log(eth, ERR,
			     "generator ring: the patch of bytes %u to %u exceeds the frame of %u "
			     "bytes",
			     p->offset, p->offset + p->bytes, conf->frame_bytes);
		return -EINVAL;
	}
	return 0;
}

/* Returns log2 of the blocks of a ring for @n packets and at least one unit per quarter. */
static uint8_t compute_log2_blocks(const struct rte_pmd_devx_ring *r, uint32_t n)
{
	const uint32_t full = 1u << r->n_packets_log2;
	const uint32_t units =
		RTE_MAX((n + full - 1) / full, (uint32_t)DEVX_ETH_GENERATOR_QUARTERS);

	return (uint8_t)rte_log2_u32(rte_align32pow2(units * r->n_blocks));
}

static int create_objects(struct rte_pmd_devx_ring *r, uint8_t log2_n)
{
	struct devx_eth *eth = r->eth;
	int rc = devx_eth_queue_uar_create(eth, &r->uar);

	if (!rc)
		rc = devx_eth_generator_create_queues(r, log2_n);
	return rc ? devx_eth_log_failure(eth, rc, "cannot create a generator ring") : 0;
}

static void destroy_objects(struct rte_pmd_devx_ring *r)
{
	devx_eth_generator_destroy_queues(r);
	devx_uar_destroy(&r->uar);
}

/*
 * All rings of the process. @lock: held while a thread adds or removes a ring, sums the counters of
 * a port, or forks; the holder of devx_eth.lock may take it.
 */
static struct {
	pthread_mutex_t lock;
	struct rte_pmd_devx_ring *first;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

void devx_eth_generator_lock_all(void)
{
	pthread_mutex_lock(&all.lock);
}

void devx_eth_generator_unlock_all(void)
{
	pthread_mutex_unlock(&all.lock);
}

/* Changes only the child: rings are private memory, so the parent keeps its own. */
void devx_eth_generator_take_all(void)
{
	for (struct rte_pmd_devx_ring *r = all.first; r; r = r->next_in_process)
		__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
}

struct devx_eth_generated devx_eth_generator_read(const struct devx_eth *eth)
{
	struct devx_eth_generated sum;

	devx_eth_generator_lock_all();
	sum = devx_eth_generator_sum(eth);
	devx_eth_generator_unlock_all();
	return sum;
}

/* Adds a ring to the lists of its port and of the process. */
static void add_ring(struct rte_pmd_devx_ring *r)
{
	devx_eth_generator_lock_all();
	r->next = r->eth->generators;
	r->eth->generators = r;
	r->next_in_process = all.first;
	all.first = r;
	devx_eth_generator_unlock_all();
}

static void remove_from_all(const struct rte_pmd_devx_ring *r)
{
	struct rte_pmd_devx_ring **at = &all.first;

	devx_eth_generator_lock_all();
	while (*at && *at != r)
		at = &(*at)->next_in_process;
	if (*at)
		*at = r->next_in_process;
	devx_eth_generator_unlock_all();
}

/* Removes a ring from its port and adds its counters to those of the port. */
static void remove_from_port(const struct rte_pmd_devx_ring *r)
{
	struct devx_eth *eth = r->eth;
	struct rte_pmd_devx_ring **at = &eth->generators;

	devx_eth_generator_lock_all();
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	devx_eth_generator_add(&eth->stats.generated, r);
	devx_eth_generator_unlock_all();
}

static void free_ring(struct rte_pmd_devx_ring *r)
{
	remove_from_all(r);
	free(r->frame);
	free(r->n_packets);
	free(r);
}

/* Copies the patches that are not empty. */
static void take_patches(struct rte_pmd_devx_ring *r, const struct rte_pmd_devx_ring_patch *patch)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < RTE_PMD_DEVX_RING_PATCHES; i++) {
		if (!patch[i].bytes)
			continue;
		r->patch[n].bytes = patch[i].bytes;
		r->patch[n++].offset = (uint16_t)(2 * PRM_DS_BYTES + COUNT_BYTES + patch[i].offset);
		r->patch_bytes += patch[i].bytes;
	}
}

/* Allocates a ring without firmware objects. Returns NULL if out of memory. */
static struct rte_pmd_devx_ring *alloc_ring(struct devx_eth *eth,
					    const struct rte_pmd_devx_ring_conf *conf)
{
	struct rte_pmd_devx_ring *r = NULL;

	if (posix_memalign((void **)&r, RTE_CACHE_LINE_SIZE, sizeof(*r)))
		return NULL;
	*r = (struct rte_pmd_devx_ring){
		.eth = eth,
		.frame_bytes = conf->frame_bytes,
		.frame = malloc(conf->frame_bytes),
		.n_packets = calloc(1u << DEVX_SQ_LOG2_MAX, 1),
	};
	take_patches(r, conf->patch);
	if (r->frame && r->n_packets) {
		memcpy(r->frame, conf->frame, conf->frame_bytes);
		return r;
	}
	free_ring(r);
	return NULL;
}

static int start_ring(struct rte_pmd_devx_ring *r, uint32_t n_packets)
{
	struct devx_eth *eth = r->eth;
	const uint8_t max = (uint8_t)RTE_MIN(eth->dev.caps.log_max_wq_sz, DEVX_SQ_LOG2_MAX);
	uint8_t log2_n;
	int rc;

	if (choose_unit(r)) {
		devx_eth_log(eth, ERR,
			     "generator ring: a frame of %u bytes does not fit into a WQE (valid: "
			     "at most %d bytes)",
			     r->frame_bytes,
			     (devx_eth_tx_get_max_ds(eth) - 2) * PRM_DS_BYTES - COUNT_BYTES);
		return -EMSGSIZE;
	}
	log2_n = compute_log2_blocks(r, n_packets);
	if (log2_n > max) {
		devx_eth_log(eth, ERR, "generator ring: %u packets are invalid (valid: 1 to %u)",
			     n_packets, (1u << max) / r->n_blocks << r->n_packets_log2);
		return -EINVAL;
	}
	rc = create_objects(r, log2_n);
	if (rc)
		return rc;
	__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}

int devx_eth_generator_create(struct rte_pmd_devx_ring **ring, struct devx_eth *eth,
			      const struct rte_pmd_devx_ring_conf *conf)
{
	struct rte_pmd_devx_ring *r;
	int rc = check_conf(eth, conf);

	if (rc)
		return rc;
	r = alloc_ring(eth, conf);
	if (!r) {
		devx_eth_log(eth, ERR, "generator ring: out of memory");
		return -ENOMEM;
	}
	pthread_mutex_lock(&eth->lock);
	if (eth->started) {
		r->number = eth->n_rings++;
		rc = start_ring(r, conf->n_packets);
	} else {
		devx_eth_log(eth, ERR, "generator ring: the port is stopped; start it first");
		rc = -EBUSY;
	}
	if (rc) {
		destroy_objects(r);
	} else {
		add_ring(r);
		*ring = r;
	}
	pthread_mutex_unlock(&eth->lock);
	if (rc)
		free_ring(r);
	return rc;
}

/* Waits until the device has sent everything, for a limited time because the link may be down. */
static void wait_for_sends(struct rte_pmd_devx_ring *r)
{
	const uint64_t end = devx_eth_send_wait_end();
	bool asked = false;

	while (__atomic_load_n(&r->owner, __ATOMIC_RELAXED) == DEVX_ETH_RUNNING &&
	       rte_get_timer_cycles() < end) {
		devx_eth_generator_poll(r);
		if (!devx_eth_generator_count_used(r))
			break;
		if (!asked && r->n_free) {
			devx_eth_generator_post_nops(r);
			asked = true;
		}
		rte_delay_us_sleep(DEVX_ETH_SEND_POLL_US);
	}
}

/* Polls the CQEs that the device wrote before the loss. After an error CQE, others are useless. */
static void take_last_cqes(struct rte_pmd_devx_ring *r)
{
	if (r->sq.wqebbs && __atomic_load_n(&r->owner, __ATOMIC_RELAXED) != DEVX_ETH_BROKEN)
		devx_eth_generator_poll(r);
}

/*
 * Destroys the objects of a ring and counts packets that the device has not sent as lost. After a
 * failed recovery, the ring may have no queues.
 */
static void stop_ring(struct rte_pmd_devx_ring *r)
{
	if (devx_eth_is_lost(r->eth))
		take_last_cqes(r);
	else
		wait_for_sends(r);
	devx_eth_generator_lose_all(r);
	__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
	destroy_objects(r);
}

void devx_eth_generator_stop_all(struct devx_eth *eth)
{
	for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		stop_ring(r);
	devx_eth_generator_publish(eth); /* the recovery timer, which does so, has stopped */
}

void devx_eth_generator_prepare_restart(struct devx_eth *eth)
{
	for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next) {
		r->restart |= __atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_STOPPED;
		if (r->sq.wqebbs) /* otherwise a failed recovery of the ring has stored it */
			r->log2_blocks = r->sq.log2_n;
	}
}

/* After a failure the ring stays stopped until the next attempt of the recovery. */
static int restart_ring(struct rte_pmd_devx_ring *r)
{
	const int rc = create_objects(r, r->log2_blocks);

	if (rc) {
		destroy_objects(r);
		return rc;
	}
	r->cq_failed = r->recovery_failed = false;
	__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}

int devx_eth_generator_restart_all(struct devx_eth *eth)
{
	int rc = 0;

	for (struct rte_pmd_devx_ring *r = eth->generators; !rc && r; r = r->next)
		if (r->restart)
			rc = restart_ring(r);
	return rc;
}

void devx_eth_generator_finish_restart(struct devx_eth *eth)
{
	pthread_mutex_lock(&eth->lock);
	for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		r->restart = false;
	pthread_mutex_unlock(&eth->lock);
}

void devx_eth_generator_free_all(struct devx_eth *eth)
{
	struct rte_pmd_devx_ring *r;

	while ((r = eth->generators)) {
		eth->generators = r->next;
		free_ring(r);
	}
}

void devx_eth_generator_destroy(struct rte_pmd_devx_ring *r)
{
	struct devx_eth *eth = r->eth;

	if (devx_eth_fork_refuse()) { /* only a copy: the parent still uses the objects */
		free_ring(r);
		return;
	}
	pthread_mutex_lock(&eth->lock);
	stop_ring(r);
	remove_from_port(r);
	devx_eth_generator_publish(eth);
	pthread_mutex_unlock(&eth->lock);
	free_ring(r);
}
