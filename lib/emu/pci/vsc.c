/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/vsc.h"

#include <endian.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "emu/pci/state.h"

/**
 * DOC: Vendor-specific capability
 *
 *	+4 control    status 31:29, space 15:0     +0x0c semaphore  0: free
 *	+8 counter    the next ticket              +0x10 address    +0x14 data
 *
 * Gives tools and the crash dump of a kernel access to the adapter without firmware commands. A
 * user reads a ticket from the counter, writes it to the semaphore, and owns the capability if the
 * semaphore then has this ticket. It selects a space; emu has no space, so the status stays 0.
 *
 * Source of layout and protocol: Linux, mlx5/core/lib/pci_vsc.c, mlx5_vsc_gw_lock.
 *
 * PRM-MISSING: a ticket is valid until a user writes it to the semaphore (Linux writes it at once).
 */
enum {
	LENGTH = 2, /* of the capability, in its header */
	CONTROL = 4,
	COUNTER = 8,
	SEMAPHORE = 0xc,
	BYTES = 0x18,
	SPACE_MASK = 0xffff,
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

static void issue_next_ticket(struct emu_pci *pci)
{
	const uint32_t next = load_register(pci, COUNTER) + 1;

	store_register(pci, COUNTER, next ? next : 1);
}

void pci_vsc_init(struct emu_pci *pci)
{
	pci->config[PCI_VSC_CAP] = PCI_CAP_ID_VNDR;
	pci->config[PCI_VSC_CAP + LENGTH] = BYTES;
	store_register(pci, COUNTER, 1);
}

void pci_vsc_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes)
{
	uint32_t v;

	if (off < PCI_VSC_CAP || bytes != sizeof(v))
		return;
	memcpy(&v, from, sizeof(v));
	v = le32toh(v);
	switch (off - PCI_VSC_CAP) {
	case CONTROL:
		store_register(pci, CONTROL, v & SPACE_MASK);
		break;
	case SEMAPHORE:
		if (v && load_register(pci, SEMAPHORE))
			break; /* another user owns the semaphore */
		store_register(pci, SEMAPHORE, v);
		if (v)
			issue_next_ticket(pci);
		break;
	default:
		break;
	}
}
