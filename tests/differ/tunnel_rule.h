/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_TUNNEL_RULE_H
#define DIFFER_TUNNEL_RULE_H

#include <stdint.h>

/** enum tunnel_rule - kind of tunnel that rules match; net_mlx5 refuses rules for IP in IP */
enum tunnel_rule { NO_TUNNEL_RULE, VXLAN_RULE, GRE_RULE };

/**
 * tunnel_rule_add - let queue 0 receive the packets of a tunnel by rules of rte_flow
 *
 * net_mlx5 describes the inner headers of a packet only if the rule of the packet matches the
 * tunnel. It names the kind of tunnel only if all tunnels of the queue are of one kind.
 *
 * Return: 0 or -errno
 */
int tunnel_rule_add(uint16_t port, enum tunnel_rule kind);
/** tunnel_rule_remove - remove all rules of rte_flow of a port */
void tunnel_rule_remove(uint16_t port);

#endif
