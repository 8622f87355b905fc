/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_ARGS_H
#define DEVX_ETH_PORT_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"
#include "devx/dmabuf.h"

/** enum devx_eth_uar - argument uar: the type of UAR that a port tries first */
enum devx_eth_uar {
	DEVX_ETH_UAR_AUTO = 0, /* the best type for this CPU */
	DEVX_ETH_UAR_BF,
	DEVX_ETH_UAR_NC,
	DEVX_ETH_UAR_NC_DEDICATED,
};

/** enum devx_eth_simd - vector instructions that a burst function uses */
enum devx_eth_simd {
	DEVX_ETH_SIMD_AUTO, /* the widest that the processor supports and EAL permits */
	DEVX_ETH_SIMD_SCALAR,
	DEVX_ETH_SIMD_AVX2,
	DEVX_ETH_SIMD_AVX512,
	DEVX_ETH_SIMD_N,
};

/** enum devx_eth_inline - argument inline: whether send queues copy short packets into WQEs */
enum devx_eth_inline {
	DEVX_ETH_INLINE_AUTO = 0, /* depends on the number of send queues */
	DEVX_ETH_INLINE_OFF,
	DEVX_ETH_INLINE_BYTES, /* packets of up to inline_max bytes */
};

/** enum devx_eth_tx_wqes - argument tx_burst: the kind of WQEs that a send burst writes */
enum devx_eth_tx_wqes {
	DEVX_ETH_TX_AUTO, /* multi-packet WQEs, if the device supports them */
	DEVX_ETH_TX_MULTI,
	DEVX_ETH_TX_SINGLE, /* one WQE per packet */
};

/**
 * struct devx_eth_args - arguments of a port; see attach/devx_args.h
 * @adapter: value of ibdev or pci: name or PCI address of the device
 * @dmabuf: a dma-buf to register at probe; 0 bytes: none
 * @tx_bf_wqe: a burst of one packet copies its WQE to the BlueFlame register
 * @inline_max: with DEVX_ETH_INLINE_BYTES: bytes of the longest packet that is copied into a WQE
 * @recovery_wait: how many seconds to wait for a lost device; 0: do not recover it
 */
struct devx_eth_args {
	char adapter[DEVX_NAME_BYTES + 1];
	enum devx_eth_uar uar;
	struct devx_dmabuf dmabuf;
	bool tx_bf_wqe;
	enum devx_eth_simd rx_burst;
	enum devx_eth_inline inlining;
	uint16_t inline_max;
	enum devx_eth_tx_wqes tx_burst;
	uint16_t recovery_wait;
};

#endif
