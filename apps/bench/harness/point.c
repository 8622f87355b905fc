/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/content.h"
#include "harness/ring.h"

#define NO_COMPRESSION "emu does not compress CQEs yet"
#define NO_STRIDES "emu has no striding receive queues yet"
#define NO_RING "net_mlx5 has no generator ring"
#define RX_ALL                                                                                     \
	(RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_RSS_HASH |                               \
	 RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_TIMESTAMP)
#define TX_SUMS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM)
#define TX_FAST RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define TX_TAG RTE_ETH_TX_OFFLOAD_VLAN_INSERT

const uint16_t bench_bursts[BENCH_N_BURSTS] = { 1, 4, 8, 16, 32, 64, 256 };
const uint16_t bench_sizes[BENCH_N_SIZES] = { 60, 128, 512, 1514 };

enum { PATCH_BYTES = 16 }; /* a generator would write a sequence number and a time */

/* Both drivers get the same setup, but their own arguments @mlx5 and @devx. */
#define SETUPS(mlx5, devx, rx, tx, hash)                                                           \
	{                                                                                          \
		{ mlx5, rx, tx, hash },                                                            \
		{                                                                                  \
			devx, rx, tx, hash                                                         \
		}                                                                                  \
	}
/* Four buffers per frame of the MTU. A short packet needs one of them. */
#define SCATTERED                                                                                  \
	{                                                                                          \
		.devargs = "", .rx_offloads = RTE_ETH_RX_OFFLOAD_SCATTER, .tx_offloads = TX_FAST,  \
		.buffer_bytes = 512, .frame_buffers = 4                                            \
	}
#define BOTH_MISS(why)                                                                             \
	{                                                                                          \
		why, why                                                                           \
	}

/* clang-format off */
const struct bench_path bench_paths[] = {
	{ "rx", BENCH_RX, SETUPS("", "", 0, TX_FAST, false) },
	{ "rx_scalar", BENCH_RX, SETUPS("rx_vec_en=0", "rx_burst=scalar", 0, TX_FAST, false) },
	{ "rx_offloads", BENCH_RX, SETUPS("", "", RX_ALL, TX_FAST, true),
	  .frame = { .tagged = true, .strip_tag = true } },
	{ "rx_scatter", BENCH_RX, { SCATTERED, SCATTERED } },
	{ "rx_compressed", BENCH_RX, .missing = BOTH_MISS(NO_COMPRESSION) },
	{ "rx_striding", BENCH_RX, .missing = BOTH_MISS(NO_STRIDES) },
	{ "rx_empty", BENCH_POLL, SETUPS("", "", 0, TX_FAST, false) },
	{ "tx", BENCH_TX, SETUPS("", "", 0, TX_FAST, false) },
	{ "tx_no_fast_free", BENCH_TX, SETUPS("", "", 0, 0, false) },
	{ "tx_inline", BENCH_TX, SETUPS("txqs_min_inline=0", "inline=268", 0, TX_FAST, false) },
	{ "tx_checksums", BENCH_TX, SETUPS("", "", 0, TX_FAST | TX_SUMS, false),
	  .frame = { .sums = true } },
	{ "tx_vlan", BENCH_TX, SETUPS("", "", 0, TX_FAST | TX_TAG, false),
	  .frame = { .insert_tag = true } },
	{ "tx_ring", BENCH_RING_TX, SETUPS("", "", 0, TX_FAST, false),
	  .missing = { NO_RING, NULL } },
	{ "tx_ring_patched", BENCH_RING_TX, SETUPS("", "", 0, TX_FAST, false),
	  .missing = { NO_RING, NULL }, .patch_bytes = PATCH_BYTES },
};
/* clang-format on */
const unsigned int bench_n_paths = RTE_DIM(bench_paths);

static const uint16_t buffers[] = { BENCH_BUFFER, BENCH_SMALL_BUFFER };

unsigned int bench_path_count_buffers(const struct bench_path *path)
{
	const bool fixed = path->setup[BENCH_DEVX].buffer_bytes;

	return fixed || path->direction == BENCH_POLL || path->direction == BENCH_RING_TX
		       ? 1
		       : RTE_DIM(buffers);
}

uint16_t bench_path_get_buffers(const struct bench_path *path, unsigned int n)
{
	if (path->direction == BENCH_POLL || path->direction == BENCH_RING_TX)
		return 0;
	return path->setup[BENCH_DEVX].buffer_bytes ? path->setup[BENCH_DEVX].buffer_bytes
						    : buffers[n];
}

static const char *why_no_mlx5(void)
{
	const char *no_netdev = getenv("DEVX_BENCH_NO_NETDEV");

	return no_netdev && *no_netdev ? no_netdev : NULL;
}

const char *bench_driver_lacks(const struct bench_lab *lab, unsigned int driver)
{
	const char *why = driver == BENCH_MLX5 ? why_no_mlx5() : NULL;

	if (!why && (int)lab->emu->n_ports() <= bench_drivers[driver].emu_port)
		why = "emu has too few ports (valid: 2); start devx-emu with --ports 2";
	return why;
}

static void open_driver(struct bench_pair *pair, unsigned int driver, uint16_t buffer_bytes)
{
	struct bench_setup setup = pair->path->setup[driver];
	char *missing = pair->missing[driver];
	const size_t bytes = sizeof(pair->missing[driver]);
	const char *why = pair->path->missing[driver];

	if (!why)
		why = bench_driver_lacks(pair->lab, driver);
	if (why) {
		snprintf(missing, bytes, "%s", why);
		return;
	}
	missing[0] = '\0';
	if (buffer_bytes)
		setup.buffer_bytes = buffer_bytes;
	bench_port_open(&pair->port[driver], pair->lab, &bench_drivers[driver], &setup, missing,
			bytes);
}

void bench_pair_open(struct bench_pair *pair, const struct bench_lab *lab,
		     const struct bench_path *path, uint16_t buffer_bytes)
{
	memset(pair, 0, sizeof(*pair));
	pair->lab = lab;
	pair->path = path;
	for (unsigned int d = 0; d < BENCH_N_DRIVERS; d++)
		open_driver(pair, d, buffer_bytes);
	lab->emu->pause();
}

static void close_port(struct bench_port *port)
{
	bench_ring_close(port);
	bench_port_close(port);
}

/* Opens a ring of the new frames if the path needs one, and checks it. Some sizes do not fit. */
static void open_ring(struct bench_pair *pair, unsigned int driver)
{
	struct bench_port *port = &pair->port[driver];
	char *why = pair->missing[driver];
	const size_t bytes = sizeof(pair->missing[driver]);

	if (pair->path->direction != BENCH_RING_TX)
		return;
	why[0] = '\0';
	if (!bench_ring_open(port, pair->path->patch_bytes, why, bytes))
		bench_content_check_ring(port, why, bytes);
}

void bench_pair_set_size(struct bench_pair *pair, uint16_t bytes)
{
	struct bench_frame frame = pair->path->frame;

	if (pair->bytes == bytes)
		return;
	pair->bytes = frame.bytes = bytes;
	for (unsigned int d = 0; d < BENCH_N_DRIVERS; d++) {
		struct bench_port *port = &pair->port[d];

		if (!port->driver)
			continue;
		bench_port_set_frame(port, &frame);
		if (port->driver->emu_port < 0)
			continue;
		if (bench_content_check(port, pair->missing[d], sizeof(pair->missing[d]))) {
			close_port(port);
			continue;
		}
		bench_port_set_frame(port, &frame);
		open_ring(pair, d);
	}
}

void bench_pair_close(struct bench_pair *pair)
{
	pair->lab->emu->resume();
	for (unsigned int d = 0; d < BENCH_N_DRIVERS; d++)
		close_port(&pair->port[d]);
}

static const char *name_function(const struct bench_path *path, const struct bench_port *port)
{
	if (path->direction == BENCH_RING_TX)
		return path->patch_bytes ? "generator ring, bytes replaced" : "generator ring";
	return path->direction == BENCH_TX ? port->tx_function : port->rx_function;
}

void bench_pair_begin_row(const struct bench_pair *pair, unsigned int driver, struct bench_row *row)
{
	const struct bench_port *port = &pair->port[driver];

	memset(row, 0, sizeof(*row));
	snprintf(row->driver, sizeof(row->driver), "%s", bench_drivers[driver].name);
	snprintf(row->missing, sizeof(row->missing), "%s", pair->missing[driver]);
	if (port->driver)
		snprintf(row->function, sizeof(row->function), "%s",
			 name_function(pair->path, port));
}
