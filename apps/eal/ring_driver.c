/* SPDX-License-Identifier: BSD-3-Clause */
#include "eal/ring_driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>

#define NET_DEVX "net_devx"

/* Returns the library that contains the burst function of a started port, or NULL. */
static void *open_driver(uint16_t port)
{
	Dl_info info;

	if (!dladdr((void *)(uintptr_t)rte_eth_fp_ops[port].tx_pkt_burst, &info))
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

int ring_driver_find(struct ring_driver *d, const struct ring_port *port, char *why,
		     size_t why_bytes)
{
	void *library;

	if (strcmp(port->driver, NET_DEVX) != 0) {
		snprintf(why, why_bytes, "port %s is of %s; only " NET_DEVX " has a generator ring",
			 port->device, port->driver);
		return -ENOTSUP;
	}
	library = open_driver(port->id);
	if (library) {
		*d = (struct ring_driver){
			.create = dlsym(library, "rte_pmd_devx_ring_create"),
			.send = dlsym(library, "rte_pmd_devx_ring_send"),
			.destroy = dlsym(library, "rte_pmd_devx_ring_destroy"),
		};
		dlclose(library); /* EAL keeps the driver loaded */
	}
	if (library && d->create && d->send && d->destroy)
		return 0;
	snprintf(why, why_bytes, "port %s: this release of " NET_DEVX " has no generator ring",
		 port->device);
	return -ENOTSUP;
}
