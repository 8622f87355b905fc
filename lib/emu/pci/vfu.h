/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_VFU_H
#define EMU_PCI_VFU_H

#include <assert.h>
#include <linux/vfio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: vfio-user messages
 *
 * A message is a header and a body, both in the byte order of the host. File descriptors arrive
 * with its first byte. The bodies are the structs of VFIO (linux/vfio.h), declared here again
 * because a newer kernel may have longer ones than the protocol.
 *
 * Source: vfio-user protocol specification (QEMU docs/interop/vfio-user.rst).
 */
enum vfu_command {
	VFU_VERSION = 1,
	VFU_DMA_MAP = 2,
	VFU_DMA_UNMAP = 3,
	VFU_DEVICE_GET_INFO = 4,
	VFU_GET_REGION_INFO = 5,
	VFU_GET_IRQ_INFO = 7,
	VFU_SET_IRQS = 8,
	VFU_REGION_READ = 9,
	VFU_REGION_WRITE = 10,
	VFU_DEVICE_RESET = 13,
};

enum {
	VFU_TYPE_MASK = 0x0f, /* flags: 0 request, 1 reply */
	VFU_REPLY = 0x01,
	VFU_NO_REPLY = 0x10,
	VFU_ERROR = 0x20,
	VFU_MAX_FDS = 16,
	VFU_MAX_XFER = 64 * 1024, /* bytes of one region read or write */
	VFU_MAX_BODY = VFU_MAX_XFER + 64,
};

struct vfu_header {
	uint16_t id, command;
	uint32_t bytes, flags, error;
};
struct vfu_version {
	uint16_t major, minor;
	char capabilities[];
};
struct vfu_dma_map {
	uint32_t argsz, flags;
	uint64_t offset, addr, bytes;
};
struct vfu_dma_unmap {
	uint32_t argsz, flags;
	uint64_t addr, bytes;
};
struct vfu_device_info {
	uint32_t argsz, flags, n_regions, n_irqs;
};
struct vfu_region_info {
	uint32_t argsz, flags, index, cap_offset;
	uint64_t bytes, offset;
};
struct vfu_irq_info {
	uint32_t argsz, flags, index, count;
};
struct vfu_irq_set {
	uint32_t argsz, flags, index, start, count;
};
struct vfu_region_io {
	uint64_t offset;
	uint32_t region, count;
};
static_assert(sizeof(struct vfu_header) == 16, "a header is 16 bytes");
static_assert(sizeof(struct vfu_dma_map) == 32, "vfio-user protocol");
static_assert(sizeof(struct vfu_dma_unmap) == 24, "vfio-user protocol");
static_assert(sizeof(struct vfu_region_info) == 32, "vfio-user protocol");
static_assert(sizeof(struct vfu_irq_set) == 20, "vfio-user protocol");
static_assert(sizeof(struct vfu_region_io) == 16, "vfio-user protocol");

/** struct vfu_message - a request; its answer is written into the same body */
struct vfu_message {
	struct vfu_header header;
	size_t bytes;        /* length of the body */
	int fd[VFU_MAX_FDS]; /* -1: the handler of the message has taken the descriptor over */
	unsigned n_fds;
	bool fds_lost; /* more than VFU_MAX_FDS arrived */
	_Alignas(8) uint8_t body[VFU_MAX_BODY];
};

/** vfu_close_fds - close the file descriptors that no handler has taken over */
void vfu_close_fds(struct vfu_message *m);

/**
 * struct vfu_conn - a connection, read without waiting
 *
 * The header is read on its own first, because the file descriptors of a message come with it.
 */
struct vfu_conn {
	int fd;
	size_t got; /* bytes received of the current message, header included */
	struct vfu_message m;
};

enum vfu_progress { VFU_WAIT, VFU_COMPLETE, VFU_GONE, VFU_BROKEN };

void vfu_conn_init(struct vfu_conn *c, int fd);
/** vfu_conn_close - close the socket and the file descriptors of an incomplete message */
void vfu_conn_close(struct vfu_conn *c);

/**
 * vfu_conn_read - read the bytes of the current message that have arrived
 * @why: receives one line with VFU_BROKEN
 *
 * Return: VFU_COMPLETE: @c->m is a complete request, and the next call begins the next one;
 * VFU_WAIT: more bytes are needed; VFU_GONE: the client disconnected; VFU_BROKEN: the header is
 * invalid
 */
enum vfu_progress vfu_conn_read(struct vfu_conn *c, char *why, size_t why_bytes);

/**
 * vfu_conn_answer - send the reply to @c->m, unless the request asks for none
 * @error: errno of a refusal, or 0 for an answer with the first m.bytes of m.body
 *
 * Return: false if the client does not read its socket, or disconnected
 */
bool vfu_conn_answer(struct vfu_conn *c, int error);

#endif
