/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The answers to messages, and the refusal of wrong ones: a body too short or too long, a wrong
 * field, or unexpected file descriptors.
 */
#include <errno.h>
#include <string.h>

#include "open_files.h"
#include "pci_rig.h"

FIXTURE(handle)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(handle)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(handle)
{
	pci_rig_close(&self->rig);
}

TEST_F(handle, version_is_negotiated)
{
	pci_rig_expect_alive(&self->rig);
	EXPECT_EQ(0, ((struct vfu_version *)self->rig.body)->major);
	EXPECT_NE(NULL, strstr((char *)self->rig.body + sizeof(struct vfu_version), "max_msg_fds"));
}

TEST_F(handle, another_major_version_is_refused)
{
	const struct vfu_version v = { 7, 1 };

	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_VERSION, &v, sizeof(v), NULL, 0));
	pci_rig_expect_alive(&self->rig);
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

TEST_EACH(handle, refuses_a_short_body_and_continues, struct kind, kinds)
{
	static const uint8_t zeros[64];
	struct pci_rig rig;

	pci_rig_open(&rig);
	for (size_t n = 0; n < row->bytes; n += 4)
		EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, zeros, n, NULL, 0));
	pci_rig_expect_alive(&rig);
	pci_rig_hang_up(&rig);
	EXPECT_NE(NULL, strstr(rig.said, "body of 0 bytes"));
	pci_rig_close(&rig);
}

TEST_EACH(handle, refuses_too_many_files_and_closes_them, struct kind, kinds)
{
	const unsigned before = count_open_files();
	static const uint8_t zeros[64];
	int fds[20];
	struct pci_rig rig;

	pci_rig_open(&rig);
	for (unsigned i = 0; i < 20; i++)
		fds[i] = rig.mem_fd;
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, zeros, row->bytes, fds, 20));
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, zeros, row->bytes, fds, 2));
	pci_rig_expect_alive(&rig);
	pci_rig_close(&rig);
	EXPECT_EQ(before, count_open_files());
}

TEST_F(handle, an_unknown_message_is_refused)
{
	EXPECT_EQ(ENOTSUP, pci_rig_ask(&self->rig, 6, NULL, 0, NULL, 0));
	EXPECT_EQ(ENOTSUP, pci_rig_ask(&self->rig, 60000, NULL, 0, NULL, 0));
	pci_rig_expect_alive(&self->rig);
}

static const struct body {
	const char *name;
	uint16_t command;
	uint32_t dword[10]; /* the body; its first dword is argsz in most messages */
	size_t bytes;
	const char *key; /* a part of the reported line */
} bodies[] = {
	{ "dma_map_long", VFU_DMA_MAP, { 36 }, 36, "DMA_MAP: body of 36 bytes" },
	{ "dma_map_argsz", VFU_DMA_MAP, { 31 }, 32, "DMA_MAP: argsz 31" },
	{ "dma_unmap_long", VFU_DMA_UNMAP, { 40 }, 40, "DMA_UNMAP: body of 40 bytes" },
	{ "dma_unmap_argsz", VFU_DMA_UNMAP, { 0 }, 24, "DMA_UNMAP: argsz 0" },
	{ "device_info_short",
	  VFU_DEVICE_GET_INFO,
	  { 16 },
	  12,
	  "DEVICE_GET_INFO: body of 12 bytes" },
	{ "region_info_long",
	  VFU_GET_REGION_INFO,
	  { 32 },
	  33,
	  "GET_REGION_INFO: body of 33 bytes" },
	{ "irq_info_argsz", VFU_GET_IRQ_INFO, { 15 }, 16, "GET_IRQ_INFO: argsz 15" },
	{ "set_irqs_long", VFU_SET_IRQS, { 20 }, 24, "SET_IRQS: body of 24 bytes" },
	{ "region_read_long",
	  VFU_REGION_READ,
	  { 0, 0, 7, 4 },
	  20,
	  "REGION_READ: body of 20 bytes" },
	{ "region_write_more", VFU_REGION_WRITE, { 0, 0, 7, 2 }, 20, "REGION_WRITE: count 2" },
	{ "region_write_less", VFU_REGION_WRITE, { 0, 0, 7, 8 }, 20, "REGION_WRITE: count 8" },
	{ "reset_long", VFU_DEVICE_RESET, { 0 }, 4, "DEVICE_RESET: body of 4 bytes" },
	{ "version_text", VFU_VERSION, { 0x10000, 0x7d7b7d7b }, 8, "VERSION: capabilities" },
};

TEST_EACH(handle, body_is_refused_in_a_line, struct body, bodies)
{
	struct pci_rig rig;

	pci_rig_open(&rig);
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, row->dword, row->bytes, NULL, 0));
	pci_rig_expect_said(&rig, row->key);
	pci_rig_close(&rig);
}

TEST_F(handle, regions_and_interrupts_are_described)
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

static unsigned count_lines(const char *text)
{
	unsigned n = 0;

	while ((text = strchr(text, '\n'))) {
		n++;
		text++;
	}
	return n;
}

TEST_F(handle, lines_about_a_bad_client_are_limited)
{
	struct pci_rig *rig = &self->rig;

	rig->pci->log.since = UINT64_MAX / 2; /* this minute does not end */
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(ENOTSUP, pci_rig_ask(rig, 99, NULL, 0, NULL, 0));
	pci_rig_hang_up(rig);
	EXPECT_EQ(20, count_lines(rig->said));
	pci_rig_connect(rig);
	EXPECT_EQ(ENOTSUP, pci_rig_ask(rig, 99, NULL, 0, NULL, 0));
	pci_rig_hang_up(rig);
	EXPECT_EQ(20, count_lines(rig->said));

	rig->pci->log.since = 0; /* this one has ended */
	rig->said[0] = '\0';
	pci_rig_connect(rig);
	EXPECT_EQ(ENOTSUP, pci_rig_ask(rig, 99, NULL, 0, NULL, 0));
	rig->pci->log.since = UINT64_MAX / 2;
	for (int i = 0; i < 20; i++)
		EXPECT_EQ(ENOTSUP, pci_rig_ask(rig, 99, NULL, 0, NULL, 0));
	pci_rig_hang_up(rig);
	EXPECT_SUBSTR("81 more lines were left out (at most 20 a minute)\nunsupported message 99",
		      rig->said);
	EXPECT_EQ(21, count_lines(rig->said));
	emu_pci_destroy(rig->pci);
	rig->pci = NULL;
	EXPECT_SUBSTR("\n1 more lines were left out", rig->said);
}
