/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/pci.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/pci/state.h"

/* Returns true if the client has disconnected, even if some of its messages are still unread. */
static bool client_has_gone(int client)
{
	struct pollfd p = { .fd = client, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0;
}

static void turn_away_client(struct emu_pci *pci, int listener)
{
	const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return;
	pci_say(pci, "second client: disconnected, because a function serves one client; start "
		     "another devx-emu pci for it, with its own socket");
	close(fd);
}

/* Answers the messages that the client has sent. Returns false to end the connection. */
static bool serve_messages(struct emu_pci *pci)
{
	enum { TURN = 64 }; /* messages at most, before the engine runs again */

	for (int i = 0; i < TURN; i++) {
		char why[128];
		const enum vfu_progress p = vfu_conn_read(&pci->conn, why, sizeof(why));
		bool taken;

		if (p == VFU_WAIT)
			return true;
		if (p == VFU_BROKEN)
			pci_say(pci, "%s; the connection was closed", why);
		if (p == VFU_GONE && pci->conn.got)
			pci_say(pci, "the client disconnected in the middle of a message");
		if (p != VFU_COMPLETE)
			return false;
		taken = vfu_conn_answer(&pci->conn, pci_handle_message(pci, &pci->conn.m));
		vfu_close_fds(&pci->conn.m);
		if (!taken) {
			if (!client_has_gone(pci->conn.fd))
				pci_say(pci, "the client does not read its answers; the connection "
					     "was closed");
			return false;
		}
	}
	return true;
}

/*
 * The engine runs in the server's thread, so that it can serve a doorbell as soon as the socket
 * delivers it. An idle server waits longer and longer between two turns of the engine. While it
 * waits for the next part of a BlueFlame write it sleeps, because QEMU may need this CPU.
 */
enum {
	TURN_PACKETS = 256,
	SPIN_TURNS = 20,
	WAIT_MIN_NS = 10000,
	WAIT_MAX_NS = 500000,
	PART_NS = 500000
};

static long choose_wait_ns(const struct emu_pci *pci, unsigned idle)
{
	const unsigned waited = idle / SPIN_TURNS;

	if (pci->combine.bytes)
		return pci->combine.alone < PCI_ALONE ? PART_NS : 0;
	if (!waited)
		return 0;
	return waited < 6 ? WAIT_MIN_NS << waited : WAIT_MAX_NS;
}

void emu_pci_serve(struct emu_pci *pci, int client, int listener)
{
	struct pollfd p[3] = { { .fd = client, .events = POLLIN },
			       { .fd = listener, .events = POLLIN },
			       { .fd = pci->stop[0], .events = POLLIN } };
	unsigned idle = 0;

	vfu_conn_init(&pci->conn, client);
	while (!pci->stopping) {
		const struct timespec wait = { .tv_nsec = choose_wait_ns(pci, idle) };

		if (ppoll(p, 3, &wait, NULL) < 0 && errno != EINTR)
			break;
		if (p[2].revents)
			pci->stopping = true;
		if (p[0].revents && !serve_messages(pci))
			break;
		if (p[1].revents && !client_has_gone(client))
			turn_away_client(pci, listener);
		if (!p[0].revents)
			pci_bar_flush(pci);
		idle = emu_poll(pci->emu, TURN_PACKETS) || p[0].revents ? 0 : idle + 1;
	}
	vfu_conn_close(&pci->conn);
	pci_irq_drop_all(pci);
	pci_reset(pci, pci->stopping ? "the adapter was stopped" : "the client disconnected");
	pci_dma_drop_all(pci);
}

int emu_pci_run(struct emu_pci *pci, int listener)
{
	struct pollfd p[2] = { { .fd = listener, .events = POLLIN },
			       { .fd = pci->stop[0], .events = POLLIN } };

	while (!pci->stopping) {
		int client;

		if (poll(p, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (p[1].revents)
			break;
		client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (client < 0 && errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)
			return -errno;
		if (client >= 0)
			emu_pci_serve(pci, client, listener);
	}
	return 0;
}

void emu_pci_stop(struct emu_pci *pci)
{
	const char c = 0;

	while (write(pci->stop[1], &c, 1) < 0 && errno == EINTR)
		;
}
