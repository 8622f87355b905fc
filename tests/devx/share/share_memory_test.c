/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"
#include "share_rig.h"

/* UARs and umems, in a second device over the same context (share_uar.c, share_umem.c). */

enum { PAGE = DEVX_UMEM_RING_ALIGN };

FIXTURE(share_memory)
{
	struct share_rig s;
};

FIXTURE_SETUP(share_memory)
{
	share_rig_up(&self->s);
}

FIXTURE_TEARDOWN(share_memory)
{
	share_rig_down(&self->s);
}

/* ---- UARs ---------------------------------------------------------------------------------- */

static const struct uar_type {
	const char *name;
	enum devx_uar_type type;
} uar_types[] = { { "blueflame", DEVX_UAR_BF },
		  { "non_cached", DEVX_UAR_NC },
		  { "dedicated", DEVX_UAR_NC_DEDICATED } };

/* The register of the exporter at another address rings queues of both devices. */
TEST_F_EACH(share_memory, mapped_uar_rings_queues, struct uar_type, uar_types)
{
	struct devx_uar uar = { 0 }, mapped = { 0 };
	struct devx_rig sender = { 0 };
	struct devx_dev closed = { 0 };
	struct devx_share share;
	void *page;
	const int rc = devx_uar_create(&uar, &self->s.rig.dev, row->type);

	if (row->type == DEVX_UAR_NC_DEDICATED && rc == -EOPNOTSUPP)
		SKIP("rdma-core is older than 45: it has no dedicated non-cached UARs");
	ASSERT_EQ(0, rc);
	ASSERT_EQ(0, devx_uar_export(&self->s.rig.dev, &uar, &share));
	ASSERT_EQ(0, devx_uar_map(&mapped, &closed, self->s.fd, &share));
	EXPECT_NE(uar.base, mapped.base);
	EXPECT_EQ((char *)uar.reg - (char *)uar.base, (char *)mapped.reg - (char *)mapped.base);
	EXPECT_EQ(uar.page_id, mapped.page_id);
	EXPECT_EQ(uar.bf_bytes, mapped.bf_bytes);
	EXPECT_EQ(uar.nc, mapped.nc);
	EXPECT_EQ(uar.shared, mapped.shared);
	ASSERT_EQ(0, share_rig_create_sender(&sender, &self->s.other, &self->s.rig.tis, &mapped));
	share_rig_expect_frame(&sender, &self->s.rig, 1);
	share_rig_destroy_sender(&sender);
	page = mapped.base;
	devx_uar_destroy(&mapped);
	EXPECT_EQ(NULL, mapped.base);
	EXPECT_EQ(-1, msync(page, PAGE, MS_ASYNC)); /* ENOMEM: nothing is mapped */
	ASSERT_EQ(0, share_rig_create_sender(&sender, &self->s.other, &self->s.rig.tis, &uar));
	share_rig_expect_frame(&sender, &self->s.rig, 2);
	share_rig_destroy_sender(&sender);
	devx_uar_destroy(&uar);
}

TEST_F(share_memory, uar_is_mapped_through_an_imported_device)
{
	struct devx_uar mapped = { 0 };
	struct devx_share share;

	ASSERT_EQ(0, devx_uar_export(&self->s.rig.dev, &self->s.rig.uar, &share));
	ASSERT_EQ(0, devx_uar_map(&mapped, &self->s.other, -1, &share));
	devx_rig_expect_error(&self->s.other, -EINVAL, "UAR: no handle",
			      devx_uar_export(&self->s.other, &mapped, &share));
	devx_uar_destroy(&mapped);
}

/* The register of the exporter at a chosen address rings queues; no mapping is replaced. */
TEST_F(share_memory, uar_is_mapped_at_a_free_address)
{
	char *const at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct devx_rig sender = { 0 };
	struct devx_uar mapped = { 0 };
	struct devx_dev *const dev = &self->s.rig.dev;
	struct devx_share share;

	ASSERT_NE(MAP_FAILED, (void *)at);
	ASSERT_EQ(0, devx_uar_export(dev, &self->s.rig.uar, &share));
	devx_rig_expect_error(dev, -EINVAL, "is invalid (valid: a multiple of",
			      devx_uar_map_at(&mapped, dev, -1, &share, NULL));
	devx_rig_expect_error(dev, -EINVAL, "is invalid (valid: a multiple of",
			      devx_uar_map_at(&mapped, dev, -1, &share, at + 8));
	devx_rig_expect_error(dev, -EEXIST, "is already mapped; choose",
			      devx_uar_map_at(&mapped, dev, -1, &share, at));
	EXPECT_EQ(NULL, mapped.base);
	EXPECT_EQ(0, at[0]); /* still the memory of before */
	ASSERT_EQ(0, munmap(at, PAGE));
	ASSERT_EQ(0, devx_uar_map_at(&mapped, dev, -1, &share, at));
	EXPECT_EQ((void *)at, mapped.base);
	ASSERT_EQ(0, share_rig_create_sender(&sender, &self->s.other, &self->s.rig.tis, &mapped));
	share_rig_expect_frame(&sender, &self->s.rig, 1);
	share_rig_destroy_sender(&sender);
	devx_uar_destroy(&mapped);
	EXPECT_EQ(-1, msync(at, PAGE, MS_ASYNC)); /* ENOMEM: nothing is mapped */
}

/* ---- umems --------------------------------------------------------------------------------- */

/* The same memory at two addresses, as in two processes. */
TEST_F(share_memory, ring_of_an_imported_umem_is_in_the_memory_of_the_exporter)
{
	const int file = memfd_create("rings", MFD_CLOEXEC);
	const size_t bytes = 2 * PAGE;
	struct devx_umem umem = { 0 }, imported = { 0 };
	struct devx_umem_ring place;
	struct devx_share share;
	struct devx_cq cq = { 0 };
	char *at, *there;

	ASSERT_EQ(0, ftruncate(file, (off_t)bytes));
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	there = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ASSERT_EQ(0, devx_umem_create(&umem, &self->s.rig.dev, at, bytes));
	ASSERT_EQ(0, devx_umem_export(&self->s.rig.dev, &umem, &share));
	ASSERT_EQ(0, devx_umem_import(&imported, &self->s.other, &share, there));
	EXPECT_EQ(umem.id, imported.id);
	EXPECT_EQ(bytes, imported.bytes);
	place = (struct devx_umem_ring){ &imported, there, there + PAGE };
	ASSERT_EQ(0,
		  devx_cq_create_in_umem(
			  &cq, &self->s.other,
			  &(struct devx_cq_attr){ .log2_n = 4, .uar = &self->s.rig.uar }, &place));
	EXPECT_EQ((void *)there, (void *)cq.cqes);
	EXPECT_MEMEQ(there, at, bytes);
	devx_cq_destroy(&cq);
	devx_umem_destroy(&imported); /* keeps the registration, so the exporter can use it */
	place = (struct devx_umem_ring){ &umem, at, at + PAGE };
	EXPECT_EQ(0,
		  devx_cq_create_in_umem(
			  &cq, &self->s.rig.dev,
			  &(struct devx_cq_attr){ .log2_n = 4, .uar = &self->s.rig.uar }, &place));
	devx_cq_destroy(&cq);
	devx_umem_destroy(&umem);
	munmap(at, bytes);
	munmap(there, bytes);
	close(file);
}

TEST_F(share_memory, invalid_umem_is_refused)
{
	struct devx_umem umem = { 0 };
	struct devx_share share;
	char *addr = self->s.rig.umem.addr;

	devx_rig_expect_error(&self->s.rig.dev, -EINVAL, "umem: not registered",
			      devx_umem_export(&self->s.rig.dev, &umem, &share));
	ASSERT_EQ(0, devx_umem_export(&self->s.rig.dev, &self->s.rig.umem, &share));
	devx_rig_expect_error(&self->s.other, -EINVAL, "umem: memory at",
			      devx_umem_import(&umem, &self->s.other, &share, addr + 64));
	devx_rig_expect_error(&self->s.other, -EINVAL, "umem: memory at",
			      devx_umem_import(&umem, &self->s.other, &share, NULL));
	devx_rig_expect_error(&self->s.other, -EINVAL, "describe a device (valid: a umem)",
			      devx_umem_import(&umem, &self->s.other, &self->s.share, addr));
	EXPECT_EQ(NULL, umem.dev);
}
