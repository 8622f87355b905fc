/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "emu/pci/state.h"
#include "pci_rig.h"

FIXTURE(dma)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(dma)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(dma)
{
	pci_rig_close(&self->rig);
}

static int map_area(struct pci_rig *rig, uint32_t flags, uint64_t addr, uint64_t bytes,
		    uint64_t offset, const int *fd)
{
	const struct vfu_dma_map m = { sizeof(m), flags, offset, addr, bytes };

	return pci_rig_ask(rig, VFU_DMA_MAP, &m, sizeof(m), fd, fd ? 1 : 0);
}

static int map_to_read(struct pci_rig *rig, uint64_t addr, uint64_t bytes, uint64_t offset)
{
	return map_area(rig, VFIO_DMA_MAP_FLAG_READ, addr, bytes, offset, &rig->mem_fd);
}

static int unmap_area(struct pci_rig *rig, uint64_t addr, uint64_t bytes, uint32_t flags)
{
	const struct vfu_dma_unmap m = { sizeof(m), flags, addr, bytes };

	return pci_rig_ask(rig, VFU_DMA_UNMAP, &m, sizeof(m), NULL, 0);
}

TEST_F(dma, areas_do_not_overlap)
{
	EXPECT_EQ(0, map_to_read(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(0, map_to_read(&self->rig, 0x14000, 0x1000, 0x1000));
	EXPECT_EQ(EEXIST, map_to_read(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(EEXIST, map_to_read(&self->rig, 0x11000, 0x4000, 0));
	EXPECT_EQ(EEXIST, map_to_read(&self->rig, 0xf000, 0x10000, 0));
	EXPECT_EQ(0, map_to_read(&self->rig, 0x12000, 0x2000, 0));
	EXPECT_EQ(0, map_to_read(&self->rig, 0xf000, 0x1000, 0));
}

TEST_F(dma, invalid_areas_are_refused)
{
	EXPECT_EQ(EINVAL, map_to_read(&self->rig, 0x10000, 0, 0));
	EXPECT_EQ(EINVAL, map_to_read(&self->rig, UINT64_MAX - 0xfff, 0x2000, 0));
	EXPECT_EQ(EINVAL, map_to_read(&self->rig, 0x10000, PCI_RIG_MEM_BYTES + 1,
				      0)); /* beyond the end of the file */
	EXPECT_EQ(EINVAL, map_to_read(&self->rig, 0x10000, 0x1000, UINT64_MAX));
	EXPECT_EQ(ENOENT, unmap_area(&self->rig, 0x10000, 0x1000, 0));
	EXPECT_EQ(EINVAL, unmap_area(&self->rig, 0x10000, 0x1000, 1 << 7));
	EXPECT_EQ(0, map_to_read(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(ENOENT, unmap_area(&self->rig, 0x10000, 0x1000, 0)); /* half of the area */
	EXPECT_EQ(0, unmap_area(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(0, map_to_read(&self->rig, 0x10000, 0x2000, 0));
	EXPECT_EQ(0, unmap_area(&self->rig, 0, 0, VFIO_DMA_UNMAP_FLAG_ALL));
	EXPECT_EQ(0, map_to_read(&self->rig, 0x10000, 0x2000, 0));
}

TEST_F(dma, addresses_are_found_inside_areas_only)
{
	pci_rig_map_memory(&self->rig);
	EXPECT_NE(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT, PCI_RIG_MEM_BYTES, true));
	EXPECT_EQ(NULL,
		  pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT, PCI_RIG_MEM_BYTES + 1, true));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT - 1, 2, false));
	EXPECT_EQ(NULL,
		  pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT + PCI_RIG_MEM_BYTES, 1, false));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT + 1, SIZE_MAX, false));
	EXPECT_EQ(0, map_to_read(&self->rig, 0x800000, 0x1000, 0)); /* without write access */
	EXPECT_NE(NULL, pci_dma_translate(self->rig.pci, 0x800000, 1, false));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, 0x800000, 1, true));
}

TEST_F(dma, areas_are_unmapped_when_the_client_disconnects)
{
	pci_rig_map_memory(&self->rig);
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, PCI_RIG_MEM_AT, 1, false));
	pci_rig_connect(&self->rig);
	pci_rig_map_memory(&self->rig);
}

/* ---- files ------------------------------------------------------------------------ */

TEST_F(dma, an_empty_file_is_refused)
{
	int pipes[2];

	EXPECT_EQ(0, pipe(pipes));
	EXPECT_EQ(EINVAL, map_area(&self->rig, 1, 0x10000, 0x1000, 0, &pipes[0]));
	close(pipes[0]);
	close(pipes[1]);
	pci_rig_expect_said(&self->rig, "DMA_MAP: 0x1000 bytes at offset 0x0");
}

TEST_F(dma, a_file_that_may_only_be_read_is_not_mapped_to_write)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->rig.mem_fd);
	fd = open(path, O_RDONLY);
	EXPECT_EQ(EACCES, map_area(&self->rig, 3, 0x10000, 0x1000, 0, &fd));
	EXPECT_EQ(0, map_area(&self->rig, 1, 0x10000, 0x1000, 0, &fd));
	close(fd);
	pci_rig_expect_said(&self->rig, "DMA_MAP: cannot map the file");
}

TEST_F(dma, areas_are_of_whole_pages)
{
	EXPECT_EQ(EINVAL, map_area(&self->rig, 1, 0x10800, 0x1000, 0, &self->rig.mem_fd));
	EXPECT_EQ(EINVAL, map_area(&self->rig, 1, 0x10000, 0x1001, 0, &self->rig.mem_fd));
	EXPECT_EQ(EINVAL, map_area(&self->rig, 1, 0x10000, 0x1000, 0x200, &self->rig.mem_fd));
	EXPECT_EQ(EINVAL, map_area(&self->rig, 1 << 5, 0x10000, 0x1000, 0, &self->rig.mem_fd));
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("multiples of 4096", self->rig.said);
}

/* The server cannot access memory that was mapped without a file. */
TEST_F(dma, addresses_of_areas_without_a_file_are_refused)
{
	EXPECT_EQ(0, map_area(&self->rig, 3, 0x10000, 0x1000, 0, NULL));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, 0x10000, 1, false));
}

TEST_F(dma, more_areas_than_the_limit_are_refused)
{
	for (unsigned i = 0; i < PCI_MAX_DMA; i++)
		EXPECT_EQ(0, map_area(&self->rig, 3, (uint64_t)i << 20, 0x1000, 0, NULL));
	EXPECT_EQ(ENOSPC, map_area(&self->rig, 3, (uint64_t)PCI_MAX_DMA << 20, 0x1000, 0, NULL));
	pci_rig_expect_said(&self->rig, "DMA_MAP: too many areas");
	EXPECT_EQ(0, map_area(&self->rig, 3, 0x10000, 0x1000, 0, NULL));
}
