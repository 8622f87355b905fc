/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ON_ADAPTER_FACTS_H
#define ON_ADAPTER_FACTS_H

#include "rig.h"

/** DOC: Facts about the port, and reasons not to touch it */

/**
 * facts_open - open the device twice and read its port
 * @at: zero-initialised, with ibdev set to what the user wrote; ibdev becomes the device's name
 * @why: receives one line when the port cannot be tested
 *
 * Return: true, or false: see @why. facts_close() is needed in both cases.
 */
bool facts_open(struct adapter *at, char *why, size_t bytes);
/** facts_close - undo facts_open() */
void facts_close(struct adapter *at);

/** facts_are_ready - false: the link is down, or the process may not create queues; see @why */
bool facts_are_ready(struct adapter *at, char *why, size_t bytes);
/** facts_is_in_use - whether the kernel uses the port: its netdev has an address; see @why */
bool facts_is_in_use(const struct adapter *at, char *why, size_t bytes);
/** facts_print - print lines "name: value" without MAC address, GUID and serial number */
void facts_print(struct adapter *at);

#endif
