/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive queues: scatters a frame over the data segments of a WQE.
 */
#include "emu/queue/rq.h"

#include <endian.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/base/dev.h"
#include "emu/packet/csum.h"
#include "emu/queue/pcie.h"
#include "prm/wqe.h"

enum { SEG_COUNT_MASK = ~PRM_INLINE_SEG };
enum { PREFETCH_WQES = 4 };

/* The bytes to write for one frame: without a stripped VLAN tag, plus the FCS if scatter_fcs. */
struct pieces {
	struct {
		const uint8_t *p;
		uint32_t bytes;
	} piece[3];
	unsigned n;
	uint32_t bytes;
	uint32_t fcs;
};

static void add_piece(struct pieces *s, const void *p, uint32_t bytes)
{
	s->piece[s->n].p = p;
	s->piece[s->n++].bytes = bytes;
	s->bytes += bytes;
}

static void cut_frame(struct pieces *s, const struct emu_rq *rq, const struct emu_rx *rx)
{
	const struct emu_frame *f = rx->frame;

	s->n = 0;
	s->bytes = 0;
	if (emu_rq_strips_vlan(rq, rx->parsed)) {
		add_piece(s, f->data, EMU_MACS_BYTES);
		add_piece(s, f->data + EMU_MACS_BYTES + EMU_ETH_VLAN,
			  f->bytes - EMU_MACS_BYTES - EMU_ETH_VLAN);
	} else {
		add_piece(s, f->data, f->bytes);
	}
	if (rq->scatter_fcs) {
		/* the FCS of the wire, which covers a stripped tag */
		s->fcs = htole32(emu_crc32(0, f->data, f->bytes));
		add_piece(s, &s->fcs, sizeof(s->fcs));
	}
}

/* Copies bytes to @addr through @lkey. Returns false if the lkey does not allow the writes. */
static bool write_host(struct emu *emu, const struct emu_rq *rq, uint32_t lkey, uint64_t addr,
		       const uint8_t *from, uint32_t bytes)
{
	while (bytes) {
		uint64_t run;
		uint8_t *to = emu_mkey_at(emu, lkey, rq->pd, addr, bytes, true, &run);
		const uint32_t n = run < bytes ? (uint32_t)run : bytes;

		if (!to)
			return false;
		memcpy(to, from, n);
		from += n;
		addr += n;
		bytes -= n;
	}
	return true;
}

static void count_bad_lkey(struct emu *emu, const struct emu_rq *rq, uint32_t lkey, uint64_t addr,
			   uint32_t bytes)
{
	if (emu->adapter->has_blocked) /* already counted as memory_lost */
		return;
	emu_count_mistake(emu, EMU_MISTAKE_bad_lkey,
			  "RQ 0x%x WQE 0x%x: lkey 0x%x does not allow writing %u bytes at 0x%llx",
			  rq->obj.id, rq->cc, lkey, bytes, (unsigned long long)addr);
}

/*
 * Returns the lkey that marks the end of the segments of a WQE.
 *
 * PRM-MISSING: with terminate_scatter_list_mkey, only the key that firmware reports to the kernel
 * ends them. (Linux uses this key, mlx5r_cmd_query_special_mkeys. rdma-core cannot query it and
 * writes 0x100 on every device, MLX5_INVALID_LKEY, so 0x100 may also end them.)
 */
static uint32_t get_last_lkey(const struct emu *emu)
{
	return emu_cap(emu, terminate_scatter_list_mkey) ? (uint32_t)EMU_TERMINATE_MKEY
							 : (uint32_t)PRM_LKEY_INVALID;
}

/*
 * Writes the pieces to the data segments of the WQE at rq->cc. The segments fill the stride or end
 * at get_last_lkey(). Skips segments of 0 bytes.
 *
 * Return: 0, or the syndrome for the error CQE
 */
static uint8_t scatter_pieces(struct emu *emu, const struct emu_rq *rq, const struct pieces *s)
{
	const uint64_t wqe = (uint64_t)(rq->cc & ((1u << rq->log_size) - 1)) << rq->log_stride;
	const unsigned n_segs = (1u << rq->log_stride) / sizeof(struct prm_data_seg);
	const uint32_t last = get_last_lkey(emu);
	unsigned i = 0;
	uint32_t done = 0; /* bytes of piece i that are written */

	for (unsigned k = 0; k < n_segs; k++) {
		const struct prm_data_seg *seg =
			emu_span_ptr(&rq->ring, wqe + k * sizeof(struct prm_data_seg));
		uint32_t room, lkey;
		uint64_t addr;

		if (!seg || rq->lost)
			return PRM_SYND_LOCAL_PROT;
		room = prm_be32_get(seg->byte_count) & SEG_COUNT_MASK;
		lkey = prm_be32_get(seg->lkey);
		addr = prm_be64_get(seg->addr);
		if (lkey == last)
			break;
		while (room && i < s->n) {
			const uint32_t left = s->piece[i].bytes - done;
			const uint32_t n = left < room ? left : room;

			if (!write_host(emu, rq, lkey, addr, s->piece[i].p + done, n)) {
				count_bad_lkey(emu, rq, lkey, addr, n);
				return PRM_SYND_LOCAL_PROT;
			}
			emu_pcie_write_data(emu, n);
			addr += n;
			room -= n;
			done += n;
			if (done == s->piece[i].bytes) {
				i++;
				done = 0;
			}
		}
		if (i == s->n)
			return 0;
	}
	return PRM_SYND_LOCAL_LENGTH;
}

/*
 * Fetches the buffer of a later WQE into the cache. @seg belongs to the WQE at rq->cc, and @to is
 * its host address. Two buffers of one mkey are as far apart in host memory as their addresses.
 * For a buffer of another mkey the guess is wrong but harmless.
 */
static void prefetch_buffer(const struct emu_rq *rq, const struct prm_data_seg *seg,
			    const uint8_t *to)
{
	const uint16_t ahead = (uint16_t)(rq->cc + PREFETCH_WQES);
	const uint64_t wqe = (uint64_t)(ahead & ((1u << rq->log_size) - 1)) << rq->log_stride;
	const struct prm_data_seg *later = emu_span_ptr(&rq->ring, wqe);

	if (later)
		__builtin_prefetch((const void *)((uintptr_t)to + prm_be64_get(later->addr) -
						  prm_be64_get(seg->addr)),
				   1);
}

/*
 * The common case: the frame is one piece and fits the first segment. Returns false for any other
 * case, invalid WQEs included.
 */
static bool copy_whole_frame(struct emu *emu, const struct emu_rq *rq, const struct emu_rx *rx)
{
	const uint64_t wqe = (uint64_t)(rq->cc & ((1u << rq->log_size) - 1)) << rq->log_stride;
	const struct prm_data_seg *seg = emu_span_ptr(&rq->ring, wqe);
	const uint32_t bytes = rx->frame->bytes;
	uint64_t run;
	uint8_t *to;

	if (!seg || rq->lost || rq->scatter_fcs || emu_rq_strips_vlan(rq, rx->parsed) ||
	    bytes > (prm_be32_get(seg->byte_count) & SEG_COUNT_MASK))
		return false;
	/* counted before the calls, after which the compiler would have to reload the counters */
	emu_pcie_write_data(emu, bytes);
	to = emu_mkey_at(emu, prm_be32_get(seg->lkey), rq->pd, prm_be64_get(seg->addr), bytes, true,
			 &run);
	if (!to || run < bytes) {
		emu_pcie_forget_write(emu, bytes);
		return false;
	}
	prefetch_buffer(rq, seg, to);
	memcpy(to, rx->frame->data, bytes);
	return true;
}

uint8_t emu_rq_scatter(struct emu *emu, const struct emu_rq *rq, const struct emu_rx *rx,
		       uint32_t *bytes)
{
	struct pieces s;

	*bytes = rx->frame->bytes;
	if (copy_whole_frame(emu, rq, rx))
		return 0;
	cut_frame(&s, rq, rx);
	*bytes = s.bytes;
	return scatter_pieces(emu, rq, &s);
}
