/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WAIT_LIMIT_H
#define WAIT_LIMIT_H

/**
 * DOC: How long a test waits
 *
 * A test waits until a condition holds, and judges no time. A wait that never ends fails the test
 * after this time: more than ten times what a quiet machine needs, so that a busy machine does not
 * reach it.
 */
enum { WAIT_LIMIT_S = 20, WAIT_LIMIT_MS = WAIT_LIMIT_S * 1000 };

/* How long a stop of net_devx waits for its packets in tests: ten times its own limit. */
enum { STOP_WAIT_MS = 5000 };

#endif
