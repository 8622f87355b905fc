/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ERROR_H
#define DEVX_ERROR_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Why a call failed
 *
 *     a call fails --> devx_fail(), or a command's answer --> dev->refusal --> devx_strerror()
 *
 * The library never prints. A call that fails returns -errno and keeps the reason in the device
 * until the next call that fails overwrites it.
 */

struct devx_dev;

enum { DEVX_TEXT_BYTES = 320 };

/**
 * struct devx_refusal - why the last call on a device failed
 * @rc: the negative errno that the call returned, or 0
 * @opcode: the firmware command that failed, or 0 if it was something else
 * @status: first byte of the firmware's answer, enum prm_status; OK (0) if the kernel refused
 * @syndrome: the firmware's own number for the reason
 * @object: number of the object that the command named; 0 for a command that creates
 * @text: one line; empty when @opcode says it all
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
 * devx_strerror - say why a call failed
 * @dev: the device of the call; what it keeps is overwritten by the next call that fails
 * @rc: what the call returned
 * @buf: receives one line without a line end, always terminated, such as
 *       "firmware refused CREATE_SQ: BAD_PARAM (3), syndrome 0xd61c0b"
 * @bytes: size of @buf, at least 1
 *
 * Return: @buf.
 */
const char *devx_strerror(const struct devx_dev *dev, int rc, char *buf, size_t bytes);

/**
 * devx_fail - keep a reason and return it
 * @dev: the device
 * @rc: negative errno
 * @fmt: one line that says what was wrong, what is allowed, what to do
 *
 * Return: @rc.
 */
int devx_fail(struct devx_dev *dev, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** devx_fail_sys - devx_fail() with -@err, and what the C library says about it at the end */
int devx_fail_sys(struct devx_dev *dev, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
