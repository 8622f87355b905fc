/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <string.h>

#include "cli/suggest.h"
#include "packet/header.h"
#include "packet/line.h"

enum {
	MAX_NAMES = 32,
	MAX_DISTANCE = 2, /* with more wrong letters, a name is not worth suggesting */
	WORD_BYTES = 32,
	MIN_PART = 2, /* fewer letters are a part of many names */
};

/* A word that people use, and the name that it has here. */
struct meaning {
	const char *word, *name;
};

/* The names of RFCs, of the kernel, scapy, tcpdump and others. */
static const struct meaning header_meanings[] = {
	{ "802.1ad", "vlan" },
	{ "802.1q", "vlan" },
	{ "bytes", "custom" },
	{ "data", "custom" },
	{ "dot1ad", "vlan" },
	{ "dot1q", "vlan" },
	{ "dstopts", "ipv6_destination" },
	{ "eth", "ethernet" },
	{ "frag", "ipv6_fragment" },
	{ "fragment", "ipv6_fragment" },
	{ "gtp", "gtpv1" },
	{ "gtp_u", "gtpv1" },
	{ "gtpu", "gtpv1" },
	{ "hbh", "ipv6_hop_by_hop" },
	{ "hex", "custom" },
	{ "hopopts", "ipv6_hop_by_hop" },
	{ "icmp6", "icmpv6" },
	{ "inet", "ipv4" },
	{ "inet6", "ipv6" },
	{ "ip", "ipv4" },
	{ "ip6", "ipv6" },
	{ "l2", "ethernet" },
	{ "mac", "ethernet" },
	{ "payload", "custom" },
	{ "ping", "icmp" },
	{ "ping6", "icmpv6" },
	{ "qinq", "vlan" },
	{ "raw", "custom" },
	{ "rthdr", "ipv6_routing" },
	{ "srh", "ipv6_routing" },
	{ "srv6", "ipv6_routing" },
	{ "tag", "vlan" },
};

/* A word has several rows if the headers have different names. */
static const struct meaning field_meanings[] = {
	{ "address", "src" },
	{ "cos", "priority" },
	{ "cos", "traffic_class" },
	{ "crc", "checksum" },
	{ "csum", "checksum" },
	{ "csum", "header_checksum" },
	{ "chksum", "checksum" },
	{ "chksum", "header_checksum" },
	{ "cksum", "checksum" },
	{ "cksum", "header_checksum" },
	{ "da", "dst" },
	{ "daddr", "dst" },
	{ "dei", "cfi" },
	{ "destination", "dst" },
	{ "dip", "dst" },
	{ "dport", "dst_port" },
	{ "ds", "dscp" },
	{ "dscp", "traffic_class" },
	{ "ecn", "traffic_class" },
	{ "exp", "traffic_class" },
	{ "flags", "dont_fragment" },
	{ "flags", "ctl_syn" },
	{ "hlim", "hop_limit" },
	{ "hlim", "time_to_live" },
	{ "hop_limit", "time_to_live" },
	{ "hops", "hop_limit" },
	{ "hops", "time_to_live" },
	{ "hwdst", "target_hardware_addr" },
	{ "hwsrc", "sender_hardware_addr" },
	{ "ihl", "header_length" },
	{ "len", "total_length" },
	{ "len", "payload_length" },
	{ "len", "message_length" },
	{ "len", "length" },
	{ "length", "total_length" },
	{ "next_header", "protocol" },
	{ "nh", "next_header" },
	{ "oam", "control" },
	{ "opcode", "operation" },
	{ "pcp", "priority" },
	{ "pdst", "target_protocol_addr" },
	{ "plen", "payload_length" },
	{ "prio", "priority" },
	{ "prio", "traffic_class" },
	{ "priority", "traffic_class" },
	{ "proto", "protocol" },
	{ "proto", "next_header" },
	{ "proto", "ether_type" },
	{ "protocol", "next_header" },
	{ "protocol", "ether_type" },
	{ "psrc", "sender_protocol_addr" },
	{ "qos", "priority" },
	{ "qos", "traffic_class" },
	{ "sa", "src" },
	{ "saddr", "src" },
	{ "sip", "src" },
	{ "source", "src" },
	{ "sport", "src_port" },
	{ "tag", "id" },
	{ "time_to_live", "hop_limit" },
	{ "tni", "vsid" },
	{ "tos", "priority" },
	{ "tos", "traffic_class" },
	{ "ttl", "time_to_live" },
	{ "ttl", "hop_limit" },
	{ "tunnel_id", "teid" },
	{ "tunnel_id", "vni" },
	{ "vci", "id" },
	{ "vid", "id" },
	{ "vlan", "id" },
	{ "vnid", "vni" },
};

/* The names that may be suggested, and the word that the user gave, in lower case, with "_". */
struct search {
	const char *names[MAX_NAMES];
	unsigned n;
	char word[WORD_BYTES];
};

static void set_word(struct search *s, const char *name, size_t n)
{
	n = n < WORD_BYTES ? n : WORD_BYTES - 1;
	for (size_t i = 0; i < n; i++)
		s->word[i] = (char)(name[i] == '-' ? '_' : tolower((unsigned char)name[i]));
	s->word[n] = '\0';
}

static const char *find_meaning(const struct search *s, const struct meaning *m, size_t n)
{
	for (; n--; m++) {
		for (unsigned i = 0; i < s->n && !strcmp(s->word, m->word); i++) {
			if (!strcmp(s->names[i], m->name))
				return s->names[i];
		}
	}
	return NULL;
}

/* Returns whether @word has the first letters of the parts of @name: "df", "dont_fragment". */
static bool has_initials(const char *name, const char *word)
{
	bool is_first = true;

	for (; *name; name++) {
		if (is_first && *word++ != *name)
			return false;
		is_first = *name == '_';
	}
	return !*word;
}

static const char *find_initials(const struct search *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		if (strchr(s->names[i], '_') && has_initials(s->names[i], s->word))
			return s->names[i];
	}
	return NULL;
}

/* Finds the first name that contains the word, or else the longest name that the word contains. */
static const char *find_part(const struct search *s)
{
	const char *longest = NULL;

	for (unsigned i = 0; i < s->n && strlen(s->word) >= MIN_PART; i++) {
		if (strstr(s->names[i], s->word))
			return s->names[i];
	}
	for (unsigned i = 0; i < s->n; i++) {
		if (strlen(s->names[i]) > MIN_PART && strstr(s->word, s->names[i]) &&
		    (!longest || strlen(s->names[i]) > strlen(longest)))
			longest = s->names[i];
	}
	return longest;
}

static const char *find_similar(const struct search *s)
{
	const size_t n = strlen(s->word);
	struct suggestion best = suggest_begin(s->word, n);

	for (unsigned i = 0; i < s->n; i++)
		suggest_add(&best, s->names[i]);
	return best.distance <= MAX_DISTANCE && best.distance <= n / 2 ? best.best : NULL;
}

static const char *find_name(const struct search *s, const struct meaning *m, size_t n)
{
	const char *name = find_meaning(s, m, n);

	if (!name)
		name = find_initials(s);
	if (!name)
		name = find_part(s);
	return name ? name : find_similar(s);
}

static void list_headers(struct search *s)
{
	for (const struct header_kind *kind = header_kinds; kind->name && s->n < MAX_NAMES - 1;
	     kind++)
		s->names[s->n++] = kind->name;
	s->names[s->n++] = header_custom.name;
}

const char *header_suggest(const char *name, size_t n)
{
	struct search s = { .n = 0 };

	list_headers(&s);
	set_word(&s, name, n);
	return find_name(&s, header_meanings, sizeof(header_meanings) / sizeof(*header_meanings));
}

const char *header_suggest_field(const struct header_kind *kind, const char *name, size_t n)
{
	struct search s = { .n = 0 };

	for (; s.n < kind->n_fields && s.n < MAX_NAMES; s.n++)
		s.names[s.n] = kind->fields[s.n].name;
	set_word(&s, name, n);
	return find_name(&s, field_meanings, sizeof(field_meanings) / sizeof(*field_meanings));
}

const char *header_list(char text[HEADER_LIST_BYTES])
{
	struct line l = { .text = text, .bytes = HEADER_LIST_BYTES };
	struct search s = { .n = 0 };

	list_headers(&s);
	for (unsigned i = 0; i < s.n; i++)
		line_add_text(&l, "%s%s", i ? ", " : "", s.names[i]);
	return text;
}

const char *header_list_fields(const struct header_kind *kind, const char *options,
			       char text[HEADER_LIST_BYTES])
{
	struct line l = { .text = text, .bytes = HEADER_LIST_BYTES };

	*text = '\0';
	for (unsigned i = 0; i < kind->n_fields; i++)
		line_add_text(&l, "%s%s", i ? ", " : "", kind->fields[i].name);
	if (kind->has_options)
		line_add_text(&l, "%s%s", l.n ? ", " : "", options);
	return text;
}
