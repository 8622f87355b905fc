/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_CHILD_H
#define EMU_UVERBS_REMOTE_CHILD_H

/**
 * uv_child_connect - make the connection that a child of fork will have to the owner
 *
 * For a process that does not own the adapter. The owner learns which files the child will have,
 * before the process can close its own descriptors of them. Lock held.
 *
 * Return: a socket; -1: no owner
 */
int uv_child_connect(void);

#endif
