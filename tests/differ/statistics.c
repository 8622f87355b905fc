/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "emu_frames.h"
#include "report.h"

static void compare_value(const struct config *c, const char *name, uint64_t mlx5, uint64_t devx)
{
	if (mlx5 != devx)
		report_difference(&(struct difference){ JUDGE_MLX5, c->name, "statistics", name,
							mlx5, devx, NULL, NULL });
}

#define FIELD(name)                                                                                \
	{                                                                                          \
#name, offsetof(struct rte_eth_stats, name)                                        \
	}

struct stat_field {
	const char *name;
	size_t off;
};

static uint64_t get_value(const struct rte_eth_stats *s, size_t off)
{
	uint64_t value;

	memcpy(&value, (const char *)s + off, sizeof(value));
	return value;
}

static void compare_basic(const struct dut dut[LAB_DRIVERS])
{
	static const struct stat_field fields[] = {
		FIELD(ipackets), FIELD(opackets), FIELD(ibytes),  FIELD(obytes),
		FIELD(imissed),  FIELD(ierrors),  FIELD(oerrors), FIELD(rx_nombuf),
	};
	static const struct stat_field queues[] = {
		FIELD(q_ipackets), FIELD(q_opackets), FIELD(q_ibytes),
		FIELD(q_obytes),   FIELD(q_errors),
	};
	const struct config *c = dut[0].config;

	for (unsigned int i = 0; i < RTE_DIM(fields); i++)
		compare_value(c, fields[i].name, get_value(&dut[LAB_MLX5].stats, fields[i].off),
			      get_value(&dut[LAB_DEVX].stats, fields[i].off));
	for (unsigned int i = 0; i < RTE_DIM(queues); i++)
		for (size_t q = 0; q < RTE_ETHDEV_QUEUE_STAT_CNTRS; q++) {
			const size_t off = queues[i].off + q * sizeof(uint64_t);

			compare_value(c, queues[i].name, get_value(&dut[LAB_MLX5].stats, off),
				      get_value(&dut[LAB_DEVX].stats, off));
		}
}

/* Extended statistics that both drivers have under the same name. */
static void compare_extended(const struct dut dut[LAB_DRIVERS])
{
	struct rte_eth_xstat_name *names[LAB_DRIVERS];
	struct rte_eth_xstat *values[LAB_DRIVERS];
	int n[LAB_DRIVERS];

	for (int d = 0; d < LAB_DRIVERS; d++) {
		const uint16_t port = dut[d].side->port;

		n[d] = rte_eth_xstats_get_names(port, NULL, 0);
		n[d] = RTE_MAX(n[d], 0);
		names[d] = calloc((size_t)n[d] + 1, sizeof(*names[d]));
		values[d] = calloc((size_t)n[d] + 1, sizeof(*values[d]));
		EXPECT_EQ(n[d], rte_eth_xstats_get_names(port, names[d], (unsigned int)n[d]));
		EXPECT_EQ(n[d], rte_eth_xstats_get(port, values[d], (unsigned int)n[d]));
	}
	for (int i = 0; i < n[LAB_MLX5]; i++)
		for (int k = 0; k < n[LAB_DEVX]; k++)
			if (!strcmp(names[LAB_MLX5][i].name, names[LAB_DEVX][k].name))
				compare_value(dut[0].config, names[LAB_DEVX][k].name,
					      values[LAB_MLX5][i].value, values[LAB_DEVX][k].value);
	for (int d = 0; d < LAB_DRIVERS; d++) {
		free(names[d]);
		free(values[d]);
	}
}

void config_expect_account(const struct dut *dut)
{
	const struct devx_emu_counters *a = &dut->before;
	const struct rte_eth_stats *s = &dut->stats;
	struct devx_emu_counters b;

	SCOPED_TRACE("%s, %s", dut->config->name, lab_driver_names[dut->side->driver]);
	ASSERT_EQ(0, dut->lab->emu->counters(dut->side->emu_port, &b, sizeof(b)));
	EXPECT_EQ(s->opackets, emu_frames_posted(a, &b));
	EXPECT_EQ(s->ipackets + s->imissed + s->ierrors + dut->n_discarded,
		  emu_frames_given(a, &b));
}

void config_compare_stats(const struct dut dut[LAB_DRIVERS])
{
	if (dut[LAB_MLX5].lacks[0] || dut[LAB_DEVX].lacks[0])
		return;
	compare_basic(dut);
	compare_extended(dut);
}
