/* SPDX-License-Identifier: BSD-3-Clause */
#include "port_account.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devx_events.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "emu_frames.h"
#include "port_rig.h"

/* Longest padding: emu pads a frame from an Ethernet header to the least length of a frame. */
enum { PADDING_MAX = 60 - RTE_ETHER_HDR_LEN };

/** struct figures - statistics of a port, as ethdev reports them */
struct figures {
	struct rte_eth_stats stats;
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *values;
	int n;
};

/** struct totals - counts of the queues since they were set up, whatever was reset since */
struct totals {
	uint64_t ipackets, ibytes, too_long, rx_lost;
	uint64_t opackets, obytes, tx_lost; /* tx_lost: of unknown fate too */
};

static struct devx_eth *get_eth(const struct port_rig *rig)
{
	return devx_eth_port_get(&rte_eth_devices[rig->port]);
}

static bool read_figures(const struct port_rig *rig, struct figures *f)
{
	const int n = rte_eth_xstats_get_names(rig->port, NULL, 0);
	const unsigned int room = n > 0 ? (unsigned int)n : 0;

	f->names = calloc(room + 1, sizeof(*f->names));
	f->values = calloc(room + 1, sizeof(*f->values));
	EXPECT_EQ(0, rte_eth_stats_get(rig->port, &f->stats));
	EXPECT_EQ(n, rte_eth_xstats_get_names(rig->port, f->names, room));
	f->n = rte_eth_xstats_get(rig->port, f->values, room);
	EXPECT_EQ(n, f->n);
	return n > 0 && n == f->n;
}

static void free_figures(struct figures *f)
{
	free(f->names);
	free(f->values);
}

static uint64_t get_xstat(const struct figures *f, const char *name)
{
	for (int i = 0; i < f->n; i++)
		if (!strcmp(f->names[i].name, name))
			return f->values[i].value;
	ADD_FAILURE("no extended statistic %s", name);
	return 0;
}

/* ---- the driver alone ------------------------------------------------------------------- */

/* A loss without a name in the extended statistics, or a name that no total counts, differs. */
static void expect_named_losses(const struct figures *f)
{
	static const char *const tx_losses[] = {
		"tx_unregistered_packets",      "tx_bad_length_packets",
		"tx_bad_segments_packets",      "tx_bad_tso_packets",
		"tx_unreadable_header_packets", "tx_lost_packets",
	};
	uint64_t tx = 0;

	for (unsigned int i = 0; i < RTE_DIM(tx_losses); i++)
		tx += get_xstat(f, tx_losses[i]);
	EXPECT_EQ(f->stats.oerrors, tx);
	EXPECT_EQ(f->stats.ierrors,
		  get_xstat(f, "rx_too_long_packets") + get_xstat(f, "rx_failed_packets"));
	EXPECT_EQ(f->stats.imissed, get_xstat(f, "rx_out_of_buffer"));
}

/* ethdev names the counters of the first 16 queues: "rx_q0_packets". */
static uint64_t sum_queues(const struct figures *f, const char *side, const char *what,
			   unsigned int n_queues)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < n_queues; i++) {
		char name[RTE_ETH_XSTATS_NAME_SIZE];

		snprintf(name, sizeof(name), "%s_q%u_%s", side, i, what);
		sum += get_xstat(f, name);
	}
	return sum;
}

static void expect_sums_of_queues(const struct port_rig *rig, const struct figures *f)
{
	enum { N_NAMED = 16 };
	const struct rte_eth_dev_data *data = rte_eth_devices[rig->port].data;
	const struct devx_eth_counts *released = &get_eth(rig)->stats.released;
	const unsigned int n_rx = data->nb_rx_queues, n_tx = data->nb_tx_queues;

	if (n_rx <= N_NAMED) {
		EXPECT_EQ(f->stats.ipackets,
			  sum_queues(f, "rx", "packets", n_rx) + released->rx.packets);
		EXPECT_EQ(f->stats.ibytes, sum_queues(f, "rx", "bytes", n_rx) + released->rx.bytes);
	}
	if (n_tx <= N_NAMED) {
		EXPECT_EQ(f->stats.opackets, sum_queues(f, "tx", "packets", n_tx) +
						     released->tx.packets + rig->n_generated);
		EXPECT_EQ(f->stats.obytes, sum_queues(f, "tx", "bytes", n_tx) + released->tx.bytes +
						   rig->generated_bytes);
	}
}

/* Counts of queues that were released before the account began. A reset drops them. */
static const struct devx_eth_counts *get_released_before(const struct port_rig *rig)
{
	const struct devx_eth_counts *then = &rig->account.released;
	const struct devx_eth_counts *now = &get_eth(rig)->stats.released;
	const bool reset = now->rx.packets < then->rx.packets || now->tx.packets < then->tx.packets;

	return reset ? now : then;
}

/* ---- the driver and emu ------------------------------------------------------------------ */

/*
 * Adds to the reported figures what the last reset of statistics subtracts, and subtracts the
 * counts of queues that were released before the account began.
 */
static struct totals sum_totals(const struct port_rig *rig, const struct figures *f)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[rig->port].data;
	const struct devx_eth_counts *old = get_released_before(rig);
	struct totals t = {
		.ipackets = f->stats.ipackets - old->rx.packets,
		.ibytes = f->stats.ibytes - old->rx.bytes,
		.too_long = get_xstat(f, "rx_too_long_packets") - old->rx.too_long,
		.rx_lost = get_xstat(f, "rx_lost_packets") - old->rx.lost,
		.opackets = f->stats.opackets - old->tx.packets,
		.obytes = f->stats.obytes - old->tx.bytes,
		.tx_lost = get_xstat(f, "tx_lost_packets") + get_xstat(f, "tx_unknown_packets") -
			   old->tx.lost - old->tx.unknown,
	};

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (!rxq)
			continue;
		t.ipackets += rxq->base.packets;
		t.ibytes += rxq->base.bytes;
		t.too_long += rxq->base.too_long;
		t.rx_lost += rxq->base.lost;
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		if (!txq)
			continue;
		t.opackets += txq->base.packets;
		t.obytes += txq->base.bytes;
		t.tx_lost += txq->base.lost + txq->base.unknown;
	}
	return t;
}

/*
 * After an error of a queue the driver cannot know which of the last packets were sent: it counts
 * all without a CQE as lost, and those of a lost device as unknown.
 */
static void expect_sent(const struct totals *t, const struct devx_emu_counters *a,
			const struct devx_emu_counters *b)
{
	const uint64_t posted = emu_frames_posted(a, b);
	const uint64_t bytes = b->tx_uc_bytes + b->tx_mc_bytes + b->tx_bc_bytes -
			       (a->tx_uc_bytes + a->tx_mc_bytes + a->tx_bc_bytes);

	EXPECT_LE(posted, t->opackets);
	EXPECT_LE(t->opackets, posted + t->tx_lost);
	if (t->tx_lost || posted != emu_frames_sent(a, b))
		return;
	EXPECT_LE(t->obytes, bytes);
	EXPECT_LE(bytes, t->obytes + PADDING_MAX * t->opackets);
}

static void expect_delivered(const struct port_rig *rig, const struct totals *t,
			     const struct devx_emu_counters *a, const struct devx_emu_counters *b)
{
	const uint64_t errors = b->rx_error - a->rx_error;
	const uint64_t delivered =
		emu_frames_given(a, b) - errors - (b->rx_out_of_buffer - a->rx_out_of_buffer);
	const uint64_t bytes = b->rx_uc_bytes + b->rx_mc_bytes + b->rx_bc_bytes -
			       (a->rx_uc_bytes + a->rx_mc_bytes + a->rx_bc_bytes);

	/* without lpbk_mode local loopback delivers to other contexts only */
	EXPECT_EQ(delivered - (b->rx_own - a->rx_own) + rig->n_own, t->ipackets + t->rx_lost);
	EXPECT_LE(t->too_long, errors);
	if (t->ipackets != emu_frames_received(a, b))
		return;
	EXPECT_LE(t->ibytes, bytes); /* the device may have removed a VLAN tag of each frame */
	EXPECT_LE(bytes, t->ibytes + RTE_VLAN_HLEN * t->ipackets);
}

static void expect_wire(const struct port_rig *rig, const struct devx_emu_counters *a,
			const struct devx_emu_counters *b)
{
	if (rig->has_netdev) /* a wire to the kernel, which sends frames too */
		return;
	EXPECT_EQ(emu_frames_sent(a, b) + b->wire_duplicated - a->wire_duplicated,
		  emu_frames_received(a, b) + b->wire_dropped - a->wire_dropped + b->rx_oversize -
			  a->rx_oversize + b->rx_link_down - a->rx_link_down + b->rx_filtered -
			  a->rx_filtered - (b->rx_own - a->rx_own));
}

/* The driver adds up what firmware counts since probe; @b has the same counts since power on. */
static void expect_counters_of_port(const struct port_rig *rig, const struct figures *f,
				    const struct devx_emu_counters *b)
{
	const struct devx_port_counters *base = &get_eth(rig)->stats.port_base;
	const struct {
		const char *name;
		uint64_t base, emu;
	} counters[] = {
		{ "rx_unicast_packets", base->rx_unicast.packets, b->rx_uc_packets },
		{ "rx_unicast_bytes", base->rx_unicast.bytes, b->rx_uc_bytes },
		{ "rx_multicast_packets", base->rx_multicast.packets, b->rx_mc_packets },
		{ "rx_multicast_bytes", base->rx_multicast.bytes, b->rx_mc_bytes },
		{ "rx_broadcast_packets", base->rx_broadcast.packets, b->rx_bc_packets },
		{ "rx_broadcast_bytes", base->rx_broadcast.bytes, b->rx_bc_bytes },
		{ "tx_unicast_packets", base->tx_unicast.packets, b->tx_uc_packets },
		{ "tx_unicast_bytes", base->tx_unicast.bytes, b->tx_uc_bytes },
		{ "tx_multicast_packets", base->tx_multicast.packets, b->tx_mc_packets },
		{ "tx_multicast_bytes", base->tx_multicast.bytes, b->tx_mc_bytes },
		{ "tx_broadcast_packets", base->tx_broadcast.packets, b->tx_bc_packets },
		{ "tx_broadcast_bytes", base->tx_broadcast.bytes, b->tx_bc_bytes },
	};

	if (devx_eth_is_lost(get_eth(rig))) /* the last values stay */
		return;
	for (unsigned int i = 0; i < RTE_DIM(counters); i++) {
		SCOPED_TRACE("%s", counters[i].name);
		EXPECT_EQ(counters[i].emu, counters[i].base + get_xstat(f, counters[i].name));
	}
}

static void expect_missed(const struct port_rig *rig, const struct figures *f, uint64_t n)
{
	const uint64_t counted =
		f->stats.imissed + get_eth(rig)->stats.missed.base - rig->account.imissed;

	if (rig->device_lost)
		EXPECT_LE(counted, n + rig->n_aged);
	else
		EXPECT_EQ(n + rig->n_aged, counted);
}

static void expect_frames_of_emu(const struct port_rig *rig, const struct figures *f,
				 const struct devx_emu_counters *now)
{
	const struct devx_emu_counters *then = &rig->account.emu;
	const struct totals t = sum_totals(rig, f);

	expect_counters_of_port(rig, f, now);
	expect_sent(&t, then, now);
	expect_delivered(rig, &t, then, now);
	expect_wire(rig, then, now);
	if (get_eth(rig)->counter.obj) /* the device has queue counters */
		expect_missed(rig, f, now->rx_out_of_buffer - then->rx_out_of_buffer);
}

void port_account_begin(struct port_rig *rig)
{
	rig->account.emu = port_rig_get_counters(rig);
	rig->account.imissed = get_eth(rig)->stats.missed.total;
	rig->account.released = get_eth(rig)->stats.released;
}

/* The wire may deliver frames of the kernel at any time, so emu stands still meanwhile. */
void port_account_expect(const struct port_rig *rig)
{
	const bool pause = rig->emu && rig->has_netdev;
	struct devx_emu_counters now;
	struct figures f;

	SCOPED_TRACE("account of the port");
	if (pause)
		rig->emu->pause();
	now = port_rig_get_counters(rig);
	if (read_figures(rig, &f)) {
		expect_named_losses(&f);
		expect_sums_of_queues(rig, &f);
		if (rig->emu)
			expect_frames_of_emu(rig, &f, &now);
	}
	if (pause)
		rig->emu->resume();
	free_figures(&f);
}
