/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_REPORT_ERROR_H
#define DEVX_ETH_REPORT_ERROR_H

#include "devx_last_error.h"
#include "stats/devx_report.h"

/*
 * Each function adds the groups last_error_cqe and last_error_wqe, with decoded fields but without
 * bytes of packets. If the queue had no error CQE, it adds nothing.
 */

/** devx_eth_report_tx_error - the last error of a send queue */
void devx_eth_report_tx_error(const struct devx_eth_last_error *from,
			      struct devx_eth_report *report);
/** devx_eth_report_rx_error - same for a receive queue with @n_segments data segments per WQE */
void devx_eth_report_rx_error(const struct devx_eth_last_error *from, unsigned int n_segments,
			      struct devx_eth_report *report);

#endif
