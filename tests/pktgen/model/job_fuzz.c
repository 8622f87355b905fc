/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an input of the fuzzer as a job file (devtools/fuzz). A job that is accepted must be the
 * same after it was written and read again.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/job_json.h"

enum { PATH_BYTES = 64, WHY_BYTES = 512 };

/* Reads @text as a job file. Returns the text that job_write() makes of it; NULL: refused. */
static char *read_and_write(const void *text, size_t n, char why[WHY_BYTES])
{
	struct options o = { .drain_ns = 1000, .rx_ring = 1024, .tx_ring = 1024 };
	struct job j = { 0 };
	char path[PATH_BYTES], *written = NULL;
	const int fd = memfd_create("job", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!job_read_file(&j, &o, path, why, WHY_BYTES))
		written = job_write(&j, &o);
	job_free(&j);
	close(fd);
	return written;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	/* libFuzzer makes inputs from strings that libjansson compares, in the order of hashes. */
	json_object_seed(1);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char why[WHY_BYTES], *first, *second;

	/* A capture would be read from the files of this machine. */
	if (memmem(bytes, n, "file", strlen("file")))
		return 0;
	first = read_and_write(bytes, n, why);
	if (!first)
		return 0;
	second = read_and_write(first, strlen(first), why);
	if (!second || strcmp(first, second) != 0) {
		fprintf(stderr, "first\n%s\nsecond\n%s\n", first, second ? second : why);
		abort();
	}
	free(first);
	free(second);
	return 0;
}
