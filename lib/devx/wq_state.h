/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_WQ_STATE_H
#define DEVX_WQ_STATE_H

/** enum devx_wq_state - state of an SQ or RQ, as firmware has it */
enum devx_wq_state {
	DEVX_WQ_RST = 0,
	DEVX_WQ_RDY = 1,
	DEVX_WQ_ERR = 3,
};

#endif
