/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_MODEL_PUBLISHED_H
#define BENCH_MODEL_PUBLISHED_H

#include <stdbool.h>

#include "model/pcie.h"

/**
 * DOC: Published rates compared with the model
 *
 * Two constants of the model are known only from measurements of an adapter: the packets/s of its
 * packet engine, and its data reads/s. They are fitted to rows of ConnectX-5 and ConnectX-6 Dx. All
 * other rows are predicted, and their errors show how good the model is.
 */

/** enum bench_traffic - what the adapter did in a published measurement */
enum bench_traffic {
	BENCH_RECEIVE,
	BENCH_RECEIVE_COMPRESSED,
	BENCH_SEND_POINTERS,
	BENCH_SEND_INLINE,
	BENCH_FORWARD_POINTERS,
	BENCH_FORWARD_INLINE,
};

/**
 * struct bench_published - a published rate of frames of 64 bytes
 * @what: adapter and program
 * @source: where it was published
 * @mpps: the published rate
 * @gen: PCIe generation of the slot, 16 lanes
 * @gbit_per_s: rate of the line
 * @engine_mpps: fitted limit of the packet engine; 0: unknown for this adapter
 * @reads_mpps: fitted limit of data reads; 0: unknown for this adapter
 * @fitted: a constant of the model was chosen to match this row
 */
struct bench_published {
	const char *what, *source;
	enum bench_traffic traffic;
	double mpps;
	unsigned gen, gbit_per_s;
	double engine_mpps, reads_mpps;
	bool fitted;
};

extern const struct bench_published bench_published[];
extern const unsigned bench_n_published;

/** bench_published_load - get the bytes per packet of a kind of traffic, with frames of 64 bytes */
struct bench_pcie_load bench_published_load(enum bench_traffic traffic);

/** bench_published_predict - find the lowest limit: line, PCIe, packet engine or data reads */
struct bench_limit bench_published_predict(const struct bench_published *row);

#endif
