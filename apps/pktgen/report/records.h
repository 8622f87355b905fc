/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RECORDS_H
#define PKTGEN_RECORDS_H

#include "report/record_file.h"
#include "report/verdict.h"

/**
 * DOC: Reports for programs
 *
 * --json writes one JSON object per line: one at the start, one per interval, one at the end. --csv
 * writes a row per port and flow and one for all flows, for each interval and at the end. Both
 * print struct figures.
 */

/**
 * struct records - the files of --json, --csv and --latency-log
 * @run: the run that they describe
 * @last: the figures of the previous record; all zero at first
 */
struct records {
	struct record_file json, csv, latency_log;
	const struct run *run;
	struct figures now, last;
};

/**
 * records_open - open the files of the command line, and check that no other file is one of them
 * @s: zeroed
 * @o: the command line
 * @j: the job, which names captures
 *
 * Return: PKTGEN_MET, or another code after one line on stderr. Call records_close() in each case
 */
enum pktgen_exit records_open(struct records *s, const struct options *o, const struct job *j);

/**
 * records_start - write the start record and the header line, and observe the run from now on
 * @s: open files, which lose their old content
 * @r: prepared
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit records_start(struct records *s, struct run *r);

/** records_finish - write the final record. Return: PKTGEN_MET, or PKTGEN_REPORT */
enum pktgen_exit records_finish(struct records *s, const struct figures *f,
				const struct verdict *v);

/** records_close - close the files. Return: PKTGEN_MET, or PKTGEN_REPORT if a write has failed */
enum pktgen_exit records_close(struct records *s);

#endif
