/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ACCOUNT_H
#define DEVX_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Account of firmware commands
 *
 *     functions of devx/cmd.h --> dev->account: counts by opcode, newest commands, last failure
 *
 * Each open device records the commands that this library sends in dev->account. The account does
 * not contain asynchronous queries (devx/async.h), nor commands that the kernel sends for other
 * calls: UAR, umem, memory region, receive rule, rate limit. The kernel also builds the commands
 * that destroy objects, so the account only counts destroyed objects.
 *
 * Context: only the thread that may call functions on the device reads the account (devx/dev.h).
 */

enum {
	DEVX_ACCOUNT_OPCODES = 64,  /* more than the library sends */
	DEVX_ACCOUNT_RECORDS = 100, /* newest commands */
};

/**
 * struct devx_account_opcode - commands with one opcode
 * @opcode: the opcode
 * @n: number of commands, including those that failed
 * @n_failed: number of commands that failed
 */
struct devx_account_opcode {
	uint16_t opcode;
	uint64_t n, n_failed;
};

/**
 * struct devx_account_record - a command
 * @time_ns: time of the answer, in ns since 1970 (CLOCK_REALTIME)
 * @rc: value that the call returned: 0 or -errno
 * @opcode, @op_mod: from the mailbox of the command
 * @status: status in the firmware's answer, enum prm_status; OK (0) with @rc: the kernel refused
 * @syndrome: firmware's code for the reason
 * @object: number of the object that the command named; 0: the command named none
 */
struct devx_account_record {
	uint64_t time_ns;
	int rc;
	uint16_t opcode, op_mod;
	uint8_t status;
	uint32_t syndrome;
	uint32_t object;
};

/**
 * struct devx_account - the commands of an open device
 * @n_commands: number of commands; command i is records[i % DEVX_ACCOUNT_RECORDS], if i is one of
 *              the last DEVX_ACCOUNT_RECORDS below @n_commands
 * @n_failed: number of commands that failed
 * @n_destroyed: number of objects that the kernel destroyed
 * @n_other: number of commands whose opcode has no entry because @opcodes was full
 * @n_opcodes: number of entries of @opcodes
 * @opcodes: counts by opcode, in the order in which the opcodes were first used
 * @last_failure: the newest command that failed; its opcode is 0 if none failed
 * @records: the newest commands
 */
struct devx_account {
	uint64_t n_commands, n_failed, n_destroyed, n_other;
	unsigned n_opcodes;
	struct devx_account_opcode opcodes[DEVX_ACCOUNT_OPCODES];
	struct devx_account_record last_failure;
	struct devx_account_record records[DEVX_ACCOUNT_RECORDS];
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_opcode_name - get the name of a firmware command
 * @opcode: its opcode
 * @buf: receives Linux' name, such as "CREATE_SQ"; "0x7ff" for an opcode that the library does not
 *       know. Truncated to @bytes, with a terminating zero
 * @bytes: size of @buf, at least 1; 64 bytes hold every name
 *
 * Context: any thread.
 *
 * Return: @buf.
 */
const char *devx_opcode_name(uint16_t opcode, char *buf, size_t bytes);

/**
 * devx_status_name - get the name of a status of a firmware command
 * @status: the status
 *
 * Context: any thread.
 *
 * Return: the name, such as "BAD_PARAM"; "?" for an unknown status.
 */
const char *devx_status_name(uint8_t status);

#ifdef __cplusplus
}
#endif

#endif
