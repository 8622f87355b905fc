/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_DISTINCT_FILES_H
#define PKTGEN_DISTINCT_FILES_H

#include "model/job.h"
#include "report/record_file.h"

/**
 * distinct_files_check - check that no output is an input, and that no two outputs are one file
 * @o: the command line: --config, --pcap, and the files of net_pcap ports
 * @j: the job, which names captures
 * @reports: the open files of --json, --csv and --latency-log
 * @n_reports: number of @reports
 *
 * stdout and stderr are also outputs, and "-" makes stdin an input. Files are the same if device
 * and inode are equal, so links do not matter. A character device or a socket may be used more than
 * once.
 *
 * Return: PKTGEN_MET; or PKTGEN_USAGE or PKTGEN_ENVIRONMENT after one line on stderr
 */
enum pktgen_exit distinct_files_check(const struct options *o, const struct job *j,
				      const struct record_file *const *reports, unsigned n_reports);

#endif
