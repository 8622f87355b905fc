/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "model/job_nodes.h"

/*
 * In OTG a port emulates devices, which are hosts. Here a port is one host: each Ethernet interface
 * of each device adds its addresses to the port.
 *
 * struct host - the interface to read
 * @addresses: those of its port
 * @vlan: its VLAN
 * @address, @prefix: the current address, of @n_bytes
 */
struct host {
	struct addresses *addresses;
	struct vlan vlan;
	struct address address;
	unsigned n_bytes;
	uint64_t prefix;
};

static struct options *get_options(const struct json_reader *r)
{
	return ((const struct job_target *)r->context)->options;
}

static bool parse_address(struct json_reader *r, json_t *value, const struct host *h,
			  struct address *a)
{
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = strchr(text, '/') ? "must have no prefix" : address_parse(a, text);
	if (!why && a->n_bytes != h->n_bytes)
		why = "is an address of the other version of IP";
	a->vlan = h->vlan;
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_address(struct json_reader *r, json_t *value, struct json_at at)
{
	struct host *h = at.place;

	return parse_address(r, value, h, &h->address);
}

static bool read_prefix(struct json_reader *r, json_t *value, struct json_at at)
{
	struct host *h = at.place;
	struct json_node prefix = *at.node;

	prefix.max = h->n_bytes * 8;
	return json_read_kind(r, value, &prefix, &h->prefix);
}

static bool read_gateway(struct json_reader *r, json_t *value, struct json_at at)
{
	struct host *h = at.place;
	struct address gateway;

	return parse_address(r, value, h, &gateway) &&
	       json_note_reason(r, addresses_add_gateway(h->addresses, &gateway));
}

/* The reader requires the name of a device and ignores it. */
#define DEVICE_NAME                                                                                \
	{                                                                                          \
		"name", NODE_STRING, .is_required = true                                           \
	}

static const struct json_node ip_keys[] = {
	DEVICE_NAME,
	{ "address", NODE_TEXT, .is_required = true, .read = read_address },
	{ "prefix", NODE_UINT, .min = 1, .max = 128, .bytes = sizeof(uint64_t), .read = read_prefix,
	  .about = "default: 24, or 64 for IPv6" },
	{ "gateway", NODE_TEXT, .read = read_gateway },
	{ "gateway_mac", NODE_UNSUPPORTED },
	{ 0 },
};

/* @tag: bytes of an address. @min: default of its prefix */
static bool read_ip(struct json_reader *r, json_t *value, struct json_at at)
{
	struct host *h = at.place;

	h->n_bytes = (unsigned)at.node->tag;
	h->prefix = at.node->min;
	if (!json_read_kind(r, value, at.node, at.place))
		return false;
	h->address.prefix = (uint8_t)h->prefix;
	return json_note_reason(r, addresses_add(h->addresses, &h->address));
}

static bool read_port_name(struct json_reader *r, json_t *value, struct json_at at)
{
	struct host *h = at.place;
	unsigned port;

	if (!job_find_port(r, value, (struct json_at){ .place = &port }))
		return false;
	h->addresses = &get_options(r)->addresses[port];
	return true;
}

static const char *const ether_types[] = { "x8100", "x88A8", NULL };

/* The values of a tag. @tpid: index in ether_types */
struct tag {
	uint64_t id, priority;
	int tpid;
};

static const struct json_node vlan_keys[] = {
	DEVICE_NAME,
	{ "id", NODE_UINT, NODE_AT(struct tag, id), .min = 1, .max = VLAN_MAX_ID,
	  .about = "default: 1" },
	{ "priority", NODE_UINT, NODE_AT(struct tag, priority), .max = 7, .about = "default: 0" },
	{ "tpid", NODE_ENUM, NODE_AT(struct tag, tpid), .names = ether_types,
	  .about = "Ethernet type in front of the tag; default: x8100" },
	{ 0 },
};

static bool read_vlan(struct json_reader *r, json_t *value, struct json_at at)
{
	struct vlan *v = at.place;
	struct tag tag = { .id = 1 };

	if (!json_read_kind(r, value, at.node, &tag))
		return false;
	v->tags[v->n++] = (struct vlan_tag){ .id = (uint16_t)tag.id,
					     .ether_type = tag.tpid ? 0x88a8 : 0x8100,
					     .priority = (uint8_t)tag.priority };
	return true;
}

static const struct json_node connection_keys[] = {
	{ "port_name", NODE_TEXT, .read = read_port_name },
	{ "lag_name", NODE_UNSUPPORTED },
	{ "vxlan_name", NODE_UNSUPPORTED },
	{ 0 },
};
static const struct json_node ip4 = {
	.kind = NODE_OBJECT, .keys = ip_keys, .tag = IP4_BYTES, .min = 24, .read = read_ip
};
static const struct json_node ip6 = {
	.kind = NODE_OBJECT, .keys = ip_keys, .tag = IP6_BYTES, .min = 64, .read = read_ip
};
static const struct json_node vlan = { .kind = NODE_OBJECT, .keys = vlan_keys, .read = read_vlan };
static const struct json_node ethernet_keys[] = {
	DEVICE_NAME,
	{ "connection", NODE_CHOICE, .preset = "port_name", .keys = connection_keys,
	  .is_required = true, .is_first = true },
	{ "vlans", NODE_ARRAY, NODE_AT(struct host, vlan), .max = VLAN_MAX_TAGS, .keys = &vlan,
	  .is_first = true, .about = "tags of its frames, the outermost first" },
	{ "ipv4_addresses", NODE_ARRAY, .max = ADDRESSES_MAX, .keys = &ip4 },
	{ "ipv6_addresses", NODE_ARRAY, .max = ADDRESSES_MAX, .keys = &ip6 },
	{ "mac", NODE_UNSUPPORTED },
	{ "mtu", NODE_UNSUPPORTED },
	{ "dhcpv4_interfaces", NODE_UNSUPPORTED },
	{ "dhcpv6_interfaces", NODE_UNSUPPORTED },
	{ 0 },
};

static bool read_ethernet(struct json_reader *r, json_t *value, struct json_at at)
{
	struct host h = { .addresses = NULL };

	return json_read_kind(r, value, at.node, &h);
}

static const struct json_node ethernet = { .kind = NODE_OBJECT,
					   .keys = ethernet_keys,
					   .read = read_ethernet };
static const struct json_node device_keys[] = {
	DEVICE_NAME,
	{ "ethernets", NODE_ARRAY, .max = PKTGEN_MAX_PORTS, .keys = &ethernet,
	  .is_required = true },
	{ 0 },
};

const struct json_node job_device_node[1] = { { .kind = NODE_OBJECT, .keys = device_keys } };

bool job_read_devices(struct json_reader *r, json_t *value, struct json_at at)
{
	get_options(r)->address_given = true;
	return json_read_kind(r, value, at.node, at.place);
}

/* ---- writer ---------------------------------------------------------------------- */

static json_t *write_ip(const struct address *a)
{
	char text[ADDRESS_TEXT_BYTES];

	return json_string(address_format(a, text));
}

static bool is_in(const struct address *a, const struct vlan *v, unsigned n_bytes)
{
	return a->n_bytes == n_bytes && vlan_is_same(&a->vlan, v);
}

/* Makes the addresses of one version of IP in a VLAN. The first one gets the gateway. */
static json_t *write_addresses(const struct addresses *a, const struct vlan *v, unsigned n_bytes)
{
	json_t *list = json_array(), *ip;

	for (unsigned i = 0; i < a->n; i++) {
		if (!is_in(&a->address[i], v, n_bytes))
			continue;
		ip = json_pack("{s:o, s:o, s:i}", "name", json_sprintf("address %u", i), "address",
			       write_ip(&a->address[i]), "prefix", (int)a->address[i].prefix);
		json_array_append_new(list, ip);
	}
	for (unsigned i = 0; i < a->n_gateways; i++) {
		ip = json_array_get(list, 0);
		if (ip && is_in(&a->gateways[i].ip, v, n_bytes))
			json_object_set_new(ip, "gateway", write_ip(&a->gateways[i].ip));
	}
	return list;
}

static json_t *write_tags(const struct vlan *v)
{
	json_t *tags = json_array();

	for (unsigned i = 0; i < v->n; i++) {
		const struct vlan_tag *t = &v->tags[i];

		json_array_append_new(
			tags, json_pack("{s:o, s:s, s:i, s:i}", "name", json_sprintf("tag %u", i),
					"tpid", ether_types[t->ether_type == 0x88a8], "priority",
					(int)t->priority, "id", (int)t->id));
	}
	return tags;
}

/* Makes the interface of a port in a VLAN. */
static json_t *write_ethernet(const struct addresses *a, const struct vlan *v, json_t *port)
{
	char text[VLAN_TEXT_BYTES];
	json_t *name = json_sprintf("%s%s%.*s", json_string_value(port), v->n ? " " : "",
				    (int)strcspn(vlan_format(v, text), ":"), text);
	json_t *j = json_pack("{s:o, s:o}", "name", name, "connection",
			      json_write_choice("port_name", json_incref(port)));

	if (v->n)
		json_object_set_new(j, "vlans", write_tags(v));
	json_object_set_new(j, "ipv4_addresses", write_addresses(a, v, IP4_BYTES));
	json_object_set_new(j, "ipv6_addresses", write_addresses(a, v, IP6_BYTES));
	return j;
}

/* Makes an interface for each VLAN of a port. */
static json_t *write_ethernets(const struct addresses *a, json_t *port)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < a->n; i++) {
		unsigned first = 0;

		while (!vlan_is_same(&a->address[first].vlan, &a->address[i].vlan))
			first++;
		if (first == i)
			json_array_append_new(list, write_ethernet(a, &a->address[i].vlan, port));
	}
	return list;
}

json_t *job_write_devices(struct json_from from)
{
	const struct job_source *s = from.context;
	json_t *devices = json_array();

	for (unsigned i = 0; i < PKTGEN_MAX_PORTS; i++) {
		const struct addresses *a = &s->options->addresses[i];
		json_t *port, *ethernets;

		if (!a->n)
			continue;
		port = job_write_port_name((struct json_from){ NULL, &i, s });
		ethernets = write_ethernets(a, port);
		json_array_append_new(
			devices, json_pack("{s:o, s:o}", "name", port, "ethernets", ethernets));
	}
	if (json_array_size(devices))
		return devices;
	json_decref(devices);
	return NULL;
}
