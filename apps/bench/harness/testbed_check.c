/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/testbed_check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "harness/frame.h"

enum { N_FRAMES = 64, NUMBER_AT = 42 /* byte of the frame's number: after Ethernet, IPv4, UDP */ };

static const uint64_t patience_ns = 1500ull * 1000 * 1000;

/* Frames to send, the same number on each queue. */
struct test_frames {
	const struct bench_port *from; /* NULL: nothing is sent */
	struct rte_mbuf *m[N_FRAMES];
	unsigned int sent;
};

static int write_frames(struct test_frames *t)
{
	if (!t->from)
		return 0;
	if (bench_port_alloc(t->from, t->m, N_FRAMES))
		return -ENOMEM;
	for (uint32_t i = 0; i < N_FRAMES; i++)
		bench_frame_write_sent(&t->from->frame, i, rte_pktmbuf_mtod(t->m[i], uint8_t *));
	return 0;
}

/* Sends until the ring is full. The ring of net_memif stays full until the receiver polls. */
static void send_frames(struct test_frames *t)
{
	while (t->from && t->sent < N_FRAMES &&
	       rte_eth_tx_burst(t->from->id, (uint16_t)(t->sent % t->from->n_queues),
				&t->m[t->sent], 1))
		t->sent++;
}

/*
 * Returns the reason why @m is not a frame of the sender, or NULL. Marks its number in @seen,
 * unless that is NULL.
 */
static const char *find_fault(const struct bench_port *port, const struct rte_mbuf *m,
			      bool contents, bool *seen)
{
	uint8_t want[BENCH_MAX_FRAME + sizeof(struct rte_vlan_hdr)];
	rte_be32_t number;

	if (m->nb_segs != 1 || m->pkt_len != port->frame.bytes || m->data_len != port->frame.bytes)
		return "its length";
	if (!contents)
		return NULL;
	memcpy(&number, rte_pktmbuf_mtod_offset(m, uint8_t *, NUMBER_AT), sizeof(number));
	number = rte_be_to_cpu_32(number);
	bench_frame_write_received(&port->frame, number, want);
	if (memcmp(rte_pktmbuf_mtod(m, const void *), want, port->frame.bytes) != 0)
		return "its bytes";
	if (!seen || number >= N_FRAMES)
		return NULL;
	if (seen[number])
		return "its number, which arrived twice";
	seen[number] = true;
	return NULL;
}

/* Receives up to N_FRAMES. Returns their number; @fault: the fault of the last one, if any. */
static unsigned int receive_numbered(struct test_frames *t, const struct bench_port *to,
				     bool contents, const char **fault)
{
	bool seen[N_FRAMES] = { false };
	const uint64_t end = bench_clock_ns() + patience_ns;
	unsigned int got = 0;

	while (got < N_FRAMES && !*fault && bench_clock_ns() < end) {
		send_frames(t);
		for (uint16_t q = 0; q < to->n_queues && got < N_FRAMES; q++) {
			struct rte_mbuf *m[4];
			const uint16_t n = rte_eth_rx_burst(to->id, q, m, RTE_DIM(m));

			for (uint16_t i = 0; i < n && !*fault; i++)
				*fault = find_fault(to, m[i], contents, t->from ? seen : NULL);
			rte_pktmbuf_free_bulk(m, n);
			got += n;
		}
	}
	return got;
}

int bench_testbed_check(const struct bench_port *from, const struct bench_port *to, bool contents,
			char *why, size_t why_bytes)
{
	struct test_frames t = { .from = from };
	const char *fault = NULL;
	unsigned int got;

	if (write_frames(&t)) {
		snprintf(why, why_bytes, "no mbufs for %d test frames", N_FRAMES);
		return -ENOMEM;
	}
	got = receive_numbered(&t, to, contents, &fault);
	if (from)
		rte_pktmbuf_free_bulk(t.m + t.sent, N_FRAMES - t.sent);
	if (fault)
		snprintf(why, why_bytes, "received test frame %u of %d is wrong in %s", got,
			 N_FRAMES, fault);
	else if (got < N_FRAMES)
		snprintf(why, why_bytes, "%u of %d test frames arrived%s", got, N_FRAMES,
			 from && t.sent < N_FRAMES ? ", and the ring accepted no more" : "");
	return fault || got < N_FRAMES ? -EIO : 0;
}
