/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WAITING_COMMAND_H
#define WAITING_COMMAND_H

#include <stdbool.h>

/**
 * DOC: Queries of the program
 *
 * This program interposes the functions of libmlx5 that return the answer of the firmware to a
 * query: mlx5dv_devx_obj_query(), whose calls it counts, and mlx5dv_devx_get_async_cmd_comp(),
 * which finds no reply while a test holds replies.
 */

/** waiting_command_count - number of calls of mlx5dv_devx_obj_query() so far */
unsigned waiting_command_count(void);
/** waiting_command_hold_replies - hold back the replies of asynchronous queries while @on */
void waiting_command_hold_replies(bool on);

#endif
