/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ACCOUNT_WRITE_H
#define DEVX_ACCOUNT_WRITE_H

#include "devx/account.h"

/*
 * Functions that write the account of a device (devx/account.h). Internal to the library.
 */

/** devx_account_add - add a command to @account; NULL: the device has no account yet */
void devx_account_add(struct devx_account *account, const struct devx_account_record *record);

#endif
