/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_QUERY_CAPS_H
#define DEVX_QUERY_CAPS_H

#include "devx/dev.h"

/** devx_query_caps - fill in @dev->caps; internal. Returns as devx_cmd_general() */
int devx_query_caps(struct devx_dev *dev);

#endif
