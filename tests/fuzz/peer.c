/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An input of the fuzzer is what another process sends to the owner of the adapter
 * (devtools/fuzz): messages with descriptors.
 *
 *     u8 kind, u8 descriptors, for each: u8 which, u32 arg[4], u16 length of the body, its words
 *
 * The owner reads all messages, and then the end of the connection. No message may change the
 * memory of the owner: FRONT_MEM_AT is an address of the other process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/remote/peer.h"
#include "front_rig.h"
#include "input.h"

enum { MAX_BODY = 0x2000, ROOM = 1 << 20 };

static int client, mem_fd, pipe_fd;

/* Sends a message, unless the socket is full. @file: the uverbs file */
static void send_message(struct input *in, int file)
{
	static uint8_t body[MAX_BODY];
	const int fds[] = { file, mem_fd, pipe_fd };
	struct uv_rpc m = { .kind = take_u8(in) % (UV_RPC_ANSWER + 2), .body = body };

	m.n_fds = take_u8(in) % 5;
	for (unsigned i = 0; i < m.n_fds; i++)
		m.fd[i] = fds[take_u8(in) % 3];
	for (unsigned i = 0; i < UV_RPC_ARGS; i++)
		take_bytes(in, &m.arg[i], sizeof(uint32_t));
	m.bytes = take_u16(in) % MAX_BODY;
	take_words(in, body, m.bytes);
	uv_rpc_send(client, &m);
}

static void check_memory(void)
{
	static const uint8_t zero[FRONT_MEM_BYTES];

	if (!memcmp((void *)FRONT_MEM_AT, zero, sizeof(zero)))
		return;
	fprintf(stderr, "peer: a message changed memory of the owner\n");
	abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int ends[2];

	(void)argc;
	(void)argv;
	front_rig_start();
	mem_fd = memfd_create("memory", MFD_CLOEXEC);
	if (mem_fd < 0 || ftruncate(mem_fd, FRONT_MEM_BYTES) || pipe2(ends, O_CLOEXEC))
		abort();
	pipe_fd = ends[0];
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const int room = ROOM, file = front_rig_open();
	struct uv_peer peer = { .caller.map_memory = uv_peer_map_memory };
	struct input in = { bytes, n };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends))
		abort();
	client = ends[0];
	peer.sock = ends[1];
	setsockopt(client, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	setsockopt(peer.sock, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	while (in.left)
		send_message(&in, file);
	shutdown(client, SHUT_WR);
	while (uv_peer_serve_next(&peer))
		continue;
	uv_front_lock();
	uv_peer_end(&peer);
	uv_front_unlock();
	close(client);
	close(peer.sock);
	check_memory();
	front_rig_close();
	return 0;
}
