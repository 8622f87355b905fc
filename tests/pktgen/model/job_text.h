/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Job files of tests, as text.
 */
#ifndef JOB_TEXT_H
#define JOB_TEXT_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/job_json.h"

enum { WHY_BYTES = 512, TEXT_BYTES = 4096 };

#define PORTS                                                                                      \
	"\"ports\": [{\"name\": \"a\", \"location\": \"net_ring0\"}, {\"name\": \"b\", "           \
	"\"location\": \"net_ring1\"}]"
#define TX_RX "\"tx_rx\": {\"port\": {\"tx_name\": \"a\", \"rx_names\": [\"b\"]}}"

/* Makes a job with one flow that has @keys behind its name and ports. */
#define FLOW(keys) "{" PORTS ", \"flows\": [{\"name\": \"f\", " TX_RX keys "}]}"
#define PACKET(headers) FLOW(", \"packet\": [" headers "]")

/* Reads @text as a job file. */
static inline int read_text(struct job *j, struct options *o, const char *text, char why[WHY_BYTES])
{
	char path[] = "/tmp/devx-job-XXXXXX";
	const int fd = mkstemp(path);
	int rc = -1;

	memset(j, 0, sizeof(*j));
	*why = '\0';
	if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text))
		rc = job_read_file(j, o, path, why, WHY_BYTES);
	/* The name of the file differs from run to run. */
	if (!strncmp(why, path, strlen(path)))
		memmove(why, why + strlen(path), strlen(why + strlen(path)) + 1);
	close(fd);
	unlink(path);
	return rc;
}

#endif
