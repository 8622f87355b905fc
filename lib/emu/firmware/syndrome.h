/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_SYNDROME_H
#define EMU_FIRMWARE_SYNDROME_H

/**
 * DOC: Syndromes
 *
 * The second dword of a refused command says why. Where public reports of real firmware name
 * a code for a cause, that code is used; the rest are emu's own, from 0xe00001 on.
 *
 * Source of the public codes: messages of mlx5_core in public bug reports and patches.
 */
enum emu_syndrome {
	EMU_SYND_RQ_TS_FORMAT = 0x43d98f,    /* CREATE_RQ: ts_format not supported */
	EMU_SYND_SQ_TS_FORMAT = 0xd61c0b,    /* CREATE_SQ: ts_format not the device's */
	EMU_SYND_MKEY_LIMIT = 0x59c8a4,      /* CREATE_MKEY: out of mkeys */
	EMU_SYND_MKEY_ZERO_SIZE = 0x03bf6f,  /* CREATE_MKEY: zero translation size */
	EMU_SYND_PD_BUSY = 0x31b635,         /* DEALLOC_PD: still referenced */
	EMU_SYND_FLOW_GROUP_BUSY = 0x563e2f, /* DESTROY_FLOW_GROUP: entries left */
	EMU_SYND_FLOW_TABLE_ID = 0x66d6c3,   /* DESTROY_FLOW_TABLE: no such table */
	EMU_SYND_EQ_EVENT = 0x008fef,        /* CREATE_EQ: event not supported */

	EMU_SYND_LENGTH = 0xe00001, /* mailbox length is not the command's */
	EMU_SYND_OPCODE,            /* no such command */
	EMU_SYND_UID,               /* no such user context */
	EMU_SYND_KERNEL_ONLY,       /* a user context may not */
	EMU_SYND_RESERVED,          /* a reserved bit was set */
	EMU_SYND_UNMODELLED,        /* a field that emu does not model was set */
	EMU_SYND_INJECTED,          /* a test asked for it */
	EMU_SYND_OP_MOD,            /* op_mod unknown to the command */
	EMU_SYND_LIMIT,             /* the profile's limit of objects is reached */
	EMU_SYND_NO_MEMORY,         /* the machine emu runs on has none left */
	EMU_SYND_NO_OBJECT,         /* no such object, or not of this user context */
	EMU_SYND_BUSY,              /* other objects refer to it */
	EMU_SYND_SIZE,              /* a size is outside the capability */
	EMU_SYND_TYPE,              /* a type, mode or function that is not there */
	EMU_SYND_PAGE,              /* page size, offset or list do not fit the buffer */
	EMU_SYND_UMEM_RANGE,        /* outside the umem */
	EMU_SYND_UMEM_ACCESS,       /* the umem is not writable by the device */
	EMU_SYND_HOST,              /* DMA address that the host does not map */
	EMU_SYND_NO_CAP,            /* needs a capability that the profile lacks */
	EMU_SYND_RAW_TX,            /* the user context lacks RAW_TX */
	EMU_SYND_STATE,             /* state is not the one the command claims */
	EMU_SYND_TRANSITION,        /* no such state transition */
	EMU_SYND_BITMASK,           /* a modify bit that means nothing here */
	EMU_SYND_NOT_COMPLETION_EQ, /* CREATE_CQ on an EQ of asynchronous events */
	EMU_SYND_HASH,              /* hash settings and disp_type disagree */
	EMU_SYND_LEVEL,             /* a table may only lead to higher levels */
	EMU_SYND_FLOW_INDEX,        /* flow index outside, taken, or empty */
	EMU_SYND_CRITERIA,          /* match_criteria_enable and mask disagree */
	EMU_SYND_VALUE,             /* match value has bits outside the mask */
	EMU_SYND_ACTION,            /* actions and destinations disagree */
	EMU_SYND_REGISTER,          /* no such register */
	EMU_SYND_LIST,              /* an address list of the vport is wrong */
};

#endif
