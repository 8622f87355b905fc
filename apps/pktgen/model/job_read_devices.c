/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "model/job_reading.h"

/*
 * Devices of OTG are hosts that a port plays. Here a port is one host: each device, and each of its
 * Ethernet interfaces, adds its addresses to those of the port.
 */

static bool read_address(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const char *text, *why;

	if (!json_get_text(r, value, &text))
		return false;
	why = strchr(text, '/') ? "must have no prefix" : address_parse(&reading->address, text);
	if (!why && reading->address.n_bytes != reading->n_address_bytes)
		why = "is of the other version of IP";
	return !why || json_note_refusal(r, "%s: %s", text, why);
}

static bool read_prefix(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	uint64_t n = 0;

	if (!json_get_uint(r, value, 1, reading->n_address_bytes * 8, &n))
		return false;
	reading->prefix = (uint8_t)n;
	return true;
}

static bool read_gateway(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const struct address own = reading->address;
	const char *why;

	if (!read_address(r, value, target))
		return false;
	why = addresses_set_gateway(reading->addresses, &reading->address);
	reading->address = own;
	return !why || json_note_refusal(r, "%s", why);
}

static bool read_device_name(struct json_reader *r, json_t *value, void *target)
{
	const char *name;

	(void)target; /* nothing refers to it */
	return json_get_text(r, value, &name);
}

/* Reads an element of ipv4_addresses or ipv6_addresses. @preset: the prefix if it has none. */
static bool read_interface(struct json_reader *r, json_t *value, struct job_reading *reading,
			   unsigned n_bytes, uint8_t preset)
{
	static const struct json_key keys[] = {
		{ "name", read_device_name, true }, { "address", read_address, true },
		{ "prefix", read_prefix, false },   { "gateway", read_gateway, false },
		{ "gateway_mac", NULL, false },     { 0 },
	};
	const char *why;

	reading->n_address_bytes = n_bytes;
	reading->prefix = preset;
	if (!json_read_object(r, value, keys, reading))
		return false;
	reading->address.prefix = reading->prefix;
	why = addresses_add(reading->addresses, &reading->address);
	return !why || json_note_refusal(r, "%s", why);
}

static bool read_ipv4(struct json_reader *r, json_t *value, void *target)
{
	return read_interface(r, value, target, IP4_BYTES, 24);
}

static bool read_ipv6(struct json_reader *r, json_t *value, void *target)
{
	return read_interface(r, value, target, IP6_BYTES, 64);
}

static bool read_ipv4_addresses(struct json_reader *r, json_t *value, void *target)
{
	return json_read_array(r, value, ADDRESSES_MAX, read_ipv4, target);
}

static bool read_ipv6_addresses(struct json_reader *r, json_t *value, void *target)
{
	return json_read_array(r, value, ADDRESSES_MAX, read_ipv6, target);
}

static bool read_port_name(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	unsigned port;

	if (!job_find_port(r, value, reading->job, &port))
		return false;
	reading->addresses = &reading->options->addresses[port];
	return true;
}

static bool read_connection(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "port_name", read_port_name, true },
		{ "lag_name", NULL, false },
		{ "vxlan_name", NULL, false },
		{ 0 },
	};

	return json_read_choice(r, value, keys, "port_name", target);
}

static bool read_ethernet(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "name", read_device_name, true },
		{ "connection", read_connection, true },
		{ "ipv4_addresses", read_ipv4_addresses, false },
		{ "ipv6_addresses", read_ipv6_addresses, false },
		{ "mac", NULL, false },
		{ "mtu", NULL, false },
		{ "vlans", NULL, false },
		{ "dhcpv4_interfaces", NULL, false },
		{ "dhcpv6_interfaces", NULL, false },
		{ 0 },
	};
	json_t *connection = json_object_get(value, "connection");

	/* The addresses go to its port, and the keys of an object have no order. */
	if (json_is_object(value) && (!json_require_key(r, "connection", value) ||
				      !json_read_key(r, "connection", connection, keys, target)))
		return false;
	return json_read_object(r, value, keys, target);
}

static bool read_ethernets(struct json_reader *r, json_t *value, void *target)
{
	return json_read_array(r, value, PKTGEN_MAX_PORTS, read_ethernet, target);
}

static bool read_device(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "name", read_device_name, true },
		{ "ethernets", read_ethernets, true },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

bool job_read_devices(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	if (!json_read_array(r, value, PKTGEN_MAX_PORTS, read_device, target))
		return false;
	reading->options->address_given = true;
	return true;
}
