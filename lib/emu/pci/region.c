/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/state.h"

#include <errno.h>
#include <string.h>

/* The regions of the function: BAR0 and configuration space. All other regions have 0 bytes. */

static uint64_t get_region_bytes(uint32_t index)
{
	return index == VFIO_PCI_BAR0_REGION_INDEX     ? PCI_BAR_BYTES
	       : index == VFIO_PCI_CONFIG_REGION_INDEX ? PCI_CONFIG_BYTES
						       : 0;
}

int pci_region_get_info(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_region_info info;

	if (!pci_body_copy_argsz(pci, m, "GET_REGION_INFO", &info, sizeof(info)))
		return EINVAL;
	if (info.index >= VFIO_PCI_NUM_REGIONS) {
		pci_say(pci, "GET_REGION_INFO: region %u (valid: 0 to %d)", info.index,
			VFIO_PCI_NUM_REGIONS - 1);
		return EINVAL;
	}
	info = (struct vfu_region_info){ .argsz = sizeof(info),
					 .index = info.index,
					 .bytes = get_region_bytes(info.index) };
	if (info.bytes)
		info.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	memcpy(m->body, &info, sizeof(info));
	return 0;
}

static bool check_bounds(struct emu_pci *pci, const char *name, const struct vfu_region_io *io)
{
	const uint64_t bytes = get_region_bytes(io->region);

	if (io->count <= VFU_MAX_XFER && io->offset <= bytes && io->count <= bytes - io->offset)
		return true;
	pci_say(pci,
		"%s: %u bytes at 0x%llx of region %u, which has 0x%llx bytes (valid: at most %d at "
		"once)",
		name, io->count, (unsigned long long)io->offset, io->region,
		(unsigned long long)bytes, VFU_MAX_XFER);
	return false;
}

int pci_region_read(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_region_io io;

	if (!pci_body_copy(pci, m, "REGION_READ", &io, sizeof(io), 0) ||
	    !check_bounds(pci, "REGION_READ", &io))
		return EINVAL;
	if (io.region == VFIO_PCI_CONFIG_REGION_INDEX)
		pci_config_read(pci, io.offset, m->body + sizeof(io), io.count);
	else
		pci_bar_read(pci, io.offset, m->body + sizeof(io), io.count);
	m->bytes = sizeof(io) + io.count;
	return 0;
}

int pci_region_write(struct emu_pci *pci, struct vfu_message *m)
{
	const size_t carried = m->bytes > sizeof(struct vfu_region_io)
				       ? m->bytes - sizeof(struct vfu_region_io)
				       : 0;
	struct vfu_region_io io;

	if (!pci_body_copy(pci, m, "REGION_WRITE", &io, sizeof(io), carried) ||
	    !check_bounds(pci, "REGION_WRITE", &io))
		return EINVAL;
	if (carried != io.count) {
		pci_say(pci, "REGION_WRITE: count %u, but the body has %zu bytes of data", io.count,
			carried);
		return EINVAL;
	}
	if (io.region == VFIO_PCI_CONFIG_REGION_INDEX) {
		pci_bar_flush(pci);
		if (pci_config_write(pci, io.offset, m->body + sizeof(io), io.count))
			pci_reset(pci, "the function was reset");
	} else {
		pci_bar_write(pci, io.offset, m->body + sizeof(io), io.count);
	}
	m->bytes = sizeof(io);
	return 0;
}
