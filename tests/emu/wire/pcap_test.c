/* SPDX-License-Identifier: BSD-3-Clause */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "emu/wire/wire.h"
#include "core_rig_post.h"
#include "udp_frame.h"
#include "prm/cqe.h"

enum { FRAME = 64, QUIET_NS = 100000000 };

FIXTURE(wire_pcap)
{
	char in[64], out[64];
};

FIXTURE_SETUP(wire_pcap)
{
	snprintf(self->in, sizeof(self->in), "/tmp/emu-wire-in-%d.pcap", getpid());
	snprintf(self->out, sizeof(self->out), "/tmp/emu-wire-out-%d.pcap", getpid());
}

FIXTURE_TEARDOWN(wire_pcap)
{
	unlink(self->in);
	unlink(self->out);
}

/* Writes a capture with one packet per length; @cut: bytes kept of each packet, or 0: all. */
static void write_capture(const char *path, int link, const uint32_t *lengths, unsigned n,
			  uint32_t cut)
{
	pcap_t *p = pcap_open_dead(link, 262144);
	pcap_dumper_t *d = pcap_dump_open(p, path);
	uint8_t *bytes = calloc(1, 100000);

	udp_frame_write(bytes, 60, &(struct udp_frame){ .fill = 3 });
	for (unsigned i = 0; i < n; i++)
		pcap_dump((u_char *)d,
			  &(struct pcap_pkthdr){ .len = lengths[i],
						 .caplen = cut ? cut : lengths[i] },
			  bytes);
	pcap_dump_close(d);
	pcap_close(p);
	free(bytes);
}

static void expect_refused(const char *spec, const char *says)
{
	struct emu_adapter *a = calloc(1, sizeof(*a));
	char why[512] = "";

	a->n_ports = 1;
	a->port[0] = calloc(1, sizeof(struct emu));
	a->port[0]->adapter = a;
	EXPECT_EQ(NULL, emu_wire_open(a, a->port[0], spec, why, sizeof(why)));
	SCOPED_TRACE("reason of emu_wire_open(): \"%s\"", why);
	EXPECT_NE(NULL, strstr(why, says));
	free(a->port[0]);
	free(a);
}

TEST_F(wire_pcap, output_follows_no_link_of_another_user)
{
	char spec[128], target[80];

	if (geteuid())
		SKIP("only root can make a link of another user");
	snprintf(target, sizeof(target), "%s.target", self->out);
	ASSERT_EQ(0, symlink(target, self->out));
	ASSERT_EQ(0, lchown(self->out, 1, 1));
	snprintf(spec, sizeof(spec), "pcap:out=%s", self->out);
	expect_refused(spec, "it is a symbolic link of another user; name the file itself");
	EXPECT_NE(0, access(target, F_OK));
	unlink(target);
}

TEST_F(wire_pcap, bad_captures_are_refused_when_opened)
{
	static const uint32_t good = 60, none = 0, huge = 70000, short_by_one = 13;
	char spec[80];
	FILE *f;

	snprintf(spec, sizeof(spec), "pcap:in=%s", self->in);
	write_capture(self->in, DLT_EN10MB, &good, 0, 0);
	expect_refused(spec, "no packets");
	write_capture(self->in, DLT_EN10MB, &none, 1, 0);
	expect_refused(spec, "packet 1 has 0 bytes");
	write_capture(self->in, DLT_EN10MB, &short_by_one, 1, 0);
	expect_refused(spec, "packet 1 has 13 bytes (valid: 14 to ");
	write_capture(self->in, DLT_EN10MB, &huge, 1, 0);
	expect_refused(spec, "packet 1 has 70000 bytes");
	write_capture(self->in, DLT_EN10MB, &good, 1, 40);
	expect_refused(spec, "packet 1 was truncated to 40 of 60 bytes");
	write_capture(self->in, DLT_RAW, &good, 1, 0);
	expect_refused(spec, "link type is RAW");
	write_capture(self->in, DLT_EN10MB, &good, 1, 0);
	EXPECT_EQ(0, truncate(self->in, 24 + 16 + 30));
	expect_refused(spec, "after packet 0: ");
	f = fopen(self->in, "w");
	fputs("this is not a capture, but it is long enough to be one\n", f);
	fclose(f);
	expect_refused(spec, self->in);
	EXPECT_EQ(0, truncate(self->in, 0));
	expect_refused(spec, self->in);
}

TEST_F(wire_pcap, plays_after_the_driver_receives_and_writes_sent_frames)
{
	static const uint32_t lengths[] = { 60, 200, 14, 1514 };
	char spec[200], errbuf[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr h;
	const uint8_t *bits;
	struct core_rig r;
	pcap_t *p;

	write_capture(self->in, DLT_EN10MB, lengths, 4, 0);
	snprintf(spec, sizeof(spec), "pcap:in=%s,out=%s,loop=2,pause=on", self->in, self->out);
	core_rig_open(&r, &(struct core_rig_config){ .wire = spec });
	EXPECT_EQ(0, emu_poll(r.emu, 100));
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 2, 2048);

	emu_set_clock(r.adapter, EMU_CLOCK_HELD, 0);
	EXPECT_EQ(0, emu_poll(r.emu, 100)); /* the wire waits for 100 ms without a command */
	emu_set_clock(r.adapter, EMU_CLOCK_HELD, QUIET_NS - 1);
	EXPECT_EQ(0, emu_poll(r.emu, 100));
	emu_set_clock(r.adapter, EMU_CLOCK_HELD, 1);
	for (unsigned i = 0; i < 8; i++) {
		const struct prm_cqe *cqe;

		emu_poll(r.emu, 100);
		cqe = core_rig_take_cqe(&rx.cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(lengths[i & 3] < 60 ? 60 : lengths[i & 3], prm_be32_get(cqe->byte_cnt));
		core_rig_post_more(&rx.rq, (uint16_t)(4 + i + 1));
	}
	EXPECT_EQ(0, emu_poll(r.emu, 100));
	EXPECT_EQ(NULL, core_rig_take_cqe(&rx.cq));
	core_rig_post_send(&r, &sq, rx.lkey, rx.buffers, 99);
	emu_poll(r.emu, 100);
	core_rig_close(&r);

	p = pcap_open_offline(self->out, errbuf);
	ASSERT_NE(NULL, p);
	bits = pcap_next(p, &h);
	EXPECT_NE(NULL, bits);
	EXPECT_EQ(99, h.caplen);
	EXPECT_EQ(NULL, pcap_next(p, &h));
	pcap_close(p);
}

TEST_F(wire_pcap, frames_have_the_time_of_the_adapter)
{
	static const uint64_t ns_before[] = { 0, 999999000, 1000, 3600000000000 };
	char spec[200], errbuf[PCAP_ERRBUF_SIZE];
	const time_t began = time(NULL);
	uint64_t at_us = 0;
	struct core_rig r;
	pcap_t *p;

	snprintf(spec, sizeof(spec), "pcap:out=%s", self->out);
	core_rig_open(&r, &(struct core_rig_config){ .wire = spec });
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	void *mem = core_rig_alloc(&r, FRAME);
	const uint32_t lkey = core_rig_make_mkey(&r, mem, FRAME, false);

	for (unsigned i = 0; i < 4; i++) {
		emu_set_clock(r.adapter, EMU_CLOCK_HELD, ns_before[i]);
		core_rig_post_send(&r, &sq, lkey, mem, FRAME);
		EXPECT_EQ(1, emu_poll(r.emu, 1));
	}
	core_rig_close(&r);
	p = pcap_open_offline(self->out, errbuf);
	ASSERT_NE(NULL, p);
	for (unsigned i = 0; i < 4; i++) {
		struct pcap_pkthdr h = { .len = 0 };

		EXPECT_NE(NULL, pcap_next(p, &h));
		at_us += ns_before[i] / 1000;
		if (!i) {
			at_us = (uint64_t)h.ts.tv_sec * 1000000 + (uint64_t)h.ts.tv_usec;
			EXPECT_LE(began, h.ts.tv_sec);
			EXPECT_GE(time(NULL) + 1, h.ts.tv_sec);
		}
		EXPECT_EQ(at_us, (uint64_t)h.ts.tv_sec * 1000000 + (uint64_t)h.ts.tv_usec);
	}
	pcap_close(p);
}
