/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci_rig.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static void say(void *arg, const char *line)
{
	struct client *c = arg;
	const size_t used = strlen(c->said);

	snprintf(c->said + used, sizeof(c->said) - used, "%s\n", line);
}

static void *serve(void *arg)
{
	struct client *c = arg;

	emu_pci_serve(c->pci, c->server_fd, -1);
	return NULL;
}

void client_connect(struct client *c)
{
	int pair[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	c->fd = pair[0];
	c->server_fd = pair[1];
	ASSERT_EQ(0, pthread_create(&c->server, NULL, serve, c));
}

void client_open(struct client *c)
{
	const struct emu_pci_config config = {
		.profile = "cx6dx",
		.wire = "loop",
		.mac = { 2, 0, 0, 0, 0, 1 },
		.mtu = 1500,
		.mistakes = &c->mistakes,
		.say = say,
		.arg = c,
	};
	char why[256] = "";

	*c = (struct client){ .fd = -1 };
	c->mem_fd = memfd_create("guest", 0);
	ASSERT_EQ(0, ftruncate(c->mem_fd, CLIENT_MEM_BYTES));
	c->mem = mmap(NULL, CLIENT_MEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, c->mem_fd, 0);
	c->pci = emu_pci_create(&config, why, sizeof(why));
	EXPECT_STREQ("", why);
	client_connect(c);
}

void client_hang_up(struct client *c)
{
	if (c->fd < 0)
		return;
	close(c->fd);
	c->fd = -1;
	pthread_join(c->server, NULL);
}

void client_close(struct client *c)
{
	client_hang_up(c);
	emu_pci_destroy(c->pci);
	munmap(c->mem, CLIENT_MEM_BYTES);
	close(c->mem_fd);
}

bool client_send(struct client *c, uint16_t command, uint32_t flags, const void *body, size_t bytes,
		 const int *fds, unsigned n_fds)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(32 * sizeof(int))] = { 0 };
	struct vfu_header header = { .id = ++c->next_id,
				     .command = command,
				     .flags = flags,
				     .bytes = (uint32_t)(sizeof(header) + bytes) };
	struct iovec iov[2] = { { &header, sizeof(header) }, { (void *)(uintptr_t)body, bytes } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	if (n_fds) {
		struct cmsghdr *h;

		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
		h = CMSG_FIRSTHDR(&msg);
		*h = (struct cmsghdr){ .cmsg_len = CMSG_LEN(n_fds * sizeof(int)),
				       .cmsg_level = SOL_SOCKET,
				       .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(h), fds, n_fds * sizeof(int));
	}
	return sendmsg(c->fd, &msg, MSG_NOSIGNAL) == (ssize_t)(sizeof(header) + bytes);
}

int client_receive(struct client *c)
{
	size_t left;

	if (recv(c->fd, &c->reply, sizeof(c->reply), MSG_WAITALL) != sizeof(c->reply))
		return -1;
	left = c->reply.bytes - sizeof(c->reply);
	if (left > sizeof(c->body) ||
	    (left && recv(c->fd, c->body, left, MSG_WAITALL) != (ssize_t)left))
		return -1;
	EXPECT_EQ(c->next_id, c->reply.id);
	EXPECT_EQ(VFU_REPLY, c->reply.flags & VFU_TYPE_MASK);
	EXPECT_EQ(c->reply.error != 0, !!(c->reply.flags & VFU_ERROR));
	return (int)c->reply.error;
}

int client_ask(struct client *c, uint16_t command, const void *body, size_t bytes, const int *fds,
	       unsigned n_fds)
{
	return client_send(c, command, 0, body, bytes, fds, n_fds) ? client_receive(c) : -1;
}

void client_map(struct client *c)
{
	const struct vfu_dma_map map = { .argsz = sizeof(map),
					 .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
					 .addr = CLIENT_MEM_AT,
					 .bytes = CLIENT_MEM_BYTES };

	EXPECT_EQ(0, client_ask(c, VFU_DMA_MAP, &map, sizeof(map), &c->mem_fd, 1));
}

void client_enable(struct client *c)
{
	struct prm_enable_hca_in in = { 0 };
	struct prm_enable_hca_out out;

	prm_set(&in, opcode, PRM_OP_enable_hca);
	EXPECT_EQ(PRM_STATUS_OK, emu_exec(c->pci->emu, &in, sizeof(in), &out, sizeof(out)));
}

void client_rig(struct client *c, struct rig *r)
{
	const struct vfu_dma_map map = { sizeof(map),
					 VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE, 0,
					 (uintptr_t)c->mem, CLIENT_MEM_BYTES };

	EXPECT_EQ(0, client_ask(c, VFU_DMA_MAP, &map, sizeof(map), &c->mem_fd, 1));
	client_enable(c);
	*r = (struct rig){ .adapter = c->pci->adapter,
			   .emu = c->pci->emu,
			   .pool = c->mem,
			   .pool_left = CLIENT_MEM_BYTES };
	rig_context(r);
}

void client_write_uar(struct client *c, const struct rig *r, uint32_t offset, const void *from,
		      size_t bytes)
{
	struct {
		struct vfu_region_io io;
		uint8_t bytes[PRM_WQEBB_BYTES];
	} m = { { r->uar * PRM_UAR_BYTES + offset, VFIO_PCI_BAR0_REGION_INDEX, bytes }, { 0 } };

	memcpy(m.bytes, from, bytes);
	EXPECT_TRUE(
		client_send(c, VFU_REGION_WRITE, VFU_NO_REPLY, &m, sizeof(m.io) + bytes, NULL, 0));
}

void client_ring(struct client *c, const struct rig *r, struct rig_sq *sq, const void *ctrl)
{
	__atomic_store_n(&sq->dbr[PRM_DBR_SND].raw, prm_be32_of(sq->pi).raw, __ATOMIC_RELEASE);
	client_write_uar(c, r, PRM_UAR_BF, ctrl, 8);
}

uint32_t client_read32(struct client *c, uint64_t off)
{
	const struct vfu_region_io io = { off, VFIO_PCI_BAR0_REGION_INDEX, sizeof(prm_be32) };
	prm_be32 value;

	EXPECT_EQ(0, client_ask(c, VFU_REGION_READ, &io, sizeof(io), NULL, 0));
	memcpy(&value, c->body + sizeof(io), sizeof(value));
	return prm_be32_get(value);
}

void client_write32(struct client *c, uint64_t off, uint32_t value)
{
	struct {
		struct vfu_region_io io;
		prm_be32 value;
	} m = { { off, VFIO_PCI_BAR0_REGION_INDEX, sizeof(prm_be32) }, prm_be32_of(value) };

	EXPECT_EQ(0, client_ask(c, VFU_REGION_WRITE, &m, sizeof(m.io) + sizeof(m.value), NULL, 0));
}

unsigned client_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}
