/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_MEASURED_DEVICE_H
#define BENCH_MEASURED_DEVICE_H

#include "base/run.h"
#include "harness/life.h"

enum { MEASURED_MAX_DEVICES = 16 };

/**
 * struct measured_device - a device whose control path is measured
 * @driver: names and arguments; .name becomes the name of the PMD after the first life
 * @text: memory of .bus, .device and .devargs of a device of --port
 * @missing: the reason why it is not measured, or ""
 */
struct measured_device {
	struct bench_driver driver;
	char text[3][128];
	char name[32];
	char missing[160];
};

/**
 * measured_devices_find - find the devices of --port, or net_mlx5 and net_devx on emu
 *
 * Return: number of devices
 */
unsigned int measured_devices_find(struct measured_device device[MEASURED_MAX_DEVICES],
				   const struct bench_lab *lab, const struct bench_run *run);

/** measured_device_miss - store @why as the reason why nothing is measured */
void measured_device_miss(struct measured_device *d, const char *why);

/** measured_device_run - run @life on @d. Return: 0, or -errno with the reason in @d->missing */
int measured_device_run(struct measured_device *d, struct bench_life *life);

/** measured_device_begin_row - write the driver and the reason @d->missing into @row */
void measured_device_begin_row(const struct measured_device *d, struct bench_row *row);

#endif
