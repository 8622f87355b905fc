/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_VLAN_H
#define PKTGEN_VLAN_H

#include "packet/stack.h"

/**
 * DOC: VLANs
 *
 * A VLAN is named by the IDs of its tags, the outermost first: "vlan5", or "vlan100.5" with two
 * tags (802.1ad). Priority and Ethernet type of a tag do not belong to its name.
 */

enum {
	VLAN_MAX_TAGS = 2,
	VLAN_MAX_ID = 4094,
	VLAN_TEXT_BYTES = 16, /* "vlan4094.4094:" */
};

/** struct vlan_tag - a VLAN tag. @ether_type: that in front of it, 0x8100 or 0x88a8 */
struct vlan_tag {
	uint16_t id, ether_type;
	uint8_t priority;
};

/** struct vlan - a VLAN. @n: number of tags; 0: none */
struct vlan {
	struct vlan_tag tags[VLAN_MAX_TAGS];
	unsigned n;
};

/**
 * vlan_parse - read "vlan5:" or "vlan100.5:" in front of an address
 * @v: receives the VLAN, with priority 0 and Ethernet type 0x8100; no tags if @text has none
 * @text: points to the text; is moved behind the colon
 *
 * Return: NULL, or the reason of a refusal
 */
const char *vlan_parse(struct vlan *v, const char **text);

/** vlan_format - write "vlan100.5:", or "" if @v has no tags. Return: @text */
const char *vlan_format(const struct vlan *v, char text[VLAN_TEXT_BYTES]);

/** vlan_is_same - whether two VLANs have the same IDs */
bool vlan_is_same(const struct vlan *a, const struct vlan *b);

/**
 * vlan_find - find the VLAN of generated frames
 * @v: receives the VLAN
 * @s: headers of the frames
 * @ip: their IP header, from stack_find_ip()
 *
 * Return: whether all frames are in one VLAN: false if IDs vary, or with more than two tags
 */
bool vlan_find(struct vlan *v, const struct stack *s, const struct stack_ip *ip);

#endif
