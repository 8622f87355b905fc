/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The framing of messages, and the end of a connection.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "open_files.h"
#include "pci_rig.h"

FIXTURE(vfu)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(vfu)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(vfu)
{
	pci_rig_close(&self->rig);
}

static void send_header(struct pci_rig *rig, const struct vfu_header *header, size_t bytes)
{
	EXPECT_EQ((ssize_t)bytes, send(rig->fd, header, bytes, MSG_NOSIGNAL));
}

static const struct broken {
	const char *name;
	struct vfu_header header;
} broken[] = {
	{ "too_short", { 1, VFU_VERSION, 15, 0, 0 } },
	{ "of_no_bytes", { 1, VFU_VERSION, 0, 0, 0 } },
	{ "too_long", { 1, VFU_VERSION, UINT32_MAX, 0, 0 } },
	{ "a_reply", { 1, VFU_VERSION, 16, VFU_REPLY, 0 } },
};

TEST_EACH(vfu_header, an_invalid_header_ends_only_the_connection, struct broken, broken)
{
	struct pci_rig rig;

	pci_rig_open(&rig);
	send_header(&rig, &row->header, sizeof(row->header));
	EXPECT_EQ(-1, pci_rig_receive(&rig));
	pci_rig_hang_up(&rig);
	EXPECT_SUBSTR("the connection was closed\n", rig.said);
	pci_rig_connect(&rig);
	pci_rig_expect_alive(&rig);
	pci_rig_close(&rig);
}

TEST_F(vfu, a_message_may_arrive_in_parts)
{
	const struct {
		struct vfu_header header;
		struct vfu_region_io io;
	} m = { { ++self->rig.next_id, VFU_REGION_READ, sizeof(m), 0, 0 },
		{ 0, VFIO_PCI_CONFIG_REGION_INDEX, 4 } };

	for (size_t i = 0; i < sizeof(m); i++) {
		EXPECT_EQ(1, send(self->rig.fd, (const char *)&m + i, 1, MSG_NOSIGNAL));
		usleep(100);
	}
	EXPECT_EQ(0, pci_rig_receive(&self->rig));
	EXPECT_EQ(0xb3, self->rig.body[sizeof(m.io)]); /* vendor 15B3h */
}

TEST_F(vfu, a_client_may_disconnect_inside_a_message)
{
	const struct vfu_header header = { 1, VFU_VERSION, 100, 0, 0 };

	send_header(&self->rig, &header, sizeof(header));
	pci_rig_hang_up(&self->rig);
	EXPECT_NE(NULL, strstr(self->rig.said, "in the middle of a message"));
	pci_rig_connect(&self->rig);
	pci_rig_expect_alive(&self->rig);
}

TEST_F(vfu, a_posted_write_is_not_answered)
{
	const struct {
		struct vfu_region_io io;
		uint32_t value;
	} m = { { 0x200, VFIO_PCI_BAR0_REGION_INDEX, 4 }, 0 };

	EXPECT_TRUE(pci_rig_send(&self->rig, VFU_REGION_WRITE, VFU_NO_REPLY, &m, 20, NULL, 0));
	pci_rig_expect_alive(&self->rig); /* the next answer belongs to this message */
}

/* ---- connections that end --------------------------------------------------------- */

static const struct cut {
	const char *name;
	size_t bytes;
} cuts[] = {
	{ "in_its_header", 7 },
	{ "after_its_header", 16 },
	{ "in_its_body", 47 },
};

/* A descriptor arrives with the first byte; the server closes those of incomplete messages. */
TEST_EACH(vfu, closes_the_files_of_an_incomplete_message, struct cut, cuts)
{
	const struct {
		struct vfu_header header;
		struct vfu_dma_map map;
	} m = { { 1, VFU_DMA_MAP, sizeof(m), 0, 0 }, { sizeof(m.map), 1, 0, 0x10000, 0x1000 } };
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	const unsigned before = count_open_files();
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
	pci_rig_expect_said(&rig, "in the middle of a message");
	pci_rig_close(&rig);
	EXPECT_EQ(before, count_open_files());
}

TEST_F(vfu, a_client_that_reads_no_answers_is_disconnected)
{
	const struct vfu_region_io io = { 0, VFIO_PCI_BAR0_REGION_INDEX, VFU_MAX_XFER };
	struct timeval wait = { .tv_sec = 20 };

	setsockopt(self->rig.fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	while (pci_rig_send(&self->rig, VFU_REGION_READ, 0, &io, sizeof(io), NULL, 0))
		;
	EXPECT_TRUE(errno == EPIPE || errno == ECONNRESET);
	pci_rig_expect_said(&self->rig, "does not read its answers");
}
