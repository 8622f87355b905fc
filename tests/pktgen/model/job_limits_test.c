/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdio.h>

#include "job_text.h"

/* A number of a job: its smallest and largest value, and those next to them, which are refused. */
static const struct limit {
	const char *name, *format, *least, *most, *below, *above;
} limits[] = {
	{ "rate_pps", FLOW(", \"rate\": {\"choice\": \"pps\", \"pps\": %s}"), "1e-6", "1e10", "0",
	  "10000000001" },
	{ "rate_bps", FLOW(", \"rate\": {\"choice\": \"bps\", \"bps\": %s}"), "1e-6", "1e13",
	  "4e-7", "10000000000001" },
	{ "rate_kbps", FLOW(", \"rate\": {\"choice\": \"kbps\", \"kbps\": %s}"), "1e-9", "1e10",
	  "0", "10000000001" },
	{ "rate_mbps", FLOW(", \"rate\": {\"choice\": \"mbps\", \"mbps\": %s}"), "1e-12", "1e7",
	  "0", "10000001" },
	{ "rate_gbps", FLOW(", \"rate\": {\"choice\": \"gbps\", \"gbps\": %s}"), "1e-15", "1e4",
	  "0", "10001" },
	{ "rate_percentage", FLOW(", \"rate\": {\"choice\": \"percentage\", \"percentage\": %s}"),
	  "1e-6", "100", "4e-7", "101" },
	{ "rate_devx_line_bps",
	  FLOW(", \"rate\": {\"choice\": \"devx_line_bps\", \"devx_line_bps\": %s}"), "1e-6",
	  "1e13", "0", "10000000000001" },
	{ "ramp_seconds",
	  FLOW(", \"rate\": {\"pps\": 5}, \"devx_ramp\": {\"from\": {\"pps\": 1}, \"seconds\": "
	       "%s}"),
	  "1e-9", "31622400", "9e-10", "31622401" },
	{ "packets",
	  FLOW(", \"duration\": {\"choice\": \"fixed_packets\", \"fixed_packets\": {\"packets\": "
	       "%s}}"),
	  "1", "4398046511104", "0", "4398046511105" },
	{ "seconds",
	  FLOW(", \"duration\": {\"choice\": \"fixed_seconds\", \"fixed_seconds\": {\"seconds\": "
	       "%s}}"),
	  "1e-9", "31622400", "9e-10", "31622401" },
	{ "at_most_seconds", FLOW(", \"devx_at_most_seconds\": %s"), "1e-9", "31622400", "9e-10",
	  "31622401" },
	{ "nanoseconds",
	  FLOW(", \"duration\": {\"choice\": \"fixed_packets\", \"fixed_packets\": {\"packets\": "
	       "1, \"delay\": {\"choice\": \"nanoseconds\", \"nanoseconds\": %s}}}"),
	  "0", "31622400000000000", "-1", "31622400000000008" },
	{ "microseconds",
	  FLOW(", \"duration\": {\"choice\": \"continuous\", \"continuous\": {\"delay\": "
	       "{\"choice\": \"microseconds\", \"microseconds\": %s}}}"),
	  "0", "31622400000000", "-1", "31622400000001" },
	{ "burst_packets",
	  FLOW(", \"duration\": {\"choice\": \"burst\", \"burst\": {\"packets\": %s, "
	       "\"inter_burst_gap\": {\"choice\": \"nanoseconds\", \"nanoseconds\": 1}}}"),
	  "1", "4294967296", "0", "4294967297" },
	{ "bursts",
	  FLOW(", \"duration\": {\"choice\": \"burst\", \"burst\": {\"packets\": 1, \"bursts\": "
	       "%s, \"inter_burst_gap\": {\"choice\": \"nanoseconds\", \"nanoseconds\": 1}}}"),
	  "0", "4294967295", "-1", "4294967296" },
	{ "packets_of_all_bursts",
	  FLOW(", \"duration\": {\"choice\": \"burst\", \"burst\": {\"packets\": 4194304, "
	       "\"bursts\": %s, \"inter_burst_gap\": {\"choice\": \"nanoseconds\", "
	       "\"nanoseconds\": 1}}}"),
	  "1", "1048576", "-1", "1048577" },
	{ "size", FLOW(", \"size\": {\"fixed\": %s}"), "64", "10000", "63", "10001" },
	{ "first_size",
	  FLOW(", \"size\": {\"choice\": \"increment\", \"increment\": {\"end\": 10000, \"start\": "
	       "%s}}"),
	  "64", "10000", "63", "10001" },
	{ "last_size",
	  FLOW(", \"size\": {\"choice\": \"increment\", \"increment\": {\"end\": %s}}"), "64",
	  "10000", "63", "10001" },
	{ "step_of_sizes",
	  FLOW(", \"size\": {\"choice\": \"increment\", \"increment\": {\"step\": %s}}"), "1",
	  "10000", "0", "10001" },
	{ "least_random_size",
	  FLOW(", \"size\": {\"choice\": \"random\", \"random\": {\"max\": 10000, \"min\": %s}}"),
	  "64", "10000", "63", "10001" },
	{ "weighted_size",
	  FLOW(", \"size\": {\"choice\": \"weight_pairs\", \"weight_pairs\": {\"choice\": "
	       "\"custom\", \"custom\": [{\"size\": %s}]}}"),
	  "64", "10000", "63", "10001" },
	{ "weight",
	  FLOW(", \"size\": {\"choice\": \"weight_pairs\", \"weight_pairs\": {\"choice\": "
	       "\"custom\", \"custom\": [{\"weight\": %s}]}}"),
	  "1", "10000", "0", "10001" },
	{ "value", PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"value\": %s}}}"), "0",
	  "4095", "-1", "4096" },
	{ "count_upwards",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"increment\", "
		 "\"increment\": {\"start\": 4000, \"count\": %s}}}}"),
	  "1", "96", "0", "97" },
	{ "count_downwards",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"decrement\", "
		 "\"decrement\": {\"start\": 4, \"step\": 2, \"count\": %s}}}}"),
	  "1", "3", "0", "4" },
	{ "seed",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"random\", "
		 "\"random\": {\"max\": 9, \"seed\": %s}}}}"),
	  "0", "4294967295", "-1", "4294967296" },
	{ "random_count",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"random\", "
		 "\"random\": {\"max\": 9, \"count\": %s}}}}"),
	  "1", "9223372036854775807", "0", "9223372036854775808" },
	{ "random_max",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"random\", "
		 "\"random\": {\"min\": 5, \"max\": %s}}}}"),
	  "5", "4095", "4", "4096" },
	{ "send_queues",
	  "{\"ports\": [{\"name\": \"a\", \"location\": \"x\", \"devx_queues\": {\"rx\": 1, "
	  "\"tx\": %s}}, {\"name\": \"b\", \"location\": \"y\"}], \"flows\": [{\"name\": "
	  "\"f\", " TX_RX "}]}",
	  "1", "64", "0", "65" },
	{ "receive_queues",
	  "{\"ports\": [{\"name\": \"a\", \"location\": \"x\", \"devx_queues\": {\"tx\": 1, "
	  "\"rx\": %s}}, {\"name\": \"b\", \"location\": \"y\"}], \"flows\": [{\"name\": "
	  "\"f\", " TX_RX "}]}",
	  "1", "64", "0", "65" },
	{ "mtu",
	  "{" PORTS ", \"flows\": [{\"name\": \"f\", " TX_RX "}], \"devx_pktgen\": {\"mtu\": %s}}",
	  "68", "65535", "67", "65536" },
	{ "rx_ring",
	  "{" PORTS ", \"flows\": [{\"name\": \"f\", " TX_RX
	  "}], \"devx_pktgen\": {\"rx_ring\": %s}}",
	  "1", "65535", "0", "65536" },
	{ "tx_ring",
	  "{" PORTS ", \"flows\": [{\"name\": \"f\", " TX_RX
	  "}], \"devx_pktgen\": {\"tx_ring\": %s}}",
	  "1", "65535", "0", "65536" },
	{ "ipv4_prefix",
	  "{" PORTS ", \"flows\": [{\"name\": \"f\", " TX_RX
	  "}], \"devices\": [{\"name\": \"d\", \"ethernets\": [{\"name\": \"e\", \"connection\": "
	  "{\"port_name\": \"b\"}, \"ipv4_addresses\": [{\"name\": \"i\", \"address\": "
	  "\"10.0.0.1\", \"prefix\": %s}]}]}]}",
	  "1", "32", "0", "33" },
	{ "ipv6_prefix",
	  "{" PORTS ", \"flows\": [{\"name\": \"f\", " TX_RX
	  "}], \"devices\": [{\"name\": \"d\", \"ethernets\": [{\"name\": \"e\", \"connection\": "
	  "{\"port_name\": \"b\"}, \"ipv6_addresses\": [{\"name\": \"i\", \"address\": "
	  "\"2001:db8::1\", \"prefix\": %s}]}]}]}",
	  "1", "128", "0", "129" },
};

TEST_EACH(job_json, has_limits_of, struct limit, limits)
{
	const char *const valid[] = { row->least, row->most };
	const char *const invalid[] = { row->below, row->above };
	char why[WHY_BYTES], text[TEXT_BYTES];
	struct job j;

	for (unsigned i = 0; i < 2; i++) {
		struct options o = { 0 };

		snprintf(text, sizeof(text), row->format, valid[i]);
		EXPECT_EQ(0, read_text(&j, &o, text, why));
		EXPECT_STREQ("", why);
		job_free(&j);
		snprintf(text, sizeof(text), row->format, invalid[i]);
		EXPECT_NE(0, read_text(&j, &o, text, why));
		job_free(&j);
	}
}
