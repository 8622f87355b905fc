/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>

#include "devx_log.h"
#include "recovery/devx_flush_wait.h"

unsigned int devx_eth_flush_periods = 400;

void devx_eth_flush_give_up(struct devx_eth *eth, struct devx_eth_flush *flush, const char *queue,
			    ...)
{
	char name[32];
	va_list args;

	flush->overdue = true;
	va_start(args, queue);
	vsnprintf(name, sizeof(name), queue, args);
	va_end(args);
	devx_eth_log(eth, WARNING,
		     "%s: the device has not written the flush CQE of its last WQE in time; the "
		     "queue gets a new CQ before its next use",
		     name);
}
