/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/pci/function.h"

void pci_say(struct emu_pci *pci, const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (pci->say)
		pci->say(pci->arg, line);
}

struct emu_pci *emu_pci_create(const struct emu_pci_config *cfg, char *why, size_t why_bytes)
{
	static const struct emu_host_ops ops = { .map = pci_dma_at, .irq = pci_irq_raise };
	struct emu_pci *pci = calloc(1, sizeof(*pci));
	struct emu_config adapter = { .profile = cfg->profile,
				      .n_ports = 1,
				      .trace = cfg->trace,
				      .trace_arg = cfg->arg,
				      .mistakes = cfg->mistakes };

	if (!pci || pipe2(pci->stop, O_CLOEXEC | O_NONBLOCK)) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		free(pci);
		return NULL;
	}
	pci->say = cfg->say;
	pci->arg = cfg->arg;
	adapter.port[0] = (struct emu_port_config){
		.ops = &ops, .host = pci, .wire = cfg->wire, .mtu = cfg->mtu,
		.first_uar = PCI_FIRST_UAR, /* a UAR's number is its page of BAR0 */
	};
	memcpy(adapter.port[0].mac, cfg->mac, sizeof(cfg->mac));
	pci->adapter = emu_adapter_create(&adapter, why, why_bytes);
	if (!pci->adapter)
		goto fail;
	pci->emu = emu_port(pci->adapter, 0);
	pci_irq_init(pci);
	pci_config_init(pci);
	return pci;

fail:
	emu_pci_destroy(pci);
	return NULL;
}

void emu_pci_destroy(struct emu_pci *pci)
{
	if (!pci)
		return;
	emu_adapter_destroy(pci->adapter);
	close(pci->stop[0]);
	close(pci->stop[1]);
	free(pci);
}

unsigned emu_pci_objects(struct emu_pci *pci, char *line, size_t bytes)
{
	unsigned n_users;

	return emu_list_objects(pci->emu, line, bytes, &n_users);
}

/* Who is reset by surprise leaves everything where it is. That is no mistake of its driver. */
void pci_reset(struct emu_pci *pci, const char *why)
{
	unsigned n, n_users;
	char left[400];

	n = emu_list_objects(pci->emu, left, sizeof(left), &n_users);
	if (n)
		pci_say(pci,
			"%s, its driver running: %u objects of the kernel and %u of programs "
			"went with it: %s",
			why, n - n_users, n_users, left);
	emu_power_on(pci->emu);
	emu_lock(pci->adapter);
	for (unsigned i = 0; i < PCI_N_VECTORS; i++)
		pci->vector[i].pending = false;
	emu_unlock(pci->adapter);
	pci->cmdq = 0;
	pci->cmdq_high = 0;
	pci->combine = (struct pci_combine){ .bytes = 0 };
	pci_config_init(pci);
}

/* ---- clients ------------------------------------------------------------------- */

/* Who goes before another comes has made room for it, even if its last messages are unread. */
static bool has_gone(int client)
{
	struct pollfd p = { .fd = client, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0;
}

static void turn_away(struct emu_pci *pci, int listener)
{
	const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return;
	pci_say(pci, "a second client was turned away: this function has one; give each its own "
		     "devx-emu pci, on its own socket");
	close(fd);
}

/* Answer every message that is there. Return: false when the client is to go. */
static bool serve_some(struct emu_pci *pci)
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
		taken = vfu_conn_answer(&pci->conn, pci_handle(pci, &pci->conn.m));
		vfu_close_fds(&pci->conn.m);
		if (!taken) {
			if (!has_gone(pci->conn.fd))
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

static long wait_ns(const struct emu_pci *pci, unsigned idle)
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
		const struct timespec wait = { .tv_nsec = wait_ns(pci, idle) };

		if (ppoll(p, 3, &wait, NULL) < 0 && errno != EINTR)
			break;
		if (p[2].revents)
			pci->stopping = true;
		if (p[0].revents && !serve_some(pci))
			break;
		if (p[1].revents && !has_gone(client))
			turn_away(pci, listener);
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
