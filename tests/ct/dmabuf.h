/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DMABUF_H
#define CT_DMABUF_H

#include <fcntl.h>
#include <linux/udmabuf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "needs_emu.h"

/**
 * DOC: A dma-buf that the CPU reaches by another mapping than the device's addresses
 *
 *     memory   mapping of the memfd below the dma-buf: the test writes and reads packets here
 *     device   address range of the same size without access rights: the addresses in WQEs and
 *              mbufs. A program that touches packet bytes there gets SIGSEGV.
 *
 * A real kernel makes the dma-buf with /dev/udmabuf. emu accepts a memfd of a certain name.
 */

struct test_dmabuf {
	int fd;
	size_t bytes;
	uint8_t *memory;
	uint8_t *device;
};

/* Turns a sealed memfd into a dma-buf of the kernel. Return: its descriptor, or -1 */
static inline int test_dmabuf_make_real(int memfd, size_t bytes)
{
	struct udmabuf_create create = { .memfd = (uint32_t)memfd, .size = bytes };
	const int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	const int fd =
		fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) ? -1 : ioctl(dev, UDMABUF_CREATE, &create);

	close(dev);
	return fd;
}

/** test_dmabuf_close_fd - close the descriptor; a registration keeps the memory */
static inline void test_dmabuf_close_fd(struct test_dmabuf *buf)
{
	close(buf->fd);
	buf->fd = -1;
}

/** test_dmabuf_down - unmap and close; @buf may be partly made */
static inline void test_dmabuf_down(struct test_dmabuf *buf)
{
	munmap(buf->memory, buf->bytes);
	munmap(buf->device, buf->bytes);
	if (buf->fd >= 0)
		close(buf->fd);
}

/** test_dmabuf_up - make a dma-buf of whole pages. Return: false after a failed check */
static inline bool test_dmabuf_up(struct test_dmabuf *buf, size_t bytes)
{
	const int memfd = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	*buf = (struct test_dmabuf){ .fd = -1, .bytes = bytes };
	EXPECT_EQ(0, ftruncate(memfd, (off_t)bytes));
	buf->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	buf->device = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	buf->fd = emu_if_any() ? dup(memfd) : test_dmabuf_make_real(memfd, bytes);
	close(memfd);
	EXPECT_LE(0, buf->fd);
	EXPECT_NE(MAP_FAILED, (void *)buf->memory);
	EXPECT_NE(MAP_FAILED, (void *)buf->device);
	return buf->fd >= 0 && buf->memory != MAP_FAILED && buf->device != MAP_FAILED;
}

#endif
