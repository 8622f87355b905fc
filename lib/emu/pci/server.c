/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/pci.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/pci/bar.h"
#include "emu/pci/dma.h"
#include "emu/pci/function.h"
#include "emu/pci/handle.h"
#include "emu/pci/irq.h"
#include "emu/pci/log.h"
#include "emu/pci/state.h"

/* Who goes before another comes has made room for it, even if its last messages are unread. */
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
	pci_say(pci, "a second client was turned away: this function has one; give each its own "
		     "devx-emu pci, on its own socket");
	close(fd);
}

/* Answer every message that is there. Return: false when the client is to go. */
static bool serve_messages(struct emu_pci *pci)
{
	enum { TURN = 64 }; /* messages, before others who wait are looked at */

	for (int i = 0; i < TURN; i++) {
		char why[128];
		const enum vfu_progress p = vfu_conn_read(&pci->conn, why, sizeof(why));
		bool taken;

		if (p == VFU_WAIT)
			return true;
		if (p == VFU_BROKEN)
			pci_say(pci, "%s; the client's connection ends here", why);
		if (p == VFU_GONE && pci->conn.got)
			pci_say(pci, "the client went in the middle of a message");
		if (p != VFU_COMPLETE)
			return false;
		taken = vfu_conn_answer(&pci->conn, pci_handle_message(pci, &pci->conn.m));
		vfu_close_fds(&pci->conn.m);
		if (!taken) {
			if (!client_has_gone(pci->conn.fd))
				pci_say(pci, "the client does not read its answers; its connection "
					     "ends here");
			return false;
		}
	}
	return true;
}

/*
 * The engine has no thread of its own here: doorbells come by the same socket, and whoever
 * reads one had better go on with it. With nothing to do it looks at the wire ever more seldom.
 * For the next piece of a WQE it sleeps: the CPU that writes it may be the one it runs on.
 */
enum {
	TURN_PACKETS = 256,
	SPIN_TURNS = 20,
	WAIT_MIN_NS = 10000,
	WAIT_MAX_NS = 500000,
	PIECE_NS = 500000
};

static long choose_wait_ns(const struct emu_pci *pci, unsigned idle)
{
	const unsigned waited = idle / SPIN_TURNS;

	if (pci->combine.bytes)
		return pci->combine.alone < PCI_ALONE ? PIECE_NS : 0;
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
	pci_reset(pci, pci->stopping ? "the adapter was stopped" : "the client went");
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
