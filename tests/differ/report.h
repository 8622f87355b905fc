/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_REPORT_H
#define DIFFER_REPORT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: Differences
 *
 * A difference is a failure of the test, unless known.def explains it. It is between the two
 * drivers, or between net_mlx5 and the frame that it received. A row of known.def that explains
 * nothing in the whole run is a failure too. With a release of DPDK that known.def does not know,
 * such a test is skipped.
 */

/** enum report_judge - @JUDGE_MLX5: net_devx against net_mlx5; @JUDGE_FRAME: against the frame */
enum report_judge { JUDGE_MLX5, JUDGE_FRAME };

/**
 * struct difference - one field that differs
 * @config: name of the configuration
 * @subject: text of the frame or packet, or the name of a counter
 * @field: field of an mbuf, or such
 * @want, @got: values; of net_mlx5 and net_devx, or of the frame and net_mlx5
 * @want_text, @got_text: optional, printed in place of the values
 */
struct difference {
	enum report_judge judge;
	const char *config, *subject, *field;
	uint64_t want, got;
	const char *want_text, *got_text;
};

/** report_start - forget which differences were reported; at most 40 of a test are */
void report_start(void);
/** report_difference - fail the test, unless rows of known.def explain @d */
void report_difference(const struct difference *d);

/** report_unused - fail the test for each row of known.def that explained no difference */
void report_unused(void);

#endif
