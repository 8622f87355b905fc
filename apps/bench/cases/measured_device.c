/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/measured_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus.h>
#include <rte_devargs.h>

#include "harness/point.h"

void measured_device_miss(struct measured_device *d, const char *why)
{
	snprintf(d->missing, sizeof(d->missing), "%.*s", (int)sizeof(d->missing) - 1, why);
}

/* Splits "net_devx0,pci=0000:c1:00.1" into bus, device and arguments. */
static void parse_port(struct measured_device *d, const char *port)
{
	struct rte_devargs args = { 0 };

	d->driver = (struct bench_driver){ .bus = d->text[0],
					   .device = d->text[1],
					   .devargs = d->text[2],
					   .name = d->name,
					   .emu_port = -1 };
	snprintf(d->name, sizeof(d->name), "%.*s", (int)strcspn(port, ","), port);
	if (rte_devargs_parse(&args, port)) {
		measured_device_miss(d, "EAL knows no bus for this device name");
		return;
	}
	snprintf(d->text[0], sizeof(d->text[0]), "%s", rte_bus_name(args.bus));
	snprintf(d->text[1], sizeof(d->text[1]), "%s", args.name);
	snprintf(d->text[2], sizeof(d->text[2]), "%s", args.args ? args.args : "");
	free(args.data); /* holds the arguments; the function that frees them is experimental */
}

unsigned int measured_devices_find(struct measured_device device[MEASURED_MAX_DEVICES],
				   const struct bench_lab *lab, const struct bench_run *run)
{
	unsigned int n = 0;

	for (; n < run->n_ports && n < MEASURED_MAX_DEVICES; n++)
		parse_port(&device[n], run->port[n]);
	if (n)
		return n;
	for (; n < BENCH_N_DRIVERS; n++) {
		const char *why = bench_driver_lacks(lab, n);

		device[n].driver = bench_drivers[n];
		if (why)
			measured_device_miss(&device[n], why);
	}
	return n;
}

int measured_device_run(struct measured_device *d, struct bench_life *life)
{
	char why[sizeof(d->missing)] = "";
	int rc;

	life->driver = &d->driver;
	rc = bench_life_run(life, why, sizeof(why));
	if (rc)
		measured_device_miss(d, why);
	if (d->driver.name == d->name && life->name[0])
		snprintf(d->name, sizeof(d->name), "%s", life->name);
	return rc;
}

void measured_device_begin_row(const struct measured_device *d, struct bench_row *row)
{
	snprintf(row->driver, sizeof(row->driver), "%s", d->driver.name);
	snprintf(row->missing, sizeof(row->missing), "%s", d->missing);
}
