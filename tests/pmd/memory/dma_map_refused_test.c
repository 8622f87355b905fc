/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "attach/secondary_rig.h"
#include "devx_port.h"
#include "dmabuf.h"
#include "loss_rig.h"
#include "memory_rig.h"
#include "rte_pmd_devx.h"

/* Mappings and their ends that EAL, the driver or the kernel refuses. */

enum { PART = MEMORY_RIG_BYTES / 4, PAGE = 4096 };

FIXTURE(dma_map_refused)
{
	struct port_rig port;
	struct memory_rig rig;
};
FIXTURE_SETUP(dma_map_refused)
{
	port_rig_up(&self->port, &(struct port_rig_config){ 0 });
	memory_rig_up(&self->rig, &self->port);
	memory_rig_extmem_register(&self->rig);
	ASSERT_EQ(0, memory_rig_map(&self->rig, PART, PART));
	memory_rig_expect_registrations(&self->rig, 1);
	port_rig_read_log();
}
FIXTURE_TEARDOWN(dma_map_refused)
{
	loss_rig_forget();
	memory_rig_expect_sent(&self->rig, self->rig.memory + PART);
	memory_rig_expect_registrations(&self->rig, 1);
	memory_rig_extmem_unregister(&self->rig);
	port_rig_down(&self->port);
	memory_rig_down(&self->rig);
}

static const struct request {
	const char *name;
	size_t offset, bytes;
	int rc;
	const char *says; /* NULL: EAL refuses it before the driver */
} maps[] = {
	{ "twice", PART, PART, -EEXIST, "are mapped already; unmap these first\n" },
	{ "overlap_at_the_end", 2 * PART - 1, PART, -EEXIST, "65536 bytes at " },
	{ "overlap_at_the_start", PART / 2, PART / 2 + 1, -EEXIST, "are mapped already" },
	{ "overlap_inside", PART + 1, 1, -EEXIST, "are mapped already" },
	{ "overlap_around", 0, 3 * PART, -EEXIST, "are mapped already" },
	{ "no_byte", 0, 0, -ENOTSUP, NULL },
	{ "memory_that_EAL_does_not_know", MEMORY_RIG_BYTES, 1, -EINVAL, NULL },
	{ "memory_that_is_not_mapped", 3 * PART, PART + PAGE, -EFAULT,
	  "for memory of a GPU, call rte_pmd_devx_dmabuf_register() first" },
	{ "wrap", 0, SIZE_MAX, -EINVAL, "no wrap at 2^64" },
};

TEST_F_EACH(dma_map_refused, map, struct request, maps)
{
	EXPECT_EQ(row->rc, memory_rig_map(&self->rig, row->offset, row->bytes));
	if (row->says)
		memory_rig_expect_one_line(row->says);
}

static const struct request unmaps[] = {
	{ "nothing_mapped", 0, PART, -ENOENT, "no mapping begins there\n" },
	{ "inside", PART + 1, PART - 1, -ENOENT, "no mapping begins there\n" },
	{ "shorter", PART, PART - 1, -EINVAL, "valid: the whole mapping, 65536 bytes" },
	{ "longer", PART, PART + 1, -EINVAL, "valid: the whole mapping, 65536 bytes" },
	{ "no_byte", PART, 0, -ENOTSUP, NULL },
	{ "memory_that_EAL_does_not_know", MEMORY_RIG_BYTES, 1, -EINVAL, NULL },
};

TEST_F_EACH(dma_map_refused, unmap, struct request, unmaps)
{
	EXPECT_EQ(row->rc, memory_rig_unmap(&self->rig, row->offset, row->bytes));
	if (row->says)
		memory_rig_expect_one_line(row->says);
}

TEST_F(dma_map_refused, firmware_has_no_memory_key_left)
{
	NEEDS_EMU("to make a command fail");
	self->port.emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
	EXPECT_GT(0, memory_rig_map(&self->rig, 0, PART));
	self->port.emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	memory_rig_expect_one_line("cannot map memory at ");
	memory_rig_expect_registrations(&self->rig, 1);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, PART));
	memory_rig_expect_sent(&self->rig, self->rig.memory);
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, PART));
}

TEST_F(dma_map_refused, the_device_is_lost)
{
	NEEDS_EMU("to let the device go away");
	loss_rig_listen();
	loss_rig_inject(&self->port, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(&self->port, &loss_seen.n_recovering, 1));
	port_rig_read_log();
	EXPECT_EQ(-EBUSY, memory_rig_map(&self->rig, 0, PART));
	memory_rig_expect_one_line("try again after RTE_ETH_EVENT_RECOVERY_SUCCESS");
	EXPECT_EQ(-EBUSY, memory_rig_unmap(&self->rig, PART, PART));
	loss_rig_inject(&self->port, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(&self->port, &loss_seen.n_success, 1));
}

TEST_F(dma_map_refused, a_secondary_process_cannot_map)
{
	const struct rte_pmd_devx_ring_conf conf = { .frame_bytes = 60, .n_packets = 4 };
	struct rte_pmd_devx_ring *ring;
	int map, unmap, dmabuf[2], generator;
	const char *log;

	secondary_rig_play(true);
	map = memory_rig_map(&self->rig, 0, PART);
	unmap = memory_rig_unmap(&self->rig, PART, PART);
	dmabuf[0] = rte_pmd_devx_dmabuf_register(self->port.port,
						 &(struct rte_pmd_devx_dmabuf){ .fd = -1 });
	dmabuf[1] = rte_pmd_devx_dmabuf_unregister(self->port.port, 0);
	generator = rte_pmd_devx_ring_create(self->port.port, &conf, &ring);
	secondary_rig_play(false);
	EXPECT_EQ(-ENOTSUP, map);
	EXPECT_EQ(-ENOTSUP, unmap);
	EXPECT_EQ(-ENOTSUP, dmabuf[0]);
	EXPECT_EQ(-ENOTSUP, dmabuf[1]);
	EXPECT_EQ(-ENOTSUP, generator);
	log = port_rig_read_log();
	EXPECT_SUBSTR("net_devx0: memory map: unsupported in a secondary process; use the primary "
		      "one\n",
		      log);
	EXPECT_SUBSTR(": dma-buf: unsupported in a secondary process; use the primary one\n", log);
	EXPECT_SUBSTR(": generator ring: unsupported in a secondary process; use the primary one\n",
		      log);
}

/* The port has unmapped all when it closes. */
TEST_F(dma_map_refused, the_port_is_closed)
{
	struct rte_device *device = rte_eth_devices[self->port.port].device;

	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	ASSERT_EQ(0, rte_eth_dev_close(self->port.port));
	port_rig_read_log();
	EXPECT_GT(0, rte_dev_dma_map(device, self->rig.memory, 0, PART));
	EXPECT_EQ(ENODEV, rte_errno);
	EXPECT_SUBSTR("net_devx0: memory map: the port is closed", port_rig_read_log());
	EXPECT_EQ(0, rte_dev_dma_unmap(device, self->rig.memory + PART, 0, PART));
	port_rig_remove_port(&self->port);
	port_rig_add_port(&self->port);
	ASSERT_EQ(0, port_rig_configure(&self->port, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	EXPECT_EQ(-ENOENT, memory_rig_unmap(&self->rig, PART, PART));
	ASSERT_EQ(0, memory_rig_map(&self->rig, PART, PART));
}

/* Memory of a GPU: the CPU has no access, and the kernel cannot register the addresses. */
TEST_F(dma_map_refused, memory_of_a_dmabuf_uses_its_registration)
{
	struct rte_device *device = rte_eth_devices[self->port.port].device;
	struct test_dmabuf buf;

	ASSERT_TRUE(test_dmabuf_up(&buf, MEMORY_RIG_BYTES));
	ASSERT_EQ(0, rte_extmem_register(buf.device, MEMORY_RIG_BYTES, NULL, 0, PAGE));
	EXPECT_GT(0, rte_dev_dma_map(device, buf.device, 0, MEMORY_RIG_BYTES));
	EXPECT_EQ(EFAULT, rte_errno);
	memory_rig_expect_one_line("call rte_pmd_devx_dmabuf_register() first");
	ASSERT_EQ(0, rte_pmd_devx_dmabuf_register(
			     self->port.port,
			     &(struct rte_pmd_devx_dmabuf){ .fd = buf.fd,
							    .length = MEMORY_RIG_BYTES,
							    .address = (uintptr_t)buf.device }));
	EXPECT_EQ(0, rte_dev_dma_map(device, buf.device, 0, MEMORY_RIG_BYTES));
	EXPECT_EQ(0, rte_dev_dma_unmap(device, buf.device, 0, MEMORY_RIG_BYTES));
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	EXPECT_EQ(0, rte_pmd_devx_dmabuf_unregister(self->port.port, (uintptr_t)buf.device));
	EXPECT_EQ(0, rte_extmem_unregister(buf.device, MEMORY_RIG_BYTES));
	test_dmabuf_down(&buf);
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
}
