/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tap: a TAP netdev in the network namespace of the program. The netdev receives the frames that
 * the port sends, and the port receives the frames that the netdev sends.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "emu/wire/kind.h"

enum { IDLE_READ_NS = 10000 }; /* time to the next read() after one that found no frame */

struct tap {
	struct emu_wire wire;
	int fd;
	uint64_t look_again_ns;
	uint32_t waits; /* length of the frame in frame[], which waits for a receive buffer; or 0 */
	uint8_t frame[EMU_FRAME_MAX];
};

/*
 * EIO: the netdev is down. EBADFD: it was deleted. Source: Linux, tun_get_user and
 * tun_chr_write_iter. Without pause=on the kernel drops the frame if its queue is full.
 */
static enum emu_wire_sent tx(struct emu_wire *w, struct emu *from, const struct emu_frame *f)
{
	const ssize_t n = write(((struct tap *)w)->fd, f->data, f->bytes);

	(void)from;
	if (n >= 0)
		return EMU_WIRE_SENT;
	if (errno == EIO || errno == EBADFD)
		return EMU_WIRE_DOWN;
	return w->pause && (errno == EAGAIN || errno == ENOBUFS) ? EMU_WIRE_FULL : EMU_WIRE_SENT;
}

static unsigned poll_tap(struct emu_wire *w, struct emu *port, unsigned budget)
{
	struct tap *t = (struct tap *)w;
	unsigned n = 0;

	/* saves system calls; a held clock does not show when the netdev has sent more frames */
	if (port->adapter->clock == EMU_CLOCK_REAL && port->adapter->now_ns < t->look_again_ns)
		return 0;
	while (n < budget) {
		if (!t->waits) {
			const ssize_t bytes = read(t->fd, t->frame, sizeof(t->frame));

			if (bytes < EMU_ETH_HEADER) {
				t->look_again_ns = port->adapter->now_ns + IDLE_READ_NS;
				break;
			}
			t->waits = (uint32_t)bytes;
		}
		if (!emu_wire_arrive(w, port, &(struct emu_frame){ t->frame, t->waits }))
			break;
		t->waits = 0;
		n++;
		if (__atomic_load_n(&port->adapter->n_waiting, __ATOMIC_RELAXED))
			break;
	}
	return n;
}

/* The descriptor stays valid if the netdev moves to another namespace, but not if it is deleted. */
static bool is_cut(const struct emu_wire *w)
{
	struct ifreq ifr = { 0 };

	return ioctl(((const struct tap *)w)->fd, TUNGETIFF, &ifr) && errno == EBADFD;
}

static void close_tap(struct emu_wire *w)
{
	struct tap *t = (struct tap *)w;

	if (t->fd >= 0)
		close(t->fd);
	free(t);
}

static const struct emu_wire_ops ops = {
	.name = "tap",
	.tx = tx,
	.poll = poll_tap,
	.is_cut = is_cut,
	.close = close_tap,
};

static const char *get_attach_hint(int error)
{
	switch (error) {
	case EPERM:
		return "CAP_NET_ADMIN is missing; create the netdev first (ip tuntap add dev NAME "
		       "mode tap user YOU), or use your own network namespace (unshare -Urn)";
	case EBUSY:
		return "another program or port is attached to the netdev; use a different netdev "
		       "for each port";
	case EINVAL:
		return "the netdev exists and is not a TAP; choose another name";
	default:
		return strerror(error);
	}
}

static int attach_tap(struct tap *t, const char *name, const struct emu_why *why)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };

	t->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (t->fd < 0)
		return emu_say_why(why,
				   "wire \"tap\": cannot open /dev/net/tun: %s; load the kernel "
				   "module tun",
				   strerror(errno));
	strcpy(ifr.ifr_name, name);
	if (ioctl(t->fd, TUNSETIFF, &ifr))
		return emu_say_why(why, "wire \"tap:%s\": cannot attach: %s", name,
				   get_attach_hint(errno));
	return 0;
}

static struct emu_wire *open_tap(struct emu_adapter *a, struct emu *port,
				 const struct emu_wire_spec *spec, const struct emu_why *why)
{
	const char *name = spec->argument;
	struct tap *t;

	(void)a;
	(void)port;
	if (!name || !*name || strlen(name) >= IFNAMSIZ) {
		emu_say_why(why,
			    "wire \"tap\": invalid netdev name \"%s\" (valid: 1 to %d characters, "
			    "as in tap:emu0)",
			    name ? name : "", IFNAMSIZ - 1);
		return NULL;
	}
	if (spec->n) {
		emu_say_why(why,
			    "wire \"tap\": unknown option \"%s\" (valid: " EMU_WIRE_OPTIONS ")",
			    spec->option[0].key);
		return NULL;
	}
	t = calloc(1, sizeof(*t));
	if (!t) {
		emu_say_why(why, "wire \"tap\": out of memory");
		return NULL;
	}
	t->wire.ops = &ops;
	if (attach_tap(t, name, why)) {
		close_tap(&t->wire);
		return NULL;
	}
	return &t->wire;
}

const struct emu_wire_kind emu_wire_tap = { .name = "tap", .usage = "tap:NAME", .open = open_tap };
