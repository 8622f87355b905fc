/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both drivers receive the same frames, in the same configurations and in bursts of all sizes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "outcome.h"
#include "report.h"

/* Lengths of frames, besides those of frames.def. */
static const uint16_t lengths[] = { 60,   61,   62,   63,   64,   65,   127,  128,  129,  255,
				    256,  257,  383,  384,  385,  511,  512,  513,  895,  896,
				    897,  1023, 1024, 1025, 1513, 1514, 1515, 1518, 1519, 1522,
				    1523, 2048, 4096, 8999, 9000, 9013, 9014, 9015, 9018, 9019 };
enum { ETH_IP4_UDP = 42 };

static const char *const texts[] = {
#define FRAME(text) text,
#include "frames.def"
#undef FRAME
};
enum { N_TEXTS = RTE_DIM(texts), N_FRAMES = N_TEXTS + 2 * RTE_DIM(lengths) };

static struct frame *frames;

static const char *write_length_text(unsigned int i)
{
	char text[64];

	if (i < RTE_DIM(lengths))
		snprintf(text, sizeof(text), "ip4 udp pay:%u", lengths[i] - ETH_IP4_UDP);
	else
		snprintf(text, sizeof(text), "vlan:100 ip4 udp pay:%u",
			 lengths[i - RTE_DIM(lengths)] - ETH_IP4_UDP);
	return strdup(text);
}

/* Makes all frames; the number of each is its index. */
static bool make_frames(const struct lab *lab)
{
	if (frames)
		return true;
	frames = calloc(N_FRAMES, sizeof(*frames));
	for (unsigned int i = 0; i < N_FRAMES; i++)
		if (!frame_make(&frames[i], i < N_TEXTS ? texts[i] : write_length_text(i - N_TEXTS),
				i, &lab->mac))
			return false;
	return true;
}

/*
 * Takes all packets of a port. The vector functions of net_mlx5 return no packet to a burst of less
 * than 4.
 */
static void take_packets(const struct dut *dut, uint16_t want, struct outcome *to)
{
	const uint16_t burst = dut->side->driver == LAB_MLX5 ? RTE_MAX(want, 4) : want;
	const bool crc = dut->config->rx_offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	struct rte_mbuf *m[LAB_BURST];

	for (uint16_t q = 0; q < dut->config->n_rxq; q++) {
		uint16_t n;

		while ((n = rte_eth_rx_burst(dut->side->port, q, m, burst)) > 0) {
			for (uint16_t i = 0; i < n; i++) {
				const uint32_t k =
					frame_get_number(rte_pktmbuf_mtod(m[i], uint8_t *));

				if (k < N_FRAMES)
					outcome_of_mbuf(&to[k], m[i], q, crc);
				else
					ADD_FAILURE("a packet of no frame: source ...%x", k);
			}
			rte_pktmbuf_free_bulk(m, n);
		}
	}
}

/* Sends all frames to a port, and takes what it receives in bursts of @burst. */
static void exchange_frames(const struct dut *dut, uint16_t burst, struct outcome *to)
{
	const struct lab *lab = dut->lab;

	lab->emu->pause();
	for (unsigned int i = 0; i < N_FRAMES; i++) {
		lab_send_frame(lab, dut->side, frames[i].data, frames[i].bytes);
		if (i % LAB_BURST != LAB_BURST - 1 && i != N_FRAMES - 1)
			continue;
		lab_step(lab, dut->side);
		take_packets(dut, burst, to);
	}
	lab->emu->resume();
}

/* A sum over the configs that both drivers have. */
static uint64_t cqe_writes[LAB_DRIVERS];

static uint64_t read_cqe_writes(const struct dut *dut)
{
	struct devx_emu_counters c = { 0 };

	EXPECT_EQ(0, dut->lab->emu->counters(dut->side->emu_port, &c, sizeof(c)));
	return c.cqe_writes;
}

static void compare_in_bursts(const struct dut dut[LAB_DRIVERS], uint16_t burst)
{
	struct outcome *o[LAB_DRIVERS];

	for (int d = 0; d < LAB_DRIVERS; d++) {
		const uint64_t before = read_cqe_writes(&dut[d]);

		o[d] = calloc(N_FRAMES, sizeof(*o[d]));
		if (dut[d].pool)
			exchange_frames(&dut[d], burst, o[d]);
		if (dut[LAB_MLX5].pool && dut[LAB_DEVX].pool)
			cqe_writes[d] += read_cqe_writes(&dut[d]) - before;
	}
	for (unsigned int i = 0; i < N_FRAMES; i++) {
		const struct config *c = dut[LAB_MLX5].config;

		outcome_judge(c, &frames[i], &o[LAB_MLX5][i]);
		if (dut[LAB_DEVX].pool)
			outcome_compare(c, frames[i].text, &o[LAB_MLX5][i], &o[LAB_DEVX][i]);
	}
	for (int d = 0; d < LAB_DRIVERS; d++) {
		for (unsigned int i = 0; i < N_FRAMES; i++)
			outcome_free(&o[d][i]);
		free(o[d]);
	}
}

TEST(differ, both_drivers_receive_the_same_packets)
{
	struct lab *lab = lab_open();

	report_start();
	if (!lab || !make_frames(lab))
		return;
	for (unsigned int i = 0; i < n_configs; i++)
		config_run(lab, &configs[i], compare_in_bursts);
	if (getenv("DIFFER_COMPRESSED"))
		EXPECT_LT(cqe_writes[LAB_MLX5], cqe_writes[LAB_DEVX] * 7 / 8);
	else
		EXPECT_EQ(cqe_writes[LAB_DEVX], cqe_writes[LAB_MLX5]);
}
