/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FRONT_RIG_H
#define FRONT_RIG_H

/**
 * DOC: The uverbs front in a process that no devx-emu launched
 *
 * The front is linked without preload/, so that libFuzzer itself uses libc. No engine runs: a
 * target calls emu_poll().
 */

enum {
	FRONT_MEM_AT = 0x20000000, /* memory that an input may register, in every run */
	FRONT_MEM_BYTES = 1 << 20,
	FRONT_CALL = FRONT_MEM_BYTES - 0x40000, /* the last part has ioctls and their buffers */
};

/** front_rig_start - power the adapter on; once */
void front_rig_start(void);
/** front_rig_open - open the uverbs file, at the begin of an input. Return: its descriptor */
int front_rig_open(void);
/**
 * front_rig_close - close each descriptor that a user has
 *
 * Ends the process if a descriptor or an object is left.
 */
void front_rig_close(void);

#endif
