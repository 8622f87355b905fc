/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_FLOW_H
#define DEVX_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"
#include "devx/tir.h"

/**
 * DOC: Receive steering
 *
 *     packet --> rules of users, by priority --> the kernel's rules --> its netdev
 *                    | match
 *                    v
 *                   TIR, or a flow table of the user (devx/flow_table.h)
 *
 * Packets that match no rule go to the kernel. A rule of a virtual function applies only to packets
 * that the adapter's switch passes to the function. For a MAC that is not its own, the netdev of
 * the function must be promiscuous. Rules for multicast apply after all others, even after a rule
 * for all packets, whatever their priority. Two equal rules with different TIRs deliver each packet
 * to both TIRs.
 *
 * Creating a rule takes milliseconds and needs CAP_NET_RAW.
 *
 * PRM-MISSING: a match compares the EtherType after the last VLAN tag (a comment in rdma-core).
 *
 * Source: rdma-core mlx5dv_create_flow_matcher(3), mlx5dv_create_flow(3); Linux
 * drivers/infiniband/hw/mlx5/fs.c, mlx5_ifc_fte_match_set_lyr_2_4_bits.
 */

struct mlx5dv_flow_matcher;
struct ibv_flow;

enum { DEVX_MAC_BYTES = 6, DEVX_FLOW_PRIO_MAX = 15 };

/**
 * struct devx_match - packets that a rule matches; all zero: every packet
 * @dmac: destination MAC in the order of the wire; 0 in each bit that is 0 in @dmac_mask
 * @dmac_mask: bits of @dmac that are compared
 * @ethertype: EtherType after all VLAN tags, in host byte order; 0: any
 * @vlan: match only packets with a C-VLAN tag whose identifier is @vid
 * @vid: VLAN identifier, 0..4095; 0 if @vlan is false
 * @ip_version: 4 or 6; 0: any
 * @ip_protocol: IP protocol or next header; 0: any; needs @ip_version
 */
struct devx_match {
	uint8_t dmac[DEVX_MAC_BYTES];
	uint8_t dmac_mask[DEVX_MAC_BYTES];
	uint16_t ethertype;
	bool vlan;
	uint16_t vid;
	uint8_t ip_version;
	uint8_t ip_protocol;
};

/* Initialisers of struct devx_match: one MAC, broadcast, every multicast address. */
/* clang-format off */
#define DEVX_MATCH_MAC(a, b, c, d, e, f)                                       \
	{ .dmac = { a, b, c, d, e, f }, .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } }
#define DEVX_MATCH_BROADCAST DEVX_MATCH_MAC(0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
#define DEVX_MATCH_MULTICAST { .dmac = { 0x01 }, .dmac_mask = { 0x01 } }
/* clang-format on */

/**
 * struct devx_flow_rule - a receive rule
 * @matcher: fields that the rule matches, and its priority
 * @flow: the rule in the kernel
 * @dev: device of the rule
 */
struct devx_flow_rule {
	struct mlx5dv_flow_matcher *matcher;
	struct ibv_flow *flow;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_flow_create - create a rule that sends packets to a TIR
 * @rule: all zero; all zero again on failure
 * @dev: open device; must outlive @rule
 * @match: packets to match; copied
 * @prio: 0..DEVX_FLOW_PRIO_MAX; a rule with a smaller number applies first
 * @tir: destination of the packets; must outlive @rule
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      @prio or @vid out of range, bits of @dmac outside its mask, @ip_protocol
 *                without @ip_version, @ip_version neither 4 nor 6, no @tir
 *   -ENOTSUP     the device cannot match a field of @match, or does not support rules of users
 *   -EPERM       the process has no CAP_NET_RAW
 *   -ENOSPC      the flow table of this priority is full
 *   -EEXIST      a rule with the same match and another flow tag exists
 *   -ENOMEM      out of memory
 *   -EREMOTEIO   firmware refused; only the kernel's log has the reason
 *   others       as the kernel returned them
 */
int devx_flow_create(struct devx_flow_rule *rule, struct devx_dev *dev,
		     const struct devx_match *match, uint16_t prio, const struct devx_tir *tir);

/**
 * devx_flow_destroy - undo devx_flow_create()
 * @rule: a complete or partial rule, or all zero; all zero afterwards
 *
 * Packets that the device is processing during the call may still follow the rule.
 *
 * Context: control path; one thread per device; may sleep.
 */
void devx_flow_destroy(struct devx_flow_rule *rule);

#ifdef __cplusplus
}
#endif

#endif
