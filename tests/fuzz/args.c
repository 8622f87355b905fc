/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an input of the fuzzer as the arguments of a port of net_devx (devtools/fuzz), up to the
 * end of its first line: once as those of --vdev, once as those of a device of a bus.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_log.h>

#include "attach/devx_args.h"
#include "queue/devx_copy_limit.h"

static void parse_args(const char *text, const char *adapter)
{
	struct devx_eth_args args;

	if (devx_eth_args_parse(&args, "net_devx0", text, adapter))
		return;
	if (!memchr(args.adapter, '\0', sizeof(args.adapter)) ||
	    args.inline_max > DEVX_ETH_TX_COPY_MAX) {
		fprintf(stderr, "args: accepted: %s\n", text);
		abort();
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	rte_log_set_global_level(RTE_LOG_EMERG);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const uint8_t *end = memchr(bytes, '\n', n);
	char *text = strndup((const char *)bytes, end ? (size_t)(end - bytes) : n);

	if (!text)
		abort();
	parse_args(text, NULL);
	parse_args(text, "0000:08:00.0");
	devx_eth_args_name_driver(text);
	free(text);
	return 0;
}
