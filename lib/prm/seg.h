/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRM_SEG_H
#define PRM_SEG_H

#include "prm/be.h"

/**
 * DOC: Command interface: initialization segment, command queue, mailboxes
 *
 *     BAR0 + 0   initialization segment: versions, address and doorbell of the command queue
 *     memory     command queue: a page of entries; an entry has the first 16 bytes of the input
 *                and of the output of a command; the rest is in two lists of mailboxes
 *
 * A driver fills an entry, sets PRM_CMD_OWNED and writes the entry's bit to the doorbell
 * vector. The firmware answers into the entry, and clears PRM_CMD_OWNED last.
 *
 * Source: PRM, "Initialization Segment", "Command Interface"; Linux struct mlx5_init_seg,
 * mlx5_cmd_layout, mlx5_cmd_prot_block (include/linux/mlx5/device.h).
 */

/** struct prm_init_seg - the initialization segment, up to its last register */
struct prm_init_seg {
	prm_be32 fw_rev;           /* 31:16 minor, 15:0 major */
	prm_be32 cmdif_rev_fw_sub; /* 31:16 PRM_CMDIF_REV, 15:0 sub-minor */
	prm_be32 rsvd008[2];
	prm_be32 cmdq_addr_h;
	prm_be32 cmdq_addr_l_sz; /* 31:12 address, 9:8 mode of the interface; when read: 7:4
					 * log2 of entries, 3:0 log2 of an entry's bytes */
	prm_be32 cmd_dbell;      /* bit n: run entry n */
	prm_be32 rsvd01c[120];
	prm_be32 initializing; /* 31: not ready yet */
	prm_be32 health[16];   /* the health buffer: 0 means healthy */
	prm_be32 rsvd240[878];
	prm_be32 cmd_exec_to; /* timeouts; 0: the driver uses its defaults */
	prm_be32 cmd_q_init_to;
	prm_be32 internal_timer_h;
	prm_be32 internal_timer_l;
	prm_be32 rsvd1008[2];
	prm_be32 health_counter; /* 31:24 syndrome, 23:0 counter, which stops if the device dies */
	prm_be32 rsvd1014[11];
	prm_be32 real_time_h;
	prm_be32 real_time_l;
};
static_assert(offsetof(struct prm_init_seg, cmdq_addr_h) == 0x10, "cmdq_addr_h is at 10h");
static_assert(offsetof(struct prm_init_seg, cmd_dbell) == 0x18, "cmd_dbell is at 18h");
static_assert(offsetof(struct prm_init_seg, initializing) == 0x1fc, "initializing is at 1FCh");
static_assert(offsetof(struct prm_init_seg, health) == 0x200, "the health buffer is at 200h");
static_assert(offsetof(struct prm_init_seg, internal_timer_h) == 0x1000, "timer is at 1000h");
static_assert(offsetof(struct prm_init_seg, health_counter) == 0x1010, "counter is at 1010h");
static_assert(offsetof(struct prm_init_seg, real_time_h) == 0x1040, "real time is at 1040h");

enum {
	PRM_CMDIF_REV = 5,
	PRM_SEG_HIGH_SHIFT = 16,        /* upper half of fw_rev, cmdif_rev_fw_sub */
	PRM_CMDQ_LOG_ENTRIES_SHIFT = 4, /* in cmdq_addr_l_sz */
	PRM_CMDQ_ADDR_LOW_BITS = 12,
	PRM_HEALTH_COUNTER_MASK = 0xffffff,
};

enum {
	PRM_CMDQ_LOG_ENTRIES = 5,
	PRM_CMDQ_LOG_STRIDE = 6,
	PRM_CMDQ_ENTRIES = 1 << PRM_CMDQ_LOG_ENTRIES,
	PRM_CMD_INLINE_BYTES = 16, /* bytes of input, and of output, in the entry itself */
	PRM_CMD_BOX_DATA_BYTES = 512,
	PRM_CMD_TYPE = 7, /* type of every entry: PCI command interface */
};

/** struct prm_cmd_entry - one entry of the command queue */
struct prm_cmd_entry {
	uint8_t type; /* PRM_CMD_TYPE */
	uint8_t rsvd01[3];
	prm_be32 in_bytes;
	prm_be64 in_box; /* address of the first mailbox, or 0 */
	uint8_t in[PRM_CMD_INLINE_BYTES];
	uint8_t out[PRM_CMD_INLINE_BYTES];
	prm_be64 out_box;
	prm_be32 out_bytes;
	uint8_t token; /* every mailbox of the command has the same token */
	uint8_t signature;
	uint8_t rsvd3e;
	uint8_t status_own; /* 7:1 enum prm_delivery, 0 PRM_CMD_OWNED */
};
static_assert(sizeof(struct prm_cmd_entry) == 1 << PRM_CMDQ_LOG_STRIDE, "an entry is 64 bytes");
static_assert(offsetof(struct prm_cmd_entry, out_box) == 0x30, "out_box is at 30h");
static_assert(offsetof(struct prm_cmd_entry, token) == 0x3c, "token is at 3Ch");

enum { PRM_CMD_OWNED = 1, PRM_CMD_STATUS_SHIFT = 1 };

/** struct prm_cmd_box - a mailbox: 512 bytes of an input or output that does not fit the entry */
struct prm_cmd_box {
	uint8_t bytes[PRM_CMD_BOX_DATA_BYTES];
	uint8_t rsvd200[48];
	prm_be64 next;
	prm_be32 block; /* number in the list of mailboxes: 0, 1, 2, ... */
	uint8_t rsvd23c;
	uint8_t token;
	uint8_t ctrl_signature;
	uint8_t signature;
};
static_assert(sizeof(struct prm_cmd_box) == 0x240, "a mailbox is 240h bytes");
static_assert(offsetof(struct prm_cmd_box, next) == 0x230, "next is at 230h");
static_assert(offsetof(struct prm_cmd_box, token) == 0x23d, "token is at 23Dh");

/**
 * enum prm_delivery - status of an entry: whether firmware could read and answer its command
 *
 * PRM-MISSING: the delivery status of an entry of the command queue (not in Linux' headers; Linux,
 * mlx5/core/cmd.c, MLX5_CMD_DELIVERY_STAT_*).
 */
enum prm_delivery {
	PRM_DELIVERY_OK = 0x00,
	PRM_DELIVERY_SIGNATURE = 0x01,
	PRM_DELIVERY_TOKEN = 0x02,
	PRM_DELIVERY_BLOCK = 0x03,
	PRM_DELIVERY_OUT_POINTER = 0x04,
	PRM_DELIVERY_IN_POINTER = 0x05,
	PRM_DELIVERY_FW = 0x06,
	PRM_DELIVERY_IN_LENGTH = 0x07,
	PRM_DELIVERY_OUT_LENGTH = 0x08,
	PRM_DELIVERY_RESERVED = 0x09,
	PRM_DELIVERY_DESCRIPTOR = 0x10,
};

#endif
