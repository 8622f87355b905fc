/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_FLOW_MATCH_H
#define DEVX_FLOW_MATCH_H

#include "devx/flow.h"
#include "prm/prm.h"

/* Functions that check a match and write it as the device expects it. Internal to the library. */

/** devx_match_validate - check the values of @m, and that the device can match its fields */
int devx_match_validate(struct devx_dev *dev, const struct devx_match *m);

/**
 * devx_match_fill - write the mask and the value of a match
 * @mask: all zero; receives 1 in each bit that @m compares
 * @value: all zero; receives the bits of @m
 * @m: a match that devx_match_validate() accepted
 */
void devx_match_fill(struct prm_fte_match_param *mask, struct prm_fte_match_param *value,
		     const struct devx_match *m);

/** devx_match_get_criteria - get the bits of enum prm_match_criteria_enable for a mask */
uint8_t devx_match_get_criteria(const struct prm_fte_match_param *mask);

#endif
