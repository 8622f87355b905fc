/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read_clock [EAL-OPTIONS]
 *
 * Holds the clock of emu, moves it, and reads it through port 0, whatever its driver is. Prints its
 * frequency. Each read must show the time that was moved, and no more.
 *
 * Exit status: 0 passed, 1 failed.
 */
#include <inttypes.h>
#include <stdio.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "emu/uverbs/emu_ctl.h"

enum { PORT = 0, PAUSE_MS = 100, NS_PER_MS = 1000000, N_READS = 3 };

static int read_clock(const struct devx_emu_ctl *emu, uint64_t clock[N_READS])
{
	for (int i = 0; i < N_READS; i++) {
		uint64_t again;
		int rc;

		if (!emu->clock(DEVX_EMU_CLOCK_HELD, i ? PAUSE_MS * NS_PER_MS : 0)) {
			printf("FAIL: the adapter is not in this process\n");
			return -1;
		}
		rc = rte_eth_read_clock(PORT, &clock[i]);
		if (!rc)
			rc = rte_eth_read_clock(PORT, &again);
		if (rc || again != clock[i]) {
			printf("FAIL: rte_eth_read_clock: %s; %" PRIu64 ", then %" PRIu64 "\n",
			       rte_strerror(-rc), clock[i], again);
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	struct rte_eth_dev_info info;
	uint64_t clock[N_READS];

	if (!emu || rte_eal_init(argc, argv) < 0 || rte_eth_dev_info_get(PORT, &info)) {
		printf("FAIL: %s\n", emu ? "no port 0" : "no emu; run devx-emu -- read_clock");
		return 1;
	}
	if (read_clock(emu, clock))
		return 1;
	printf("%s: %.1f kHz\n", info.driver_name, (double)(clock[1] - clock[0]) / PAUSE_MS);
	if (clock[2] - clock[1] != clock[1] - clock[0]) {
		printf("FAIL: clock %" PRIu64 ", %" PRIu64 ", %" PRIu64 " after equal times\n",
		       clock[0], clock[1], clock[2]);
		return 1;
	}
	rte_eth_dev_close(PORT);
	return rte_eal_cleanup() ? 1 : 0;
}
