/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHARE_PEER_H
#define SHARE_PEER_H

#include <stdbool.h>

#include "devx/share.h"

/**
 * DOC: The message of share_process_test.c to the program devx_share_peer
 *
 * The message comes over the socket SHARE_PEER_SOCKET, with two descriptors: that of the device,
 * and that of the memory of SHARE_PEER_BYTES. A umem of the owner has the rings and the records, a
 * memory region has the frame:
 *
 *     | ring of the SQ | ring of its CQ | ring of a CQ of the peer | records | frame | free |
 */

enum { SHARE_PEER_SOCKET = 3 };
enum {
	SHARE_PEER_PAGE = 4096,
	SHARE_PEER_SQ = 0,
	SHARE_PEER_SEND_CQ = SHARE_PEER_PAGE,
	SHARE_PEER_CQ = 2 * SHARE_PEER_PAGE,
	SHARE_PEER_RECORDS = 3 * SHARE_PEER_PAGE,
	SHARE_PEER_FRAME = 4 * SHARE_PEER_PAGE,
	SHARE_PEER_FREE = 5 * SHARE_PEER_PAGE,
	SHARE_PEER_BYTES = 6 * SHARE_PEER_PAGE,
	SHARE_PEER_FRAME_BYTES = 64,
};

struct share_peer_message {
	struct devx_share dev, uar, umem, sq_obj;
	bool has_sq_obj;
	uint32_t sqn;
	uint8_t log2_sq;
	uint32_t rqn;
	uint32_t lkey;
	uint64_t frame; /* address of the frame for the memory region */
};

#endif
