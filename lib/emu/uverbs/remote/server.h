/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_SERVER_H
#define EMU_UVERBS_REMOTE_SERVER_H

/**
 * DOC: The owner of the adapter serves other processes
 *
 *     thread that accepts connections -> a thread for each process: request, answer
 *
 * The process that opens the device first owns the adapter: its memory holds the objects, and its
 * engine moves the packets. Other processes send it their calls. A thread holds uv_front_lock()
 * while it executes a call.
 *
 * Linux keeps a context while any process has its file. So the owner keeps a descriptor of each
 * file of which another process has one, until that process releases the file or ends.
 */

/** uv_server_start - accept other processes; does nothing if they can connect already. Lock held */
void uv_server_start(void);
/**
 * uv_server_adopt - serve a child of fork, which has all open files of this process
 * @sock: the owner's end of a socket pair. Lock held
 */
void uv_server_adopt(int sock);
/**
 * uv_server_settle - release the files of processes that have ended. Lock held
 *
 * Linux closes the files of a process before its parent process learns that it ended. Here a thread
 * does so somewhat later. This function does it at once.
 */
void uv_server_settle(void);
/** uv_server_forget - in a child of fork: close what belongs to the server of the parent process */
void uv_server_forget(void);

#endif
