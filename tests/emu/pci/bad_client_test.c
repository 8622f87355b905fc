/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clients that send nonsense beside what vfu_test.c has: long bodies, wrong files, a connection
 * that ends anywhere. Each is told in one line, and every file is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pci_rig.h"
#include "emu/pci/dma.h"

FIXTURE(bad_client)
{
	struct pci_rig rig;
	unsigned fds;
};

FIXTURE_SETUP(bad_client)
{
	self->fds = pci_rig_count_fds();
	pci_rig_open(&self->rig);
}

FIXTURE_TEARDOWN(bad_client)
{
	pci_rig_close(&self->rig);
	EXPECT_EQ(self->fds, pci_rig_count_fds());
}

static void expect_alive(struct pci_rig *rig)
{
	const struct vfu_version v = { 0, 1 };

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_VERSION, &v, sizeof(v), NULL, 0));
}

/* The client goes; what was said is exactly @line. The next one is served. */
static void expect_said(struct pci_rig *rig, const char *line)
{
	pci_rig_hang_up(rig);
	EXPECT_STREQ(line, rig->said);
	rig->said[0] = '\0';
	pci_rig_connect(rig);
	expect_alive(rig);
}

/* ---- bodies ----------------------------------------------------------------------- */

static const struct body {
	const char *name;
	uint16_t command;
	uint32_t dword[10]; /* the first is argsz where there is one */
	size_t bytes;
	const char *line;
} bodies[] = {
	{ "dma_map_long", VFU_DMA_MAP, { 36 }, 36, "DMA_MAP: a body of 36 bytes, it has 32\n" },
	{ "dma_map_argsz", VFU_DMA_MAP, { 31 }, 32, "DMA_MAP: argsz 31, it is at least 32\n" },
	{ "dma_unmap_long",
	  VFU_DMA_UNMAP,
	  { 40 },
	  40,
	  "DMA_UNMAP: a body of 40 bytes, it has 24\n" },
	{ "dma_unmap_argsz", VFU_DMA_UNMAP, { 0 }, 24, "DMA_UNMAP: argsz 0, it is at least 24\n" },
	{ "device_info_short",
	  VFU_DEVICE_GET_INFO,
	  { 16 },
	  12,
	  "DEVICE_GET_INFO: a body of 12 bytes, it has 16\n" },
	{ "region_info_long",
	  VFU_GET_REGION_INFO,
	  { 32 },
	  33,
	  "GET_REGION_INFO: a body of 33 bytes, it has 32\n" },
	{ "irq_info_argsz",
	  VFU_GET_IRQ_INFO,
	  { 15 },
	  16,
	  "GET_IRQ_INFO: argsz 15, it is at least 16\n" },
	{ "set_irqs_long", VFU_SET_IRQS, { 20 }, 24, "SET_IRQS: a body of 24 bytes, it has 20\n" },
	{ "region_read_long",
	  VFU_REGION_READ,
	  { 0, 0, 7, 4 },
	  20,
	  "REGION_READ: a body of 20 bytes, it has 16\n" },
	{ "region_write_more",
	  VFU_REGION_WRITE,
	  { 0, 0, 7, 2 },
	  20,
	  "REGION_WRITE: says 2 bytes, carries 4\n" },
	{ "region_write_less",
	  VFU_REGION_WRITE,
	  { 0, 0, 7, 8 },
	  20,
	  "REGION_WRITE: says 8 bytes, carries 4\n" },
	{ "reset_long",
	  VFU_DEVICE_RESET,
	  { 0 },
	  4,
	  "DEVICE_RESET: a body of 4 bytes, it has none\n" },
	{ "version_text",
	  VFU_VERSION,
	  { 0x10000, 0x7d7b7d7b },
	  8,
	  "VERSION: the text of its capabilities does not end\n" },
};

TEST_EACH(bad_client, body_is_refused_in_a_line, struct body, bodies)
{
	struct pci_rig rig;

	pci_rig_open(&rig);
	EXPECT_EQ(EINVAL, pci_rig_ask(&rig, row->command, row->dword, row->bytes, NULL, 0));
	expect_said(&rig, row->line);
	pci_rig_close(&rig);
}

/* ---- files ------------------------------------------------------------------------ */

static int map(struct pci_rig *rig, uint32_t flags, uint64_t addr, uint64_t bytes, uint64_t offset,
	       const int *fd)
{
	const struct vfu_dma_map m = { sizeof(m), flags, offset, addr, bytes };

	return pci_rig_ask(rig, VFU_DMA_MAP, &m, sizeof(m), fd, fd ? 1 : 0);
}

TEST_F(bad_client, a_file_that_has_no_memory_is_refused)
{
	int pipes[2];

	EXPECT_EQ(0, pipe(pipes));
	EXPECT_EQ(EINVAL, map(&self->rig, 1, 0x10000, 0x1000, 0, &pipes[0]));
	close(pipes[0]);
	close(pipes[1]);
	expect_said(&self->rig, "DMA_MAP: bytes 0x1000 at offset 0x0 of a file of 0x0\n");
}

TEST_F(bad_client, a_file_that_may_only_be_read_is_not_mapped_to_write)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->rig.mem_fd);
	fd = open(path, O_RDONLY);
	EXPECT_EQ(EACCES, map(&self->rig, 3, 0x10000, 0x1000, 0, &fd));
	EXPECT_EQ(0, map(&self->rig, 1, 0x10000, 0x1000, 0, &fd));
	close(fd);
	expect_said(&self->rig, "DMA_MAP: cannot map the file: Permission denied\n");
}

TEST_F(bad_client, areas_are_of_whole_pages)
{
	EXPECT_EQ(EINVAL, map(&self->rig, 1, 0x10800, 0x1000, 0, &self->rig.mem_fd));
	EXPECT_EQ(EINVAL, map(&self->rig, 1, 0x10000, 0x1001, 0, &self->rig.mem_fd));
	EXPECT_EQ(EINVAL, map(&self->rig, 1, 0x10000, 0x1000, 0x200, &self->rig.mem_fd));
	EXPECT_EQ(EINVAL, map(&self->rig, 1 << 5, 0x10000, 0x1000, 0, &self->rig.mem_fd));
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("an area is of whole pages of 4096 bytes", self->rig.said);
}

/* Memory that comes without a file cannot be reached: who names it is told so. */
TEST_F(bad_client, areas_without_a_file_are_not_there)
{
	EXPECT_EQ(0, map(&self->rig, 3, 0x10000, 0x1000, 0, NULL));
	EXPECT_EQ(NULL, pci_dma_translate(self->rig.pci, 0x10000, 1, false));
}

TEST_F(bad_client, there_are_so_many_areas_and_no_more)
{
	for (unsigned i = 0; i < PCI_MAX_DMA; i++)
		EXPECT_EQ(0, map(&self->rig, 3, (uint64_t)i << 20, 0x1000, 0, NULL));
	EXPECT_EQ(ENOSPC, map(&self->rig, 3, (uint64_t)PCI_MAX_DMA << 20, 0x1000, 0, NULL));
	expect_said(&self->rig, "DMA_MAP: 1024 areas are mapped, there is room for no more\n");
	EXPECT_EQ(0, map(&self->rig, 3, 0x10000, 0x1000, 0, NULL));
}

TEST_F(bad_client, only_eventfds_are_interrupts)
{
	const struct vfu_irq_set set = { sizeof(set),
					 VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
					 VFIO_PCI_MSIX_IRQ_INDEX, 0, 2 };
	int fds[2] = { eventfd(0, EFD_NONBLOCK), self->rig.mem_fd };

	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_SET_IRQS, &set, sizeof(set), fds, 2));
	EXPECT_EQ(-1, self->rig.pci->vector[0].fd);
	close(fds[0]);
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("SET_IRQS: file 2 of 2 is /memfd:guest (deleted), it has to be an eventfd",
		      self->rig.said);
}

/* ---- connections that end --------------------------------------------------------- */

static const struct cut {
	const char *name;
	size_t bytes;
} cuts[] = {
	{ "in_its_header", 7 },
	{ "behind_its_header", 16 },
	{ "in_its_body", 47 },
};

/* Files come with the first byte. Nobody takes these: they must not stay open. */
TEST_EACH(bad_client, may_go_in_a_message_with_files, struct cut, cuts)
{
	const struct {
		struct vfu_header header;
		struct vfu_dma_map map;
	} m = { { 1, VFU_DMA_MAP, sizeof(m), 0, 0 }, { sizeof(m.map), 1, 0, 0x10000, 0x1000 } };
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	const unsigned before = pci_rig_count_fds();
	struct pci_rig rig;
	struct iovec iov = { (void *)(uintptr_t)&m, row->bytes };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&msg);

	pci_rig_open(&rig);
	*h = (struct cmsghdr){ CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(h), &rig.mem_fd, sizeof(int));
	EXPECT_EQ((ssize_t)row->bytes, sendmsg(rig.fd, &msg, 0));
	expect_said(&rig, "the client went in the middle of a message\n");
	pci_rig_close(&rig);
	EXPECT_EQ(before, pci_rig_count_fds());
}

TEST_F(bad_client, who_does_not_read_its_answers_is_let_go)
{
	const struct vfu_region_io io = { 0, VFIO_PCI_BAR0_REGION_INDEX, VFU_MAX_XFER };
	struct timeval wait = { .tv_sec = 20 };

	setsockopt(self->rig.fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	while (pci_rig_send(&self->rig, VFU_REGION_READ, 0, &io, sizeof(io), NULL, 0))
		;
	EXPECT_TRUE(errno == EPIPE || errno == ECONNRESET);
	expect_said(&self->rig, "the client does not read its answers; its connection ends here\n");
}
