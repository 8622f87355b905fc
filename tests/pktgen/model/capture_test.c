/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/capture.h"
#include "pcap_file.h"
#include "send/tx.h"

static const struct rewrite no_rewrite;

FIXTURE(capture)
{
	struct pcap_file file;
	struct capture c;
	char why[512];
};
FIXTURE_SETUP(capture)
{
	pcap_file_open(&self->file, ETHERNET, 262144);
}
FIXTURE_TEARDOWN(capture)
{
	static const struct capture zero;

	capture_free(&self->c);
	EXPECT_MEMEQ(&zero, &self->c, sizeof(zero));
	pcap_file_remove(&self->file);
}

static void fill_bytes(uint8_t *bytes, uint32_t n, uint8_t first)
{
	for (uint32_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(first + i);
}

/*
 * Expects that capture_read() refuses the file, leaves the capture zeroed, and gives one line with
 * the path and @fact. All refusals have the same errno: @fact tells which check refused the file.
 */
static void expect_refused(struct ct_fix_capture *self, const char *fact)
{
	static const struct capture zero;

	pcap_file_close(&self->file, 0);
	EXPECT_EQ(-22, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				    sizeof(self->why)));
	EXPECT_MEMEQ(&zero, &self->c, sizeof(zero));
	SCOPED_TRACE("%s", self->why);
	EXPECT_NE(NULL, strstr(self->why, self->file.path));
	EXPECT_NE(NULL, strstr(self->why, fact));
	EXPECT_EQ(NULL, strchr(self->why, '\n'));
}

/* Adds a frame whose time is @us after 2 s. */
static void add_at(struct ct_fix_capture *self, uint32_t us)
{
	self->file.seconds = 2 + us / 1000000;
	self->file.microseconds = us % 1000000;
	pcap_file_add(&self->file, NULL, 60, 60);
}

TEST_F(capture, frames_are_due_at_the_times_of_their_packets)
{
	/* The third is older than the second. */
	static const uint32_t us[] = { 500000, 1600000, 1200000, 3500000 };
	static const uint64_t want_ns[] = { 0, 1100000000, 1100000000, 3000000000 };

	for (unsigned i = 0; i < 4; i++)
		add_at(self, us[i]);
	pcap_file_close(&self->file, 0);
	ASSERT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				  sizeof(self->why)));
	EXPECT_EQ(1, self->c.n_older);
	EXPECT_EQ(4000000000, self->c.period_ns);
	for (unsigned i = 0; i < 4; i++) {
		EXPECT_EQ(want_ns[i], replay_compute_due(&self->c, 1, i));
		EXPECT_EQ(4000000000 + want_ns[i], replay_compute_due(&self->c, 1, 4 + i));
		EXPECT_EQ((8000000000 + want_ns[i]) / 2, replay_compute_due(&self->c, 2, 8 + i));
	}
	EXPECT_EQ(1, replay_count_due(&self->c, 1, 0, 64, 1099999999));
	EXPECT_EQ(3, replay_count_due(&self->c, 1, 0, 64, 1100000000));
	EXPECT_EQ(2, replay_count_due(&self->c, 1, 0, 2, 1100000000));
	EXPECT_EQ(4, replay_count_due(&self->c, 1, 3, 64, 5100000000));
	EXPECT_EQ(0, replay_count_due(&self->c, 10, 7, 64, 699999999));
	EXPECT_EQ(1, replay_count_due(&self->c, 10, 7, 64, 700000000));
}

TEST_F(capture, frames_are_read_as_they_are)
{
	uint8_t bytes[1514];

	fill_bytes(bytes, sizeof(bytes), 3);
	pcap_file_add(&self->file, bytes, 1514, 1514);
	pcap_file_add(&self->file, bytes, 60, 60);
	pcap_file_close(&self->file, 0);
	ASSERT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				  sizeof(self->why)));
	ASSERT_EQ(2, self->c.n_frames);
	EXPECT_EQ(1514, self->c.frames[0].n_bytes);
	EXPECT_MEMEQ(bytes, self->c.frames[0].bytes, 1514);
	EXPECT_EQ(60, self->c.frames[1].n_bytes);
	EXPECT_EQ(1514, self->c.max_bytes);
	EXPECT_EQ(1574, self->c.total_bytes);
	EXPECT_EQ(0, self->c.n_padded);
	EXPECT_EQ(0, self->c.n_twins);
}

TEST_F(capture, a_short_frame_gets_zeros_up_to_60_bytes)
{
	static const uint8_t zeros[18];
	uint8_t bytes[42];

	fill_bytes(bytes, sizeof(bytes), 1);
	pcap_file_add(&self->file, bytes, 42, 42);
	pcap_file_close(&self->file, 0);
	ASSERT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				  sizeof(self->why)));
	EXPECT_EQ(60, self->c.frames[0].n_bytes);
	EXPECT_MEMEQ(bytes, self->c.frames[0].bytes, 42);
	EXPECT_MEMEQ(zeros, self->c.frames[0].bytes + 42, 18);
	EXPECT_EQ(1, self->c.n_padded);
}

TEST_F(capture, frames_are_found_by_their_bytes)
{
	uint8_t bytes[100];

	for (unsigned i = 0; i < 200; i++) {
		fill_bytes(bytes, sizeof(bytes), (uint8_t)(i % 100));
		pcap_file_add(&self->file, bytes, 100, 100);
	}
	pcap_file_close(&self->file, 0);
	ASSERT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				  sizeof(self->why)));
	EXPECT_EQ(200, self->c.n_twins);
	for (unsigned i = 0; i < 100; i++) {
		fill_bytes(bytes, sizeof(bytes), (uint8_t)i);
		const uint32_t at = capture_find(&self->c, bytes, 100);

		ASSERT_EQ(i, at % 100);
		EXPECT_EQ((at + 100) % 200, self->c.frames[at].twin);
		EXPECT_EQ(at, self->c.frames[self->c.frames[at].twin].twin);
	}
	fill_bytes(bytes, sizeof(bytes), 100);
	EXPECT_EQ(CAPTURE_NONE, capture_find(&self->c, bytes, 100));
	fill_bytes(bytes, sizeof(bytes), 1);
	EXPECT_EQ(CAPTURE_NONE, capture_find(&self->c, bytes, 99));
}

/* Frames of three senders: 40 of each of the first two in turn, and one of the third. */
TEST_F(capture, each_conversation_links_its_frames_in_a_ring)
{
	uint8_t bytes[60] = { 2 };

	for (unsigned i = 0; i < 81; i++) {
		bytes[11] = i == 80 ? 2 : (uint8_t)(i % 2);
		bytes[59] = (uint8_t)i;
		pcap_file_add(&self->file, bytes, 60, 60);
	}
	pcap_file_close(&self->file, 0);
	ASSERT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				  sizeof(self->why)));
	EXPECT_EQ(3, self->c.n_conversations);
	EXPECT_EQ(0, self->c.n_twins);
	for (unsigned i = 0; i < 80; i++) {
		EXPECT_EQ(i % 2, self->c.frames[i].conversation);
		EXPECT_EQ((i + 78) % 80, self->c.frames[i].previous);
	}
	EXPECT_EQ(2, self->c.frames[80].conversation);
	EXPECT_EQ(80, self->c.frames[80].previous);
}

TEST_F(capture, a_capture_without_packets_is_refused)
{
	expect_refused(self, "no packet");
}

TEST_F(capture, an_empty_packet_is_refused)
{
	pcap_file_add(&self->file, NULL, 60, 60);
	pcap_file_add(&self->file, NULL, 0, 0);
	expect_refused(self, "packet 2 has 0 bytes");
}

TEST_F(capture, a_packet_of_70000_bytes_is_refused)
{
	pcap_file_add(&self->file, NULL, 60, 60);
	pcap_file_add(&self->file, NULL, 60, 60);
	pcap_file_add(&self->file, NULL, 70000, 70000);
	expect_refused(self, "packet 3 has 70000 bytes");
}

TEST_F(capture, a_packet_shorter_than_its_header_is_refused)
{
	pcap_file_add(&self->file, NULL, 13, 13);
	expect_refused(self, "packet 1 has 13 bytes");
}

TEST_F(capture, a_packet_that_was_recorded_in_part_is_refused)
{
	pcap_file_add(&self->file, NULL, 96, 1514);
	expect_refused(self, "96 of 1514 bytes");
}

TEST_F(capture, packets_longer_in_the_file_than_on_the_wire_are_counted)
{
	uint8_t bytes[100];

	fill_bytes(bytes, sizeof(bytes), 3);
	pcap_file_add(&self->file, bytes, 60, 60);
	pcap_file_add(&self->file, bytes, 100, 84);
	pcap_file_add(&self->file, bytes, 70, 13);
	pcap_file_close(&self->file, 0);
	ASSERT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				  sizeof(self->why)));
	EXPECT_EQ(100, self->c.frames[1].n_bytes);
	EXPECT_MEMEQ(bytes, self->c.frames[1].bytes, 100);
	EXPECT_EQ(2, self->c.n_longer);
	EXPECT_EQ(2, self->c.longer.number);
	EXPECT_EQ(100, self->c.longer.n_bytes);
	EXPECT_EQ(84, self->c.longer.n_wire_bytes);
}

TEST_F(capture, a_packet_with_too_many_bytes_in_the_file_is_refused)
{
	pcap_file_add(&self->file, NULL, 9997, 60);
	expect_refused(self, "packet 1 has 9997 bytes");
}

TEST_F(capture, a_pcap_file_has_only_interface_0)
{
	pcap_file_add(&self->file, NULL, 60, 60);
	pcap_file_close(&self->file, 0);
	EXPECT_EQ(0, capture_read(&self->c, self->file.path, "0", &no_rewrite, self->why,
				  sizeof(self->why)));
	EXPECT_EQ(1, self->c.n_interfaces);
	capture_free(&self->c);
	EXPECT_EQ(-22, capture_read(&self->c, self->file.path, "eth0", &no_rewrite, self->why,
				    sizeof(self->why)));
	EXPECT_NE(NULL, strstr(self->why, "no interface eth0 in the file (valid: interface 0 "
					  "(EN10MB))"));
}

static const struct packed {
	const char *name;
	uint8_t magic[4];
	const char *cure;
} packed[] = {
	{ "gzip", { 0x1f, 0x8b, 8, 0 }, "gzip -dc" },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, "zstd -dc" },
	{ "xz", { 0xfd, '7', 'z', 'X' }, "xz -dc" },
	{ "bzip2", { 'B', 'Z', 'h', '9' }, "bzip2 -dc" },
	{ "lz4", { 0x04, 0x22, 0x4d, 0x18 }, "lz4 -dc" },
};

TEST_F_EACH(capture, a_packed_file_has_a_cure, struct packed, packed)
{
	rewind(self->file.file);
	fwrite(row->magic, sizeof(row->magic), 1, self->file.file);
	fseek(self->file.file, 0, SEEK_END);
	expect_refused(self, row->cure);
	EXPECT_NE(NULL, strstr(self->why, "| devx-pktgen run --pcap - ..."));
}

/* Adds a packet to a pcapng file, whose times have more bits than those of pcap. */
static void add_pcapng(FILE *file, uint64_t us)
{
	enum { BYTES = 60, BLOCK = 32 + BYTES };
	const uint32_t block[BLOCK / 4] = { 6,
					    BLOCK,
					    0,
					    (uint32_t)(us >> 32),
					    (uint32_t)us,
					    BYTES,
					    BYTES,
					    [BLOCK / 4 - 1] = BLOCK };

	fwrite(block, sizeof(block), 1, file);
}

TEST_F(capture, a_packet_more_than_100_years_after_the_first_is_refused)
{
	static const uint32_t head[] = { 0x0a0d0d0a, 28,         0x1a2b3c4d, 1,
					 UINT32_MAX, UINT32_MAX, 28,         1,
					 20,         ETHERNET,   UINT16_MAX, 20 };
	const uint64_t century_us = 100ull * 365 * 86400 * 1000000;

	self->file.file = freopen(self->file.path, "wb", self->file.file);
	fwrite(head, sizeof(head), 1, self->file.file);
	add_pcapng(self->file.file, 0);
	add_pcapng(self->file.file, century_us);
	add_pcapng(self->file.file, century_us + 1000000);
	expect_refused(self, "packet 3 is more than 100 years away");
}

TEST_F(capture, another_link_type_is_refused)
{
	fclose(self->file.file);
	pcap_file_remove(&self->file);
	pcap_file_open(&self->file, LINUX_SLL, 262144);
	pcap_file_add(&self->file, NULL, 60, 60);
	expect_refused(self, "LINUX_SLL (113)");
}

TEST_F(capture, a_file_cut_off_at_any_byte_is_refused)
{
	enum { BYTES = 24 + 2 * (16 + 60) };

	for (long cut = 1; cut < BYTES; cut++) {
		SCOPED_TRACE("%ld bytes taken off", cut);
		if (cut > 1)
			pcap_file_open(&self->file, ETHERNET, 262144);
		pcap_file_add(&self->file, NULL, 60, 60);
		pcap_file_add(&self->file, NULL, 60, 60);
		pcap_file_close(&self->file, cut);
		/* Without its last packet the file is complete again. */
		if (cut == 16 + 60)
			EXPECT_EQ(0, capture_read(&self->c, self->file.path, NULL, &no_rewrite,
						  self->why, sizeof(self->why)));
		else
			EXPECT_EQ(-22, capture_read(&self->c, self->file.path, NULL, &no_rewrite,
						    self->why, sizeof(self->why)));
		capture_free(&self->c);
		pcap_file_remove(&self->file);
	}
}

TEST_F(capture, an_empty_file_is_refused)
{
	pcap_file_close(&self->file, 24);
	EXPECT_EQ(-22, capture_read(&self->c, self->file.path, NULL, &no_rewrite, self->why,
				    sizeof(self->why)));
	EXPECT_NE(NULL, strstr(self->why, "empty"));
}

TEST_F(capture, a_text_file_is_refused)
{
	rewind(self->file.file);
	for (unsigned i = 0; i < 100; i++)
		fputs("this is not a capture\n", self->file.file);
	expect_refused(self, "pcapng");
}

TEST(capture_path, a_missing_file_and_a_directory_are_refused)
{
	struct capture c;
	char why[256];

	EXPECT_EQ(-22,
		  capture_read(&c, "/nonexistent/a.pcap", NULL, &no_rewrite, why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "No such file"));
	EXPECT_EQ(-22, capture_read(&c, "/tmp", NULL, &no_rewrite, why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "directory"));
}
