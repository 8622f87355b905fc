/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_FAIL_H
#define DEVX_FAIL_H

#include <stdbool.h>

#include "devx/account.h"
#include "devx/dev.h"

/*
 * Functions that store and describe the reason of a failure, and that count commands and failures.
 * Internal to the library.
 */

/**
 * devx_refusal_format - describe a stored reason in one line
 * @refusal: the reason
 * @rc: value that the call returned
 * @buf: receives the line, as devx_strerror()
 * @bytes: size of @buf, at least 1
 *
 * Return: @buf. If @refusal is not the reason for @rc, the text of the C library for errno -@rc.
 */
const char *devx_refusal_format(const struct devx_refusal *refusal, int rc, char *buf,
				size_t bytes);

/**
 * devx_fail - store the reason of a failure in a device
 * @dev: the device
 * @rc: negative errno
 * @fmt: one line: subject, what was found, what is valid, what to do
 *
 * Return: @rc.
 */
int devx_fail(struct devx_dev *dev, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** devx_fail_sys - devx_fail() with -@err; appends the C library's text for @err to the line */
int devx_fail_sys(struct devx_dev *dev, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** devx_refuse - devx_fail() for a reason that is not stored in a device */
int devx_refuse(struct devx_refusal *refusal, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** devx_memlock_hint - get the remedy for a registration that failed with @err, or "" */
const char *devx_memlock_hint(int err);

/**
 * devx_stuck_count - count an object that the kernel refused to destroy
 * @dev: its device
 *
 * Adds 1 to @dev->n_stuck, unless the kernel has removed the device. The kernel destroys all
 * objects of a removed device, and then refuses every destroy.
 *
 * Return: true if the device still has the object, and may access its memory
 */
bool devx_stuck_count(struct devx_dev *dev);

/** devx_account_add - add a command to @account; does nothing if @account is NULL */
void devx_account_add(struct devx_account *account, const struct devx_account_record *record);

#endif
