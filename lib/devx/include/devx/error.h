/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ERROR_H
#define DEVX_ERROR_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Reason of a failed call
 *
 *     a call fails --> dev->refusal --> devx_strerror()
 *
 * The library never prints, aborts or exits. A call that fails returns -errno and stores the reason
 * in the device, until another call on the same device fails. A channel of asynchronous queries
 * stores its own reason (devx/async.h).
 */

struct devx_dev;

enum { DEVX_TEXT_BYTES = 320 };

/**
 * struct devx_refusal - reason why the last call on a device failed
 * @rc: the negative errno that the call returned; 0: no call failed
 * @opcode: the firmware command that failed; 0: no command failed, see @text
 * @status: status in the firmware's answer, enum prm_status; OK (0) if the kernel refused
 * @syndrome: firmware's code for the reason
 * @object: number of the object that the command named; 0: the command named none
 * @text: the reason in one line; empty if @opcode is not 0
 */
struct devx_refusal {
	int rc;
	uint16_t opcode;
	uint8_t status;
	uint32_t syndrome;
	uint32_t object;
	char text[DEVX_TEXT_BYTES];
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_strerror - describe a failure in one line
 * @dev: device of the failed call; no other call on @dev failed since
 * @rc: value that the call returned
 * @buf: receives the line, truncated to @bytes, with a terminating zero and no newline, such as
 *       "firmware refused CREATE_SQ: BAD_PARAM (3), syndrome 0xd61c0b"
 * @bytes: size of @buf, at least 1; DEVX_TEXT_BYTES holds every line
 *
 * Context: the thread that made the call, before its next call on @dev.
 *
 * Return: @buf. If @dev holds no reason for @rc, the text of the C library for errno -@rc.
 */
const char *devx_strerror(const struct devx_dev *dev, int rc, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
