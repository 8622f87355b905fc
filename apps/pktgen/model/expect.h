/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EXPECT_H
#define PKTGEN_EXPECT_H

#include "packet/change.h"

/**
 * enum expect - how the frames of a flow may differ from the sent ones when they arrive
 *
 * What stands behind the headers must be whole in any case.
 */
enum expect {
	EXPECT_DEFAULT,     /* EXPECT_ROUTED if the sending port has a gateway, else EXPECT_SAME */
	EXPECT_SAME,        /* not at all */
	EXPECT_ROUTED,      /* as routers change them (RFC 1812, section 5.3; RFC 8200) */
	EXPECT_ROUTED_DSCP, /* the same, and another DSCP or traffic class */
	EXPECT_ANY,         /* all headers */
	EXPECT_NAMES_END,
	EXPECT_EGRESS, /* exactly the headers that the user lists ("egress_packet" of OTG) */
};

/**
 * expect_names - the names of "enum expect". Those before NULL, at EXPECT_NAMES_END, are values of
 * --expect and "devx_expect"
 */
extern const char *const expect_names[];

/**
 * expect_filter - remove the changes that routers may make
 * @e: EXPECT_ANY removes none, because each change is reported
 * @c: the differences of a frame
 */
void expect_filter(enum expect e, struct change_list *c);

#endif
