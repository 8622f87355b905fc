/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PCI_RIG_H
#define PCI_RIG_H

#include <pthread.h>

#include "../post.h"
#include "ct.h"
#include "emu/pci/state.h"

/**
 * DOC: A vfio-user client for tests
 *
 * The function serves one end of a socket pair on a thread; the test is at the other. Guest
 * memory is a file that both have mapped: DMA address CLIENT_MEM_AT, CLIENT_MEM_BYTES long.
 */
enum { CLIENT_MEM_AT = 0x100000, CLIENT_MEM_BYTES = 0x100000, CLIENT_LINES = 8192 };

struct client {
	struct emu_pci *pci;
	struct emu_mistakes mistakes;
	pthread_t server;
	int fd, server_fd; /* fd -1: hung up */
	int mem_fd;
	uint8_t *mem;
	char said[CLIENT_LINES]; /* every line; read it when nobody is served any more */
	uint16_t next_id;
	struct vfu_header reply;
	uint8_t body[4200]; /* of the last reply */
};

void client_open(struct client *c);
void client_close(struct client *c);

/** client_connect - the next client; the one before has hung up */
void client_connect(struct client *c);
/** client_hang_up - and wait until the function has seen it */
void client_hang_up(struct client *c);

/** client_send - one message with files. Return: false if it could not be sent */
bool client_send(struct client *c, uint16_t command, uint32_t flags, const void *body, size_t bytes,
		 const int *fds, unsigned n_fds);
/** client_receive - the reply to the last message. Return: its error, or -1: the connection ended
 */
int client_receive(struct client *c);
/** client_ask - both, without flags */
int client_ask(struct client *c, uint16_t command, const void *body, size_t bytes, const int *fds,
	       unsigned n_fds);

/** client_map - hand the guest's memory over */
void client_map(struct client *c);

/** client_rig - the rig's helpers on this function, with memory of the guest; it has ENABLE_HCA */
void client_rig(struct client *c, struct rig *r);
/** client_write_uar - a write to the rig's page of BAR0 that is not answered; a WQEBB at most */
void client_write_uar(struct client *c, const struct rig *r, uint32_t offset, const void *from,
		      size_t bytes);
/** client_ring - as rig_ring(), by such a write */
void client_ring(struct client *c, const struct rig *r, struct rig_sq *sq, const void *ctrl);
/** client_enable - ENABLE_HCA */
void client_enable(struct client *c);

/** client_read32, client_write32 - a big-endian dword of BAR0 */
uint32_t client_read32(struct client *c, uint64_t off);
void client_write32(struct client *c, uint64_t off, uint32_t value);

/** client_fds - open files of this process */
unsigned client_fds(void);

#endif
