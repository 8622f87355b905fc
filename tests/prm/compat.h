/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PRM_COMPAT_H
#define TESTS_PRM_COMPAT_H

/**
 * DOC: Differences between releases of Linux' device.h and qp.h, from 6.1 on
 *
 * devtools/prm-rows handles the differences of mlx5_ifc.h.
 */

/* The Ethernet segment of Linux 7 has no VLAN fields; Linux 7 writes tags into inline headers. */
#ifdef LINUX_HAS_VLAN_INSERT
#define LINUX_VLAN_INSERT(...) __VA_ARGS__
#else
#define LINUX_VLAN_INSERT(...)
#endif

#endif
