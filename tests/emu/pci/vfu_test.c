/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pci_rig.h"
#include "emu/pci/dma.h"
#include "emu/pci/irq.h"

FIXTURE(vfu)
{
	struct pci_rig rig;
	unsigned fds;
};

FIXTURE_SETUP(vfu)
{
	self->fds = pci_rig_count_fds();
	pci_rig_open(&self->rig);
}

FIXTURE_TEARDOWN(vfu)
{
	pci_rig_close(&self->rig);
	EXPECT_EQ(self->fds, pci_rig_count_fds());
}

/* The connection answers as if nothing had been. */
static void expect_alive(struct pci_rig *rig)
{
	const struct vfu_version v = { 0, 1 };

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_VERSION, &v, sizeof(v), NULL, 0));
}

TEST_F(vfu, version_is_negotiated)
{
	expect_alive(&self->rig);
	EXPECT_EQ(0, ((struct vfu_version *)self->rig.body)->major);
	EXPECT_NE(NULL, strstr((char *)self->rig.body + sizeof(struct vfu_version), "max_msg_fds"));
}

TEST_F(vfu, another_major_version_is_refused)
{
	const struct vfu_version v = { 7, 1 };

	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_VERSION, &v, sizeof(v), NULL, 0));
	expect_alive(&self->rig);
}

static const struct kind {
	const char *name;
	uint16_t command;
	size_t bytes;
} kinds[] = {
	{ "version", VFU_VERSION, sizeof(struct vfu_version) },
	{ "dma_map", VFU_DMA_MAP, sizeof(struct vfu_dma_map) },
	{ "dma_unmap", VFU_DMA_UNMAP, sizeof(struct vfu_dma_unmap) },
	{ "get_region_info", VFU_GET_REGION_INFO, sizeof(struct vfu_region_info) },
	{ "get_irq_info", VFU_GET_IRQ_INFO, sizeof(struct vfu_irq_info) },
	{ "set_irqs", VFU_SET_IRQS, sizeof(struct vfu_irq_set) },
	{ "region_read", VFU_REGION_READ, sizeof(struct vfu_region_io) },
	{ "region_write", VFU_REGION_WRITE, sizeof(struct vfu_region_io) },
};

TEST_EACH(vfu_kind, refuses_a_short_body_and_lives, struct kind, kinds)
{
	static const uint8_t zeros[64];
	struct pci_rig rig;

	pci_rig_open(&rig);
	for (size_t n = 0; n < row->bytes; n += 4)
		EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, zeros, n, NULL, 0));
	expect_alive(&rig);
	pci_rig_hang_up(&rig);
	EXPECT_NE(NULL, strstr(rig.said, "a body of 0 bytes, it has"));
	pci_rig_close(&rig);
}

TEST_EACH(vfu_kind, refuses_too_many_files_and_closes_them, struct kind, kinds)
{
	const unsigned before = pci_rig_count_fds();
	static const uint8_t zeros[64];
	int fds[20];
	struct pci_rig rig;

	pci_rig_open(&rig);
	for (unsigned i = 0; i < 20; i++)
		fds[i] = rig.mem_fd;
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, zeros, row->bytes, fds, 20));
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, zeros, row->bytes, fds, 2));
	expect_alive(&rig);
	pci_rig_close(&rig);
	EXPECT_EQ(before, pci_rig_count_fds());
}

TEST_F(vfu, an_unknown_message_is_refused)
{
	EXPECT_EQ(ENOTSUP, pci_rig_ask(&self->rig, 6, NULL, 0, NULL, 0));
	EXPECT_EQ(ENOTSUP, pci_rig_ask(&self->rig, 60000, NULL, 0, NULL, 0));
	expect_alive(&self->rig);
}

static void send_raw(struct pci_rig *rig, const struct vfu_header *header, size_t bytes)
{
	EXPECT_EQ((ssize_t)bytes, send(rig->fd, header, bytes, MSG_NOSIGNAL));
}

static const struct broken {
	const char *name;
	struct vfu_header header;
} broken[] = {
	{ "too_short", { 1, VFU_VERSION, 15, 0, 0 } },
	{ "of_no_bytes", { 1, VFU_VERSION, 0, 0, 0 } },
	{ "too_long", { 1, VFU_VERSION, UINT32_MAX, 0, 0 } },
	{ "a_reply", { 1, VFU_VERSION, 16, VFU_REPLY, 0 } },
};

TEST_EACH(vfu_header, that_cannot_be_framed_ends_the_connection_only, struct broken, broken)
{
	struct pci_rig rig;

	pci_rig_open(&rig);
	send_raw(&rig, &row->header, sizeof(row->header));
	EXPECT_EQ(-1, pci_rig_receive(&rig));
	pci_rig_hang_up(&rig);
	EXPECT_SUBSTR("the client's connection ends here\n", rig.said);
	pci_rig_connect(&rig);
	expect_alive(&rig);
	pci_rig_close(&rig);
}

TEST_F(vfu, a_message_may_come_in_pieces)
{
	const struct {
		struct vfu_header header;
		struct vfu_region_io io;
	} m = { { ++self->rig.next_id, VFU_REGION_READ, sizeof(m), 0, 0 },
		{ 0, VFIO_PCI_CONFIG_REGION_INDEX, 4 } };

	for (size_t i = 0; i < sizeof(m); i++) {
		EXPECT_EQ(1, send(self->rig.fd, (const char *)&m + i, 1, MSG_NOSIGNAL));
		usleep(100);
	}
	EXPECT_EQ(0, pci_rig_receive(&self->rig));
	EXPECT_EQ(0xb3, self->rig.body[sizeof(m.io)]); /* vendor 15B3h */
}

TEST_F(vfu, a_client_may_go_in_the_middle_of_a_message)
{
	const struct vfu_header header = { 1, VFU_VERSION, 100, 0, 0 };

	send_raw(&self->rig, &header, sizeof(header));
	pci_rig_hang_up(&self->rig);
	EXPECT_NE(NULL, strstr(self->rig.said, "in the middle of a message"));
	pci_rig_connect(&self->rig);
	expect_alive(&self->rig);
}

TEST_F(vfu, a_posted_write_is_not_answered)
{
	const struct {
		struct vfu_region_io io;
		uint32_t value;
	} m = { { 0x200, VFIO_PCI_BAR0_REGION_INDEX, 4 }, 0 };

	EXPECT_TRUE(pci_rig_send(&self->rig, VFU_REGION_WRITE, VFU_NO_REPLY, &m, 20, NULL, 0));
	expect_alive(&self->rig); /* its answer is the next that comes */
}

static const struct io {
	const char *name;
	struct vfu_region_io io;
} outside[] = {
	{ "beyond_config", { PCI_CONFIG_BYTES, VFIO_PCI_CONFIG_REGION_INDEX, 1 } },
	{ "across_its_end", { PCI_CONFIG_BYTES - 2, VFIO_PCI_CONFIG_REGION_INDEX, 4 } },
	{ "no_such_bar", { 0, VFIO_PCI_BAR1_REGION_INDEX, 4 } },
	{ "no_such_region", { 0, 1000, 4 } },
	{ "far_out", { UINT64_MAX - 1, VFIO_PCI_BAR0_REGION_INDEX, 4 } },
	{ "too_much", { 0, VFIO_PCI_BAR0_REGION_INDEX, VFU_MAX_XFER + 1 } },
};

TEST_EACH(vfu_region, access_outside_is_refused, struct io, outside)
{
	struct pci_rig rig;

	pci_rig_open(&rig);
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, VFU_REGION_READ, &row->io, sizeof(row->io), NULL, 0));
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, VFU_REGION_WRITE, &row->io, sizeof(row->io), NULL, 0));
	expect_alive(&rig);
	pci_rig_close(&rig);
}

TEST_F(vfu, a_write_that_carries_less_than_it_says_is_refused)
{
	const struct vfu_region_io io = { 0x200, VFIO_PCI_BAR0_REGION_INDEX, 4 };

	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_REGION_WRITE, &io, sizeof(io), NULL, 0));
}

TEST_F(vfu, regions_and_interrupts_are_described)
{
	struct vfu_region_info region = { sizeof(region), .index = VFIO_PCI_BAR0_REGION_INDEX };
	struct vfu_irq_info irq = { sizeof(irq), .index = VFIO_PCI_MSIX_IRQ_INDEX };

	EXPECT_EQ(0,
		  pci_rig_ask(&self->rig, VFU_GET_REGION_INFO, &region, sizeof(region), NULL, 0));
	memcpy(&region, self->rig.body, sizeof(region));
	EXPECT_EQ(PCI_BAR_BYTES, region.bytes);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_GET_IRQ_INFO, &irq, sizeof(irq), NULL, 0));
	memcpy(&irq, self->rig.body, sizeof(irq));
	EXPECT_EQ(PCI_N_VECTORS, irq.count);
	region.index = irq.index = 77;
	EXPECT_EQ(EINVAL,
		  pci_rig_ask(&self->rig, VFU_GET_REGION_INFO, &region, sizeof(region), NULL, 0));
	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_GET_IRQ_INFO, &irq, sizeof(irq), NULL, 0));
}

/* ---- interrupts ------------------------------------------------------------------- */

static int set_irqs(struct pci_rig *rig, uint32_t what, uint32_t start, uint32_t count,
		    const int *fds, unsigned n_fds)
{
	const struct vfu_irq_set set = { sizeof(set), what | VFIO_IRQ_SET_ACTION_TRIGGER,
					 VFIO_PCI_MSIX_IRQ_INDEX, start, count };

	return pci_rig_ask(rig, VFU_SET_IRQS, &set, sizeof(set), fds, n_fds);
}

static uint64_t count_of(int fd)
{
	uint64_t n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

static void raise_vector(struct pci_rig *rig, uint16_t vector)
{
	emu_lock(rig->pci->adapter);
	pci_irq_raise(rig->pci, vector);
	emu_unlock(rig->pci->adapter);
}

TEST_F(vfu, an_interrupt_between_two_installations_is_not_lost)
{
	int fd = eventfd(0, EFD_NONBLOCK);

	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 3, 1, &fd, 1));
	raise_vector(&self->rig, 3);
	EXPECT_EQ(1, count_of(fd));
	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_NONE, 0, 0, NULL, 0));
	raise_vector(&self->rig, 3);
	EXPECT_EQ(0, count_of(fd));
	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 3, 1, &fd, 1));
	EXPECT_EQ(1, count_of(fd));
	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 3, 1, &fd, 1));
	EXPECT_EQ(0, count_of(fd));
	raise_vector(&self->rig, PCI_N_VECTORS); /* a vector that does not exist */
	close(fd);
}

TEST_F(vfu, wrong_vectors_and_file_counts_are_refused)
{
	const int fd = eventfd(0, EFD_NONBLOCK), fds[3] = { fd, fd, fd };

	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 0, 2, fds, 3));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 15, 2, fds, 2));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, UINT32_MAX, 2, fds, 2));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_NONE, 0, 17, NULL, 0));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_BOOL, 0, 1, NULL, 0));
	close(fd);
	expect_alive(&self->rig);
}

/* ---- DMA -------------------------------------------------------------------------- */

static int map(struct pci_rig *rig, uint64_t addr, uint64_t bytes, uint64_t offset)
{
	const struct vfu_dma_map m = { sizeof(m), VFIO_DMA_MAP_FLAG_READ, offset, addr, bytes };

	return pci_rig_ask(rig, VFU_DMA_MAP, &m, sizeof(m), &rig->mem_fd, 1);
}

static int unmap(struct pci_rig *rig, uint64_t addr, uint64_t bytes, uint32_t flags)
{
	const struct vfu_dma_unmap m = { sizeof(m), flags, addr, bytes };

	return pci_rig_ask(rig, VFU_DMA_UNMAP, &m, sizeof(m), NULL, 0);
}

TEST_F(vfu, areas_do_not_overlap)
{
	EXPECT_EQ(0, map(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(0, map(&self->rig, 0x14000, 0x1000, 0x1000));
	EXPECT_EQ(EEXIST, map(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(EEXIST, map(&self->rig, 0x11000, 0x4000, 0));
	EXPECT_EQ(EEXIST, map(&self->rig, 0xf000, 0x10000, 0));
	EXPECT_EQ(0, map(&self->rig, 0x12000, 0x2000, 0));
	EXPECT_EQ(0, map(&self->rig, 0xf000, 0x1000, 0));
}

TEST_F(vfu, areas_without_sense_are_refused)
{
	EXPECT_EQ(EINVAL, map(&self->rig, 0x10000, 0, 0));
	EXPECT_EQ(EINVAL, map(&self->rig, UINT64_MAX - 0xfff, 0x2000, 0));
	EXPECT_EQ(EINVAL,
		  map(&self->rig, 0x10000, PCI_RIG_MEM_BYTES + 1, 0)); /* the file ends before */
	EXPECT_EQ(EINVAL, map(&self->rig, 0x10000, 0x1000, UINT64_MAX));
	EXPECT_EQ(ENOENT, unmap(&self->rig, 0x10000, 0x1000, 0));
	EXPECT_EQ(EINVAL, unmap(&self->rig, 0x10000, 0x1000, 1 << 7));
	EXPECT_EQ(0, map(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(ENOENT, unmap(&self->rig, 0x10000, 0x1000, 0)); /* half of it */
	EXPECT_EQ(0, unmap(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(0, map(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(0, unmap(&self->rig, 0, 0, VFIO_DMA_UNMAP_FLAG_ALL));
	EXPECT_EQ(0, map(&self->rig, 0x10000, 0x2000, 0));
}

TEST_F(vfu, addresses_are_found_inside_areas_only)
{
	pci_rig_map_memory(&self->rig);
	EXPECT_NE(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT, PCI_RIG_MEM_BYTES, true));
	EXPECT_EQ(NULL,
		  pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT, PCI_RIG_MEM_BYTES + 1, true));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT - 1, 2, false));
	EXPECT_EQ(NULL,
		  pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT + PCI_RIG_MEM_BYTES, 1, false));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT + 1, SIZE_MAX, false));
	EXPECT_EQ(0, map(&self->rig, 0x800000, 0x1000, 0)); /* read only */
	EXPECT_NE(NULL, pci_dma_translate(self->rig.pci, 0x800000, 1, false));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, 0x800000, 1, true));
}

TEST_F(vfu, what_a_client_mapped_goes_with_it)
{
	pci_rig_map_memory(&self->rig);
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT, 1, false));
	pci_rig_connect(&self->rig);
	pci_rig_map_memory(&self->rig);
}
