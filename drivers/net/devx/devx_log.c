/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "devx_log.h"

RTE_LOG_REGISTER_DEFAULT(devx_eth_logtype, NOTICE)

int devx_eth_log_failure(struct devx_eth *eth, int rc, const char *fmt, ...)
{
	char what[128], why[DEVX_TEXT_BYTES + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	devx_eth_log(eth, ERR, "%s: %s", what, devx_strerror(&eth->dev, rc, why, sizeof(why)));
	return rc == -EREMOTEIO ? -EIO : rc;
}

int devx_eth_refuse_change(struct devx_eth *eth, const char *what)
{
	devx_eth_log(eth, ERR,
		     "%s: cannot be changed, because the port has no network interface in the "
		     "kernel",
		     what);
	return -ENOTSUP;
}
