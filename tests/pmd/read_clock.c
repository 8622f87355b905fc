/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read_clock [EAL-OPTIONS]
 *
 * Reads the clock of port 0, whatever its driver is, around pauses of 100 ms. The clock must not
 * stand still between two reads, and two pauses must take as many cycles, within 10 %.
 *
 * Exit status: 0 passed, 1 failed.
 */
#include <inttypes.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

enum { PORT = 0, PAUSE_MS = 100, N_READS = 3 };

/* Returns whether @cycles in @ms have the rate of @other_cycles in @other_ms, within 10 %. */
static bool is_same_rate(double cycles, double ms, double other_cycles, double other_ms)
{
	const double ratio = cycles / ms / (other_cycles / other_ms);

	return ratio > 0.9 && ratio < 1.1;
}

static int read_clock(uint64_t clock[N_READS], double at_ms[N_READS])
{
	for (int i = 0; i < N_READS; i++) {
		const int rc = rte_eth_read_clock(PORT, &clock[i]);

		if (rc) {
			printf("FAIL: rte_eth_read_clock: %s\n", rte_strerror(-rc));
			return rc;
		}
		at_ms[i] = (double)rte_get_timer_cycles() * 1e3 / (double)rte_get_timer_hz();
		rte_delay_us_sleep(PAUSE_MS * 1000);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct rte_eth_dev_info info;
	uint64_t clock[N_READS];
	double at[N_READS];

	if (rte_eal_init(argc, argv) < 0 || rte_eth_dev_info_get(PORT, &info)) {
		printf("FAIL: no port %d\n", PORT);
		return 1;
	}
	if (read_clock(clock, at))
		return 1;
	printf("%s: %.1f kHz\n", info.driver_name, (double)(clock[2] - clock[0]) / (at[2] - at[0]));
	if (clock[1] <= clock[0] || clock[2] <= clock[1] ||
	    !is_same_rate((double)(clock[2] - clock[1]), at[2] - at[1],
			  (double)(clock[1] - clock[0]), at[1] - at[0])) {
		printf("FAIL: clock %" PRIu64 ", %" PRIu64 ", %" PRIu64 " at %.1f, %.1f, %.1f ms\n",
		       clock[0], clock[1], clock[2], at[0], at[1], at[2]);
		return 1;
	}
	rte_eth_dev_close(PORT);
	return rte_eal_cleanup() ? 1 : 0;
}
