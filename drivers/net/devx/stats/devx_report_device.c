/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "devx/account.h"
#include "devx_generator.h"
#include "devx_queue_uar.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "stats/devx_report.h"

/* ---- capabilities ------------------------------------------------------------------------ */

#define CAP(field)                                                                                 \
	{                                                                                          \
#field, offsetof(struct devx_caps, field), sizeof(((struct devx_caps *)0)->field)  \
	}
static const struct devx_eth_report_field caps_list[] = {
	CAP(log_max_cq),
	CAP(log_max_rq),
	CAP(log_max_sq),
	CAP(log_max_cq_sz),
	CAP(log_max_wq_sz),
	CAP(max_wqe_sz_sq),
	CAP(max_wqe_sz_rq),
	CAP(log_min_stride_sz_sq),
	CAP(log_max_stride_sz_sq),
	CAP(log_min_stride_sz_rq),
	CAP(log_max_stride_sz_rq),
	CAP(log_max_rqt_size),
	CAP(log_bf_reg_size),
	CAP(bf),
	CAP(cqe_version),
	CAP(sq_ts_format),
	CAP(rq_ts_format),
	CAP(device_frequency_khz),
	CAP(cq_oi),
	CAP(relaxed_ordering_write),
	CAP(relaxed_ordering_read),
	CAP(mkc_order_write_after_write_ro_only),
	CAP(cq_moderation),
	CAP(cq_period_start_from_cqe),
	CAP(cq_period_mode_modify),
	CAP(max_indirection),
	CAP(log_max_klm_list_size),
	CAP(fixed_buffer_size),
	CAP(packet_pacing),
	CAP(packet_pacing_uid),
	CAP(packet_pacing_burst_bound),
	CAP(packet_pacing_typical_size),
	CAP(packet_pacing_min_rate),
	CAP(packet_pacing_max_rate),
	CAP(packet_pacing_rate_table_size),
	CAP(vport_counters),
	CAP(eth_virt),
	CAP(num_ports),
	CAP(csum_cap),
	CAP(vlan_cap),
	CAP(scatter_fcs),
	CAP(wqe_vlan_insert),
	CAP(multi_pkt_send_wqe),
	CAP(enhanced_multi_pkt_send_wqe),
	CAP(wqe_inline_mode),
	CAP(max_lso_cap),
	CAP(tunnel_stateless_vxlan),
	CAP(tunnel_stateless_gre),
	CAP(tunnel_stateless_ip_over_ip),
	CAP(rss_ind_tbl_cap),
	CAP(rx_tables),
	CAP(rx_user_rules),
	CAP(log_max_ft_size),
	CAP(max_ft_level),
	CAP(match_dmac),
	CAP(match_ethertype),
	CAP(match_ip_version),
	CAP(match_ip_protocol),
	CAP(match_vlan),
	CAP(match_inner_ip_version),
	CAP(self_lb_en_modifiable),
	CAP(tis_tir_td_order),
};
#undef CAP

const struct devx_eth_report_field *devx_eth_report_caps_list(unsigned int *n)
{
	*n = RTE_DIM(caps_list);
	return caps_list;
}

static uint64_t read_field(const void *of, const struct devx_eth_report_field *field)
{
	const char *at = (const char *)of + field->offset;

	switch (field->bytes) {
	case sizeof(uint8_t):
		return *(const uint8_t *)at;
	case sizeof(uint16_t):
		return *(const uint16_t *)at;
	case sizeof(uint32_t):
		return *(const uint32_t *)at;
	default:
		return *(const uint64_t *)at;
	}
}

void devx_eth_report_caps(struct devx_eth *eth, struct devx_eth_report *report)
{
	report->begin(report, "device");
	report->add_text(report, "ibdev", eth->dev.ibdev);
	report->add_text(report, "pci", eth->dev.pci);
	report->add_text(report, "netdev", eth->dev.netdev);
	report->add_text(report, "fw_version", eth->dev.fw_version);
	report->add_text(report, "doorbells", devx_eth_uar_get_name(eth->uar_type));
	report->add_number(report, "virtual_function", eth->netdev.vf.is_vf);
	report->end(report);
	report->begin(report, "caps");
	for (unsigned int i = 0; i < RTE_DIM(caps_list); i++)
		report->add_number(report, caps_list[i].name,
				   read_field(&eth->dev.caps, &caps_list[i]));
	report->end(report);
}

/* ---- objects ------------------------------------------------------------------------------ */

/* How many objects of each kind a port has. */
struct objects {
	uint64_t uar, td, tis, queue_counter, cq, rq, sq, rqt, tir;
	uint64_t flow_table, flow_group, flow_entry, flow_rule, mkey, umem, rate_limit;
};

static void count_queues(const struct devx_eth *eth, struct objects *n)
{
	const struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (!rxq)
			continue;
		n->cq += !!rxq->cq.obj;
		n->rq += !!rxq->rq.obj;
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		if (!txq)
			continue;
		n->cq += !!txq->cq.obj;
		n->sq += !!txq->sq.obj;
		n->uar += !!txq->uar.uar;
		n->rate_limit += !!txq->pp.pp;
	}
	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next) {
		n->cq += !!r->cq.obj;
		n->sq += !!r->sq.obj;
		n->uar += !!r->uar.uar;
	}
	n->rqt = !!eth->hash.rqt.obj + !!eth->hash.first_rqt.obj;
	n->flow_table = !!eth->hash.table.obj;
	for (unsigned int i = 0; i < DEVX_ETH_N_GROUPS; i++)
		n->flow_group += !!eth->hash.groups[i].obj;
	for (unsigned int i = 0; i < DEVX_ETH_N_CLASSES; i++) {
		n->tir += !!eth->hash.classes[i].tir.obj;
		n->flow_entry += !!eth->hash.classes[i].entry.obj;
	}
	n->flow_rule = eth->steer.n;
	for (const struct devx_eth_chunk *c = eth->rings.chunks; c; c = c->next)
		n->umem += !!c->umem.umem;
}

void devx_eth_report_objects(struct devx_eth *eth, struct devx_eth_report *report)
{
	struct objects n = {
		.uar = !!eth->uar.uar,
		.td = !!eth->td.obj,
		.queue_counter = !!eth->counter.obj,
		.mkey = eth->memory.n_mr,
	};

	for (unsigned int i = 0; i < eth->n_tis; i++)
		n.tis += !!eth->tis[i].obj;
	for (const struct devx_eth_dmabuf *d = eth->dmabufs; d; d = d->next)
		n.mkey++;
	if (eth->started)
		count_queues(eth, &n);
#define ADD(kind) report->add_number(report, #kind, n.kind)
	ADD(uar);
	ADD(td);
	ADD(tis);
	ADD(queue_counter);
	ADD(cq);
	ADD(rq);
	ADD(sq);
	ADD(rqt);
	ADD(tir);
	ADD(flow_table);
	ADD(flow_group);
	ADD(flow_entry);
	ADD(flow_rule);
	ADD(mkey);
	ADD(umem);
	ADD(rate_limit);
#undef ADD
	report->add_number(report, "stuck", eth->dev.n_stuck);
}

/* ---- commands ----------------------------------------------------------------------------- */

/* Adds a group with the number of commands of each opcode; with @failed, only of failed ones. */
static void add_opcodes(const struct devx_account *account, bool failed, const char *group,
			struct devx_eth_report *report)
{
	char name[64];

	report->begin(report, group);
	for (unsigned int i = 0; i < account->n_opcodes; i++) {
		const struct devx_account_opcode *o = &account->opcodes[i];

		if (!failed || o->n_failed)
			report->add_number(report, devx_opcode_name(o->opcode, name, sizeof(name)),
					   failed ? o->n_failed : o->n);
	}
	report->end(report);
}

enum { SECOND_NS = 1000000000, MICROSECOND_NS = 1000 };

/* Formats a time like 2026-11-25T16:00:00.123456Z. */
static void format_time(uint64_t ns, char *buf, size_t bytes)
{
	const time_t seconds = (time_t)(ns / SECOND_NS);
	char date[32];
	struct tm utc;

	if (!gmtime_r(&seconds, &utc) || !strftime(date, sizeof(date), "%FT%T", &utc))
		date[0] = '\0';
	snprintf(buf, bytes, "%s.%06uZ", date, (unsigned int)(ns % SECOND_NS / MICROSECOND_NS));
}

static void add_last_failure(const struct devx_account_record *last, struct devx_eth_report *report)
{
	char name[64], text[64];

	if (!last->opcode)
		return;
	report->begin(report, "last_failure");
	report->add_text(report, "command", devx_opcode_name(last->opcode, name, sizeof(name)));
	report->add_number(report, "opcode", last->opcode);
	report->add_number(report, "status", last->status);
	report->add_text(report, "status_name",
			 last->status ? devx_status_name(last->status) : "refused by the kernel");
	snprintf(text, sizeof(text), "0x%08x", last->syndrome);
	report->add_text(report, "syndrome", text);
	report->add_number(report, "object", last->object);
	report->add_number(report, "errno", (uint64_t)-last->rc);
	format_time(last->time_ns, text, sizeof(text));
	report->add_text(report, "time", text);
	report->end(report);
}

void devx_eth_report_commands(struct devx_eth *eth, struct devx_eth_report *report)
{
	const struct devx_account *account = eth->dev.account;

	if (!account)
		return; /* a recovery of the device is running and has closed it */
	report->add_number(report, "commands", account->n_commands);
	report->add_number(report, "failed", account->n_failed);
	report->add_number(report, "objects_destroyed", account->n_destroyed);
	report->add_number(report, "objects_stuck", eth->dev.n_stuck);
	report->add_number(report, "async_queries", eth->stats.missed.next_query);
	add_opcodes(account, false, "by_opcode", report);
	add_opcodes(account, true, "failed_by_opcode", report);
	add_last_failure(&account->last_failure, report);
}

void devx_eth_report_history(struct devx_eth *eth, struct devx_eth_report *report)
{
	const struct devx_account *account = eth->dev.account;
	const uint64_t n = account ? account->n_commands : 0; /* NULL during a recovery */

	for (uint64_t i = n > DEVX_ACCOUNT_RECORDS ? n - DEVX_ACCOUNT_RECORDS : 0; i < n; i++) {
		const struct devx_account_record *r = &account->records[i % DEVX_ACCOUNT_RECORDS];
		char number[24], name[64], time[64], text[256];
		int used;

		snprintf(number, sizeof(number), "%" PRIu64, i);
		format_time(r->time_ns, time, sizeof(time));
		used = snprintf(text, sizeof(text), "%s %s: %s", time,
				devx_opcode_name(r->opcode, name, sizeof(name)),
				r->rc && !r->status ? "refused by the kernel"
						    : devx_status_name(r->status));
		if (r->rc)
			snprintf(text + used, sizeof(text) - (size_t)used,
				 " (%u), syndrome 0x%x, object 0x%x, errno %d", r->status,
				 r->syndrome, r->object, -r->rc);
		report->add_text(report, number, text);
	}
}
