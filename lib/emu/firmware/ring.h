/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_RING_H
#define EMU_FIRMWARE_RING_H

#include "emu/base/mkey.h"
#include "prm/prm.h"

/** struct emu_ring - where a queue's buffer is, as its mailbox says it */
struct emu_ring {
	uint16_t uid;
	uint64_t bytes;
	bool write; /* the device writes it */
	bool in_umem;
	uint32_t umem_id;
	uint64_t umem_offset;
	unsigned log_page, page_offset; /* as in the mailbox: relative to 4 KiB; 64ths of a page */
	const prm_be32 *pas;            /* physical pages, when not in_umem */
	size_t n_pas;
};

/** emu_ring_open - check and translate; @umem receives the umem, referenced, or NULL */
uint8_t emu_ring_open(struct emu *emu, const struct emu_ring *ring, struct emu_span *span,
		      struct emu_umem **umem);

/** emu_dbr_open - the same for a doorbell record of 8 bytes; @addr: DMA address or umem offset */
uint8_t emu_dbr_open(struct emu *emu, uint16_t uid, bool in_umem, uint32_t umem_id, uint64_t addr,
		     struct emu_span *span, struct emu_umem **umem);

/** emu_buffer_close - undo either */
void emu_buffer_close(struct emu_span *span, struct emu_umem **umem);

#endif
