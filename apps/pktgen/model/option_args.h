/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OPTION_ARGS_H
#define PKTGEN_OPTION_ARGS_H

#include <argp.h>
#include <stdint.h>

/**
 * DOC: Options
 *
 * Each group of options is a child of the parser of options.c, in a file of its own. Its parser
 * finds struct options in state->input. Keys of options without a letter may repeat between files.
 */

/** options_frames_argp - options of frames: sizes, addresses, ports, capture */
extern const struct argp options_frames_argp;

/** options_amount_argp - options of amount and rate */
extern const struct argp options_amount_argp;

/** options_cores_argp - options of cores and queues */
extern const struct argp options_cores_argp;

/** options_report_argp - options of reports for programs */
extern const struct argp options_report_argp;

/** options_addr_argp - options of the IP addresses of ports */
extern const struct argp options_addr_argp;

/**
 * option_check - end the program with one line on stderr if a parser refused an argument
 * @state: the state of argp
 * @option: name of the option, without "--"
 * @arg: its argument
 * @why: the reason of the refusal, or NULL
 */
void option_check(struct argp_state *state, const char *option, const char *arg, const char *why);

/** option_parse_range - parse a whole number from @min to @max, or end the program */
uint64_t option_parse_range(struct argp_state *state, const char *option, const char *arg,
			    uint64_t min, uint64_t max);

#endif
