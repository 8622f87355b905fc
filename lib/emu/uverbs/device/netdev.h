/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_DEVICE_NETDEV_H
#define EMU_UVERBS_DEVICE_NETDEV_H

/**
 * DOC: The netdev of a port
 *
 * On Linux the kernel's netdev owns a port's MAC, MTU and receive filter. Where a port has
 * one (a TAP wire), a thread listens to it and gives the port what it says.
 */

/** uv_mirror_start - mirror every port that has a netdev; nothing to do without. Lock held */
void uv_mirror_start(void);
/** uv_mirror_stop - stop listening. Lock held */
void uv_mirror_stop(void);
/** uv_mirror_forget - in a child of fork: the thread is the parent's */
void uv_mirror_forget(void);

#endif
