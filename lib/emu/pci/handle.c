/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "emu/pci/state.h"
#include "emu/pci/vfu.h"

bool pci_body_copy(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		   size_t bytes, size_t more)
{
	if (m->bytes != bytes + more) {
		pci_say(pci, "%s: body of %zu bytes (valid: %zu)", name, m->bytes, bytes + more);
		return false;
	}
	memcpy(to, m->body, bytes);
	return true;
}

bool pci_body_copy_argsz(struct emu_pci *pci, const struct vfu_message *m, const char *name,
			 void *to, size_t bytes)
{
	uint32_t argsz;

	if (!pci_body_copy(pci, m, name, to, bytes, 0))
		return false;
	memcpy(&argsz, to, sizeof(argsz));
	if (argsz >= bytes)
		return true;
	pci_say(pci, "%s: argsz %u (valid: at least %zu)", name, argsz, bytes);
	return false;
}

enum { PROTOCOL_MAJOR = 0, PROTOCOL_MINOR = 1 };

/* Capability write_multiple is missing, so a client sends one message per register write. */
static const char capabilities[] =
	"{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":65536}}";
static_assert(VFU_MAX_FDS == 16 && VFU_MAX_XFER == 65536, "as in capabilities[]");

static int set_answer(struct vfu_message *m, const void *from, size_t bytes)
{
	memcpy(m->body, from, bytes);
	m->bytes = bytes;
	return 0;
}

static int handle_version(struct emu_pci *pci, struct vfu_message *m)
{
	const size_t text =
		m->bytes > sizeof(struct vfu_version) ? m->bytes - sizeof(struct vfu_version) : 0;
	struct vfu_version v;

	if (!pci_body_copy(pci, m, "VERSION", &v, sizeof(v), text))
		return EINVAL;
	if (text && m->body[m->bytes - 1]) {
		pci_say(pci, "VERSION: capabilities without a terminating 0 byte");
		return EINVAL;
	}
	if (v.major != PROTOCOL_MAJOR) {
		pci_say(pci, "VERSION: protocol %u.%u (valid: %d.x)", v.major, v.minor,
			PROTOCOL_MAJOR);
		return EINVAL;
	}
	v.minor = v.minor < PROTOCOL_MINOR ? v.minor : PROTOCOL_MINOR;
	memcpy(m->body + sizeof(v), capabilities, sizeof(capabilities));
	memcpy(m->body, &v, sizeof(v));
	m->bytes = sizeof(v) + sizeof(capabilities);
	return 0;
}

static int handle_dma_map(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_dma_map map;

	if (!pci_body_copy_argsz(pci, m, "DMA_MAP", &map, sizeof(map)))
		return EINVAL;
	if (m->n_fds > 1) {
		pci_say(pci, "DMA_MAP: %u file descriptors (valid: 0 or 1)", m->n_fds);
		return EINVAL;
	}
	m->bytes = 0;
	return pci_dma_map(pci, &map, m->n_fds ? m->fd[0] : -1);
}

static int handle_dma_unmap(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_dma_unmap unmap;

	if (!pci_body_copy_argsz(pci, m, "DMA_UNMAP", &unmap, sizeof(unmap)))
		return EINVAL;
	m->bytes = sizeof(unmap);
	return pci_dma_unmap(pci, &unmap);
}

static int handle_device_info(struct emu_pci *pci, struct vfu_message *m)
{
	static const struct vfu_device_info info = {
		sizeof(info),
		VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
		VFIO_PCI_NUM_REGIONS,
		VFIO_PCI_NUM_IRQS,
	};
	struct vfu_device_info asked;

	if (!pci_body_copy_argsz(pci, m, "DEVICE_GET_INFO", &asked, sizeof(asked)))
		return EINVAL;
	return set_answer(m, &info, sizeof(info));
}

static int handle_irq_info(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_irq_info info;

	if (!pci_body_copy_argsz(pci, m, "GET_IRQ_INFO", &info, sizeof(info)))
		return EINVAL;
	if (info.index >= VFIO_PCI_NUM_IRQS) {
		pci_say(pci, "GET_IRQ_INFO: index %u (valid: 0 to %d)", info.index,
			VFIO_PCI_NUM_IRQS - 1);
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
	return set_answer(m, &info, sizeof(info));
}

static int handle_set_irqs(struct emu_pci *pci, struct vfu_message *m)
{
	struct vfu_irq_set set;

	if (!pci_body_copy_argsz(pci, m, "SET_IRQS", &set, sizeof(set)))
		return EINVAL;
	m->bytes = 0;
	return pci_irq_set(pci, &set, m);
}

static int handle_reset(struct emu_pci *pci, struct vfu_message *m)
{
	if (m->bytes) {
		pci_say(pci, "DEVICE_RESET: body of %zu bytes (valid: 0)", m->bytes);
		return EINVAL;
	}
	pci_reset(pci, "the machine was reset");
	return 0;
}

static int (*const handlers[])(struct emu_pci *pci, struct vfu_message *m) = {
	[VFU_VERSION] = handle_version,
	[VFU_DMA_MAP] = handle_dma_map,
	[VFU_DMA_UNMAP] = handle_dma_unmap,
	[VFU_DEVICE_GET_INFO] = handle_device_info,
	[VFU_GET_REGION_INFO] = pci_region_get_info,
	[VFU_GET_IRQ_INFO] = handle_irq_info,
	[VFU_SET_IRQS] = handle_set_irqs,
	[VFU_REGION_READ] = pci_region_read,
	[VFU_REGION_WRITE] = pci_region_write,
	[VFU_DEVICE_RESET] = handle_reset,
};

int pci_handle_message(struct emu_pci *pci, struct vfu_message *m)
{
	const uint16_t command = m->header.command;
	const bool takes_fds = command == VFU_DMA_MAP || command == VFU_SET_IRQS;

	if (command >= sizeof(handlers) / sizeof(handlers[0]) || !handlers[command]) {
		pci_say(pci, "unsupported message %u (valid: 1 to 5, 7 to 10, 13)", command);
		return ENOTSUP;
	}
	if (m->fds_lost || (m->n_fds && !takes_fds)) {
		pci_say(pci,
			"message %u: %s%u file descriptors (valid: at most 1 with DMA_MAP, %d with "
			"SET_IRQS, 0 with others)",
			command, m->fds_lost ? "more than " : "", m->n_fds, VFU_MAX_FDS);
		return EINVAL;
	}
	/* Only REGION_WRITE can continue a BlueFlame write; any other message ends it. */
	if (command != VFU_REGION_WRITE)
		pci_bar_flush(pci);
	return handlers[command](pci, m);
}
