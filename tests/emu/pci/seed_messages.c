/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A seed of messages: those of QEMU 11 (hw/vfio-user) from its start to the guest's first command,
 * one message of each kind, and a reset.
 */
#include "seed.h"

#include <linux/pci_regs.h>
#include <string.h>

#include "emu/pci/state.h"
#include "fuzz.h"
#include "prm/prm.h"
#include "prm/seg.h"

static void read_region(struct seed *s, uint32_t region, uint64_t off, uint32_t n)
{
	const struct vfu_region_io io = { off, region, n };

	seed_add_message(s, VFU_REGION_READ, &io, sizeof(io), 0, false);
}

static void write_region(struct seed *s, uint32_t region, uint64_t off, const void *from,
			 uint32_t n)
{
	struct {
		struct vfu_region_io io;
		uint8_t bytes[64];
	} m = { { off, region, n }, { 0 } };

	memcpy(m.bytes, from, n);
	seed_add_message(s, VFU_REGION_WRITE, &m, (uint16_t)(sizeof(m.io) + n), 0, false);
}

static void discover_device(struct seed *s)
{
	static const struct {
		struct vfu_version version;
		char text[28];
	} version = { { 0, 1 }, "{\"capabilities\":{\"a\":0}}" };
	const struct vfu_device_info device = { .argsz = sizeof(device) };

	seed_add_message(s, VFU_VERSION, &version, sizeof(version), 0, false);
	seed_add_message(s, VFU_DEVICE_GET_INFO, &device, sizeof(device), 0, false);
	for (uint32_t i = 0; i < VFIO_PCI_NUM_REGIONS; i++) {
		const struct vfu_region_info region = { .argsz = sizeof(region), .index = i };

		seed_add_message(s, VFU_GET_REGION_INFO, &region, sizeof(region), 0, false);
	}
	for (uint32_t i = 0; i < VFIO_PCI_NUM_IRQS; i++) {
		const struct vfu_irq_info irq = { .argsz = sizeof(irq), .index = i };

		seed_add_message(s, VFU_GET_IRQ_INFO, &irq, sizeof(irq), 0, false);
	}
	for (uint64_t off = 0; off < 256; off += 64)
		read_region(s, VFIO_PCI_CONFIG_REGION_INDEX, off, 64);
}

static void give_memory(struct seed *s)
{
	const struct vfu_dma_map rom = { sizeof(rom), 1, 0, 0xc0000, 0x1000 },
				 low = { sizeof(low), 3, 0x1000, 0, 0xa0000 };
	const struct vfu_dma_unmap gone = { sizeof(gone), 0, 0xc0000, 0x1000 };

	seed_add_message(s, VFU_DMA_MAP, &low, sizeof(low), 1, false);
	seed_add_message(s, VFU_DMA_MAP, &rom, sizeof(rom), 0, false);
	seed_add_message(s, VFU_DMA_UNMAP, &gone, sizeof(gone), 0, false);
}

static void set_vectors(struct seed *s, uint32_t what, uint32_t n, uint8_t n_files)
{
	const struct vfu_irq_set set = { sizeof(set), what | VFIO_IRQ_SET_ACTION_TRIGGER,
					 VFIO_PCI_MSIX_IRQ_INDEX, 0, n };

	seed_add_message(s, VFU_SET_IRQS, &set, sizeof(set), n_files, true);
}

/* Executes ENABLE_HCA, writes registers of the command queue, and rings doorbells of a UAR. */
static void drive_device(struct seed *s)
{
	static const uint16_t command = PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	static const uint64_t wqe[8] = { 0x0100 };
	const prm_be32 queue = prm_be32_of(FUZZ_MEM_AT + FUZZ_QUEUE), one = prm_be32_of(1);
	struct prm_enable_hca_in in = { 0 };

	write_region(s, VFIO_PCI_CONFIG_REGION_INDEX, PCI_COMMAND, &command, sizeof(command));
	prm_set(&in, opcode, PRM_OP_enable_hca);
	seed_add_command(s, &in, sizeof(in)); /* gives the entry back to the driver */
	write_region(s, VFIO_PCI_BAR0_REGION_INDEX, offsetof(struct prm_init_seg, cmdq_addr_l_sz),
		     &queue, sizeof(queue));
	write_region(s, VFIO_PCI_BAR0_REGION_INDEX, offsetof(struct prm_init_seg, cmd_dbell), &one,
		     sizeof(one));
	read_region(s, VFIO_PCI_BAR0_REGION_INDEX, 0, 64);
	read_region(s, VFIO_PCI_BAR0_REGION_INDEX, offsetof(struct prm_init_seg, health_counter),
		    4);
	for (unsigned i = 0; i < 8; i++)
		write_region(s, VFIO_PCI_BAR0_REGION_INDEX,
			     PCI_FIRST_UAR * PRM_UAR_BYTES + PRM_UAR_BF + i * 8, &wqe[i], 8);
	write_region(s, VFIO_PCI_BAR0_REGION_INDEX, PCI_FIRST_UAR * PRM_UAR_BYTES + PRM_UAR_CQ_ARM,
		     wqe, 8);
}

void seed_build_messages(struct seed *s)
{
	discover_device(s);
	give_memory(s);
	set_vectors(s, VFIO_IRQ_SET_DATA_EVENTFD, 1, 0);
	set_vectors(s, VFIO_IRQ_SET_DATA_NONE, 0, 0);
	set_vectors(s, VFIO_IRQ_SET_DATA_EVENTFD, 4, 4);
	drive_device(s);
	seed_add_message(s, VFU_DEVICE_RESET, NULL, 0, 0, false);
}
