/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_VARIANTS_H
#define DEVX_ETH_RX_VARIANTS_H

#include <stdint.h>

struct rte_mbuf;

/* Flags of devx_eth_rx_burst_template(); each variant passes a constant. */
enum {
	DEVX_ETH_RX_HASH = 1 << 0,    /* copies the RSS hash */
	DEVX_ETH_RX_FIELDS = 1 << 1,  /* tests each packet for VLAN tag, timestamp and FCS */
	DEVX_ETH_RX_SCATTER = 1 << 2, /* a packet may have several buffers */
	DEVX_ETH_RX_FCS = 1 << 3,     /* an FCS may begin in one buffer and end in the next */
};

/* Declares the function and the flags of each row; only x86 has the functions with a suffix. */
#define RX_BURST(name) uint16_t name(void *queue, struct rte_mbuf **pkts, uint16_t n);
#define RX_SCALAR(name, hash, fields, scatter, fcs)                                                \
	enum {                                                                                     \
		devx_eth_rx_flags_##name = (hash)*DEVX_ETH_RX_HASH | (fields)*DEVX_ETH_RX_FIELDS | \
					   (scatter)*DEVX_ETH_RX_SCATTER | (fcs)*DEVX_ETH_RX_FCS   \
	};                                                                                         \
	RX_BURST(devx_eth_rx_burst_##name)
#define RX_VARIANT(name, ...)                                                                      \
	RX_SCALAR(name, __VA_ARGS__)                                                               \
	RX_BURST(devx_eth_rx_burst_##name##_avx2)                                                  \
	RX_BURST(devx_eth_rx_burst_##name##_avx512)
#include "burst/devx_rx_variants.def"
#undef RX_BURST

#endif
