/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/wire/spec.h"
#include "emu/wire/wire.h"
#include "core_rig_post.h"
#include "udp_frame.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { FRAME = 64 };

/* ---- descriptions ------------------------------------------------------------------ */

static const struct bad_spec {
	const char *name, *spec, *says;
	unsigned n_ports;
} bad_specs[] = {
	{ "unknown_wire", "lop", "(valid: loop, pair, sink", 1 },
	{ "nothing", "", "no such wire", 1 },
	{ "unknown_option", "loop,jitter=1", "option \"jitter\"", 1 },
	{ "no_value", "loop,drop", "option \"drop\" (valid: KEY=VALUE)", 1 },
	{ "empty_value", "loop,drop=", "(valid: KEY=VALUE)", 1 },
	{ "probability_above_1", "loop,drop=1.5", "drop=1.5: invalid probability", 1 },
	{ "negative", "loop,dup=-0.1", "dup=-0.1: invalid probability", 1 },
	{ "not_a_number", "loop,corrupt=often", "corrupt=often: invalid probability", 1 },
	{ "one_of_none", "loop,reorder=1/0", "reorder=1/0: invalid probability", 1 },
	{ "trailing", "loop,drop=1/10x", "drop=1/10x: invalid probability", 1 },
	{ "beyond_1", "loop,drop=2", "drop=2: invalid probability", 1 },
	{ "two_digits", "loop,drop=01", "drop=01: invalid probability", 1 },
	{ "without_a_digit", "loop,drop=.5", "drop=.5: invalid probability", 1 },
	{ "letter_in_a_fraction", "loop,drop=0.5x", "drop=0.5x: invalid probability", 1 },
	{ "sign_in_a_fraction", "loop,drop=0.-5", "drop=0.-5: invalid probability", 1 },
	{ "one_of_too_many", "loop,drop=1/4294967296", "drop=1/4294967296: invalid", 1 },
	{ "one_of_nothing", "loop,drop=1/", "drop=1/: invalid probability", 1 },
	{ "no_key", "loop,=1", "invalid option \"=1\"", 1 },
	{ "delay_without_number", "loop,delay=s", "delay=s: invalid time", 1 },
	{ "delay_in_minutes", "loop,delay=1m", "delay=1m: invalid time", 1 },
	{ "delay_1_ns_too_long", "loop,delay=10000000001ns", "delay=10000000001ns: invalid", 1 },
	{ "delay_of_20_digits", "loop,delay=00000000000000000001s", "invalid time", 1 },
	{ "seed_too_large", "loop,seed=18446744073709551616", "invalid number", 1 },
	{ "seed_with_a_letter", "loop,seed=1a", "seed=1a: invalid number", 1 },
	{ "too_many_options",
	  "loop,a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1",
	  "too many options", 1 },
	{ "delay_without_unit", "loop,delay=5", "delay=5: invalid time", 1 },
	{ "delay_too_long", "loop,delay=11s", "delay=11s: invalid time", 1 },
	{ "pause", "loop,pause=yes", "pause=yes: invalid", 1 },
	{ "seed", "loop,seed=-1", "seed=-1: invalid number", 1 },
	{ "argument_of_loop", "loop:fast", "argument \"fast\"", 1 },
	{ "drop_twice", "loop,drop=0,drop=0", "drop appears twice", 1 },
	{ "seed_twice", "loop,seed=1,drop=0,seed=2", "seed appears twice", 1 },
	{ "in_twice", "pcap:in=x,in=y", "in appears twice", 1 },
	{ "pcap_without_files", "pcap", "no in=FILE", 1 },
	{ "pcap_argument", "pcap:x.pcap", "no in=FILE", 1 },
	{ "pcap_option", "pcap:in=x,speed=3", "option \"speed\"", 1 },
	{ "pcap_missing_file", "pcap:in=/nonexistent/x.pcap", "/nonexistent/x.pcap: No such file",
	  1 },
	{ "pcap_unwritable", "pcap:out=/nonexistent/x.pcap", "cannot write /nonexistent/x.pcap",
	  1 },
	{ "pcap_both_one", "pcap:in=x,out=x", "in and out are both x", 1 },
	{ "pcap_loop_0", "pcap:in=x,loop=0", "loop=0: invalid number", 1 },
	{ "pcap_shared_out", "pcap:out=/dev/null", "same output file /dev/null", 2 },
	{ "tap_without_name", "tap", "invalid netdev name \"\"", 1 },
	{ "tap_long_name", "tap:abcdefghijklmnop", "1 to 15 characters", 1 },
	{ "tap_option", "tap:emu0,mtu=9000", "option \"mtu\"", 1 },
};

TEST_EACH(wire_spec, is_refused_in_one_line, struct bad_spec, bad_specs)
{
	struct emu_adapter *a = calloc(1, sizeof(*a));
	struct emu_wire *w = NULL;
	char why[512] = "";

	a->n_ports = row->n_ports;
	for (unsigned i = 0; i < row->n_ports; i++) {
		a->port[i] = calloc(1, sizeof(struct emu));
		a->port[i]->adapter = a;
		a->port[i]->index = i;
	}
	for (unsigned i = 0; i < row->n_ports; i++) {
		w = emu_wire_open(a, a->port[i], row->spec, why, sizeof(why));
		a->port[i]->wire = w;
	}
	EXPECT_EQ(NULL, w);
	{
		SCOPED_TRACE("reason of emu_wire_open(): \"%s\"", why);
		EXPECT_NE(NULL, strstr(why, row->says));
		EXPECT_EQ(NULL, strchr(why, '\n'));
		EXPECT_LT(strlen(why), 300u);
	}
	for (unsigned i = 0; i < row->n_ports; i++) {
		emu_wire_close(a->port[i]->wire);
		free(a->port[i]);
	}
	free(a);
}

static const struct good_spec {
	const char *name, *spec;
	struct emu_impair_config faults;
	bool pause;
} good_specs[] = {
	{ "nothing", "loop", { .seed = 1 }, false },
	{ "never", "loop,drop=0", { .seed = 1 }, false },
	{ "always", "loop,drop=1", { .drop = { .always = true }, .seed = 1 }, false },
	{ "always_as_a_fraction", "loop,dup=1.0", { .dup = { .always = true }, .seed = 1 }, false },
	{ "half", "loop,corrupt=0.5", { .corrupt = { .below = 1ull << 63 }, .seed = 1 }, false },
	{ "quarter",
	  "loop,reorder=0.25",
	  { .reorder = { .below = 1ull << 62 }, .seed = 1 },
	  false },
	{ "one_of_n", "loop,drop=1/7", { .drop = { .one_in = 7 }, .seed = 1 }, false },
	{ "one_of_most",
	  "loop,dup=1/4294967295",
	  { .dup = { .one_in = UINT32_MAX }, .seed = 1 },
	  false },
	{ "ns", "loop,delay=7ns", { .delay_ns = 7, .seed = 1 }, false },
	{ "us", "loop,delay=7us", { .delay_ns = 7000, .seed = 1 }, false },
	{ "ms", "loop,delay=7ms", { .delay_ns = 7000000, .seed = 1 }, false },
	{ "s", "loop,delay=10s", { .delay_ns = 10000000000, .seed = 1 }, false },
	{ "longest_ns", "loop,delay=10000000000ns", { .delay_ns = 10000000000, .seed = 1 }, false },
	{ "largest_seed", "loop,seed=18446744073709551615", { .seed = UINT64_MAX }, false },
	{ "pause", "loop,pause=on", { .seed = 1 }, true },
	{ "no_pause", "loop,pause=off", { .seed = 1 }, false },
};

static void expect_chance(const char *name, const struct emu_chance *want,
			  const struct emu_chance *got)
{
	SCOPED_TRACE("%s", name);
	EXPECT_EQ(want->one_in, got->one_in);
	EXPECT_EQ(want->below, got->below);
	EXPECT_EQ(want->always, got->always);
}

TEST_EACH(wire_spec, is_read, struct good_spec, good_specs)
{
	char why_text[256] = "";
	const struct emu_why why = { why_text, sizeof(why_text) };
	struct emu_wire_spec spec;

	ASSERT_EQ(0, emu_wire_spec_parse(&spec, row->spec, &why));
	EXPECT_STREQ("loop", spec.kind);
	expect_chance("drop", &row->faults.drop, &spec.faults.drop);
	expect_chance("dup", &row->faults.dup, &spec.faults.dup);
	expect_chance("corrupt", &row->faults.corrupt, &spec.faults.corrupt);
	expect_chance("reorder", &row->faults.reorder, &spec.faults.reorder);
	EXPECT_EQ(row->faults.delay_ns, spec.faults.delay_ns);
	EXPECT_EQ(row->faults.seed, spec.faults.seed);
	EXPECT_EQ(row->pause, spec.pause);
	EXPECT_EQ(0, spec.n);
}

TEST(wire_spec, has_at_most_its_number_of_bytes)
{
	char text[EMU_WIRE_SPEC_BYTES + 1], why_text[256] = "";
	const struct emu_why why = { why_text, sizeof(why_text) };
	struct emu_wire_spec spec;

	memset(text, 'x', sizeof(text));
	text[EMU_WIRE_SPEC_BYTES - 1] = '\0';
	EXPECT_EQ(0, emu_wire_spec_parse(&spec, text, &why));
	text[EMU_WIRE_SPEC_BYTES - 1] = 'x';
	text[EMU_WIRE_SPEC_BYTES] = '\0';
	EXPECT_EQ(-1, emu_wire_spec_parse(&spec, text, &why));
	EXPECT_SUBSTR("wire: description of ", why_text);
}

static const struct wires {
	const char *name;
	const char *wire[4];
	unsigned n_ports;
	int want;
} wires[] = {
	{ "one_pair", { "pair", "pair" }, 2, 0 },
	{ "two_pairs", { "pair", "pair", "pair", "pair" }, 4, 0 },
	{ "pair_beside_loop_and_sink", { "loop", "sink", "pair", "pair" }, 4, 0 },
	{ "ends_with_faults_of_their_own", { "pair,drop=1/9", "pair,pause=on" }, 2, 0 },
	{ "pair_of_one_port", { "pair" }, 1, -EINVAL },
	{ "pair_of_three_ports", { "pair", "pair", "pair" }, 3, -EINVAL },
	{ "first_end_only", { "pair", "loop" }, 2, -EINVAL },
	{ "second_end_only", { "sink", "pair" }, 2, -EINVAL },
	{ "ends_are_not_neighbours", { "loop", "pair", "pair", "loop" }, 4, -EINVAL },
	{ "unknown_wire_of_the_last_port", { "loop", "lop" }, 2, -EINVAL },
};

TEST_EACH(wire_spec, wires_of_all_ports_are_checked, struct wires, wires)
{
	struct emu_config cfg = { .n_ports = row->n_ports };
	char why[512] = "";

	for (unsigned i = 0; i < row->n_ports; i++)
		cfg.port[i].wire = row->wire[i];
	EXPECT_EQ(row->want, emu_check_wires(&cfg, why, sizeof(why)));
	EXPECT_EQ(row->want != 0, strlen(why) > 0);
	EXPECT_EQ(NULL, strchr(why, '\n'));
}

/* ---- loop, pair, sink ----------------------------------------------------------------- */

static void send_one(struct core_rig *r, struct core_rig_sq *sq, uint32_t lkey, const uint8_t *mem)
{
	core_rig_post_send(r, sq, lkey, mem, FRAME);
	emu_poll(r->emu, 16);
}

TEST(wire, sink_drops_frames_and_completes_wqes)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 3, 2048);

	udp_frame_write(rx.buffers, FRAME, &(struct udp_frame){ .fill = 1 });
	send_one(&r, &sq, rx.lkey, rx.buffers);
	EXPECT_NE(NULL, core_rig_take_cqe(&cq));
	EXPECT_EQ(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_EQ(1, r.emu->vport.tx_uc_packets);
	EXPECT_EQ(FRAME, r.emu->vport.tx_uc_bytes);
	core_rig_close(&r);
}

TEST(wire, pair_connects_neighbours_both_ways)
{
	struct core_rig r;

	core_rig_open(
		&r, &(struct core_rig_config){ .wire = "pair", .n_ports = 4, .no_context = true });
	for (unsigned from = 0; from < 4; from++) {
		struct core_rig_rx rx;
		struct core_rig_sq sq;
		struct core_rig_cq cq;
		uint8_t *mem;
		uint32_t lkey;

		SCOPED_TRACE("from port %u", from);
		r.emu = emu_port(r.adapter, from ^ 1);
		core_rig_fill_context(&r);
		rx = core_rig_make_rx(&r, 3, 2048);
		r.emu = emu_port(r.adapter, from);
		core_rig_fill_context(&r);
		cq = core_rig_make_cq(&r, 4);
		sq = core_rig_make_sq(&r, 4, cq.cqn);
		mem = core_rig_alloc(&r, FRAME);
		lkey = core_rig_make_mkey(&r, mem, FRAME, false);
		udp_frame_write(mem, FRAME, &(struct udp_frame){ .fill = (uint8_t)from });
		send_one(&r, &sq, lkey, mem);
		ASSERT_NE(NULL, core_rig_take_cqe(&rx.cq));
		EXPECT_MEMEQ(mem, rx.buffers, FRAME);
		r.emu->rx_root = emu_port(r.adapter, from ^ 1)->rx_root = NULL;
	}
	core_rig_close(&r);
}

/* Without receive buffers the sent WQE waits, and continues with the frame at which it stopped. */
TEST(wire, pause_holds_the_sender)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "loop,pause=on" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 2, 2048);
	uint8_t *mem = core_rig_alloc(&r, 4096);
	const uint32_t lkey = core_rig_make_mkey(&r, mem, 4096, false);
	struct core_rig_wqe p = core_rig_begin_wqe(&sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	for (unsigned i = 0; i < 10; i++) {
		udp_frame_write(mem + i * FRAME, FRAME, &(struct udp_frame){ .fill = (uint8_t)i });
		core_rig_add_pointer(&p, lkey, mem + i * FRAME, FRAME);
	}
	core_rig_end_wqe(&r, &p, true);
	EXPECT_EQ(4, emu_poll(r.emu, 16));
	EXPECT_EQ(0, emu_poll(r.emu, 16));
	EXPECT_EQ(NULL, core_rig_take_cqe(&cq));
	for (unsigned i = 0; i < 10; i++) {
		if (i >= 4) {
			core_rig_post_more(&rx.rq, (uint16_t)(i + 1));
			EXPECT_EQ(1, emu_poll(r.emu, 16));
		}
		ASSERT_NE(NULL, core_rig_take_cqe(&rx.cq));
		EXPECT_MEMEQ(mem + i * FRAME, rx.buffers + (i & 3) * 2048, FRAME);
	}
	emu_poll(r.emu, 16);
	EXPECT_NE(NULL, core_rig_take_cqe(&cq));
	EXPECT_EQ(0, r.emu->vport.rx_out_of_buffer);
	EXPECT_EQ(10, r.emu->vport.rx_uc_packets);
	core_rig_close(&r);
}

TEST(wire, faults_drop_frames_after_the_port_counts_them)
{
	struct core_rig r;
	unsigned n = 0;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "loop,drop=1/4,seed=9" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 6, 2048);
	uint8_t *mem = core_rig_alloc(&r, FRAME);
	const uint32_t lkey = core_rig_make_mkey(&r, mem, FRAME, false);

	udp_frame_write(mem, FRAME, &(struct udp_frame){ .fill = 1 });
	for (unsigned i = 0; i < 40; i++) {
		send_one(&r, &sq, lkey, mem);
		n += core_rig_take_cqe(&rx.cq) != NULL;
	}
	EXPECT_EQ(30, n);
	EXPECT_EQ(10, r.emu->wire->faults.dropped);
	EXPECT_EQ(40, r.emu->vport.tx_uc_packets);
	core_rig_close(&r);
}

/* emu_set_wire_faults() adds and removes faults between frames. */
TEST(wire, faults_can_be_changed)
{
	char why[256] = "";
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "loop" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 5, 2048);

	udp_frame_write(rx.buffers, FRAME, &(struct udp_frame){ .fill = 1 });
	send_one(&r, &sq, rx.lkey, rx.buffers);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_EQ(0, emu_set_wire_faults(r.emu, "drop=1", why, sizeof(why)));
	send_one(&r, &sq, rx.lkey, rx.buffers);
	EXPECT_EQ(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_EQ(1, r.emu->wire->faults.dropped);
	EXPECT_NE(0, emu_set_wire_faults(r.emu, "drop=2", why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "drop=2: invalid probability"));
	EXPECT_EQ(0, emu_set_wire_faults(r.emu, "", why, sizeof(why)));
	send_one(&r, &sq, rx.lkey, rx.buffers);
	EXPECT_NE(NULL, core_rig_take_cqe(&rx.cq));
	EXPECT_EQ(1, r.emu->wire->faults.dropped);
	core_rig_close(&r);
}
