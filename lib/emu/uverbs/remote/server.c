/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/server.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/mapping.h"
#include "emu/uverbs/remote/peer.h"
#include "emu/uverbs/remote/owner.h"

/* ANSWER_SECONDS limits the wait for a DESCRIBE answer, because the thread holds the lock then. */
enum { ANSWER_SECONDS = 5, STACK_BYTES = 1 << 18 };

static struct uv_peer *peers; /* protected by uv_front_lock() */
static int listener = -1;

static struct uv_peer *add_peer(int sock)
{
	const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	struct uv_peer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	p->sock = sock;
	p->caller.map_memory = uv_peer_map_memory;
	p->next = peers;
	peers = p;
	return p;
}

static void remove_peer(struct uv_peer *peer)
{
	struct uv_peer **at = &peers;

	uv_peer_end(peer);
	while (*at != peer)
		at = &(*at)->next;
	*at = peer->next;
	uv_real_close(peer->sock);
	free(peer);
}

static void *serve_peer(void *arg)
{
	struct uv_peer *peer = arg;

	while (uv_peer_serve_next(peer))
		continue;
	uv_front_lock();
	remove_peer(peer);
	uv_front_unlock();
	return NULL;
}

/* Starts a thread that blocks all signals: they are for the program. Return: 0 or an errno value */
static int start_thread(void *(*run)(void *arg), void *arg)
{
	pthread_attr_t attr;
	sigset_t all, before;
	pthread_t thread;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return rc;
}

/* Serves the process at the other end of a socket. On failure closes the socket. Return: or NULL */
static struct uv_peer *serve_socket(int sock)
{
	struct uv_peer *p = add_peer(sock);

	if (!p) {
		uv_real_close(sock);
		return NULL;
	}
	if (start_thread(serve_peer, p)) {
		remove_peer(p);
		return NULL;
	}
	return p;
}

/* Answers the first request, even if it has not arrived yet, and closes the socket. */
static void refuse_socket(int sock, int error)
{
	const struct uv_rpc m = { .kind = UV_RPC_REFUSAL, .rc = error };

	uv_rpc_send(sock, &m);
	uv_real_close(sock);
}

static void admit_socket(int sock)
{
	int error = uv_place_check(sock);
	long n = 0;

	uv_front_lock();
	for (const struct uv_peer *p = peers; p; p = p->next)
		n++;
	if (!error && n >= sysconf(_SC_OPEN_MAX) / 4)
		error = -EMFILE;
	if (!error)
		serve_socket(sock);
	uv_front_unlock();
	if (error)
		refuse_socket(sock, error);
}

static void *accept_peers(void *arg)
{
	const int from = (int)(intptr_t)arg;
	int sock;

	while ((sock = accept4(from, NULL, NULL, SOCK_CLOEXEC)) >= 0 || errno == EINTR ||
	       errno == ECONNABORTED) {
		if (sock >= 0)
			admit_socket(uv_rpc_raise_fd(sock));
	}
	return NULL;
}

void uv_server_start(void)
{
	if (listener >= 0)
		return;
	listener = uv_place_listen();
	if (listener < 0)
		return;
	if (start_thread(accept_peers, (void *)(intptr_t)listener)) {
		uv_real_close(listener);
		listener = -1;
	}
}

static bool has_ended(const struct uv_peer *peer)
{
	char data;

	return !recv(peer->sock, &data, sizeof(data), MSG_PEEK | MSG_DONTWAIT);
}

void uv_server_settle(void)
{
	for (struct uv_peer *p = peers; p; p = p->next)
		if (has_ended(p))
			uv_peer_end(p);
}

/* A descriptor that is held for a peer does not belong to the program, so no child inherits it. */
static bool is_kept(int fd)
{
	for (const struct uv_peer *p = peers; p; p = p->next)
		for (unsigned i = 0; i < p->n_holds; i++)
			if (p->hold[i].fd == fd)
				return true;
	return false;
}

static int hold_file(int fd, void *arg)
{
	struct stat st;
	int kept;

	if (uv_real_fstat(fd, &st) || !uv_peer_may_hold(&st) || is_kept(fd))
		return 0;
	kept = uv_rpc_raise_fd(fcntl(fd, F_DUPFD_CLOEXEC, 0));
	if (kept >= 0 && uv_peer_hold(arg, kept))
		uv_real_close(kept);
	return 0;
}

void uv_server_adopt(int sock)
{
	struct uv_peer *p = serve_socket(uv_rpc_raise_fd(sock));

	if (!p)
		return;
	p->inherits = true;
	uv_fds_walk(hold_file, p);
	uv_mapping_copy_to(p);
	p->inherits = false;
}

void uv_server_forget(void)
{
	for (struct uv_peer *p = peers; p; p = p->next) {
		uv_peer_drop_holds(p);
		uv_real_close(p->sock);
	}
	peers = NULL; /* their threads exist only in the parent process */
	if (listener >= 0)
		uv_real_close(listener);
	listener = -1;
}
