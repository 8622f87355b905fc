/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "pci_rig.h"

/* Registers and fields of the vendor-specific capability, which tests use as a kernel does. */
enum { CONTROL = 4, COUNTER = 8, SEMAPHORE = 0xc, LENGTH = 2, STATUS = 29 };

FIXTURE(vsc)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(vsc)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(vsc)
{
	pci_rig_close(&self->rig);
}

struct access {
	struct vfu_region_io io;
	uint8_t bytes[4];
};

static uint32_t config_read(struct pci_rig *rig, unsigned off, unsigned bytes)
{
	const struct vfu_region_io io = { off, VFIO_PCI_CONFIG_REGION_INDEX, bytes };
	uint32_t v = 0;

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_REGION_READ, &io, sizeof(io), NULL, 0));
	memcpy(&v, rig->body + sizeof(io), bytes);
	return le32toh(v);
}

static uint32_t vsc_read(struct pci_rig *rig, unsigned off)
{
	return config_read(rig, PCI_VSC_CAP + off, 4);
}

static void vsc_write(struct pci_rig *rig, unsigned off, uint32_t value)
{
	struct access a = { { PCI_VSC_CAP + off, VFIO_PCI_CONFIG_REGION_INDEX, 4 }, { 0 } };

	value = htole32(value);
	memcpy(a.bytes, &value, sizeof(value));
	EXPECT_EQ(0, pci_rig_ask(rig, VFU_REGION_WRITE, &a, sizeof(a.io) + 4, NULL, 0));
}

TEST_F(vsc, is_in_the_list_of_capabilities)
{
	unsigned at = config_read(&self->rig, PCI_CAPABILITY_LIST, 1);

	while (at && config_read(&self->rig, at, 1) != PCI_CAP_ID_VNDR)
		at = config_read(&self->rig, at + PCI_CAP_LIST_NEXT, 1);
	EXPECT_EQ(PCI_VSC_CAP, at);
	EXPECT_EQ(0x18, config_read(&self->rig, at + LENGTH, 1));
}

TEST_F(vsc, only_one_user_owns_the_semaphore)
{
	const uint32_t first = vsc_read(&self->rig, COUNTER);
	uint32_t second;

	EXPECT_NE(0, first);
	EXPECT_EQ(0, vsc_read(&self->rig, SEMAPHORE));
	vsc_write(&self->rig, SEMAPHORE, first);
	EXPECT_EQ(first, vsc_read(&self->rig, SEMAPHORE));
	second = vsc_read(&self->rig, COUNTER);
	EXPECT_NE(first, second);
	vsc_write(&self->rig, SEMAPHORE, second);
	EXPECT_EQ(first, vsc_read(&self->rig, SEMAPHORE));
	vsc_write(&self->rig, SEMAPHORE, 0);
	vsc_write(&self->rig, SEMAPHORE, second);
	EXPECT_EQ(second, vsc_read(&self->rig, SEMAPHORE));
}

TEST_F(vsc, has_no_spaces)
{
	vsc_write(&self->rig, CONTROL, 0xe0000007);
	EXPECT_EQ(7, vsc_read(&self->rig, CONTROL) & 0xffff);
	EXPECT_EQ(0, vsc_read(&self->rig, CONTROL) >> STATUS);
}
