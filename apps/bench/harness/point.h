/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_POINT_H
#define BENCH_POINT_H

#include "base/row.h"
#include "harness/window.h"

/** DOC: Points of a measurement: paths through a driver, bursts, sizes, states of the cache */

/**
 * struct bench_path - a burst function under one configuration
 * @name: part of the name of a case, "rx"
 * @direction: which burst is measured
 * @setup: of each driver, by BENCH_MLX5 and BENCH_DEVX
 * @missing: the reason why a driver cannot be measured, one clause, or NULL
 * @frame: frames; .bytes is that of the point
 * @patch_bytes: with BENCH_RING_TX, bytes of each packet that a send replaces
 */
struct bench_path {
	const char *name;
	enum bench_direction direction;
	struct bench_setup setup[BENCH_N_DRIVERS];
	const char *missing[BENCH_N_DRIVERS];
	struct bench_frame frame;
	uint16_t patch_bytes;
};

extern const struct bench_path bench_paths[];
extern const unsigned int bench_n_paths;

/**
 * bench_path_count_buffers - get how many sizes of buffers a path is measured with, at least 1
 * bench_path_get_buffers - get size number @n; 0 if the path has no packet buffers
 */
unsigned int bench_path_count_buffers(const struct bench_path *path);
uint16_t bench_path_get_buffers(const struct bench_path *path, unsigned int n);

enum { BENCH_N_BURSTS = 7, BENCH_N_SIZES = 4 };
extern const uint16_t bench_bursts[BENCH_N_BURSTS], bench_sizes[BENCH_N_SIZES];

/** bench_driver_lacks - get the reason why bench_drivers[@driver] cannot run on emu, or NULL */
const char *bench_driver_lacks(const struct bench_lab *lab, unsigned int driver);

/** struct bench_pair - the same path of both drivers, side by side */
struct bench_pair {
	const struct bench_lab *lab;
	const struct bench_path *path;
	struct bench_port port[BENCH_N_DRIVERS];
	char missing[BENCH_N_DRIVERS][160]; /* "": the port is open */
	uint16_t bytes;                     /* length of the frames; 0: not written yet */
};

/**
 * bench_pair_open - open the ports of both drivers, and pause emu's engine
 * @buffers: size of the buffers in both directions; 0: BENCH_BUFFER, or what the path needs
 *
 * If a driver cannot be measured, @pair->missing has the reason, and its port is closed.
 */
void bench_pair_open(struct bench_pair *pair, const struct bench_lab *lab,
		     const struct bench_path *path, uint16_t buffers);

/**
 * bench_pair_set_size - if the size is new, write frames of @bytes and check their contents
 *
 * A driver that fails the check is not measured from then on, as after bench_pair_open().
 */
void bench_pair_set_size(struct bench_pair *pair, uint16_t bytes);

/** bench_pair_close - resume the engine and close both ports */
void bench_pair_close(struct bench_pair *pair);

/** bench_pair_begin_row - begin the row of a driver with its burst function or @missing */
void bench_pair_begin_row(const struct bench_pair *pair, unsigned int driver,
			  struct bench_row *row);

#endif
