/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_PATH_H
#define EMU_UVERBS_PRELOAD_PATH_H

/** uv_path_find_port - find the port whose uverbs file @path names. Return: the port, or -1 */
int uv_path_find_port(const char *path);

#endif
