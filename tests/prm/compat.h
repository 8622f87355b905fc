/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PRM_COMPAT_H
#define TESTS_PRM_COMPAT_H

/**
 * DOC: What differs between releases of Linux' device.h and qp.h, from 6.1 on
 *
 * Where mlx5_ifc.h differs, devtools/prm-rows knows.
 */

/* Linux 7 has no VLAN in its Ethernet segment any more: it writes tags into headers. */
#ifdef LINUX_HAS_VLAN_INSERT
#define LINUX_VLAN_INSERT(...) __VA_ARGS__
#else
#define LINUX_VLAN_INSERT(...)
#endif

#endif
