/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_STAT_H
#define EMU_UVERBS_PRELOAD_STAT_H

#include <sys/stat.h>

/**
 * uv_stat_show - end a stat function: show a device file, or an open uverbs file, as Linux does
 * @rc: what libc's function returned
 *
 * Return: @rc
 */
int uv_stat_show(int rc, struct stat *st);

#endif
