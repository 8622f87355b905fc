/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The uverbs file: open, streams, mappings, close. Linux and emu answer alike.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verbs_rig.h"

TEST(file, open_file_has_the_flags_of_its_open)
{
	static const int flags[] = { 0, O_CLOEXEC, O_NONBLOCK, O_CLOEXEC | O_NONBLOCK };

	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		const int fd = open("/dev/infiniband/uverbs0", O_RDWR | flags[i]);

		SCOPED_TRACE("flags 0x%x", flags[i]);
		ASSERT_NE(-1, fd);
		EXPECT_EQ(flags[i] & O_CLOEXEC ? FD_CLOEXEC : 0, fcntl(fd, F_GETFD));
		EXPECT_EQ(flags[i] & O_NONBLOCK, fcntl(fd, F_GETFL) & O_NONBLOCK);
		EXPECT_EQ(O_RDWR, fcntl(fd, F_GETFL) & O_ACCMODE);
		EXPECT_EQ(0, close(fd));
	}
}

TEST(file, stream_of_the_file_obeys_its_mode)
{
	FILE *file = fopen("/dev/infiniband/uverbs0", "r+");

	ASSERT_NE(NULL, file);
	EXPECT_EQ(0, fcntl(fileno(file), F_GETFD));
	EXPECT_EQ(0, fclose(file));
	file = fopen("/dev/infiniband/uverbs0", "r+e");
	ASSERT_NE(NULL, file);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fileno(file), F_GETFD));
	EXPECT_EQ(0, fclose(file));
	EXPECT_EQ(NULL, fopen("/dev/infiniband/uverbs0", "wx"));
	EXPECT_EQ(EEXIST, errno);
}

/* A page that is mapped and unmapped leaves nothing, however often. */
TEST(file, page_can_be_mapped_any_number_of_times)
{
	struct ibv_context *ctx = verbs_rig_open(true);
	enum { PAGE = 4096, CLOCK = (5 << 8) * PAGE, TIMES = 9000 };
	int n = 0;

	ASSERT_NE(NULL, ctx);
	while (n < TIMES) {
		void *at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, ctx->cmd_fd, CLOCK);

		if (at == MAP_FAILED || munmap(at, PAGE))
			break;
		n++;
	}
	EXPECT_EQ(TIMES, n);
	EXPECT_EQ(0, ibv_close_device(ctx));
}

/* No context and no event file is open beside it. */
TEST(file, close_range_closes_a_file_without_context)
{
	const uint64_t before = verbs_rig_read_counters().contexts;
	const int fd = open("/dev/infiniband/uverbs0", O_RDWR | O_CLOEXEC);

	ASSERT_NE(-1, fd);
	EXPECT_EQ_ON_EMU(before + 1, verbs_rig_read_counters().contexts);
	EXPECT_EQ(0, close_range((unsigned)fd, (unsigned)fd, 0));
	EXPECT_EQ(before, verbs_rig_read_counters().contexts);
}
