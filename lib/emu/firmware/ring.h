/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_RING_H
#define EMU_FIRMWARE_RING_H

#include "emu/base/mkey.h"
#include "prm/prm.h"

/** struct emu_ring - place and size of a queue's buffer, as given in its mailbox */
struct emu_ring {
	uint16_t uid;
	uint64_t bytes;
	bool write; /* true if the device writes the ring (CQ, EQ) */
	bool in_umem;
	const char *umem_field; /* name of the field of umem_id, for messages */
	uint32_t umem_id;
	uint64_t umem_offset;
	unsigned log_page, page_offset; /* page of 4 KiB << log_page; offset in 64ths of a page */
	const prm_be32 *pas;            /* page list, if not in_umem */
	size_t n_pas;
};

/**
 * emu_ring_open - check the place of a ring and translate it to host memory
 * @span: receives the host memory
 * @umem: receives the umem of the ring, with a reference; or NULL
 *
 * Return: enum prm_status
 */
uint8_t emu_ring_open(struct emu *emu, const struct emu_ring *ring, struct emu_span *span,
		      struct emu_umem **umem);

/**
 * emu_dbr_open - check the place of a doorbell record and translate it to host memory
 * @addr: offset in the umem if @in_umem, else DMA address
 * @span: receives the host memory
 * @umem: receives the umem of the record, with a reference; or NULL
 *
 * Return: enum prm_status
 */
uint8_t emu_dbr_open(struct emu *emu, uint16_t uid, bool in_umem, uint32_t umem_id, uint64_t addr,
		     struct emu_span *span, struct emu_umem **umem);

/** emu_buffer_close - undo emu_ring_open() or emu_dbr_open() */
void emu_buffer_close(struct emu_span *span, struct emu_umem **umem);

#endif
