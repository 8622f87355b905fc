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
 * A message is a header and a body, both in the host's byte order; files travel beside its
 * first byte. What the bodies mean is VFIO's (linux/vfio.h); they stand here again because a
 * kernel's structs may grow and the protocol's do not.
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
static_assert(sizeof(struct vfu_dma_map) == 32, "the protocol says so");
static_assert(sizeof(struct vfu_dma_unmap) == 24, "the protocol says so");
static_assert(sizeof(struct vfu_region_info) == 32, "the protocol says so");
static_assert(sizeof(struct vfu_irq_set) == 20, "the protocol says so");
static_assert(sizeof(struct vfu_region_io) == 16, "the protocol says so");

/** struct vfu_message - a request and its answer, which grows in the same body */
struct vfu_message {
	struct vfu_header header;
	size_t bytes;        /* of the body */
	int fd[VFU_MAX_FDS]; /* -1: none, or taken by the handler */
	unsigned n_fds;
	bool fds_lost; /* more came than VFU_MAX_FDS */
	_Alignas(8) uint8_t body[VFU_MAX_BODY];
};

/** vfu_close_fds - close what no handler took */
void vfu_close_fds(struct vfu_message *m);

/**
 * struct vfu_conn - a connection, read without waiting
 *
 * Exactly the header is read first, because the files come with it, then exactly the body.
 */
struct vfu_conn {
	int fd;
	size_t got; /* bytes of the message at hand, header included */
	struct vfu_message m;
};

enum vfu_progress { VFU_WAIT, VFU_COMPLETE, VFU_GONE, VFU_BROKEN };

void vfu_conn_init(struct vfu_conn *c, int fd);
/** vfu_conn_close - close the socket and the files of a message that never got complete */
void vfu_conn_close(struct vfu_conn *c);

/**
 * vfu_conn_read - read on
 * @why: with VFU_BROKEN, one line: this cannot be framed
 *
 * Return: VFU_COMPLETE: conn.m is a request; the next call begins another. VFU_GONE: the
 * client closed its end, in the middle of a message or not
 */
enum vfu_progress vfu_conn_read(struct vfu_conn *c, char *why, size_t why_bytes);

/**
 * vfu_conn_answer - send the reply of conn.m, unless the request wants none
 * @error: errno of a refusal, or 0: m.body has m.bytes of answer
 *
 * Return: false if the client does not take it
 */
bool vfu_conn_answer(struct vfu_conn *c, int error);

#endif
