/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <stdio.h>

#include "model/job_json.h"

static json_t *write_ip(const struct address *a)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(a->n_bytes == IP4_BYTES ? AF_INET : AF_INET6, a->bytes, text, sizeof(text));
	return json_string(text);
}

/* Writes the addresses of one version of IP. The first one has the gateway. */
static json_t *write_addresses(const struct addresses *a, unsigned n_bytes,
			       const struct gateway *gateway)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < a->n; i++) {
		char name[JOB_NAME_BYTES];
		json_t *j;

		if (a->address[i].n_bytes != n_bytes)
			continue;
		snprintf(name, sizeof(name), "address %u", i);
		j = json_pack("{s:s, s:o, s:i}", "name", name, "address", write_ip(&a->address[i]),
			      "prefix", (int)a->address[i].prefix);
		if (gateway->ip.n_bytes && !json_array_size(list))
			json_object_set_new(j, "gateway", write_ip(&gateway->ip));
		json_array_append_new(list, j);
	}
	return list;
}

json_t *job_write_device(const struct addresses *a, const char *port)
{
	json_t *ethernet = json_pack("{s:s, s:{s:s, s:s}}", "name", port, "connection", "choice",
				     "port_name", "port_name", port);

	json_object_set_new(ethernet, "ipv4_addresses",
			    write_addresses(a, IP4_BYTES, &a->gateway4));
	json_object_set_new(ethernet, "ipv6_addresses",
			    write_addresses(a, IP6_BYTES, &a->gateway6));
	return json_pack("{s:s, s:[o]}", "name", port, "ethernets", ethernet);
}
