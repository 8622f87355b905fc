/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <stdio.h>

#include "model/job_json.h"

enum { PREFIX_BYTES = 8 };

static json_t *write_mac(const uint8_t *mac)
{
	return json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4],
			    mac[5]);
}

static json_t *write_network(const struct address *a)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(a->n_bytes == IP4_BYTES ? AF_INET : AF_INET6, a->bytes, text, sizeof(text));
	return json_sprintf("%s/%u", text, a->prefix);
}

json_t *job_write_rewrite(const struct rewrite *r)
{
	json_t *networks = r->n ? json_array() : NULL;

	if (rewrite_is_empty(r))
		return NULL;
	for (unsigned i = 0; i < r->n; i++)
		json_array_append_new(networks, json_pack("{s:o, s:o}", "from",
							  write_network(&r->networks[i].from), "to",
							  write_network(&r->networks[i].to)));
	return json_pack("{s:o*, s:o*, s:o*}", "src_mac",
			 r->has_src_mac ? write_mac(r->src_mac) : NULL, "dst_mac",
			 r->has_dst_mac ? write_mac(r->dst_mac) : NULL, "ip", networks);
}
