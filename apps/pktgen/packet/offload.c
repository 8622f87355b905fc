/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/offload.h"

#include <string.h>

#include <rte_ethdev.h>

#include "cli/reason.h"

enum { MAX_TAGS = 2 };

static bool is_kind(const struct stack *s, unsigned i, const char *name)
{
	return i < s->n_headers && !strcmp(s->headers[i].kind->name, name);
}

/* Returns whether a port may find the checksums by this field, which must then be automatic. */
static bool is_layout(const char *name)
{
	static const char *const names[] = {
		"ether_type",     "tpid",        "version",        "header_length",
		"total_length",   "protocol",    "more_fragments", "fragment_offset",
		"payload_length", "next_header", "length",         "data_offset"
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static const char *check_fields(const struct stack *s)
{
	for (unsigned n = 0; n < s->n_fields; n++) {
		const struct stack_field *f = &s->fields[n];
		const char *header = s->headers[f->header].kind->name;

		if (f->is_bad)
			return reason_format("a port cannot write a wrong checksum (%s)", header);
		if (is_layout(f->field->name))
			return reason_format("a port needs the automatic value of %s.%s", header,
					     f->field->name);
	}
	return NULL;
}

/* Returns whether the checksum @name of a header is automatic. */
static bool has_sum(const struct stack *s, unsigned header, const char *name)
{
	const struct header_kind *kind = s->headers[header].kind;

	return !stack_find_field(s, header, header_find_field(kind, name, strlen(name)));
}

static unsigned get_bytes(const struct stack *s, unsigned header)
{
	return s->headers[header].kind->bytes + s->headers[header].n_more;
}

/* Adds the checksum of UDP or TCP, if header @i is one. Returns the index of the next header. */
static unsigned add_l4(struct offload *o, const struct stack *s, unsigned i)
{
	const bool is_udp = is_kind(s, i, "udp");

	if (!is_udp && !is_kind(s, i, "tcp"))
		return i;
	if (has_sum(s, i, "checksum")) {
		o->has_l4 = true;
		o->port |= is_udp ? RTE_ETH_TX_OFFLOAD_UDP_CKSUM : RTE_ETH_TX_OFFLOAD_TCP_CKSUM;
		o->mbuf |= is_udp ? RTE_MBUF_F_TX_UDP_CKSUM : RTE_MBUF_F_TX_TCP_CKSUM;
	}
	return i + 1;
}

const char *offload_find(const struct stack *s, struct offload *o)
{
	const char *why = check_fields(s);
	struct offload found = { 0 };
	struct stack_ip ip;
	unsigned i;

	*o = found;
	if (why)
		return why;
	if (!stack_find_ip(s, &ip) || ip.header > 1 + MAX_TAGS)
		return reason_format("a port needs IP after ethernet and at most %d vlan",
				     MAX_TAGS);
	found.l2_bytes = (uint16_t)ip.offset;
	found.l3_bytes = (uint16_t)get_bytes(s, ip.header);
	found.mbuf = ip.is_v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4;
	if (!ip.is_v6 && has_sum(s, ip.header, "header_checksum")) {
		found.port = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM;
		found.mbuf |= RTE_MBUF_F_TX_IP_CKSUM;
	}
	for (i = add_l4(&found, s, ip.header + 1); i < s->n_headers; i++) {
		if (s->headers[i].kind != &header_custom)
			return reason_format(
				"a port cannot write the checksums of a packet with %s",
				s->headers[i].kind->name);
	}
	if (!found.port)
		return "the packet has no checksum that a port can write";
	*o = found;
	return NULL;
}
