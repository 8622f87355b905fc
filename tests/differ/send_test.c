/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both drivers send the same mbufs, in bursts of all sizes; the peers receive what is on the wire.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "packet.h"
#include "report.h"

#define TX(offload) RTE_ETH_TX_OFFLOAD_##offload
#define SUMS (TX(IPV4_CKSUM) | TX(UDP_CKSUM) | TX(TCP_CKSUM))
#define ALL (SUMS | TX(MULTI_SEGS) | TX(VLAN_INSERT) | TX(TCP_TSO))
#define TUNNELS (TX(OUTER_IPV4_CKSUM) | TX(VXLAN_TNL_TSO) | TX(GRE_TNL_TSO))
#define BASE .n_rxq = 1, .mtu = 9500, .buffer = 9728, .ring = 64

/* clang-format off */
static const struct config tx_configs[] = {
	{ .name = "tx_default", BASE },
	{ .name = "tx_segments", BASE, .tx_offloads = TX(MULTI_SEGS) },
	{ .name = "tx_checksums", BASE, .tx_offloads = SUMS },
	{ .name = "tx_vlan", BASE, .tx_offloads = TX(VLAN_INSERT) },
	{ .name = "tx_tso", BASE, .tx_offloads = SUMS | TX(TCP_TSO) },
	{ .name = "tx_all", BASE, .tx_offloads = ALL },
	{ .name = "tx_tunnel", BASE, .tx_offloads = ALL | TUNNELS },
	{ .name = "tx_too_long", .n_rxq = 1, .mtu = 1500, .buffer = 2048, .ring = 64,
	  .too_long = true, .tx_offloads = SUMS | TX(MULTI_SEGS) },
};
/* clang-format on */

/* net_mlx5 that copies into WQEs sends no frame of 18 bytes or less, with or without an offload. */
static const uint16_t lengths[] = { 19,   59,   60,   61,   64,   127,  128,  129,  255,  256,
				    511,  512,  1023, 1024, 1514, 1518, 2047, 2048, 4000, 8192,
				    9000, 9014, 9018, 9499, 9500, 9514, 9518, 9519, 9600 };

static const struct packet rows[] = {
#define PACKET(...) { __VA_ARGS__ },
#include "packets.def"
#undef PACKET
};
enum { N_ROWS = RTE_DIM(rows), N_PACKETS = N_ROWS + RTE_DIM(lengths), MAX_WIRE = 4096 };

static struct packet packets[N_PACKETS];
static struct frame *frames;

/* A frame on the wire. */
struct sent {
	uint32_t number, bytes;
	uint8_t *data;
};

/* Outcome of all packets with one driver. refused: errno of rte_eth_tx_prepare(), or 0 */
struct sending {
	int refused[N_PACKETS];
	unsigned int n_sent;
	struct sent sent[MAX_WIRE];
};

static bool make_packets(const struct lab *lab)
{
	if (frames)
		return true;
	frames = calloc(N_PACKETS, sizeof(*frames));
	for (unsigned int i = 0; i < N_PACKETS; i++) {
		char text[32];

		snprintf(text, sizeof(text), "pay:%u",
			 i < N_ROWS ? 0 : lengths[i - N_ROWS] - RTE_ETHER_HDR_LEN);
		packets[i] = i < N_ROWS ? rows[i] : (struct packet){ strdup(text), "", "" };
		if (!frame_make(&frames[i], packets[i].frame, i, &lab->mac))
			return false;
	}
	return true;
}

static void take_from_wire(const struct dut *dut, struct sending *s)
{
	struct rte_mbuf *m[LAB_BURST];
	uint16_t n;

	while ((n = lab_receive_at_peer(dut->side, m, LAB_BURST)) > 0) {
		for (uint16_t i = 0; i < n && s->n_sent < MAX_WIRE; i++) {
			struct sent *to = &s->sent[s->n_sent++];
			const uint8_t *data = rte_pktmbuf_mtod(m[i], uint8_t *);

			to->number = frame_get_number(data);
			to->bytes = m[i]->pkt_len;
			to->data = malloc(to->bytes);
			memcpy(to->data, data, to->bytes);
		}
		rte_pktmbuf_free_bulk(m, n);
	}
}

static void send_burst(const struct dut *dut, struct rte_mbuf **m, uint16_t n, struct sending *s)
{
	uint16_t done = rte_eth_tx_burst(dut->side->port, 0, m, n);

	/* net_mlx5 may stop before a packet that it drops */
	for (unsigned int tries = 0; done < n && tries < 4; tries++) {
		lab_step(dut->lab, dut->side);
		done = (uint16_t)(done + rte_eth_tx_burst(dut->side->port, 0, m + done,
							  (uint16_t)(n - done)));
	}
	EXPECT_EQ(n, done);
	rte_pktmbuf_free_bulk(m + done, n - done);
	lab_step(dut->lab, dut->side);
	take_from_wire(dut, s);
}

static bool may_send(const struct config *c, unsigned int i)
{
	const bool tso = packet_needs(&packets[i]) & (TX(TCP_TSO) | TUNNELS);

	return !(packet_needs(&packets[i]) & ~c->tx_offloads) &&
	       (c->too_long || tso || frames[i].bytes <= config_limit(c));
}

static void send_packets(const struct dut *dut, uint16_t burst, struct sending *s)
{
	struct rte_mbuf *m[LAB_BURST];
	uint16_t n = 0;

	dut->lab->emu->pause();
	for (unsigned int i = 0; i < N_PACKETS; i++) {
		if (may_send(dut->config, i)) {
			m[n] = packet_make(&packets[i], &frames[i], dut->tx_pool);
			if (!m[n]) {
				ADD_FAILURE("no mbuf for packet \"%s\"", packets[i].frame);
				break;
			}
			if (rte_eth_tx_prepare(dut->side->port, 0, &m[n], 1) == 1)
				n++;
			else
				s->refused[i] = rte_errno;
			if (s->refused[i])
				rte_pktmbuf_free(m[n]);
		}
		if (n && (n == burst || i == N_PACKETS - 1)) {
			send_burst(dut, m, n, s);
			n = 0;
		}
	}
	dut->lab->emu->resume();
}

/* ---- comparing ------------------------------------------------------------------------ */

static const char *describe_packet(uint32_t number)
{
	static char text[2][256];
	static unsigned int k;

	k ^= 1;
	if (number < N_PACKETS)
		snprintf(text[k], sizeof(text[k]), "%s | %s | %s", packets[number].frame,
			 packets[number].requests, packets[number].segments);
	else
		snprintf(text[k], sizeof(text[k]), "packet %u", number);
	return text[k];
}

static void compare_field(enum report_judge judge, const struct config *c, uint32_t number,
			  const char *field, uint64_t want, uint64_t got)
{
	if (want != got)
		report_difference(&(struct difference){ judge, c->name, describe_packet(number),
							field, want, got, NULL, NULL });
}

static unsigned int find_first_difference(const struct sent *a, const struct sent *b)
{
	for (uint32_t i = 0; i < a->bytes && i < b->bytes; i++)
		if (a->data[i] != b->data[i])
			return i + 1;
	return 0;
}

/* Frames of one packet from @from on in the list. Returns how many; @first is the first. */
static unsigned int count_frames(const struct sending *s, uint32_t number, unsigned int *first)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < s->n_sent; i++) {
		if (s->sent[i].number != number)
			continue;
		if (!n++)
			*first = i;
	}
	return n;
}

static void compare_packet(const struct config *c, uint32_t number, const struct sending *mlx5,
			   const struct sending *devx)
{
	unsigned int a = 0, b = 0;
	const unsigned int n = count_frames(mlx5, number, &a);
	const unsigned int k = count_frames(devx, number, &b);

	compare_field(JUDGE_MLX5, c, number, "tx_prepare", (uint64_t)mlx5->refused[number],
		      (uint64_t)devx->refused[number]);
	compare_field(JUDGE_MLX5, c, number, "frames on the wire", n, k);
	for (unsigned int i = 0; n == k && i < n; i++) {
		compare_field(JUDGE_MLX5, c, number, "bytes of a frame", mlx5->sent[a + i].bytes,
			      devx->sent[b + i].bytes);
		compare_field(JUDGE_MLX5, c, number, "first byte that differs", 0,
			      find_first_difference(&mlx5->sent[a + i], &devx->sent[b + i]));
	}
}

/* Compares what net_mlx5 sent with the frames that the packet asks for. */
static void judge_packet(const struct config *c, uint32_t number, const struct sending *mlx5)
{
	static uint8_t data[FRAME_MAX];
	struct sent want = { number, 0, data };
	unsigned int at = 0, n_wanted = 0;
	const unsigned int n = count_frames(mlx5, number, &at);

	if (!may_send(c, number))
		return;
	while ((want.bytes = packet_expect(&packets[number], &frames[number], n_wanted, data)) &&
	       want.bytes <= config_limit(c)) {
		const struct sent *got = &mlx5->sent[at + n_wanted];

		if (n_wanted++ >= n)
			continue;
		compare_field(JUDGE_FRAME, c, number, "bytes of a frame", want.bytes, got->bytes);
		compare_field(JUDGE_FRAME, c, number, "first byte that differs", 0,
			      find_first_difference(&want, got));
	}
	compare_field(JUDGE_FRAME, c, number, "frames on the wire", n_wanted, n);
}

/* Packets may not overtake each other. */
static void compare_order(const struct config *c, enum lab_driver driver, const struct sending *s)
{
	for (unsigned int i = 1; i < s->n_sent; i++)
		if (s->sent[i].number < s->sent[i - 1].number)
			ADD_FAILURE("%s: %s sends \"%s\" before \"%s\"", c->name,
				    lab_driver_names[driver],
				    describe_packet(s->sent[i - 1].number),
				    describe_packet(s->sent[i].number));
}

static void compare_in_bursts(const struct dut dut[LAB_DRIVERS], uint16_t burst)
{
	struct sending *s[LAB_DRIVERS];

	for (int d = 0; d < LAB_DRIVERS; d++) {
		s[d] = calloc(1, sizeof(*s[d]));
		if (dut[d].pool)
			send_packets(&dut[d], burst, s[d]);
		compare_order(dut[d].config, (enum lab_driver)d, s[d]);
	}
	for (uint32_t i = 0; i < N_PACKETS; i++) {
		judge_packet(dut[0].config, i, s[LAB_MLX5]);
		if (dut[LAB_DEVX].pool)
			compare_packet(dut[0].config, i, s[LAB_MLX5], s[LAB_DEVX]);
	}
	for (int d = 0; d < LAB_DRIVERS; d++) {
		for (unsigned int i = 0; i < s[d]->n_sent; i++)
			free(s[d]->sent[i].data);
		free(s[d]);
	}
}

TEST(differ, both_drivers_send_the_same_frames)
{
	struct lab *lab = lab_open();

	report_start();
	if (!lab || !make_packets(lab))
		return;
	for (unsigned int i = 0; i < RTE_DIM(tx_configs); i++)
		config_run(lab, &tx_configs[i], compare_in_bursts);
}

/* The last test of the program: the tests before it have used the rows. */
TEST(differ, known_differences_occur)
{
	report_unused();
}
