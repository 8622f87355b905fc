/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/state.h"

#include <string.h>

#include "prm/prm.h"
#include "prm/seg.h"

/*
 * BAR0 has the initialization segment in its first pages, and UAR pages from page PCI_FIRST_UAR.
 * The segment is big-endian; a driver reads and writes whole dwords of it.
 */
static void fill_segment(struct emu_pci *pci, struct prm_init_seg *s)
{
	const uint16_t *fw = emu_model(pci->emu)->fw;
	const struct emu_clocks now = emu_read_clocks(pci->emu);

	memset(s, 0, sizeof(*s));
	s->fw_rev = prm_be32_of((uint32_t)fw[1] << PRM_SEG_HIGH_SHIFT | fw[0]);
	s->cmdif_rev_fw_sub = prm_be32_of(PRM_CMDIF_REV << PRM_SEG_HIGH_SHIFT | fw[2]);
	s->cmdq_addr_h = prm_be32_of((uint32_t)(pci->cmdq >> 32));
	s->cmdq_addr_l_sz = prm_be32_of((uint32_t)pci->cmdq |
					PRM_CMDQ_LOG_ENTRIES << PRM_CMDQ_LOG_ENTRIES_SHIFT |
					PRM_CMDQ_LOG_STRIDE);
	s->internal_timer_h = prm_be32_of((uint32_t)(now.timer >> 32));
	s->internal_timer_l = prm_be32_of((uint32_t)now.timer);
	s->real_time_h = prm_be32_of((uint32_t)(now.real_time >> 32));
	s->real_time_l = prm_be32_of((uint32_t)now.real_time);
	s->health_counter = prm_be32_of(pci->health & PRM_HEALTH_COUNTER_MASK);
}

void pci_bar_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes)
{
	struct prm_init_seg s;

	memset(to, 0, bytes);
	if (off >= sizeof(s))
		return;
	if (off == offsetof(struct prm_init_seg, health_counter))
		pci->health++; /* a driver considers a device dead if this counter stops */
	fill_segment(pci, &s);
	memcpy(to, (uint8_t *)&s + off, bytes < sizeof(s) - off ? bytes : sizeof(s) - off);
}

static void write_segment(struct emu_pci *pci, uint64_t off, uint32_t value)
{
	switch (off) {
	case offsetof(struct prm_init_seg, cmdq_addr_h):
		pci->cmdq_high = value;
		break;
	case offsetof(struct prm_init_seg, cmdq_addr_l_sz):
		pci->cmdq = (uint64_t)pci->cmdq_high << 32 |
			    (value & ~((1u << PRM_CMDQ_ADDR_LOW_BITS) - 1));
		break;
	case offsetof(struct prm_init_seg, cmd_dbell):
		pci_cmdq_run(pci, value);
		break;
	default:
		break; /* all other fields are read-only */
	}
}

void pci_bar_flush(struct emu_pci *pci)
{
	struct pci_combine *c = &pci->combine;
	const uint32_t uar = (uint32_t)(c->at / PRM_UAR_BYTES);
	uint64_t value;

	if (!c->bytes)
		return;
	memcpy(&value, c->wqe, sizeof(value));
	if (c->bytes == sizeof(c->wqe))
		emu_blueflame(pci->emu, uar, c->at % PRM_UAR_BYTES, c->wqe);
	else
		emu_doorbell(pci->emu, uar, c->at % PRM_UAR_BYTES, value);
	c->alone = c->bytes > sizeof(value) ? 0 : c->alone + 1;
	c->bytes = 0;
}

static void write_uar(struct emu_pci *pci, uint64_t off, const uint8_t *at, size_t bytes)
{
	struct pci_combine *c = &pci->combine;
	const uint64_t reg = off % PRM_UAR_BYTES;
	uint64_t value = 0;

	if (c->bytes && off == c->at + c->bytes && bytes <= sizeof(c->wqe) - c->bytes) {
		memcpy(c->wqe + c->bytes, at, bytes);
		c->bytes += bytes;
		if (c->bytes == sizeof(c->wqe))
			pci_bar_flush(pci);
		return;
	}
	if (!c->bytes && off == c->at + sizeof(value))
		c->alone = 0; /* a late second part: wait for parts again */
	pci_bar_flush(pci);
	if (!pci->no_write_combining && reg >= PRM_UAR_BF && reg % PRM_UAR_BF_STEP == 0 &&
	    bytes >= sizeof(value) && bytes <= sizeof(c->wqe)) {
		c->at = off;
		c->bytes = bytes;
		memcpy(c->wqe, at, bytes);
		return;
	}
	memcpy(&value, at, bytes < sizeof(value) ? bytes : sizeof(value));
	emu_doorbell(pci->emu, (uint32_t)(off / PRM_UAR_BYTES), (uint32_t)reg, value);
}

void pci_bar_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes)
{
	const uint8_t *at = from;

	if (off >= PCI_FIRST_UAR * PRM_UAR_BYTES) {
		write_uar(pci, off, at, bytes);
		return;
	}
	pci_bar_flush(pci);
	for (size_t i = 0; i + sizeof(prm_be32) <= bytes; i += sizeof(prm_be32)) {
		prm_be32 dword;

		memcpy(&dword, at + i, sizeof(dword));
		write_segment(pci, off + i, prm_be32_get(dword));
	}
}
