/* SPDX-License-Identifier: BSD-3-Clause */
#include "outcome.h"

#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_mbuf_dyn.h>

#include "report.h"

static uint64_t get_timestamp(const struct rte_mbuf *m)
{
	const int field = rte_mbuf_dynfield_lookup(RTE_MBUF_DYNFIELD_TIMESTAMP_NAME, NULL);

	return field < 0 ? 0 : *RTE_MBUF_DYNFIELD(m, field, rte_mbuf_timestamp_t *);
}

static uint64_t get_timestamp_flag(void)
{
	const int bit = rte_mbuf_dynflag_lookup(RTE_MBUF_DYNFLAG_RX_TIMESTAMP_NAME, NULL);

	return bit < 0 ? 0 : UINT64_C(1) << bit;
}

void outcome_of_mbuf(struct outcome *o, const struct rte_mbuf *m, uint16_t queue, bool crc)
{
	uint32_t at = 0;

	o->n++;
	free(o->data);
	o->data = malloc(m->pkt_len + 1);
	o->queue = queue;
	o->n_segs = m->nb_segs;
	o->vlan_tci = m->ol_flags & RTE_MBUF_F_RX_VLAN ? m->vlan_tci : 0;
	o->vlan_tci_outer = m->ol_flags & RTE_MBUF_F_RX_QINQ ? m->vlan_tci_outer : 0;
	o->bytes = m->pkt_len;
	o->packet_type = m->packet_type;
	o->hash = m->ol_flags & RTE_MBUF_F_RX_RSS_HASH ? m->hash.rss : 0;
	o->mark = m->ol_flags & RTE_MBUF_F_RX_FDIR_ID ? m->hash.fdir.hi : 0;
	o->flags = m->ol_flags;
	o->timestamp = m->ol_flags & get_timestamp_flag() ? get_timestamp(m) : 0;
	o->data_off = m->data_off;
	for (unsigned int i = 0; m; m = m->next, i++) {
		if (i < OUTCOME_MAX_SEGS)
			o->seg_bytes[i] = m->data_len;
		if (at + m->data_len <= o->bytes)
			memcpy(o->data + at, rte_pktmbuf_mtod(m, void *), m->data_len);
		at += m->data_len;
		if (crc && !m->next)
			memcpy(&o->crc, rte_pktmbuf_mtod_offset(m, void *, m->data_len),
			       sizeof(o->crc));
	}
	if (at != o->bytes)
		ADD_FAILURE("pkt_len is %u, the sum of data_len %u", o->bytes, at);
}

void outcome_free(struct outcome *o)
{
	free(o->data);
	*o = (struct outcome){ 0 };
}

static void compare_field(const struct config *c, const char *text, const char *field,
			  uint64_t mlx5, uint64_t devx)
{
	if (mlx5 != devx)
		report_difference(&(struct difference){ JUDGE_MLX5, c->name, text, field, mlx5,
							devx, NULL, NULL });
}

/* Returns the clock of a timestamp: cycles; ns since 1970, from 2001 to 2096; or neither. */
static uint64_t find_clock(uint64_t timestamp)
{
	enum { NONE, FREE_RUNNING, REAL_TIME, NEITHER };
	const uint64_t seconds = timestamp / NS_PER_S;

	if (!timestamp)
		return NONE;
	if (seconds < 1000000000)
		return FREE_RUNNING;
	return seconds < 4000000000 ? REAL_TIME : NEITHER;
}

static void compare_flags(const struct config *c, const char *text, uint64_t mlx5, uint64_t devx)
{
	char a[512], b[512];

	if (mlx5 == devx)
		return;
	rte_get_rx_ol_flag_list(mlx5, a, sizeof(a));
	rte_get_rx_ol_flag_list(devx, b, sizeof(b));
	report_difference(
		&(struct difference){ JUDGE_MLX5, c->name, text, "ol_flags", mlx5, devx, a, b });
}

static void compare_ptype(const struct config *c, const char *text, uint32_t mlx5, uint32_t devx)
{
	char a[256], b[256];

	if (mlx5 == devx)
		return;
	rte_get_ptype_name(mlx5, a, sizeof(a));
	rte_get_ptype_name(devx, b, sizeof(b));
	report_difference(
		&(struct difference){ JUDGE_MLX5, c->name, text, "packet_type", mlx5, devx, a, b });
}

void outcome_compare(const struct config *c, const char *text, const struct outcome *mlx5,
		     const struct outcome *devx)
{
	compare_field(c, text, "delivered", mlx5->n, devx->n);
	if (!mlx5->n || !devx->n)
		return;
	compare_field(c, text, "pkt_len", mlx5->bytes, devx->bytes);
	compare_field(c, text, "nb_segs", mlx5->n_segs, devx->n_segs);
	for (unsigned int i = 0; mlx5->n_segs == devx->n_segs && i < mlx5->n_segs; i++)
		if (i < OUTCOME_MAX_SEGS)
			compare_field(c, text, "data_len", mlx5->seg_bytes[i], devx->seg_bytes[i]);
	compare_field(c, text, "queue", mlx5->queue, devx->queue);
	compare_flags(c, text, mlx5->flags, devx->flags);
	compare_ptype(c, text, mlx5->packet_type, devx->packet_type);
	compare_field(c, text, "vlan_tci", mlx5->vlan_tci, devx->vlan_tci);
	compare_field(c, text, "vlan_tci_outer", mlx5->vlan_tci_outer, devx->vlan_tci_outer);
	compare_field(c, text, "hash.rss", mlx5->hash, devx->hash);
	compare_field(c, text, "hash.fdir.hi", mlx5->mark, devx->mark);
	compare_field(c, text, "data_off", mlx5->data_off, devx->data_off);
	compare_field(c, text, "CRC", mlx5->crc, devx->crc);
	compare_field(c, text, "clock of the timestamp", find_clock(mlx5->timestamp),
		      find_clock(devx->timestamp));
	if (mlx5->bytes == devx->bytes)
		compare_field(c, text, "bytes", 0,
			      (uint64_t)(memcmp(mlx5->data, devx->data, mlx5->bytes) != 0));
}
