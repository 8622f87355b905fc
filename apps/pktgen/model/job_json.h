/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_JSON_H
#define PKTGEN_JOB_JSON_H

#include "model/job.h"

/**
 * DOC: Job files
 *
 * A job file is a configuration of the Open Traffic Generator model (OTG) in JSON.
 * doc/pktgen-model.md lists the subset and our own keys, which begin with "devx_".
 */

enum { JOB_MAX_FILE_BYTES = 64 << 20 };

/**
 * job_read_file - read a job file
 * @j: receives ports, flows and captures. Free it with job_free(), also after a refusal
 * @o: receives the settings, queues, addresses and rewritten addresses
 * @path: the file; "-": stdin
 * @why: receives one line after a refusal
 * @why_bytes: size of @why
 *
 * Return: 0, or -EINVAL with a line in @why
 */
int job_read_file(struct job *j, struct options *o, const char *path, char *why, size_t why_bytes);

/** job_write - make the text of a job file. Return: text to free(), or NULL: no memory */
char *job_write(const struct job *j, const struct options *o);

#endif
