/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"
#include "devx/share.h"
#include "needs_emu.h"
#include "open_files.h"
#include "share_rig.h"

/* A device of this process, imported a second time into it (share_dev.c). */

enum { PAGE = DEVX_UMEM_RING_ALIGN };

FIXTURE(share)
{
	struct share_rig s;
};

FIXTURE_SETUP(share)
{
	share_rig_up(&self->s);
}

FIXTURE_TEARDOWN(share)
{
	share_rig_down(&self->s);
}

static uint64_t count_contexts(void)
{
	struct devx_emu_counters c = { .contexts = 0 };

	emu_if_any()->counters(0, &c, sizeof(c));
	return c.contexts;
}

TEST_F(share, imported_device_equals_the_exported_one)
{
	const struct devx_dev *dev = &self->s.rig.dev, *other = &self->s.other;

	EXPECT_EQ(dev->pdn, other->pdn);
	EXPECT_STREQ(dev->ibdev, other->ibdev);
	EXPECT_STREQ(dev->pci, other->pci);
	EXPECT_STREQ(dev->netdev, other->netdev);
	EXPECT_STREQ(dev->fw_version, other->fw_version);
	EXPECT_EQ(dev->numa_node, other->numa_node);
	EXPECT_MEMEQ(&dev->caps, &other->caps, sizeof(dev->caps));
	EXPECT_TRUE(dev->shared);
	EXPECT_TRUE(other->shared);
	EXPECT_EQ_ON_EMU(1, count_contexts());
}

TEST_F(share, import_keeps_the_descriptor_of_the_caller)
{
	EXPECT_NE(-1, fcntl(self->s.fd, F_GETFD));
	EXPECT_NE(self->s.fd, self->s.other.ctx->cmd_fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->s.fd, F_GETFD));
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->s.other.ctx->cmd_fd, F_GETFD));
}

TEST_F(share, queue_of_an_imported_device_uses_objects_and_memory_of_the_exporter)
{
	struct devx_rig sender = { 0 };
	struct devx_uar uar = { 0 };

	ASSERT_EQ(0, devx_uar_create(&uar, &self->s.other, DEVX_UAR_BF));
	ASSERT_EQ(0, share_rig_create_sender(&sender, &self->s.other, &self->s.rig.tis, &uar));
	share_rig_expect_frame(&sender, &self->s.rig, 1);
	share_rig_destroy_sender(&sender);
	devx_uar_destroy(&uar);
	share_rig_expect_frame(&self->s.rig, &self->s.rig, 2);
}

TEST_F(share, exporter_works_after_the_import_closed)
{
	struct devx_mr mr = { 0 };

	devx_dev_close(&self->s.other);
	close(self->s.fd);
	self->s.fd = -1;
	share_rig_expect_frame(&self->s.rig, &self->s.rig, 1);
	ASSERT_EQ(0, devx_mr_create(&mr, &self->s.rig.dev, self->s.rig.memory, PAGE));
	devx_mr_destroy(&mr);
}

/* The exporter must not deallocate the PD that it shares. */
TEST_F(share, imported_device_works_after_the_exporter_closed)
{
	static uint8_t memory[PAGE] __attribute__((aligned(PAGE)));
	struct devx_port port;
	struct devx_mr mr = { 0 };
	struct devx_td td = { 0 };

	devx_rig_down(&self->s.rig);
	close(self->s.fd);
	self->s.fd = -1;
	EXPECT_EQ(0, devx_port_query(&self->s.other, &port));
	ASSERT_EQ(0, devx_mr_create(&mr, &self->s.other, memory, sizeof(memory)));
	EXPECT_EQ(0, devx_td_create(&td, &self->s.other));
	EXPECT_EQ_ON_EMU(1, count_contexts());
	devx_td_destroy(&td);
	devx_mr_destroy(&mr);
	devx_dev_close(&self->s.other);
	EXPECT_EQ_ON_EMU(0, count_contexts());
}

TEST_F(share, imported_device_can_be_exported_again)
{
	struct devx_dev third = { 0 };
	struct devx_share share;
	int fd;

	ASSERT_EQ(0, devx_dev_export(&self->s.other, &share, &fd));
	EXPECT_MEMEQ(&self->s.share, &share, sizeof(share));
	ASSERT_EQ(0, devx_dev_import(&third, fd, &share));
	EXPECT_EQ(self->s.rig.dev.pdn, third.pdn);
	devx_dev_close(&third);
	close(fd);
}

static int open_null(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int open_memory(void)
{
	return memfd_create("share", MFD_CLOEXEC);
}

static int get_closed(void)
{
	const int fd = open_null();

	close(fd);
	return fd;
}

static const struct bad_fd {
	const char *name;
	int (*get)(void);
	int rc;
	const char *says;
} bad_fds[] = {
	{ "closed", get_closed, -EBADF, "Bad file descriptor" },
	{ "memory_file", open_memory, -EINVAL, "is not a device file" },
	{ "other_device", open_null, -EXDEV, "belongs to device 1:3, but" },
};

TEST_F_EACH(share, invalid_descriptor_is_refused, struct bad_fd, bad_fds)
{
	const int fd = row->get();
	const unsigned n_files = count_open_files();
	struct devx_uar uar = { 0 };
	struct devx_dev dev = { 0 };
	struct devx_share share;

	devx_rig_expect_error(&dev, row->rc, row->says, devx_dev_import(&dev, fd, &self->s.share));
	EXPECT_EQ(NULL, dev.ctx);
	ASSERT_EQ(0, devx_uar_export(&self->s.rig.dev, &self->s.rig.uar, &share));
	devx_rig_expect_error(&dev, row->rc, row->says, devx_uar_map(&uar, &dev, fd, &share));
	EXPECT_EQ(NULL, uar.base);
	EXPECT_EQ(n_files, count_open_files());
	close(fd);
}

/* A device file that was opened, but has no context. */
TEST_F(share, descriptor_without_a_context_is_refused)
{
	const char *name = strrchr(self->s.rig.dev.ctx->device->dev_path, '/');
	char path[128];
	struct devx_dev dev = { 0 };
	unsigned n_files;
	int fd;

	snprintf(path, sizeof(path), "/dev/infiniband%s", name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	n_files = count_open_files();
	devx_rig_expect_error(&dev, -EINVAL, "has no context that can be imported",
			      devx_dev_import(&dev, fd, &self->s.share));
	EXPECT_EQ(n_files, count_open_files());
	close(fd);
}

static const struct bad_share {
	const char *name;
	unsigned at; /* offset in struct devx_share */
	uint8_t byte;
	int rc;
	const char *says;
} bad_shares[] = {
	{ "magic", 0, 0, -EINVAL, "number is 0x44565800 (valid: 0x44565853)" },
	{ "version", 4, 9, -EPROTO, "version 9 with 128 bytes (valid: version 1 with 128 bytes)" },
	{ "kind", 6, 3, -EINVAL, "describe a UAR (valid: a device)" },
	{ "unknown_kind", 6, 99, -EINVAL, "describe an unknown kind (valid: a device)" },
	{ "size", 8, 96, -EPROTO, "version 1 with 96 bytes (valid: version 1 with 128 bytes)" },
	{ "size_of_rdma_core", 12, 32, -EPROTO, "32 bytes of rdma-core for a device (valid: 0)" },
	{ "pd", 24, 0xff, -EXDEV, "from another context" },
	{ "pd_handle", 33, 0x77, -EXDEV, "from another context" },
};

TEST_F_EACH(share, invalid_attributes_are_refused, struct bad_share, bad_shares)
{
	const unsigned n_files = count_open_files();
	struct devx_share share = self->s.share;
	struct devx_dev dev = { 0 }, zero = { 0 };

	share.bytes[row->at] = row->byte;
	devx_rig_expect_error(&dev, row->rc, row->says, devx_dev_import(&dev, self->s.fd, &share));
	dev.refusal = zero.refusal;
	EXPECT_MEMEQ(&zero, &dev, sizeof(zero));
	EXPECT_EQ(n_files, count_open_files());
	share_rig_expect_frame(&self->s.rig, &self->s.rig, 1);
}

TEST_F(share, export_of_a_foreign_context_is_refused)
{
	const unsigned n_files = count_open_files();
	struct devx_dev foreign = { 0 }, dev = { 0 };
	struct devx_share share;
	struct devx_umem umem = { 0 };
	struct devx_uar uar = { 0 };
	int fd;

	ASSERT_EQ(0, devx_dev_open(&foreign, devx_rig_get_ibdev()));
	ASSERT_EQ(0, devx_dev_export(&foreign, &share, &fd));
	devx_rig_expect_error(&dev, -EXDEV, "from another context",
			      devx_dev_import(&dev, fd, &self->s.share));
	ASSERT_EQ(0, devx_umem_export(&self->s.rig.dev, &self->s.rig.umem, &share));
	devx_rig_expect_error(&foreign, -EXDEV, "from another context",
			      devx_umem_import(&umem, &foreign, &share, self->s.rig.umem.addr));
	ASSERT_EQ(0, devx_uar_export(&self->s.rig.dev, &self->s.rig.uar, &share));
	devx_rig_expect_error(&foreign, -EXDEV, "from another context",
			      devx_uar_map(&uar, &foreign, -1, &share));
	devx_rig_expect_error(&foreign, -EINVAL, "umem: of another device",
			      devx_umem_export(&foreign, &self->s.rig.umem, &share));
	close(fd);
	devx_dev_close(&foreign);
	EXPECT_EQ(n_files, count_open_files());
}
