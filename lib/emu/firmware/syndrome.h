/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_SYNDROME_H
#define EMU_FIRMWARE_SYNDROME_H

/**
 * DOC: Syndromes
 *
 * The second dword of a refused command's output is a code for the cause. The first codes below are
 * those of real firmware, from messages of mlx5_core in public bug reports and patches. emu's own
 * codes start at 0xe00001.
 */
enum emu_syndrome {
	EMU_SYND_RQ_TS_FORMAT = 0x43d98f,    /* CREATE_RQ: unsupported ts_format */
	EMU_SYND_SQ_TS_FORMAT = 0xd61c0b,    /* CREATE_SQ: unsupported ts_format */
	EMU_SYND_MKEY_LIMIT = 0x59c8a4,      /* CREATE_MKEY: out of mkeys */
	EMU_SYND_MKEY_ZERO_SIZE = 0x03bf6f,  /* CREATE_MKEY: zero translation size */
	EMU_SYND_UAR_LIMIT = 0x5a7939,       /* ALLOC_UAR: out of pages */
	EMU_SYND_PD_BUSY = 0x31b635,         /* DEALLOC_PD: still referenced */
	EMU_SYND_FLOW_GROUP_BUSY = 0x563e2f, /* DESTROY_FLOW_GROUP: the group has entries */
	EMU_SYND_FLOW_TABLE_ID = 0x66d6c3,   /* DESTROY_FLOW_TABLE: no such table */
	EMU_SYND_EQ_EVENT = 0x008fef,        /* CREATE_EQ: unsupported event */
	EMU_SYND_INNER_HASHING = 0x562b00,   /* CREATE_TIR: the e-switch manager forbids it */

	EMU_SYND_LENGTH = 0xe00001, /* length of a mailbox is wrong for the command */
	EMU_SYND_OPCODE,            /* no such command */
	EMU_SYND_UID,               /* no such user context */
	EMU_SYND_KERNEL_ONLY,       /* a user context sent a command or value for kernels only */
	EMU_SYND_RESERVED,          /* a reserved bit is set */
	EMU_SYND_UNMODELLED,        /* a field that emu does not model is set */
	EMU_SYND_INJECTED,          /* a test made this command fail */
	EMU_SYND_OP_MOD,            /* op_mod is invalid for the command */
	EMU_SYND_LIMIT,             /* a limit is reached, or a number or index is outside it */
	EMU_SYND_NO_MEMORY,         /* the process that runs emu is out of memory */
	EMU_SYND_NO_OBJECT,         /* no such object, or it belongs to another user context */
	EMU_SYND_BUSY,              /* other objects refer to the object or belong to it */
	EMU_SYND_SIZE,              /* a size is outside its valid range */
	EMU_SYND_TYPE,              /* a type, mode or function is invalid */
	EMU_SYND_PAGE,              /* page size, offset or page list do not fit the buffer */
	EMU_SYND_UMEM_RANGE,        /* a range is outside its umem */
	EMU_SYND_UMEM_ACCESS,       /* the device may not write the umem */
	EMU_SYND_HOST,              /* the host does not map a DMA address */
	EMU_SYND_NO_CAP,            /* the profile lacks the capability for this */
	EMU_SYND_RAW_TX,            /* the user context lacks RAW_TX */
	EMU_SYND_STATE,             /* the object is not in the state that the command needs */
	EMU_SYND_TRANSITION,        /* no such state transition */
	EMU_SYND_BITMASK,           /* a bitmask selects a field that cannot be modified */
	EMU_SYND_NOT_COMPLETION_EQ, /* CREATE_CQ: the EQ is for asynchronous events */
	EMU_SYND_HASH,              /* hash settings and disp_type disagree */
	EMU_SYND_LEVEL,             /* a flow table refers to one of the same or a lower level */
	EMU_SYND_FLOW_INDEX,        /* flow index out of range, taken, empty or in another group */
	EMU_SYND_CRITERIA,          /* match_criteria_enable and match_criteria disagree */
	EMU_SYND_VALUE,             /* match_value has bits outside match_criteria, or changed */
	EMU_SYND_ACTION,            /* actions and destinations disagree */
	EMU_SYND_REGISTER,          /* no such register, or an invalid value for one */
	EMU_SYND_LIST,              /* an address list of the vport is invalid */
	EMU_SYND_KLM,               /* the list of an indirect mkey is invalid */
	EMU_SYND_RATE,              /* a rate limit is invalid, or its entry is free */
};

#endif
