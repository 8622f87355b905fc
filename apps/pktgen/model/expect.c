/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/expect.h"

#include <string.h>

const char *const expect_names[] = {
	[EXPECT_DEFAULT] = "default",         [EXPECT_SAME] = "same", [EXPECT_ROUTED] = "routed",
	[EXPECT_ROUTED_DSCP] = "routed-dscp", [EXPECT_ANY] = "any",   [EXPECT_NAMES_END] = NULL,
	[EXPECT_EGRESS] = "egress_packet",
};

static bool is_field(const struct change *c, enum header_id header, const char *field)
{
	return c->kind == CHANGE_FIELD && !c->place && header_is(c->header, header) &&
	       !strcmp(c->field->name, field);
}

static bool is_lower(const struct change *c)
{
	return c->received && c->received < c->sent;
}

/* Returns whether a router makes this change. */
static bool is_of_router(enum expect e, const struct change *c)
{
	if (is_field(c, HEADER_ETHERNET, "dst") || is_field(c, HEADER_ETHERNET, "src"))
		return true;
	if (is_field(c, HEADER_IPV4, "time_to_live") || is_field(c, HEADER_IPV6, "hop_limit"))
		return is_lower(c);
	return e == EXPECT_ROUTED_DSCP &&
	       (is_field(c, HEADER_IPV4, "dscp") || is_field(c, HEADER_IPV6, "traffic_class"));
}

void expect_filter(enum expect e, struct change_list *c)
{
	unsigned n = 0;

	if (e != EXPECT_ROUTED && e != EXPECT_ROUTED_DSCP)
		return;
	for (unsigned i = 0; i < c->n; i++) {
		if (!is_of_router(e, &c->list[i]))
			c->list[n++] = c->list[i];
	}
	c->n = n;
}
