/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_SERVER_H
#define EMU_UVERBS_REMOTE_SERVER_H

/**
 * DOC: The owner of the adapter serves other processes
 *
 *     thread that accepts connections -> one thread per process: request, answer
 *
 * The first process to open the device owns the adapter: the objects are in its memory, and its
 * engine moves the packets. Other processes send it their calls. A thread holds uv_front_lock()
 * while it executes a call.
 *
 * Linux keeps a context while any process has its file open. So the owner holds a descriptor of
 * each file that another process has open, until that process releases the file or ends.
 */

/** uv_server_start - start to accept connections, unless started already. Lock held */
void uv_server_start(void);
/**
 * uv_server_adopt - serve a child of fork, which inherits all open files of this process
 * @sock: the owner's end of a socket pair. Lock held
 */
void uv_server_adopt(int sock);
/**
 * uv_server_settle - release the files of processes that have ended. Lock held
 *
 * Linux closes the files of a process before the parent of the process sees its end. The threads of
 * this server notice the end somewhat later, so each ioctl calls this function first.
 */
void uv_server_settle(void);
/** uv_server_forget - in a child of fork: close the descriptors of the parent's server */
void uv_server_forget(void);

#endif
