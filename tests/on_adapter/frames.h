/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ON_ADAPTER_FRAMES_H
#define ON_ADAPTER_FRAMES_H

#include "rig.h"

/**
 * DOC: Frames of a check
 *
 * A frame goes from the own MAC address to the own MAC address. It comes back by local loopback, or
 * by a loopback cable; with both it comes twice.
 */

/**
 * struct frames_send - a SEND WQE
 * @addr: the frame; the first bytes go into the WQE if the device needs headers there
 * @lkey: key of @addr
 * @bytes: length of the frame
 * @cs_flags: PRM_ETH_CS_*
 * @empty_segment: put a data segment of 0 bytes before the others
 * @multi_packet: a multi-packet WQE with this frame alone; not on devices with an inline mode
 * @add_tag: the device inserts a C-tag; not on devices with an inline mode
 * @quiet: the WQE requests a CQE only on error
 */
struct frames_send {
	const uint8_t *addr;
	uint64_t seen_at; /* address in the mkey; 0: @addr */
	uint32_t lkey, bytes;
	uint8_t cs_flags;
	bool empty_segment, multi_packet, add_tag, quiet;
};

/** frames_get_slot - get receive buffer @i */
uint8_t *frames_get_slot(const struct rig *rig, uint32_t i);
/** frames_write - write an experimental frame of @bytes to @to. Return: @bytes */
uint32_t frames_write(const struct rig *rig, uint8_t *to, uint32_t bytes);
/** frames_write_udp - write an IPv4 frame to UDP port @port, payload @bytes. Return: its length */
uint32_t frames_write_udp(const struct rig *rig, uint8_t *to, uint16_t port, uint32_t bytes);
/** frames_make_rule - take frames to the own MAC with @ethertype; UDP: only to port @udp */
int frames_make_rule(struct rig *rig, const struct devx_tir *tir, uint16_t ethertype, uint16_t udp);
/** frames_match_mac - match the own MAC address as destination */
void frames_match_mac(const struct rig *rig, struct prm_fte_match_set_lyr_2_4 *mask,
		      struct prm_fte_match_set_lyr_2_4 *value);
/** frames_steer - take the frames that @value and @mask describe; @criteria: PRM_MATCH_* */
int frames_steer(struct rig *rig, const struct devx_tir *tir,
		 const struct prm_fte_match_param *mask, const struct prm_fte_match_param *value,
		 uint8_t criteria);
/** frames_end_rule - destroy the rule, if there is one */
void frames_end_rule(struct rig *rig);

/** frames_post - write a SEND WQE. Return: its control segment; the caller rings */
struct prm_ctrl_seg *frames_post(struct rig *rig, const struct frames_send *send);
/** frames_send - post and ring, then wait for the CQE. Return: the CQE, which stays; or NULL */
const struct prm_cqe *frames_send(struct rig *rig, const struct frames_send *send);
/**
 * frames_exchange - send a frame and receive it
 *
 * Return: the CQE of the received frame in slot wqe_counter, or NULL: @f says why.
 */
const struct prm_cqe *frames_exchange(struct rig *rig, struct finding *f,
				      const struct frames_send *send);
/** frames_judge - frames_exchange(), and confirm if the bytes arrive as they are at @want */
void frames_judge(struct rig *rig, struct finding *f, const struct frames_send *send,
		  const uint8_t *want);
/** frames_find_loop - set at->hears_itself */
void frames_find_loop(struct adapter *at, struct finding *f);

#endif
