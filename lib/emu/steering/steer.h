/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEER_H
#define EMU_STEER_H

#include "emu/queue/queue.h"

/**
 * DOC: Receive steering
 *
 *     NIC_RX root table -> groups (a mask each) -> entries (a value each) -> TIR | table | drop
 *                                  no entry: miss table, or drop (root: default miss)
 *
 * Entries of a table are tried in the order of their flow index. Firmware commands
 * (firmware/) build this; steer.c walks it.
 */

enum { EMU_MATCH_DWORDS = prm_fte_match_param_bytes / 4, EMU_MAX_DESTS = 8, EMU_MAX_HOPS = 64 };

struct emu_flow_counter { struct emu_obj obj; uint64_t packets, bytes; };

struct emu_flow_dest {
	uint8_t type;                    /* enum MLX5_FLOW_DESTINATION_TYPE: 1 table, 2 TIR */
	struct emu_tir *tir;
	struct emu_flow_table *table;
};

struct emu_fte {
	struct emu_fte *next;            /* in its group, by index */
	uint32_t index;
	uint16_t action;                 /* 1 allow, 2 drop, 4 forward, 8 count */
	uint32_t flow_tag;
	uint32_t value[EMU_MATCH_DWORDS]; /* host-endian dwords of fte_match_param */
	unsigned n_dests;
	struct emu_flow_dest dest[EMU_MAX_DESTS];
	struct emu_flow_counter *counter;
	struct prm_flow_context ctx;
};

struct emu_flow_group {
	struct emu_flow_group *next;     /* in its table, by first index */
	uint32_t id, first, last;        /* flow indexes */
	uint8_t criteria_enable;
	uint32_t mask[EMU_MATCH_DWORDS];
	uint16_t n_used;                 /* dwords of mask that are not 0: ... */
	uint8_t used[EMU_MATCH_DWORDS];  /* ... their numbers */
	struct emu_fte *ftes;
};

struct emu_flow_table {
	struct emu_obj obj;
	uint8_t type, level, log_size, miss_action; /* miss_action 0 default, 1 go to miss */
	struct emu_flow_table *miss;     /* reference */
	struct emu_flow_group *groups;
	uint32_t next_group_id;
};

/** struct emu_frame - a frame in one piece, without FCS; borrowed for the call */
struct emu_frame {
	const uint8_t *data;
	uint32_t bytes;
};

/** struct emu_parsed - what the device's parser found; offsets from the frame's start */
struct emu_parsed {
	bool vlan, frag, ip_ext;
	bool l4;                         /* a whole TCP or UDP header at l4_off */
	uint8_t l3, l4_type;             /* PRM_CQE_L3_*, PRM_CQE_L4_* */
	uint8_t l4_proto;                /* IP protocol, 0 if not IP */
	uint16_t l3_off, l4_off, payload_off, ip_end;
	uint16_t ethertype;              /* after the tags */
	uint16_t tpid[2], tci[2];        /* outer tag first; tpid 0: no such tag */

	/* of emu_parse_sums() */
	bool ip_ok, l4_ok;
	uint16_t sum;                    /* check_sum of the CQE */
};

/** emu_parse - headers, outer ones only: a tunnel's payload is payload */
void emu_parse(const struct emu_frame *f, struct emu_parsed *p);
/** emu_parse_sums - verify the checksums of a parsed frame */
void emu_parse_sums(const struct emu_frame *f, struct emu_parsed *p);

/** emu_match_supported - whether steering can extract dword @dw of fte_match_param for @mask */
bool emu_match_supported(unsigned dw, uint32_t mask);

/**
 * struct emu_verdict - where steering sent a frame
 *
 * A frame that no rule takes would go to the kernel's netdev on a card. Emu feeds no netdev:
 * it says so, and the port counts it as rx_steering_miss.
 */
struct emu_verdict {
	unsigned n_tirs;                 /* 0: dropped */
	struct { struct emu_tir *tir; uint32_t flow_tag; } to[EMU_MAX_DESTS];
	unsigned n_counters;             /* of the rules that it met, to be counted on delivery */
	struct emu_flow_counter *counter[EMU_MAX_DESTS];
	bool missed;
};

/** emu_steer - walk the receive tables; changes nothing */
void emu_steer(struct emu *emu, const struct emu_frame *f, const struct emu_parsed *p,
	       struct emu_verdict *v);

/** emu_rss - hash of a frame for a TIR; @type receives rss_hash_type of the CQE (0: not hashed) */
uint32_t emu_rss(const struct emu_tir *tir, const struct emu_frame *f, const struct emu_parsed *p,
		 uint8_t *type);

#endif
