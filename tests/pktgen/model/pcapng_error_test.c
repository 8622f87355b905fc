/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/pcapng.h"

#include <errno.h>
#include <string.h>

#include "ct.h"

/* A section, an interface of Ethernet, and a simple packet of 4 bytes. */
static const uint32_t words[] = { PCAPNG_MAGIC, 28, 0x1a2b3c4d, 1,  UINT32_MAX,
				  UINT32_MAX,   28, 1,          20, 1,
				  65535,        20, 3,          20, 4,
				  0xabababab,   20 };

/* A file whose bytes from @limit on cannot be read. */
struct broken_file {
	size_t at, limit;
};

static ssize_t read_broken(void *cookie, char *bytes, size_t n)
{
	struct broken_file *f = cookie;

	if (f->at == f->limit) {
		errno = EIO;
		return -1;
	}
	n = n < f->limit - f->at ? n : f->limit - f->at;
	memcpy(bytes, (const char *)words + f->at, n);
	f->at += n;
	return (ssize_t)n;
}

static int read_up_to(size_t limit, const char **why)
{
	struct broken_file broken = { .limit = limit };
	struct pcapng p = { .file = fopencookie(&broken, "r",
						(cookie_io_functions_t){ .read = read_broken }) };
	struct capture_packet packet;
	int rc;

	if (!p.file)
		return -errno;
	rc = pcapng_read_packet(&p, &packet, why);
	fclose(p.file);
	pcapng_free(&p);
	return rc;
}

TEST(pcapng_error, a_disk_error_at_any_byte_is_named)
{
	const char *why = NULL;

	for (size_t limit = 0; limit < sizeof(words); limit++) {
		EXPECT_EQ(-EINVAL, read_up_to(limit, &why));
		EXPECT_STREQ(strerror(EIO), why);
	}
	EXPECT_EQ(1, read_up_to(sizeof(words), &why));
}
