/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "attach/devx_cap_check.h"
#include "burst/devx_tx_check.h"
#include "devx_log.h"
#include "prm/prm.h"
#include "prm/wqe.h"

enum {
	LOG2_DESC_MIN = 6,
	LOG2_SEG = 4,
	LOG2_WQEBB = 6,
	LOG2_PAYLOAD_MIN = 11, /* fits the payload of one frame at the default MTU */
};

static_assert(DEVX_ETH_DESC_MIN == 1 << LOG2_DESC_MIN, "entries of the smallest ring");
static_assert(PRM_DS_BYTES == 1 << LOG2_SEG, "bytes of a data segment");
static_assert(PRM_WQEBB_BYTES == 1 << LOG2_WQEBB, "bytes of a basic block");

int devx_eth_link_layer_check(struct devx_eth *eth)
{
	bool ethernet;
	const int rc = devx_port_query_ethernet(&eth->dev, &ethernet);

	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot read the link layer of the port");
	if (ethernet)
		return 0;
	devx_eth_log(eth, ERR,
		     "link layer: InfiniBand is unsupported (valid: Ethernet); change the type of "
		     "the port with `mlxconfig -d %s set LINK_TYPE_P1=2`, or name another device",
		     eth->dev.pci[0] ? eth->dev.pci : "PCI-ADDRESS");
	return -ENOTSUP;
}

/* A capability that must be between @min and @max, and a multiple of @step. */
struct range {
	const char *name;
	uint32_t value, min, max, step;
};

/* Returns the smallest limit on the length of a send WQE with which the driver works. */
static uint32_t get_min_wqe_bytes(const struct devx_caps *caps)
{
	const uint32_t headers = devx_eth_tx_count_inline_ds(DEVX_ETH_TX_HEADER_MAX);

	/* TSO needs control and Ethernet segment, the longest headers and one data segment. */
	return caps->max_lso_cap ? (2 + headers + 1) * PRM_DS_BYTES : PRM_WQEBB_BYTES;
}

/* Returns @value, or @least if the firmware does not report the capability (0). */
static uint32_t get_reported(uint32_t value, uint32_t least)
{
	return value ? value : least;
}

static int check_range(const struct devx_eth *eth, const struct range *r)
{
	char valid[64], step[32] = "";

	if (r->value >= r->min && r->value <= r->max && !(r->value % r->step))
		return 0;
	if (r->step > 1)
		snprintf(step, sizeof(step), ", a multiple of %u", r->step);
	if (r->min == r->max)
		snprintf(valid, sizeof(valid), "%u", r->min);
	else if (r->max == UINT32_MAX)
		snprintf(valid, sizeof(valid), "at least %u%s", r->min, step);
	else
		snprintf(valid, sizeof(valid), "%u to %u", r->min, r->max);
	devx_eth_log(eth, ERR,
		     "capability %s: %u is invalid (valid: %s); update the firmware of the adapter",
		     r->name, r->value, valid);
	return -ENOTSUP;
}

/* The driver divides and shifts by these values. Every Ethernet ConnectX is within the ranges. */
static int check_ranges(const struct devx_eth *eth)
{
	const struct devx_caps *c = &eth->dev.caps;
	const uint32_t any = UINT32_MAX;
	const struct range ranges[] = {
		{ "num_ports", c->num_ports, 1, 1, 1 },
		{ "cqe_version", c->cqe_version, 1, 1, 1 },
		{ "log_max_cq", c->log_max_cq, 1, 24, 1 }, /* an Rx and a Tx queue */
		{ "log_max_rq", c->log_max_rq, 0, 24, 1 },
		{ "log_max_sq", c->log_max_sq, 0, 24, 1 },
		{ "log_max_cq_sz", c->log_max_cq_sz, LOG2_DESC_MIN, any, 1 },
		{ "log_max_wq_sz", c->log_max_wq_sz, LOG2_DESC_MIN, any, 1 },
		{ "max_wqe_sz_sq", c->max_wqe_sz_sq, get_min_wqe_bytes(c), any, PRM_DS_BYTES },
		{ "max_wqe_sz_rq", c->max_wqe_sz_rq, PRM_DS_BYTES, any, PRM_DS_BYTES },
		{ "log_min_stride_sz_sq", c->log_min_stride_sz_sq, 0, LOG2_WQEBB, 1 },
		{ "log_max_stride_sz_sq", get_reported(c->log_max_stride_sz_sq, LOG2_WQEBB),
		  LOG2_WQEBB, any, 1 },
		{ "log_min_stride_sz_rq", c->log_min_stride_sz_rq, 0, LOG2_SEG, 1 },
		{ "log_max_stride_sz_rq", get_reported(c->log_max_stride_sz_rq, LOG2_SEG), LOG2_SEG,
		  any, 1 },
		{ "wqe_inline_mode", c->wqe_inline_mode, 0,
		  PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED, 1 },
		{ "max_lso_cap", get_reported(c->max_lso_cap, LOG2_PAYLOAD_MIN), LOG2_PAYLOAD_MIN,
		  any, 1 },
	};
	int rc = 0;

	for (unsigned int i = 0; !rc && i < RTE_DIM(ranges); i++)
		rc = check_range(eth, &ranges[i]);
	return rc;
}

/*
 * Warns that the port may require packet headers inside WQEs. If it cannot read the mode of the
 * port, net_mlx5 writes no headers on a ConnectX-5 or later either (mlx5_set_min_inline).
 */
static void report_unknown_mode(const struct devx_eth *eth)
{
	const struct devx_caps *caps = &eth->dev.caps;

	if (caps->wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT && caps->eth_virt &&
	    !eth->port.frame_bytes)
		devx_eth_log(eth, NOTICE,
			     "port: firmware hides its min_wqe_inline_mode from users; the port "
			     "sends no packet headers inside WQEs");
}

/* The context of the port has a valid min_wqe_inline_mode only with eth_virt. */
static bool needs_headers(const struct devx_caps *caps, const struct devx_port *port)
{
	return caps->wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_L2 ||
	       (caps->wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT &&
		caps->eth_virt && port->min_inline);
}

int devx_eth_caps_check(const struct devx_eth *eth)
{
	const struct devx_caps *caps = &eth->dev.caps;

	if (!caps->rx_user_rules) {
		devx_eth_log(eth, ERR,
			     "receive rules of users are unsupported (needed: capabilities "
			     "ft_support, flow_modify_en, modify_root, identified_miss_table_mode "
			     "and flow_table_modify of the receive tables); update the firmware");
		return -ENOTSUP;
	}
	if (needs_headers(caps, &eth->port)) {
		devx_eth_log(
			eth, ERR,
			"packet headers inside WQEs are unsupported, but this device needs them "
			"(capability wqe_inline_mode %u, min_wqe_inline_mode of the port %u); "
			"use a ConnectX-5 or later",
			caps->wqe_inline_mode, eth->port.min_inline);
		return -ENOTSUP;
	}
	report_unknown_mode(eth);
	return check_ranges(eth);
}
