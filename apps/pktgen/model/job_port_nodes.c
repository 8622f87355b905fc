/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_nodes.h"

static struct options *get_options(const struct json_reader *r)
{
	return ((const struct job_target *)r->context)->options;
}

/* ---- names and addresses --------------------------------------------------------- */

bool job_find_port(struct json_reader *r, json_t *value, struct json_at at)
{
	const struct job *j = ((const struct job_target *)r->context)->job;
	unsigned *index = at.place;
	const char *name;

	if (!json_get_text(r, value, &name))
		return false;
	for (*index = 0; *index < j->n_ports; ++*index) {
		if (!strcmp(j->ports[*index].name, name))
			return true;
	}
	return json_note_refusal(r, "%s: no port has this name", name);
}

/* Gets the name of a port from the job file; without one: "port 0", "port 1" ... */
static void get_port_name(const struct job_source *s, unsigned port, char name[JOB_NAME_BYTES])
{
	if (s->job->n_ports)
		strcpy(name, s->job->ports[port].name);
	else
		snprintf(name, JOB_NAME_BYTES, "port %u", port);
}

json_t *job_write_port_name(struct json_from from)
{
	char name[JOB_NAME_BYTES];

	get_port_name(from.context, *(const unsigned *)from.place, name);
	return json_string(name);
}

static json_t *write_ip(const struct address *a)
{
	char text[ADDRESS_TEXT_BYTES];

	return json_string(address_format(a, text));
}

/* ---- ports ----------------------------------------------------------------------- */

static bool read_location(struct json_reader *r, json_t *value, struct json_at at)
{
	char **device = at.place;
	const char *text;

	if (!json_get_text(r, value, &text))
		return false;
	*device = strdup(text);
	return *device || json_note_refusal(r, "no memory for it");
}

static json_t *write_location(struct json_from from)
{
	return json_string(*(char *const *)from.place);
}

static const struct json_node queues_keys[] = {
	{ "tx", NODE_UINT, NODE_AT(struct queues_option, tx), .is_required = true, .min = 1,
	  .max = QUEUES_MAX },
	{ "rx", NODE_UINT, NODE_AT(struct queues_option, rx), .is_required = true, .min = 1,
	  .max = QUEUES_MAX },
	{ 0 },
};

/* Reads the numbers of queues, unless the command line has set them. */
static bool read_queues(struct json_reader *r, json_t *value, struct json_at at)
{
	const struct job *j = ((const struct job_target *)r->context)->job;
	struct queues_option given,
		*q = &get_options(r)->queues[(struct job_port *)at.place - j->ports];

	if (!json_read_kind(r, value, at.node, &given))
		return false;
	if (!q->tx)
		*q = given;
	return true;
}

static const struct json_node port_keys[] = {
	{ "name", NODE_STRING, NODE_AT(struct job_port, name), .is_required = true },
	{ "location", NODE_TEXT, NODE_AT(struct job_port, device), .is_required = true,
	  .read = read_location, .write = write_location, .about = "device, as EAL names it" },
	{ JOB_RATE_NODE("devx_rate", struct job_port, rate), .is_read_only = true },
	{ "devx_queues", NODE_OBJECT, .keys = queues_keys, .read = read_queues,
	  .is_read_only = true, .about = "numbers of send queues and of receive queues" },
	{ 0 },
};

static bool read_port(struct json_reader *r, json_t *value, struct json_at at)
{
	struct job *j = ((const struct job_target *)r->context)->job;
	struct job_port *p = &j->ports[j->n_ports++];

	if (!json_read_kind(r, value, at.node, p))
		return false;
	for (const struct job_port *other = j->ports; other < p; other++) {
		if (!strcmp(other->name, p->name))
			return json_note_refusal(r, "%s: another port has this name", p->name);
	}
	return true;
}

const struct json_node job_port_node[1] = {
	{ .kind = NODE_OBJECT, .keys = port_keys, .read = read_port }
};

json_t *job_write_ports(struct json_from from)
{
	const struct job_source *s = from.context;
	const unsigned n_ports = s->job->n_ports ? s->job->n_ports : s->options->n_ports;
	json_t *ports = json_array();

	for (unsigned i = 0; i < n_ports; i++) {
		const struct queues_option *queues = &s->options->queues[i];
		const char *device =
			s->job->n_ports ? s->job->ports[i].device : s->options->ports[i];
		struct job_port port = { .device = (char *)device };
		json_t *object;

		get_port_name(s, i, port.name);
		object = json_write_keys(port_keys, &port, from.context);
		if (queues->tx)
			json_object_set_new(object, "devx_queues",
					    json_write_keys(queues_keys, queues, from.context));
		json_array_append_new(ports, object);
	}
	return ports;
}

/* ---- devices --------------------------------------------------------------------- */

/*
 * In OTG a port emulates devices, which are hosts. Here a port is one host: each Ethernet interface
 * of each device adds its addresses to the port.
 *
 * struct host - the interface to read
 * @addresses: those of its port
 * @address, @prefix: the current address, of @n_bytes
 */
struct host {
	struct addresses *addresses;
	struct address address;
	unsigned n_bytes;
	uint64_t prefix;
};

static bool parse_address(struct json_reader *r, json_t *value, const struct host *h,
			  struct address *a)
{
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = strchr(text, '/') ? "must have no prefix" : address_parse(a, text);
	if (!why && a->n_bytes != h->n_bytes)
		why = "is an address of the other version of IP";
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
	       json_note_reason(r, addresses_set_gateway(h->addresses, &gateway));
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
static const struct json_node ethernet_keys[] = {
	DEVICE_NAME,
	{ "connection", NODE_CHOICE, .preset = "port_name", .keys = connection_keys,
	  .is_required = true, .is_first = true },
	{ "ipv4_addresses", NODE_ARRAY, .max = ADDRESSES_MAX, .keys = &ip4 },
	{ "ipv6_addresses", NODE_ARRAY, .max = ADDRESSES_MAX, .keys = &ip6 },
	{ "mac", NODE_UNSUPPORTED },
	{ "mtu", NODE_UNSUPPORTED },
	{ "vlans", NODE_UNSUPPORTED },
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

/* Makes the addresses of one version of IP. The first one gets the gateway. */
static json_t *write_addresses(const struct addresses *a, unsigned n_bytes,
			       const struct gateway *gateway)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < a->n; i++) {
		json_t *ip;

		if (a->address[i].n_bytes != n_bytes)
			continue;
		ip = json_pack("{s:o, s:o, s:i}", "name", json_sprintf("address %u", i), "address",
			       write_ip(&a->address[i]), "prefix", (int)a->address[i].prefix);
		if (gateway->ip.n_bytes && !json_array_size(list))
			json_object_set_new(ip, "gateway", write_ip(&gateway->ip));
		json_array_append_new(list, ip);
	}
	return list;
}

json_t *job_write_devices(struct json_from from)
{
	const struct job_source *s = from.context;
	json_t *devices = json_array();

	for (unsigned i = 0; i < PKTGEN_MAX_PORTS; i++) {
		const struct addresses *a = &s->options->addresses[i];
		json_t *port;

		if (!a->n)
			continue;
		port = job_write_port_name((struct json_from){ NULL, &i, s });
		json_array_append_new(
			devices,
			json_pack("{s:O, s:[{s:O, s:o, s:o, s:o}]}", "name", port, "ethernets",
				  "name", port, "connection", json_write_choice("port_name", port),
				  "ipv4_addresses", write_addresses(a, IP4_BYTES, &a->gateway4),
				  "ipv6_addresses", write_addresses(a, IP6_BYTES, &a->gateway6)));
	}
	if (json_array_size(devices))
		return devices;
	json_decref(devices);
	return NULL;
}
