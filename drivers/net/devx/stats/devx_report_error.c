/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "stats/devx_report_error.h"

/* A WQE may contain packets. A report leaves out all their bytes. */

static void add_hex(struct devx_eth_report *report, const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "0x%02x", value);
	report->add_text(report, name, text);
}

static const char *get_syndrome_name(uint8_t syndrome)
{
	static const char *const names[] = {
		[PRM_SYND_LOCAL_LENGTH] = "LOCAL_LENGTH",
		[PRM_SYND_LOCAL_QP_OP] = "LOCAL_QP_OP",
		[PRM_SYND_LOCAL_PROT] = "LOCAL_PROT",
		[PRM_SYND_WR_FLUSH] = "WR_FLUSH",
		[PRM_SYND_MW_BIND] = "MW_BIND",
		[PRM_SYND_BAD_RESP] = "BAD_RESP",
		[PRM_SYND_LOCAL_ACCESS] = "LOCAL_ACCESS",
		[PRM_SYND_REMOTE_INVAL_REQ] = "REMOTE_INVAL_REQ",
		[PRM_SYND_REMOTE_ACCESS] = "REMOTE_ACCESS",
		[PRM_SYND_REMOTE_OP] = "REMOTE_OP",
		[PRM_SYND_TRANSPORT_RETRY] = "TRANSPORT_RETRY",
		[PRM_SYND_RNR_RETRY] = "RNR_RETRY",
		[PRM_SYND_REMOTE_ABORTED] = "REMOTE_ABORTED",
	};

	return syndrome < RTE_DIM(names) && names[syndrome] ? names[syndrome] : "unknown";
}

static void add_cqe(const struct prm_err_cqe *cqe, struct devx_eth_report *report)
{
	report->begin(report, "last_error_cqe");
	add_hex(report, "opcode", prm_cqe_opcode(cqe->op_own));
	add_hex(report, "syndrome", cqe->syndrome);
	report->add_text(report, "syndrome_name", get_syndrome_name(cqe->syndrome));
	add_hex(report, "vendor_err_synd", cqe->vendor_err_synd);
	add_hex(report, "hw_err_synd", cqe->hw_err_synd);
	add_hex(report, "hw_synd_type", cqe->hw_synd_type);
	add_hex(report, "wqe_opcode", prm_err_cqe_wqe_opcode(cqe));
	report->add_number(report, "queue_number", prm_err_cqe_qpn(cqe));
	report->add_number(report, "wqe_counter", prm_be16_get(cqe->wqe_counter));
	report->add_number(report, "byte_cnt", prm_be32_get(cqe->byte_cnt));
	report->end(report);
}

/* Adds a data segment. Returns how many 16-byte segments of the WQE it occupies. */
static unsigned int add_segment(const struct prm_data_seg *seg, unsigned int number,
				struct devx_eth_report *report)
{
	const uint32_t count = prm_be32_get(seg->byte_count);
	const bool inside = count & PRM_INLINE_SEG;
	const uint32_t bytes = count & ~PRM_INLINE_SEG;
	char name[16], text[96];

	snprintf(name, sizeof(name), "data_%u", number);
	if (inside)
		snprintf(text, sizeof(text), "%u bytes inside the WQE, left out", bytes);
	else
		snprintf(text, sizeof(text), "%u bytes at 0x%" PRIx64 ", key 0x%x", bytes,
			 prm_be64_get(seg->addr), prm_be32_get(seg->lkey));
	report->add_text(report, name, text);
	return inside ? ((uint32_t)sizeof(seg->byte_count) + bytes + PRM_DS_BYTES - 1) /
				PRM_DS_BYTES
		      : 1;
}

/* Adds the data segments between the 16-byte segments @at and @end of a WQE. */
static void add_segments(const uint8_t *wqe, unsigned int at, unsigned int end,
			 struct devx_eth_report *report)
{
	const unsigned int n = RTE_MIN(end, (unsigned int)DEVX_ETH_LAST_WQE_BYTES / PRM_DS_BYTES);

	for (unsigned int i = 0; at < n; i++)
		at += add_segment((const struct prm_data_seg *)(wqe + at * PRM_DS_BYTES), i,
				  report);
	if (end > n)
		report->add_number(report, "segments_left_out", end - n);
}

void devx_eth_report_tx_error(const struct devx_eth_last_error *from,
			      struct devx_eth_report *report)
{
	struct devx_eth_last_error e;
	const struct prm_ctrl_seg *ctrl = (const struct prm_ctrl_seg *)e.wqe;
	const struct prm_eth_seg *eth = (const struct prm_eth_seg *)(e.wqe + PRM_DS_BYTES);
	unsigned int header, n_ds;

	if (!devx_eth_last_error_read(from, &e))
		return;
	add_cqe(&e.cqe, report);
	n_ds = prm_ctrl_ds(ctrl);
	header = prm_be16_get(eth->inline_hdr_sz);
	report->begin(report, "last_error_wqe");
	add_hex(report, "opcode", prm_ctrl_opcode(ctrl));
	report->add_number(report, "index", prm_ctrl_index(ctrl));
	report->add_number(report, "sqn", prm_ctrl_sqn(ctrl));
	report->add_number(report, "segments", n_ds);
	add_hex(report, "fm_ce_se", ctrl->fm_ce_se);
	add_hex(report, "cs_flags", eth->cs_flags);
	report->add_number(report, "mss", prm_be16_get(eth->mss));
	header = header & PRM_ETH_INSERT_VLAN ? 0 : header & PRM_ETH_INLINE_MASK;
	report->add_number(report, "inline_header_bytes", header);
	if (header > PRM_ETH_INLINE_START_BYTES)
		header = (header - PRM_ETH_INLINE_START_BYTES + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
	else
		header = 0;
	add_segments(e.wqe, 2 + header, n_ds, report);
	report->end(report);
}

void devx_eth_report_rx_error(const struct devx_eth_last_error *from, unsigned int n_segments,
			      struct devx_eth_report *report)
{
	struct devx_eth_last_error e;

	if (!devx_eth_last_error_read(from, &e))
		return;
	add_cqe(&e.cqe, report);
	report->begin(report, "last_error_wqe");
	add_segments(e.wqe, 0, n_segments, report);
	report->end(report);
}
