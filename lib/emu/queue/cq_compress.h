/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_COMPRESS_H
#define EMU_QUEUE_CQ_COMPRESS_H

#include "emu/base/dev.h"
#include "prm/cqe.h"

/**
 * DOC: Compressed CQEs, basic layout
 *
 *     slot   | t: title | t+1: mini CQEs 0 to 7 | ... | t+8: 8 to 15 | ... | t+16: 16 to 23 |
 *
 * A session stands for n CQEs in a row, n at least 2, and takes their n slots. The title is the
 * CQE of the first packet, with format 3 and with n in byte_cnt. Each packet has a mini CQE: its
 * length, and its hash or checksum. The slots between keep their old bytes, and software makes them
 * invalid. Source: net_mlx5, mlx5_rx_poll_len; Linux, mlx5e_decompress_cqes_start.
 *
 * A session never crosses the end of the ring, because the vector function of net_mlx5 reads mini
 * CQEs without a test for it (rxq_cq_decompress_v). It has at most cqe_compression_max_num packets.
 *
 * PRM-MISSING: CQEs share a session if all fields that no mini CQE has are equal: net_mlx5 and
 * Linux take these from the title. Time stamps are not compared; net_mlx5 does not ask for
 * compression if it wants them. Of hash and checksum only the one in the mini CQEs is right.
 */

/** enum emu_compress - values of option compress */
enum emu_compress {
	EMU_COMPRESS_NEVER,
	EMU_COMPRESS_ALWAYS, /* whenever it is possible */
	EMU_COMPRESS_SOME,   /* by chance, in sessions of any length: option compress_seed */
};

/**
 * emu_cq_init_compression - read from cq->ctx and the options whether the CQ compresses
 * @cq: a new CQ
 */
void emu_cq_init_compression(struct emu *emu, struct emu_cq *cq);

/**
 * emu_cq_compress - join pending CQEs of CQs with compression to sessions
 *
 * Looks at each pending CQE once. emu_cq_publish() calls this before it writes them.
 */
void emu_cq_compress(struct emu_adapter *a);

#endif
