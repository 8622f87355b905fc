/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"
#include "devx_rig.h"

/* Registration of packet memory and queue memory (mem.c). */

FIXTURE(mem)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(mem)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(mem)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

TEST_F(mem, queue_memory_is_page_aligned_and_ends_with_the_doorbell_record)
{
	struct devx_buf buf = { 0 };

	ASSERT_EQ(0, devx_buf_create(&buf, &self->rig.dev, 100, NULL));
	EXPECT_EQ(0, (uintptr_t)buf.addr % (uintptr_t)sysconf(_SC_PAGESIZE));
	EXPECT_EQ(128, buf.dbrec_offset);
	EXPECT_EQ((char *)buf.addr + 128, (char *)buf.dbrec);
	EXPECT_NE(0, buf.umem_id);
	devx_buf_destroy(&buf);
}

TEST_F(mem, mapped_and_static_memory_can_be_registered)
{
	enum { BYTES = 3 * 4096 };
	struct devx_mr mr = { 0 };
	char *mapped =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static char fixed[BYTES];

	ASSERT_NE(MAP_FAILED, (void *)mapped);
	EXPECT_EQ(0, devx_mr_create(&mr, &self->rig.dev, mapped + 100, 5000));
	EXPECT_EQ((uintptr_t)mapped + 100, mr.addr);
	EXPECT_NE(0, mr.lkey);
	devx_mr_destroy(&mr);
	EXPECT_EQ(0, devx_mr_create(&mr, &self->rig.dev, fixed, sizeof(fixed)));
	devx_mr_destroy(&mr);
	munmap(mapped, BYTES);
}

TEST_F(mem, unmapped_memory_cannot_be_registered)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct devx_mr mr = { 0 };
	char *gone = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, (void *)gone);
	munmap(gone, page);
	devx_rig_expect_error(&self->rig.dev, -EFAULT, "cannot register",
			      devx_mr_create(&mr, &self->rig.dev, gone, page));
}
