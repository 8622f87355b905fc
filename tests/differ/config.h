/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_CONFIG_H
#define DIFFER_CONFIG_H

#include "lab.h"
#include "tunnel_rule.h"

/**
 * struct config - what both drivers are asked for
 * @n_rxq: receive queues; with more than one, RSS over @rss_hf spreads the packets
 * @mtu: MTU of the port in bytes
 * @buffer: bytes of data in a receive buffer, without headroom
 * @ring: receive descriptors of a queue; for each packet net_mlx5 spends as many as it may have
 *        segments
 * @filters: no promiscuous mode; a second address and one multicast address are added
 * @too_long: also send packets that are longer than the MTU
 * @vlan_filter: only VLAN 100 and untagged frames
 * @pinned: the receive buffers are pinned external buffers
 * @lpbk_mode: as of rte_eth_dev_configure()
 * @tunnel: net_mlx5 gets rules of rte_flow for this tunnel; net_devx needs none
 */
struct config {
	const char *name;
	uint16_t n_rxq, mtu, buffer, ring;
	uint64_t rx_offloads, tx_offloads, rss_hf;
	bool filters, vlan_filter, too_long, pinned;
	uint32_t lpbk_mode;
	enum tunnel_rule tunnel;
};

extern const struct config configs[];
extern const unsigned int n_configs;
extern uint8_t config_rss_key[]; /* key of the RSS hash, 40 bytes */

/** struct dut - a tested port with its pool, between config_start() and config_stop() */
struct dut {
	const struct lab *lab;
	const struct lab_side *side;
	const struct config *config;
	struct rte_mempool *pool, *tx_pool; /* a mbuf of tx_pool holds the longest frame */
	void *pinned;                       /* memory of the pinned buffers of @pool */
	struct devx_emu_counters before;    /* counters of the port at config_start() */
	struct rte_eth_stats stats;         /* since config_start(); config_stop() reads them */
	uint64_t n_discarded;               /* packets in the ring at the stop; the test sets it */
	char lacks[256];                    /* why the driver refused; "" if the port runs */
};

/** config_start - configure and start a port. Return: false, with a reason in @dut->lacks */
bool config_start(struct dut *dut, const struct lab *lab, enum lab_driver driver,
		  const struct config *config);
/**
 * config_stop - stop the port, read its statistics
 *
 * Expects every mbuf back in its pool, and each frame counted: see config_expect_account().
 */
void config_stop(struct dut *dut);
/** config_limit - length of the longest frame of a configuration in bytes, without FCS */
static inline uint32_t config_limit(const struct config *c)
{
	return c->mtu + (uint32_t)(RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN);
}
/**
 * config_expect_account - compare the statistics of a driver with emu's counters of the port
 *
 * Frames that the port sent are opackets, without those that the port dropped as too long. Frames
 * that it received are ipackets, imissed, ierrors, @dut->n_discarded, or matched no rule.
 */
void config_expect_account(const struct dut *dut);
/** config_compare_stats - report statistics that differ after config_stop() of both ports */
void config_compare_stats(const struct dut dut[LAB_DRIVERS]);
/**
 * config_run - run both drivers with a configuration, and compare their statistics
 * @compare: moves the frames in bursts of @burst and compares what the drivers make of them; called
 *           for bursts of 1, 4, 32 and 64
 */
void config_run(const struct lab *lab, const struct config *config,
		void (*compare)(const struct dut dut[LAB_DRIVERS], uint16_t burst));

#endif
