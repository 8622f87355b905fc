/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/ring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eal/eal_log.h"

/* Allocates the patches of BENCH_MAX_BURST packets: each has the last bytes of the frame. */
static uint8_t *make_patches(const uint8_t *frame, uint16_t bytes, uint16_t patch_bytes)
{
	uint8_t *patches = malloc((size_t)BENCH_MAX_BURST * patch_bytes);

	for (unsigned int i = 0; patches && i < BENCH_MAX_BURST; i++)
		memcpy(patches + i * patch_bytes, frame + bytes - patch_bytes, patch_bytes);
	return patches;
}

int bench_ring_open(struct bench_port *port, uint16_t patch_bytes, char *why, size_t why_bytes)
{
	const struct ring_port on = { port->id, port->driver->device, port->driver->name };
	uint8_t frame[BENCH_MAX_FRAME];
	const uint16_t bytes = bench_frame_write_sent(&port->frame, BENCH_RING_NUMBER, frame);
	const struct rte_pmd_devx_ring_conf conf = {
		.frame = frame,
		.frame_bytes = bytes,
		.n_packets = BENCH_RING,
		.patch = { { (uint16_t)(bytes - patch_bytes), patch_bytes } },
	};
	struct bench_ring *ring;
	int rc;

	bench_ring_close(port);
	ring = calloc(1, sizeof(*ring));
	if (!ring)
		return -ENOMEM;
	port->ring = ring;
	rc = ring_driver_find(&ring->driver, &on, why, why_bytes);
	if (!rc && patch_bytes) {
		ring->patches = make_patches(frame, bytes, patch_bytes);
		rc = ring->patches ? 0 : -ENOMEM;
	}
	if (!rc) {
		eal_log_clear();
		rc = ring->driver.create(port->id, &conf, &ring->ring);
		if (rc)
			snprintf(why, why_bytes, "%s", eal_log_read_error(strerror(-rc)));
	}
	if (rc)
		bench_ring_close(port);
	return rc;
}

void bench_ring_close(struct bench_port *port)
{
	struct bench_ring *ring = port->ring;

	if (!ring)
		return;
	if (ring->ring)
		ring->driver.destroy(ring->ring);
	free(ring->patches);
	free(ring);
	port->ring = NULL;
}
