/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci_rig.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "open_files.h"

static void keep_line(void *arg, const char *line)
{
	struct pci_rig *rig = arg;
	const size_t used = strlen(rig->said);

	snprintf(rig->said + used, sizeof(rig->said) - used, "%s\n", line);
}

static void *run_server(void *arg)
{
	struct pci_rig *rig = arg;

	emu_pci_serve(rig->pci, rig->server_fd, -1);
	return NULL;
}

void pci_rig_connect(struct pci_rig *rig)
{
	int pair[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	rig->fd = pair[0];
	rig->server_fd = pair[1];
	ASSERT_EQ(0, pthread_create(&rig->server, NULL, run_server, rig));
}

void pci_rig_open(struct pci_rig *rig)
{
	const struct emu_pci_config config = {
		.profile = "cx6dx",
		.wire = "loop",
		.mac = { 2, 0, 0, 0, 0, 1 },
		.mtu = 1500,
		.mistakes = &rig->mistakes,
		.say = keep_line,
		.arg = rig,
	};
	char why[256] = "";

	*rig = (struct pci_rig){ .fd = -1, .fds = count_open_files() };
	rig->mem_fd = memfd_create("guest", 0);
	ASSERT_EQ(0, ftruncate(rig->mem_fd, PCI_RIG_MEM_BYTES));
	rig->mem =
		mmap(NULL, PCI_RIG_MEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, rig->mem_fd, 0);
	rig->pci = emu_pci_create(&config, why, sizeof(why));
	EXPECT_STREQ("", why);
	pci_rig_connect(rig);
}

void pci_rig_hang_up(struct pci_rig *rig)
{
	if (rig->fd < 0)
		return;
	close(rig->fd);
	rig->fd = -1;
	pthread_join(rig->server, NULL);
}

void pci_rig_close(struct pci_rig *rig)
{
	pci_rig_hang_up(rig);
	emu_pci_destroy(rig->pci);
	munmap(rig->mem, PCI_RIG_MEM_BYTES);
	close(rig->mem_fd);
	EXPECT_EQ(rig->fds, count_open_files());
}

bool pci_rig_send(struct pci_rig *rig, uint16_t command, uint32_t flags, const void *body,
		  size_t bytes, const int *fds, unsigned n_fds)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(32 * sizeof(int))] = { 0 };
	struct vfu_header header = { .id = ++rig->next_id,
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
	return sendmsg(rig->fd, &msg, MSG_NOSIGNAL) == (ssize_t)(sizeof(header) + bytes);
}

int pci_rig_receive(struct pci_rig *rig)
{
	size_t left;

	if (recv(rig->fd, &rig->reply, sizeof(rig->reply), MSG_WAITALL) != sizeof(rig->reply))
		return -1;
	left = rig->reply.bytes - sizeof(rig->reply);
	if (left > sizeof(rig->body) ||
	    (left && recv(rig->fd, rig->body, left, MSG_WAITALL) != (ssize_t)left))
		return -1;
	EXPECT_EQ(rig->next_id, rig->reply.id);
	EXPECT_EQ(VFU_REPLY, rig->reply.flags & VFU_TYPE_MASK);
	EXPECT_EQ(rig->reply.error != 0, !!(rig->reply.flags & VFU_ERROR));
	return (int)rig->reply.error;
}

int pci_rig_ask(struct pci_rig *rig, uint16_t command, const void *body, size_t bytes,
		const int *fds, unsigned n_fds)
{
	return pci_rig_send(rig, command, 0, body, bytes, fds, n_fds) ? pci_rig_receive(rig) : -1;
}

void pci_rig_expect_alive(struct pci_rig *rig)
{
	const struct vfu_version v = { 0, 1 };

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_VERSION, &v, sizeof(v), NULL, 0));
}

void pci_rig_expect_said(struct pci_rig *rig, const char *key)
{
	pci_rig_hang_up(rig);
	EXPECT_SUBSTR(key, rig->said);
	EXPECT_EQ(rig->said + strlen(rig->said) - 1, strchr(rig->said, '\n'));
	rig->said[0] = '\0';
	pci_rig_connect(rig);
	pci_rig_expect_alive(rig);
}

void pci_rig_map_memory(struct pci_rig *rig)
{
	const struct vfu_dma_map map = { .argsz = sizeof(map),
					 .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
					 .addr = PCI_RIG_MEM_AT,
					 .bytes = PCI_RIG_MEM_BYTES };

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_DMA_MAP, &map, sizeof(map), &rig->mem_fd, 1));
}

static void enable_hca(struct pci_rig *rig)
{
	struct prm_enable_hca_in in = { 0 };
	struct prm_enable_hca_out out;

	prm_set(&in, opcode, PRM_OP_enable_hca);
	EXPECT_EQ(PRM_STATUS_OK, emu_exec(rig->pci->emu, &in, sizeof(in), &out, sizeof(out)));
}

void pci_rig_attach_core(struct pci_rig *rig, struct core_rig *r)
{
	const struct vfu_dma_map map = { sizeof(map),
					 VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE, 0,
					 (uintptr_t)rig->mem, PCI_RIG_MEM_BYTES };

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_DMA_MAP, &map, sizeof(map), &rig->mem_fd, 1));
	enable_hca(rig);
	*r = (struct core_rig){ .adapter = rig->pci->adapter,
				.emu = rig->pci->emu,
				.pool = rig->mem,
				.pool_left = PCI_RIG_MEM_BYTES };
	core_rig_fill_context(r);
}

void pci_rig_write_uar(struct pci_rig *rig, const struct core_rig *r, uint32_t offset,
		       const void *from, size_t bytes)
{
	struct {
		struct vfu_region_io io;
		uint8_t bytes[PRM_WQEBB_BYTES];
	} m = { { r->uar * PRM_UAR_BYTES + offset, VFIO_PCI_BAR0_REGION_INDEX, bytes }, { 0 } };

	memcpy(m.bytes, from, bytes);
	EXPECT_TRUE(pci_rig_send(rig, VFU_REGION_WRITE, VFU_NO_REPLY, &m, sizeof(m.io) + bytes,
				 NULL, 0));
}

void pci_rig_ring_sq(struct pci_rig *rig, const struct core_rig *r, struct core_rig_sq *sq,
		     const void *ctrl)
{
	__atomic_store_n(&sq->dbr[PRM_DBR_SND].raw, prm_be32_of(sq->pi).raw, __ATOMIC_RELEASE);
	pci_rig_write_uar(rig, r, PRM_UAR_BF, ctrl, 8);
}

uint32_t pci_rig_read32(struct pci_rig *rig, uint64_t off)
{
	const struct vfu_region_io io = { off, VFIO_PCI_BAR0_REGION_INDEX, sizeof(prm_be32) };
	prm_be32 value;

	EXPECT_EQ(0, pci_rig_ask(rig, VFU_REGION_READ, &io, sizeof(io), NULL, 0));
	memcpy(&value, rig->body + sizeof(io), sizeof(value));
	return prm_be32_get(value);
}

void pci_rig_write32(struct pci_rig *rig, uint64_t off, uint32_t value)
{
	struct {
		struct vfu_region_io io;
		prm_be32 value;
	} m = { { off, VFIO_PCI_BAR0_REGION_INDEX, sizeof(prm_be32) }, prm_be32_of(value) };

	EXPECT_EQ(0,
		  pci_rig_ask(rig, VFU_REGION_WRITE, &m, sizeof(m.io) + sizeof(m.value), NULL, 0));
}
