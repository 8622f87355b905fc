/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_STEER_H
#define CORE_RIG_STEER_H

#include "core_rig.h"

/** core_rig_make_tir - create a direct TIR to an RQ */
uint32_t core_rig_make_tir(struct core_rig *r, uint32_t rqn);

/** core_rig_set_self_lb - set self_lb_block of a TIR */
void core_rig_set_self_lb(struct core_rig *r, uint32_t tirn, uint8_t bits);

/** core_rig_make_rqt - create an RQT of @n RQs; @n is a power of two */
uint32_t core_rig_make_rqt(struct core_rig *r, const uint32_t *rqns, unsigned n);

/** core_rig_make_rss_tir - create a Toeplitz TIR; @outer: its hash fields; @key: 40 bytes */
uint32_t core_rig_make_rss_tir(struct core_rig *r, uint32_t rqtn, uint32_t outer,
			       const uint8_t *key, bool symmetric, bool tunneled);

/** core_rig_make_table - create a NIC_RX flow table of 1 << log_size entries, for uid 0 */
uint32_t core_rig_make_table(struct core_rig *r, unsigned level, unsigned log_size);

/** core_rig_set_root - make a table the root of NIC_RX */
void core_rig_set_root(struct core_rig *r, uint32_t table);

/** core_rig_make_group - create a group of entries @first..@last; @mask NULL matches all frames */
uint32_t core_rig_make_group(struct core_rig *r, uint32_t table, uint32_t first, uint32_t last,
			     const struct prm_fte_match_param *mask);

struct core_rig_rule {
	uint32_t table, group, index, tag;
	uint16_t action; /* PRM_FLOW_CONTEXT_ACTION_*: 1 allow, 2 drop, 4 forward, 8 count */
	const struct prm_fte_match_param *value; /* match value; NULL: all fields 0 */
	unsigned n_dests;
	struct {
		uint8_t type;
		uint32_t id;
	} dest[8];        /* type 1: flow table, 2: TIR */
	uint32_t counter; /* number of a flow counter, for action 8 */
};
/** core_rig_set_rule - set a flow entry with SET_FTE. Return: the status */
uint8_t core_rig_set_rule(struct core_rig *r, const struct core_rig_rule *rule);

/** core_rig_steer_all - create a root table with one rule that sends every frame to a TIR */
void core_rig_steer_all(struct core_rig *r, uint32_t tir);

#endif
