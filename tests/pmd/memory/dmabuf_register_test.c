/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/resource.h>

#include "dmabuf.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/* Which dma-bufs a port accepts beside another, and a registration without a free descriptor. */

enum { PART = 1 << 16, N_PARTS = 3 };

FIXTURE(dmabuf_register)
{
	struct port_rig rig;
	struct test_dmabuf buf;
};
FIXTURE_SETUP(dmabuf_register)
{
	port_rig_probe(&self->rig);
	ASSERT_TRUE(test_dmabuf_up(&self->buf, N_PARTS * PART));
	self->rig.objects.descriptors++; /* until test_dmabuf_down() */
}
FIXTURE_TEARDOWN(dmabuf_register)
{
	port_rig_down(&self->rig);
	test_dmabuf_down(&self->buf);
}

static uintptr_t get_address(const struct ct_fix_dmabuf_register *self, size_t offset)
{
	return (uintptr_t)self->buf.device + offset;
}

static int register_bytes(const struct ct_fix_dmabuf_register *self, size_t offset, size_t bytes)
{
	const struct rte_pmd_devx_dmabuf part = { .fd = self->buf.fd,
						  .offset = offset,
						  .length = bytes,
						  .address = get_address(self, offset) };

	return rte_pmd_devx_dmabuf_register(self->rig.port, &part);
}

TEST_F(dmabuf_register, accepts_neighbours_and_refuses_an_overlap_of_a_page)
{
	enum { PAGE = 4096 };
	const uint16_t port = self->rig.port;

	ASSERT_EQ(0, register_bytes(self, PART, PART));
	EXPECT_EQ(-EEXIST, register_bytes(self, 0, PART + PAGE));
	EXPECT_EQ(-EEXIST, register_bytes(self, 2 * PART - PAGE, PART));
	EXPECT_EQ(0, register_bytes(self, 0, PART));
	EXPECT_EQ(0, register_bytes(self, 2 * PART, PART));
	for (size_t i = 0; i < N_PARTS; i++)
		EXPECT_EQ(0, rte_pmd_devx_dmabuf_unregister(port, get_address(self, i * PART)));
	EXPECT_EQ(-ENOENT, rte_pmd_devx_dmabuf_unregister(port, get_address(self, 0)));
}

/* The port keeps a descriptor of its own. */
TEST_F(dmabuf_register, needs_a_free_descriptor)
{
	const struct driver_objects before = driver_objects_count();
	const int lowest = dup(self->buf.fd);
	struct rlimit limit, none;

	close(lowest);
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = (rlim_t)lowest; /* no lower number is free */
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_EQ(-EMFILE, register_bytes(self, 0, PART));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	driver_objects_expect_all(&before);
	EXPECT_EQ(0, register_bytes(self, 0, PART));
}
