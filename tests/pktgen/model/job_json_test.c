/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>

#include "job_text.h"
#include "model/job_settings.h"

static const struct refusal {
	const char *name, *text, *why;
} refusals[] = {
	{ "syntax", "{\n  \"ports\": [,]\n}", ": line 2, column 13: unexpected token near ','" },
	{ "twice", "{\"ports\": [], \"ports\": []}", ": line 1, column 21: duplicate object key" },
	{ "empty", "", ": line 1, column 0: '[' or '{' expected near end of file" },
	{ "array", "[]", ": is an array (valid: an object)" },
	{ "missing", "{" PORTS "}", ": the key flows is missing" },
	{ "no_connection",
	  "{" PORTS ", \"devices\": [{\"name\": \"d\", \"ethernets\": [{\"name\": \"e\", "
	  "\"ipv4_addresses\": [{\"name\": \"i\", \"address\": \"10.0.0.1\"}]}]}]}",
	  ": devices[0].ethernets[0]: the key connection is missing" },
	{ "no_flow", "{" PORTS ", \"flows\": []}", ": flows: is empty (valid: at least 1)" },
	{ "lags", "{\"lags\": [], " PORTS "}", ": lags: this feature of OTG is not supported" },
	{ "key", FLOW(", \"rate\": {\"ppps\": 5}"),
	  ": flows[0].rate.ppps: unknown key; did you mean pps?" },
	{ "top_key", "{\"portz\": []}", ": portz: unknown key; did you mean ports?" },
	{ "choice", FLOW(", \"rate\": {\"choice\": \"gbs\"}"),
	  ": flows[0].rate.choice: gbs: unknown choice; did you mean gbps?" },
	{ "control_in_a_name", "{" PORTS ", \"flows\": [{\"name\": \"f\\u001b[31m\", " TX_RX "}]}",
	  ": flows[0].name: has a control character: \"f\033[31m\"; remove it" },
	{ "control_in_a_device", "{\"ports\": [{\"name\": \"a\", \"location\": \"n\\u009b\"}]}",
	  ": ports[0].location: has a control character: \"n\xc2\x9b\"; remove it" },
	{ "other_choice", FLOW(", \"rate\": {\"choice\": \"gbps\", \"pps\": 5}"),
	  ": flows[0].rate.pps: the choice is gbps; remove this key, or choose it" },
	{ "type", FLOW(", \"rate\": {\"pps\": \"5\"}"),
	  ": flows[0].rate.pps: is a string (valid: a number)" },
	{ "range", FLOW(", \"rate\": {\"choice\": \"percentage\", \"percentage\": 101}"),
	  ": flows[0].rate.percentage: is 101 (valid: 0 to 100)" },
	{ "burst", FLOW(", \"duration\": {\"choice\": \"burst\"}"),
	  ": flows[0].duration.burst: is null (valid: an object)" },
	{ "burst_gap", FLOW(", \"duration\": {\"choice\": \"burst\", \"burst\": {\"packets\": 5}}"),
	  ": flows[0].duration.burst: the key inter_burst_gap is missing" },
	{ "gap_in_bytes",
	  FLOW(", \"duration\": {\"choice\": \"burst\", \"burst\": {\"packets\": 5, "
	       "\"inter_burst_gap\": {\"bytes\": 12}}}"),
	  ": flows[0].duration.burst.inter_burst_gap.bytes: this feature of OTG is not supported" },
	{ "size", FLOW(", \"size\": {\"fixed\": 63}"),
	  ": flows[0].size.fixed: is 63 (valid: 64 to 10000)" },
	{ "port_name",
	  "{" PORTS
	  ", \"flows\": [{\"name\": \"f\", \"tx_rx\": {\"port\": {\"tx_name\": \"c\"}}}]}",
	  ": flows[0].tx_rx.port.tx_name: c: no port has this name (valid: a name in ports)" },
	{ "no_rx",
	  "{" PORTS
	  ", \"flows\": [{\"name\": \"f\", \"tx_rx\": {\"port\": {\"tx_name\": \"a\"}}}]}",
	  ": flows[0].tx_rx.port: must have rx_names or rx_name" },
	{ "same_port",
	  "{\"ports\": [{\"name\": \"a\", \"location\": \"x\"}, {\"name\": \"a\", \"location\": "
	  "\"y\"}]}",
	  ": ports[1]: a: another port has this name" },
	{ "header", PACKET("{\"choice\": \"ipv5\"}"),
	  ": flows[0].packet[0]: ipv5: unknown header; did you mean ipv4?" },
	{ "unknown_header", PACKET("{\"choice\": \"ospf\"}"),
	  ": flows[0].packet[0]: ospf: unknown header (valid: ethernet, vlan, mpls, arp, ipv4" },
	{ "unknown_field", PACKET("{\"ethernet\": {\"ttl\": {\"value\": 5}}}"),
	  ": flows[0].packet[0].ethernet.ttl: unknown field (valid: dst, src, ether_type)" },
	{ "word_for_a_field",
	  PACKET("{}, {\"choice\": \"ipv4\", \"ipv4\": {\"ttl\": {\"value\": 5}}}"),
	  ": flows[0].packet[1].ipv4.ttl: unknown field; did you mean time_to_live?" },
	{ "otg_header", PACKET("{\"choice\": \"pfcpause\"}"),
	  ": flows[0].packet[0]: pfcpause: this header of OTG is not supported" },
	{ "order", PACKET("{\"choice\": \"ethernet\"}, {\"choice\": \"tcp\"}"),
	  ": flows[0].packet[1]: tcp: cannot follow ethernet" },
	{ "field", PACKET("{\"ethernet\": {\"dest\": {\"value\": \"02:00:00:00:00:01\"}}}"),
	  ": flows[0].packet[0].ethernet.dest: unknown field; did you mean dst?" },
	{ "value", PACKET("{\"ethernet\": {\"dst\": {\"value\": \"02:00\"}}}"),
	  ": flows[0].packet[0].ethernet.dst.value: 02:00: must be a MAC address" },
	{ "element",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"values\", "
		 "\"values\": [1, 4096]}}}"),
	  ": flows[0].packet[1].vlan.id.values[1]: 4096: must be a number from 0 to 4095" },
	{ "overflow",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"increment\", "
		 "\"increment\": {\"start\": 4000, \"step\": 1, \"count\": 97}}}}"),
	  ": flows[0].packet[1].vlan.id.increment: the values do not fit the field, which has 12 "
	  "bits" },
	{ "below",
	  PACKET("{}, {\"choice\": \"vlan\", \"vlan\": {\"id\": {\"choice\": \"decrement\", "
		 "\"decrement\": {\"start\": 4, \"step\": 2, \"count\": 4}}}}"),
	  ": flows[0].packet[1].vlan.id.decrement: the values do not fit the field" },
	{ "checksum",
	  PACKET("{}, {\"choice\": \"ipv4\", \"ipv4\": {\"header_checksum\": {\"generated\": "
		 "\"worse\"}}}"),
	  ".ipv4.header_checksum.generated: worse: unknown (valid: good, bad)" },
	{ "bytes_that_are_no_text",
	  PACKET("{}, {\"choice\": \"custom\", \"custom\": {\"bytes\": 5}}"),
	  ": flows[0].packet[1].custom.bytes: is a number (valid: a string)" },
	{ "phb_of_another_field",
	  PACKET("{}, {\"choice\": \"ipv4\", \"ipv4\": {\"ecn\": {\"phb\": {\"value\": 1}}}}"),
	  ".ipv4.ecn.phb: unknown key; did you mean" },
	{ "no_address",
	  "{" PORTS ", \"devices\": [{\"name\": \"d\", \"ethernets\": [{\"name\": \"e\", "
	  "\"connection\": {\"port_name\": \"a\"}, \"ipv4_addresses\": [{\"name\": \"i\", "
	  "\"address\": \"10.0.0\"}]}]}]}",
	  ": devices[0].ethernets[0].ipv4_addresses[0].address: 10.0.0: is not an IP address" },
	{ "small", FLOW(", \"packet\": [{}, {\"choice\": \"ipv6\"}, {\"choice\": \"tcp\"}]"),
	  ": flows[0]: size: frames of 64 bytes; the headers and the signature need 96" },
	{ "capture", FLOW(", \"devx_capture\": {\"file\": \"/nowhere\"}"),
	  ": flows[0].devx_capture.file: /nowhere" },
	{ "cores", "{" PORTS ", \"devx_pktgen\": {\"cores\": \"5-2\"}}",
	  ": devx_pktgen.cores: 5-2: the first CPU of a range is above the last; give 2-5" },
	{ "queues",
	  "{\"ports\": [{\"name\": \"a\", \"location\": \"b\", \"devx_queues\": {\"tx\": 1, "
	  "\"rx\": 65}}]}",
	  ": ports[0].devx_queues.rx: is 65 (valid: 1 to 64)" },
	{ "port_rate",
	  "{\"ports\": [{\"name\": \"b\", \"location\": \"c\"}, {\"name\": \"a\", \"location\": "
	  "\"b\", \"devx_rate\": {\"pps\": "
	  "0.000001}}], \"flows\": [{\"name\": \"f\", " TX_RX "}, {\"name\": \"g\", " TX_RX "}]}",
	  ": devx_rate of a port is too small for its flows" },
	{ "checksums", "{" PORTS ", \"devx_pktgen\": {\"checksums\": \"nic\"}}",
	  ": devx_pktgen.checksums: nic: unknown (valid: auto, port, software)" },
	{ "timestamps", "{" PORTS ", \"devx_pktgen\": {\"timestamps\": \"nic\"}}",
	  ": devx_pktgen.timestamps: nic: unknown (valid: auto, device, tsc)" },
	{ "mtu", "{" PORTS ", \"devx_pktgen\": {\"mtu\": 67}}",
	  ": devx_pktgen.mtu: is 67 (valid: 68 to 65535)" },
	{ "rx_ring", "{" PORTS ", \"devx_pktgen\": {\"rx_ring\": 0}}",
	  ": devx_pktgen.rx_ring: is 0 (valid: 1 to 65535)" },
	{ "tx_ring", "{" PORTS ", \"devx_pktgen\": {\"tx_ring\": 65536}}",
	  ": devx_pktgen.tx_ring: is 65536 (valid: 1 to 65535)" },
	{ "setting", "{" PORTS ", \"devx_pktgen\": {\"sender\": \"rings\"}}",
	  ": devx_pktgen.sender: rings: unknown (valid: auto, mbuf, ring)" },
};

TEST_EACH(job_json, refuses, struct refusal, refusals)
{
	struct options o = { 0 };
	char why[WHY_BYTES];
	struct job j;

	EXPECT_NE(0, read_text(&j, &o, row->text, why));
	EXPECT_SUBSTR(row->why, why);
	job_free(&j);
}

/* A job that uses each kind of value. Without a flow's optional keys, they have their defaults. */
static const char job_text[] =
	"{" PORTS ", \"flows\": [{\"name\": \"plain\", " TX_RX "}, {\"name\": \"all\", " TX_RX ","
	" \"packet\": [{\"choice\": \"ethernet\", \"ethernet\": {\"dst\": {\"choice\": \"values\","
	" \"values\": [\"02:00:00:00:00:01\", \"02:00:00:00:00:07\"]}}},"
	" {\"choice\": \"ipv4\", \"ipv4\": {\"src\": {\"choice\": \"increment\", \"increment\":"
	" {\"start\": \"10.0.0.1\", \"step\": \"0.0.1.0\", \"count\": 5}}, \"priority\": "
	"{\"choice\":"
	" \"dscp\", \"dscp\": {\"phb\": {\"value\": 46}, \"ecn\": {\"value\": 1}}}, "
	"\"header_checksum\":"
	" {\"choice\": \"generated\", \"generated\": \"bad\"}, \"devx_options\": \"94040000\"}},"
	" {\"choice\": \"udp\", \"udp\": {\"dst_port\": {\"choice\": \"random\", \"random\": "
	"{\"min\": 5,"
	" \"max\": 9, \"seed\": 3, \"count\": 4}}, \"src_port\": {\"choice\": \"decrement\","
	" \"decrement\": {\"start\": 90, \"step\": 10, \"count\": 3}}}}],"
	" \"size\": {\"choice\": \"increment\", \"increment\": {\"start\": 100, \"end\": 131, "
	"\"step\": 10}},"
	" \"rate\": {\"choice\": \"mbps\", \"mbps\": 2}, \"devx_at_most_seconds\": 2.5,"
	" \"duration\": {\"choice\": \"fixed_packets\", \"fixed_packets\": {\"packets\": 77}},"
	" \"metrics\": {\"enable\": true, \"loss\": true, \"latency\": {\"enable\": true}}}],"
	" \"devx_pktgen\": {\"drain\": \"20ms\", \"mtu\": 1400, \"sender\": \"mbuf\","
	" \"checksums\": \"port\", \"timestamps\": \"tsc\"}}";

TEST(job_json, a_job_has_the_values_of_its_file)
{
	struct options o = { .rx_ring = 512, .tx_ring = 512 };
	char why[WHY_BYTES], packet[STACK_TEXT_BYTES];
	const struct job_flow *f;
	struct job j;

	ASSERT_EQ(0, read_text(&j, &o, job_text, why));
	ASSERT_EQ(2, j.n_ports);
	EXPECT_STREQ("net_ring1", j.ports[1].device);
	ASSERT_EQ(2, j.n_flows);
	f = &j.flows[0];
	EXPECT_EQ(0, f->count + f->duration_ns);
	EXPECT_EQ(RATE_MAX, f->rate.unit);
	EXPECT_EQ(64, f->size.max);
	f = &j.flows[1];
	EXPECT_STREQ("all", f->name);
	EXPECT_EQ(1, f->rx);
	stack_format(&f->stack, packet, sizeof(packet));
	EXPECT_STREQ("ethernet(dst=02:00:00:00:00:01;02:00:00:00:00:07)/"
		     "ipv4(src=10.0.0.1-10.0.4.1/256,dscp=46,ecn=1,header_checksum=bad,"
		     "options=94040000)/udp(dst_port=random:5-9@3,src_port=90-70/10)",
		     packet);
	EXPECT_EQ(4, f->stack.fields[5].values.repeat);
	EXPECT_EQ(130, f->size.max);
	EXPECT_EQ(2000000000000, f->rate.micro);
	EXPECT_EQ(77, f->count);
	EXPECT_EQ(2500000000, f->duration_ns);
	EXPECT_EQ(20000000, o.drain_ns);
	EXPECT_EQ(1400, o.mtu);
	EXPECT_EQ(CHECKSUMS_PORT, o.checksums);
	EXPECT_EQ(TIMESTAMPS_TSC, o.timestamps);
	job_free(&j);
}

TEST(job_json, the_command_line_replaces_cores_and_queues_of_the_file)
{
	static const char text[] =
		"{\"ports\": [{\"name\": \"a\", \"location\": \"a\", \"devx_queues\": {\"tx\": "
		"4, "
		"\"rx\": 2}}, {\"name\": \"b\", \"location\": \"b\", \"devx_queues\": {\"tx\": "
		"3, \"rx\": 1}}], \"flows\": [{\"name\": \"f\", " TX_RX "}], \"devx_pktgen\": "
		"{\"cores\": \"2-4\"}}";
	struct options o = { 0 },
		       given = { .settings = 1u << SETTING_cores, .queues = { { 7, 8 } } };
	char why[WHY_BYTES];
	struct job j;

	ASSERT_EQ(0, read_text(&j, &o, text, why));
	EXPECT_EQ(3, o.cores.n_cpus);
	EXPECT_EQ(4, o.cores.cpus[2]);
	EXPECT_EQ(4, o.queues[0].tx);
	EXPECT_EQ(2, o.queues[0].rx);
	EXPECT_EQ(3, o.queues[1].tx);
	EXPECT_EQ(0, o.queues[2].tx);
	job_free(&j);

	ASSERT_EQ(0, read_text(&j, &given, text, why));
	EXPECT_EQ(0, given.cores.n_cpus);
	EXPECT_EQ(7, given.queues[0].tx);
	EXPECT_EQ(8, given.queues[0].rx);
	EXPECT_EQ(3, given.queues[1].tx);
	job_free(&j);
}

TEST(job_json, a_printed_job_reads_back)
{
	struct options o = { .rx_ring = 512, .tx_ring = 512 }, again = { 0 };
	char why[WHY_BYTES], *first, *second;
	struct job j, k;

	ASSERT_EQ(0, read_text(&j, &o, job_text, why));
	first = job_write(&j, &o);
	ASSERT_TRUE(first != NULL);
	ASSERT_EQ(0, read_text(&k, &again, first, why));
	second = job_write(&k, &again);
	EXPECT_STREQ(first, second);
	EXPECT_SUBSTR("\"packets\": 77", second);
	EXPECT_SUBSTR("\"generated\": \"bad\"", second);
	free(first);
	free(second);
	job_free(&j);
	job_free(&k);
}
