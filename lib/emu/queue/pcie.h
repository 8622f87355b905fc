/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_PCIE_H
#define EMU_QUEUE_PCIE_H

#include "emu/base/dev.h"

/**
 * DOC: PCIe counters
 *
 * emu copies memory. These functions count the transfers that an adapter needs for the same work.
 *
 * PRM-MISSING: a read request asks for at most 512 bytes, and a memory write carries at most 256
 * (usual settings of a host; neither mlx5_core nor net_mlx5 sets or reads them). The counters
 * ignore that an unaligned address may split a transfer further.
 */
enum { EMU_PCIE_READ_LOG2 = 9, EMU_PCIE_WRITE_LOG2 = 8 };

static inline uint64_t emu_pcie_transfers(uint32_t bytes, unsigned log2)
{
	return ((uint64_t)bytes + (1u << log2) - 1) >> log2;
}

/** emu_pcie_read_data - count a read of @bytes of a frame, contiguous in host memory */
static inline void emu_pcie_read_data(struct emu *emu, uint32_t bytes)
{
	emu->pcie.data_reads += emu_pcie_transfers(bytes, EMU_PCIE_READ_LOG2);
	emu->pcie.data_read_bytes += bytes;
}

/**
 * emu_pcie_forget_data - undo emu_pcie_read_data(), because emu will read the frame again
 *
 * PRM-MISSING: a device that waits for its wire or its rate limit keeps the frame that it has read.
 * (No driver sees the reads of a device: emu only counts them.)
 */
static inline void emu_pcie_forget_data(struct emu *emu, uint32_t bytes)
{
	emu->pcie.data_reads -= emu_pcie_transfers(bytes, EMU_PCIE_READ_LOG2);
	emu->pcie.data_read_bytes -= bytes;
}

/** struct emu_pcie_mark - values of data_reads and data_read_bytes at one moment */
struct emu_pcie_mark {
	uint64_t reads, bytes;
};

static inline struct emu_pcie_mark emu_pcie_mark_data(const struct emu *emu)
{
	return (struct emu_pcie_mark){ emu->pcie.data_reads, emu->pcie.data_read_bytes };
}

/** emu_pcie_return_to - undo every emu_pcie_read_data() since @mark */
static inline void emu_pcie_return_to(struct emu *emu, struct emu_pcie_mark mark)
{
	emu->pcie.data_reads = mark.reads;
	emu->pcie.data_read_bytes = mark.bytes;
}

/** emu_pcie_write_data - count a write of @bytes of a frame, contiguous in host memory */
static inline void emu_pcie_write_data(struct emu *emu, uint32_t bytes)
{
	emu->pcie.data_writes += emu_pcie_transfers(bytes, EMU_PCIE_WRITE_LOG2);
	emu->pcie.data_write_bytes += bytes;
}

/** emu_pcie_forget_write - undo emu_pcie_write_data(), because emu did not write the frame */
static inline void emu_pcie_forget_write(struct emu *emu, uint32_t bytes)
{
	emu->pcie.data_writes -= emu_pcie_transfers(bytes, EMU_PCIE_WRITE_LOG2);
	emu->pcie.data_write_bytes -= bytes;
}

/**
 * emu_pcie_read_send_wqes - count the read of @bytes of WQEBBs that a doorbell announced
 *
 * PRM-MISSING: a doorbell makes the device read its WQEBBs at once, each once, many in a request.
 * (No driver sees the reads of a device: emu only counts them.)
 */
static inline void emu_pcie_read_send_wqes(struct emu *emu, uint32_t bytes)
{
	emu->pcie.send_wqe_reads += emu_pcie_transfers(bytes, EMU_PCIE_READ_LOG2);
	emu->pcie.send_wqe_bytes += bytes;
}

/**
 * emu_pcie_read_receive_wqes - count the read of @bytes of WQEs that a doorbell record announced
 *
 * PRM-MISSING: the device reads all WQEs that the record shows at once, each once, many in a
 * request. (No driver sees the reads of a device: emu only counts them.)
 */
static inline void emu_pcie_read_receive_wqes(struct emu *emu, uint32_t bytes)
{
	emu->pcie.receive_wqe_reads += emu_pcie_transfers(bytes, EMU_PCIE_READ_LOG2);
	emu->pcie.receive_wqe_bytes += bytes;
}

#endif
