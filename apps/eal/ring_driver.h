/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EAL_RING_DRIVER_H
#define EAL_RING_DRIVER_H

#include <stddef.h>

#include <rte_pmd_devx.h>

/**
 * DOC: Functions of net_devx
 *
 * EAL loads drivers at run time, so a program cannot link with net_devx. Instead it looks up the
 * functions of rte_pmd_devx.h in the library that drives the port. Other drivers lack them, and so
 * do releases of net_devx without a generator ring.
 */

/** struct ring_driver - functions of the generator ring */
struct ring_driver {
	__typeof__(rte_pmd_devx_ring_create) *create;
	__typeof__(rte_pmd_devx_ring_send) *send;
	__typeof__(rte_pmd_devx_ring_destroy) *destroy;
};

/** struct ring_port - a started port; @device: its name; @driver: name of its PMD */
struct ring_port {
	uint16_t id;
	const char *device, *driver;
};

/**
 * ring_driver_find - look up the functions of the generator ring in the driver of a port
 * @d: receives the functions
 * @why: receives the reason for a failure, in at most @why_bytes bytes
 *
 * Return: 0; -ENOTSUP: the driver does not have them
 */
int ring_driver_find(struct ring_driver *d, const struct ring_port *port, char *why,
		     size_t why_bytes);

#endif
