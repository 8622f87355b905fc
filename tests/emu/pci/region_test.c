/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "pci_rig.h"

FIXTURE(region)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(region)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(region)
{
	pci_rig_close(&self->rig);
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

TEST_EACH(region, access_outside_is_refused, struct io, outside)
{
	struct pci_rig rig;

	pci_rig_open(&rig);
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, VFU_REGION_READ, &row->io, sizeof(row->io), NULL, 0));
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, VFU_REGION_WRITE, &row->io, sizeof(row->io), NULL, 0));
	pci_rig_expect_alive(&rig);
	pci_rig_close(&rig);
}

TEST_F(region, a_write_with_less_data_than_its_count_is_refused)
{
	const struct vfu_region_io io = { 0x200, VFIO_PCI_BAR0_REGION_INDEX, 4 };

	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_REGION_WRITE, &io, sizeof(io), NULL, 0));
}
