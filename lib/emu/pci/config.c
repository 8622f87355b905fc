/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/state.h"

#include <endian.h>
#include <linux/pci_regs.h>
#include <string.h>

/**
 * DOC: Vendor-specific capability
 *
 *	+4 control    status 31:29, space 15:0     +0x0c semaphore  0: free
 *	+8 counter    the next ticket              +0x10 address    +0x14 data
 *
 * Tools and a kernel's crash dump use this capability to access the adapter without firmware
 * commands. A user reads a ticket from the counter, writes it to the semaphore, and owns the
 * capability if the semaphore then has this ticket. The owner selects a space; emu has none, so the
 * status stays 0.
 *
 * Source of layout and protocol: Linux, mlx5/core/lib/pci_vsc.c, mlx5_vsc_gw_lock.
 *
 * PRM-MISSING: a ticket is valid until a user writes it to the semaphore (Linux writes it at once).
 */
enum {
	VSC_LENGTH = 2, /* length of the capability, in its header */
	VSC_CONTROL = 4,
	VSC_COUNTER = 8,
	VSC_SEMAPHORE = 0xc,
	VSC_BYTES = 0x18,
	VSC_SPACE_MASK = 0xffff,
};

static uint32_t load_register(const struct emu_pci *pci, unsigned off)
{
	uint32_t v;

	memcpy(&v, pci->config + PCI_VSC_CAP + off, sizeof(v));
	return le32toh(v);
}

static void store_register(struct emu_pci *pci, unsigned off, uint32_t v)
{
	v = htole32(v);
	memcpy(pci->config + PCI_VSC_CAP + off, &v, sizeof(v));
}

static void write_vsc(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes)
{
	uint32_t v, next;

	if (off < PCI_VSC_CAP || bytes != sizeof(v))
		return;
	memcpy(&v, from, sizeof(v));
	v = le32toh(v);
	switch (off - PCI_VSC_CAP) {
	case VSC_CONTROL:
		store_register(pci, VSC_CONTROL, v & VSC_SPACE_MASK);
		break;
	case VSC_SEMAPHORE:
		if (v && load_register(pci, VSC_SEMAPHORE))
			break; /* another user owns the semaphore */
		store_register(pci, VSC_SEMAPHORE, v);
		if (v) {
			next = load_register(pci, VSC_COUNTER) + 1;
			store_register(pci, VSC_COUNTER, next ? next : 1);
		}
		break;
	default:
		break;
	}
}

/*
 * Configuration space. QEMU itself emulates the BARs, the command register and MSI-X for the
 * guest. Writes that QEMU passes on change only the registers in writable[] and those of the
 * vendor-specific capability.
 */
enum {
	PCIE_CAP = 0x60,
	MSIX_CAP = 0x9c,
	EXP_VERSION = 2,
	PREFETCHABLE_64 = PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH,
	LINK_16GT_X8 = PCI_EXP_LNKSTA_CLS_16_0GB | 8 << PCI_EXP_LNKSTA_NLW_SHIFT,
};

static void store_le16(struct emu_pci *pci, unsigned off, uint16_t v)
{
	v = htole16(v);
	memcpy(pci->config + off, &v, sizeof(v));
}

static void store_le32(struct emu_pci *pci, unsigned off, uint32_t v)
{
	v = htole32(v);
	memcpy(pci->config + off, &v, sizeof(v));
}

void pci_config_init(struct emu_pci *pci)
{
	memset(pci->config, 0, sizeof(pci->config));
	store_le16(pci, PCI_VENDOR_ID, PCI_VENDOR_MELLANOX);
	store_le16(pci, PCI_DEVICE_ID, emu_model(pci->emu)->device_id);
	store_le16(pci, PCI_STATUS, PCI_STATUS_CAP_LIST);
	store_le16(pci, PCI_CLASS_DEVICE, 0x0200); /* Ethernet controller */
	store_le32(pci, PCI_BASE_ADDRESS_0, PREFETCHABLE_64);
	store_le16(pci, PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_MELLANOX);
	store_le16(pci, PCI_SUBSYSTEM_ID, PCI_SUBSYSTEM);
	pci->config[PCI_CAPABILITY_LIST] = PCIE_CAP;
	pci->config[PCI_INTERRUPT_PIN] = 0;

	pci->config[PCIE_CAP] = PCI_CAP_ID_EXP;
	pci->config[PCIE_CAP + PCI_CAP_LIST_NEXT] = MSIX_CAP;
	store_le16(pci, PCIE_CAP + PCI_EXP_FLAGS, EXP_VERSION | PCI_EXP_TYPE_ENDPOINT << 4);
	store_le32(pci, PCIE_CAP + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR);
	store_le32(pci, PCIE_CAP + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_16_0GB | 8 << 4);
	store_le16(pci, PCIE_CAP + PCI_EXP_LNKSTA, LINK_16GT_X8);

	pci->config[MSIX_CAP] = PCI_CAP_ID_MSIX;
	pci->config[MSIX_CAP + PCI_CAP_LIST_NEXT] = PCI_VSC_CAP;
	store_le16(pci, MSIX_CAP + PCI_MSIX_FLAGS, PCI_N_VECTORS - 1);
	store_le32(pci, MSIX_CAP + PCI_MSIX_TABLE, PCI_FN_MSIX_TABLE);
	store_le32(pci, MSIX_CAP + PCI_MSIX_PBA, PCI_FN_MSIX_PBA);

	pci->config[PCI_VSC_CAP] = PCI_CAP_ID_VNDR;
	pci->config[PCI_VSC_CAP + VSC_LENGTH] = VSC_BYTES;
	store_register(pci, VSC_COUNTER, 1);
}

void pci_config_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes)
{
	memcpy(to, pci->config + off, bytes);
}

static const struct {
	uint16_t off, bytes;
} writable[] = {
	{ PCI_COMMAND, 2 },
	{ PCI_CACHE_LINE_SIZE, 2 }, /* the second byte is the latency timer */
	{ PCI_INTERRUPT_LINE, 1 },
	{ PCIE_CAP + PCI_EXP_DEVCTL, 2 },
	{ PCIE_CAP + PCI_EXP_LNKCTL, 2 },
	{ PCIE_CAP + PCI_EXP_DEVCTL2, 2 },
	{ PCIE_CAP + PCI_EXP_LNKCTL2, 2 },
};

bool pci_config_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes)
{
	uint16_t devctl;

	for (size_t i = 0; i < sizeof(writable) / sizeof(writable[0]); i++)
		for (uint64_t at = writable[i].off; at < writable[i].off + writable[i].bytes; at++)
			if (at >= off && at < off + bytes)
				pci->config[at] = ((const uint8_t *)from)[at - off];

	write_vsc(pci, off, from, bytes);
	memcpy(&devctl, pci->config + PCIE_CAP + PCI_EXP_DEVCTL, sizeof(devctl));
	return le16toh(devctl) & PCI_EXP_DEVCTL_BCR_FLR;
}
