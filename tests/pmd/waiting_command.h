/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WAITING_COMMAND_H
#define WAITING_COMMAND_H

#include <stdbool.h>

/**
 * DOC: Firmware that takes its time
 *
 * This program interposes the functions of libmlx5 that return the answer of the firmware to a
 * query: mlx5dv_devx_obj_query() and mlx5dv_devx_general_cmd(), of which a test can hold one call,
 * and mlx5dv_devx_get_async_cmd_comp(), which finds no reply while a test holds replies.
 */

/** waiting_command_count - number of calls of mlx5dv_devx_obj_query() so far */
unsigned waiting_command_count(void);

/** waiting_command_hold - hold the next call until waiting_command_release(), or WAIT_LIMIT_S */
void waiting_command_hold(void);
/** waiting_command_is_held - tell whether a call is held now */
bool waiting_command_is_held(void);
/** waiting_command_release - let the held call go on */
void waiting_command_release(void);
/** waiting_command_hold_replies - hold back the replies of asynchronous queries while @on */
void waiting_command_hold_replies(bool on);

#endif
