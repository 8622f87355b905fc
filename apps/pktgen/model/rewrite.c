/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/rewrite.h"

#include <string.h>

#include "cli/reason.h"
#include "cli/units.h"

const char *rewrite_set_mac(struct rewrite *r, bool is_src, const char *text)
{
	uint8_t *mac = is_src ? r->src_mac : r->dst_mac;
	const char *why = units_parse_mac(text, mac);

	if (!why && is_src && (mac[0] & 1))
		why = "is a group address (valid: that of one host, such as 02:00:00:00:00:01)";
	if (!why)
		*(is_src ? &r->has_src_mac : &r->has_dst_mac) = true;
	return why;
}

const char *rewrite_add_network(struct rewrite *r, const char *from, const char *to)
{
	struct rewrite_network n;
	const char *why = address_parse(&n.from, from);

	if (why)
		return reason_format("%s: %s", from, why);
	why = address_parse(&n.to, to);
	if (why)
		return reason_format("%s: %s", to, why);
	if (n.from.n_bytes != n.to.n_bytes)
		return "one address is IPv4 and the other IPv6 (valid: both the same)";
	if (n.from.prefix != n.to.prefix)
		return reason_format("prefixes of %u and %u bits (valid: both the same, such as "
				     "10.1.0.0/16 and 198.18.0.0/16)",
				     n.from.prefix, n.to.prefix);
	for (unsigned i = 0; i < r->n; i++) {
		const struct address *other = &r->networks[i].from;

		if (other->n_bytes == n.from.n_bytes && (address_contains(other, n.from.bytes) ||
							 address_contains(&n.from, other->bytes)))
			return reason_format("%s: overlaps an earlier network; give each address "
					     "once",
					     from);
	}
	if (r->n == REWRITE_MAX_NETWORKS)
		return reason_format("too many networks (valid: at most %d)", REWRITE_MAX_NETWORKS);
	r->networks[r->n++] = n;
	return NULL;
}
