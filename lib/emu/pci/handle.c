/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "emu/pci/function.h"

/* What each message of a client means. Bodies are copied out before they are checked. */

enum { PROTOCOL_MAJOR = 0, PROTOCOL_MINOR = 1 };

/* What a client may send at once; without write_multiple it sends every write by itself. */
static const char capabilities[] =
	"{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":65536}}";
static_assert(VFU_MAX_FDS == 16 && VFU_MAX_XFER == 65536, "capabilities say so");

/* Copy the fixed part of a body, which must be there. */
static bool take(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		 size_t bytes)
{
	if (m->bytes < bytes) {
		pci_say(pci, "%s: a body of %zu bytes, it has %zu", name, m->bytes, bytes);
		return false;
	}
	memcpy(to, m->body, bytes);
	return true;
}

static int answer(struct vfu_message *m, const void *from, size_t bytes)
{
	memcpy(m->body, from, bytes);
	m->bytes = bytes;
	return 0;
}

static int on_version(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_version v;

	if (!take(pci, m, "VERSION", &v, sizeof(v)))
		return EINVAL;
	if (v.major != PROTOCOL_MAJOR) {
		pci_say(pci, "VERSION: the client speaks %u.%u, this server %d.%d", v.major,
			v.minor, PROTOCOL_MAJOR, PROTOCOL_MINOR);
		return EINVAL;
	}
	v.minor = v.minor < PROTOCOL_MINOR ? v.minor : PROTOCOL_MINOR;
	memcpy(m->body + sizeof(v), capabilities, sizeof(capabilities));
	memcpy(m->body, &v, sizeof(v));
	m->bytes = sizeof(v) + sizeof(capabilities);
	return 0;
}

static int on_dma_map(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_dma_map map;

	if (!take(pci, m, "DMA_MAP", &map, sizeof(map)))
		return EINVAL;
	if (m->n_fds > 1) {
		pci_say(pci, "DMA_MAP: %u files came with it, one is allowed", m->n_fds);
		return EINVAL;
	}
	m->bytes = 0;
	return pci_dma_map(pci, &map, m->n_fds ? m->fd[0] : -1);
}

static int on_dma_unmap(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_dma_unmap unmap;

	if (!take(pci, m, "DMA_UNMAP", &unmap, sizeof(unmap)))
		return EINVAL;
	m->bytes = sizeof(unmap);
	return pci_dma_unmap(pci, &unmap);
}

static int on_device_info(struct emu_pci *pci, struct vfu_message *m)
{
	static const struct vfu_device_info info = {
		sizeof(info),
		VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
		VFIO_PCI_NUM_REGIONS,
		VFIO_PCI_NUM_IRQS,
	};

	(void)pci;
	return answer(m, &info, sizeof(info));
}

static uint64_t region_bytes(uint32_t index)
{
	return index == VFIO_PCI_BAR0_REGION_INDEX     ? PCI_BAR_BYTES
	       : index == VFIO_PCI_CONFIG_REGION_INDEX ? PCI_CONFIG_BYTES
						       : 0;
}

static int on_region_info(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_region_info info;

	if (!take(pci, m, "GET_REGION_INFO", &info, sizeof(info)))
		return EINVAL;
	if (info.index >= VFIO_PCI_NUM_REGIONS) {
		pci_say(pci, "GET_REGION_INFO: region %u of %d", info.index, VFIO_PCI_NUM_REGIONS);
		return EINVAL;
	}
	info = (struct vfu_region_info){ .argsz = sizeof(info),
					 .index = info.index,
					 .bytes = region_bytes(info.index) };
	if (info.bytes)
		info.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	return answer(m, &info, sizeof(info));
}

static int on_irq_info(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_irq_info info;

	if (!take(pci, m, "GET_IRQ_INFO", &info, sizeof(info)))
		return EINVAL;
	if (info.index >= VFIO_PCI_NUM_IRQS) {
		pci_say(pci, "GET_IRQ_INFO: index %u of %d", info.index, VFIO_PCI_NUM_IRQS);
		return EINVAL;
	}
	info = (struct vfu_irq_info){ .argsz = sizeof(info), .index = info.index };
	if (info.index == VFIO_PCI_MSIX_IRQ_INDEX) {
		info.count = PCI_N_VECTORS;
		info.flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE;
	} else if (info.index == VFIO_PCI_ERR_IRQ_INDEX) {
		info.count = 1;
		info.flags = VFIO_IRQ_INFO_EVENTFD;
	}
	return answer(m, &info, sizeof(info));
}

static int on_set_irqs(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_irq_set set;

	if (!take(pci, m, "SET_IRQS", &set, sizeof(set)))
		return EINVAL;
	m->bytes = 0;
	return pci_irq_set(pci, &set, m);
}

static bool inside(struct emu_pci *pci, const char *name, const struct vfu_region_io *io)
{
	const uint64_t bytes = region_bytes(io->region);

	if (io->count <= VFU_MAX_XFER && io->offset <= bytes && io->count <= bytes - io->offset)
		return true;
	pci_say(pci, "%s: %u bytes at 0x%llx of region %u, which has 0x%llx; %d at once", name,
		io->count, (unsigned long long)io->offset, io->region, (unsigned long long)bytes,
		VFU_MAX_XFER);
	return false;
}

static int on_read(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_region_io io;

	if (!take(pci, m, "REGION_READ", &io, sizeof(io)) || !inside(pci, "REGION_READ", &io))
		return EINVAL;
	if (io.region == VFIO_PCI_CONFIG_REGION_INDEX)
		pci_config_read(pci, io.offset, m->body + sizeof(io), io.count);
	else
		pci_bar_read(pci, io.offset, m->body + sizeof(io), io.count);
	m->bytes = sizeof(io) + io.count;
	return 0;
}

static int on_write(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_region_io io;

	if (!take(pci, m, "REGION_WRITE", &io, sizeof(io)) || !inside(pci, "REGION_WRITE", &io))
		return EINVAL;
	if (m->bytes - sizeof(io) < io.count) {
		pci_say(pci, "REGION_WRITE: says %u bytes, carries %zu", io.count,
			m->bytes - sizeof(io));
		return EINVAL;
	}
	if (io.region == VFIO_PCI_CONFIG_REGION_INDEX)
		pci_config_write(pci, io.offset, m->body + sizeof(io), io.count);
	else
		pci_bar_write(pci, io.offset, m->body + sizeof(io), io.count);
	m->bytes = sizeof(io);
	return 0;
}

static int on_reset(struct emu_pci *pci, struct vfu_message *m)
{
	pci_reset(pci);
	m->bytes = 0;
	return 0;
}

static int (*const handlers[])(struct emu_pci *pci, struct vfu_message *m) = {
	[VFU_VERSION] = on_version,
	[VFU_DMA_MAP] = on_dma_map,
	[VFU_DMA_UNMAP] = on_dma_unmap,
	[VFU_DEVICE_GET_INFO] = on_device_info,
	[VFU_GET_REGION_INFO] = on_region_info,
	[VFU_GET_IRQ_INFO] = on_irq_info,
	[VFU_SET_IRQS] = on_set_irqs,
	[VFU_REGION_READ] = on_read,
	[VFU_REGION_WRITE] = on_write,
	[VFU_DEVICE_RESET] = on_reset,
};

static bool takes_fds(uint16_t command)
{
	return command == VFU_DMA_MAP || command == VFU_SET_IRQS;
}

int pci_handle(struct emu_pci *pci, struct vfu_message *m)
{
	const uint16_t command = m->header.command;

	if (command >= sizeof(handlers) / sizeof(handlers[0]) || !handlers[command]) {
		pci_say(pci, "message %u is not supported", command);
		return ENOTSUP;
	}
	if (m->fds_lost || (m->n_fds && !takes_fds(command))) {
		pci_say(pci, "message %u came with %s%u files: DMA_MAP takes one, SET_IRQS %d",
			command, m->fds_lost ? "more than " : "", m->n_fds, VFU_MAX_FDS);
		return EINVAL;
	}
	return handlers[command](pci, m);
}
