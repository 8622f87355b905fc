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
 *                   TIR
 *
 * What no rule takes goes to the kernel: ARP, SSH and the rest live on. A rule of a virtual
 * function sees only what the switch before it lets in: a foreign MAC needs promiscuous mode on
 * its netdev. Rules for multicast come after all others, whatever their priority, so a rule that
 * takes everything wins over them. Two equal rules to different TIRs deliver every packet twice.
 *
 * Making a rule takes milliseconds and CAP_NET_RAW at the time of the call.
 *
 * PRM-MISSING: the EtherType of a match is the one after the last VLAN tag (a comment of
 * rdma-core's).
 *
 * Source: rdma-core mlx5dv_create_flow_matcher(3), mlx5dv_create_flow(3); Linux
 * drivers/infiniband/hw/mlx5/fs.c, mlx5_ifc_fte_match_set_lyr_2_4_bits.
 */

struct mlx5dv_flow_matcher;
struct ibv_flow;

enum { DEVX_MAC_BYTES = 6, DEVX_FLOW_PRIO_MAX = 15 };

/**
 * struct devx_match - which packets; all zero: every packet
 * @dmac: destination MAC; bits outside @dmac_mask are 0
 * @dmac_mask: which bits of it count
 * @ethertype: EtherType after any VLAN tags, host endian; 0: any
 * @vlan: only packets with a C-VLAN tag whose identifier is @vid
 * @vid: 0..4095
 * @ip_version: 4 or 6; 0: any
 * @ip_protocol: IP protocol, next header; 0: any. Needs @ip_version
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

/** Common masks and matches, for initialisers of struct devx_match. */
/* clang-format off */
#define DEVX_MATCH_MAC(a, b, c, d, e, f)                                       \
	{ .dmac = { a, b, c, d, e, f }, .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } }
#define DEVX_MATCH_BROADCAST DEVX_MATCH_MAC(0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
#define DEVX_MATCH_MULTICAST { .dmac = { 0x01 }, .dmac_mask = { 0x01 } }
/* clang-format on */

/**
 * struct devx_flow_rule - a rule in place
 * @matcher: what it looks at
 * @flow: the rule itself
 * @dev: its device
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
 * devx_flow_create - send packets to a TIR
 * @rule: all zero; all zero again on failure
 * @dev: open device; must outlive @rule
 * @match: which packets
 * @prio: 0..DEVX_FLOW_PRIO_MAX; smaller ones see a packet first
 * @tir: where they go; must outlive @rule
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      @prio or @vid out of range, bits of @dmac outside its mask, @ip_protocol
 *                without @ip_version, @ip_version neither 4 nor 6, no @tir
 *   -ENOTSUP     the device cannot match one of these, or lets no user make rules
 *   -EPERM       no CAP_NET_RAW
 *   -ENOSPC      no room at this priority
 *   -EEXIST      the same rule with another tag
 *   -ENOMEM      out of memory
 *   -EREMOTEIO   firmware refused (the kernel keeps its reason)
 *   others       as the kernel returned them
 */
int devx_flow_create(struct devx_flow_rule *rule, struct devx_dev *dev,
		     const struct devx_match *match, uint16_t prio, const struct devx_tir *tir);

/**
 * devx_flow_destroy - undo devx_flow_create(), however far it got
 * @rule: a rule, a part of one, or all zero; all zero afterwards
 *
 * Packets under way still go by it.
 *
 * Context: control path; one thread per device; may sleep.
 */
void devx_flow_destroy(struct devx_flow_rule *rule);

#ifdef __cplusplus
}
#endif

#endif
