/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "stats/devx_dump.h"
#include "stats/devx_report.h"

/* struct text - a report as text; @depth: number of open groups */
struct text {
	struct devx_eth_report ops;
	FILE *file;
	int depth;
};

enum { INDENT = 2 };

static void write_indent(const struct text *t)
{
	fprintf(t->file, "%*s", t->depth * INDENT, "");
}

static void write_number(struct devx_eth_report *report, const char *name, uint64_t value)
{
	const struct text *t = (struct text *)report;

	write_indent(t);
	fprintf(t->file, "%s: %" PRIu64 "\n", name, value);
}

static void write_text(struct devx_eth_report *report, const char *name, const char *text)
{
	const struct text *t = (struct text *)report;

	write_indent(t);
	fprintf(t->file, "%s: %s\n", name, text);
}

static void begin_group(struct devx_eth_report *report, const char *name)
{
	struct text *t = (struct text *)report;

	write_indent(t);
	fprintf(t->file, "%s:\n", name);
	t->depth++;
}

static void end_group(struct devx_eth_report *report)
{
	((struct text *)report)->depth--;
}

/* Writes the queues of one side, which @write reports one by one. */
static void write_side(struct devx_eth *eth, struct devx_eth_report *report, const char *side,
		       unsigned int n,
		       void (*write)(struct devx_eth *, uint16_t, struct devx_eth_report *))
{
	char name[16];

	for (uint16_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s_%u", side, i);
		begin_group(report, name);
		write(eth, i, report);
		end_group(report);
	}
}

static void write_queues(struct devx_eth *eth, struct devx_eth_report *report)
{
	write_side(eth, report, "rx", eth->data->nb_rx_queues, devx_eth_report_rxq);
	write_side(eth, report, "tx", eth->data->nb_tx_queues, devx_eth_report_txq);
	write_side(eth, report, "ring", devx_eth_report_count_rings(eth), devx_eth_report_ring);
}

static void write_report(struct devx_eth *eth, FILE *file)
{
	static const struct {
		const char *name;
		void (*report)(struct devx_eth *eth, struct devx_eth_report *report);
	} parts[] = {
		{ "caps", devx_eth_report_caps },         { "queues", devx_eth_report_queues },
		{ "objects", devx_eth_report_objects },   { "history", devx_eth_report_history },
		{ "commands", devx_eth_report_commands }, { "recovery", devx_eth_report_recovery },
	};
	struct text t = {
		.ops = { write_number, write_text, begin_group, end_group },
		.file = file,
	};

	for (unsigned int i = 0; i < RTE_DIM(parts); i++) {
		begin_group(&t.ops, parts[i].name);
		parts[i].report(eth, &t.ops);
		if (parts[i].report == devx_eth_report_queues && eth->started)
			write_queues(eth, &t.ops);
		end_group(&t.ops);
	}
}

int devx_eth_dump(struct rte_eth_dev *ethdev, FILE *file)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	char *text = NULL;
	size_t bytes = 0;
	FILE *memory = open_memstream(&text, &bytes);
	int rc = 0;

	if (!memory)
		return -ENOMEM;
	pthread_mutex_lock(&eth->lock);
	write_report(eth, memory);
	pthread_mutex_unlock(&eth->lock);
	if (fclose(memory))
		rc = -ENOMEM;
	else if (fwrite(text, 1, bytes, file) != bytes || fflush(file))
		rc = errno ? -errno : -EIO;
	free(text);
	return rc;
}
