/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if.h>
#include <linux/if_packet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/wire/wire.h"
#include "core_rig_post.h"

/*
 * A TAP needs a network namespace of its own, and unshare() changes the process that calls it.
 * Therefore each test body runs in a child process, whose exit status is the result.
 */
enum { PASSED = 0, FAILED = 1, NO_NAMESPACE = 77 };
enum { PROTOCOL = 0x88b5, FRAME = 64, PATIENCE = 20000 };

/* As root of the namespace: otherwise the programs that a body starts lose its capabilities. */
static bool enter_namespace(uid_t uid)
{
	FILE *map;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return false;
	map = fopen("/proc/self/uid_map", "w");
	return map && fprintf(map, "0 %u 1", uid) > 0 && !fclose(map);
}

static int run_child(int (*body)(void))
{
	const uid_t uid = getuid();
	const pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(enter_namespace(uid) ? body() : NO_NAMESPACE);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return FAILED;
	return WEXITSTATUS(status);
}

#define IN_NAMESPACE(body)                                                                         \
	do {                                                                                       \
		const int how = run_child(body);                                                   \
		if (how == NO_NAMESPACE)                                                           \
			SKIP("cannot make a user and network namespace");                          \
		EXPECT_EQ(PASSED, how);                                                            \
	} while (0)

/* Brings the netdev up and opens a raw socket on it, the kernel's end of the wire; -1: failed */
static int open_netdev(const char *name)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(PROTOCOL) };
	const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(PROTOCOL));
	struct ifreq ifr = { 0 };

	strcpy(ifr.ifr_name, name);
	if (fd < 0 || ioctl(fd, SIOCGIFINDEX, &ifr))
		return -1;
	at.sll_ifindex = ifr.ifr_ifindex;
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		return -1;
	ifr.ifr_flags |= IFF_UP | IFF_PROMISC;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr) || bind(fd, (struct sockaddr *)&at, sizeof(at)))
		return -1;
	return fd;
}

static void fill_frame(uint8_t *frame, uint8_t value)
{
	memset(frame, value, FRAME);
	memcpy(frame, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14);
}

static int carry_both_ways(void)
{
	uint8_t frame[FRAME], got[2048];
	struct core_rig r;
	ssize_t n = -1;
	int fd, how = FAILED;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "tap:emutest0" });
	fd = r.emu ? open_netdev("emutest0") : -1;
	if (fd < 0)
		return FAILED;
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 3, 2048);
	uint8_t *mem = core_rig_alloc(&r, FRAME);

	fill_frame(mem, 0x11);
	core_rig_post_send(&r, &sq, core_rig_make_mkey(&r, mem, FRAME, false), mem, FRAME);
	for (unsigned i = 0; i < PATIENCE && n < 0; i++) {
		emu_poll(r.emu, 16);
		n = recv(fd, got, sizeof(got), 0);
	}
	if (n != FRAME || memcmp(got, mem, FRAME))
		goto out;
	fill_frame(frame, 0x22);
	emu_set_clock(r.adapter, EMU_CLOCK_HELD, 0); /* the wire reads the netdev all the same */
	emu_poll(r.emu, 16);
	if (send(fd, frame, FRAME, 0) != FRAME)
		goto out;
	for (unsigned i = 0; i < PATIENCE && !r.emu->vport.rx_uc_packets; i++)
		emu_poll(r.emu, 16);
	/* The kernel also sends multicast frames; the frame of this test is unicast. */
	for (unsigned i = 0; i < rx.rq.n; i++)
		if (!memcmp(rx.buffers + i * rx.bytes, frame, FRAME))
			how = PASSED;
out:
	close(fd);
	core_rig_close(&r);
	return how;
}

TEST(wire_tap, carries_frames_both_ways)
{
	IN_NAMESPACE(carry_both_ways);
}

static void set_up(struct core_rig *r, bool up)
{
	struct emu_link link;

	emu_get_link(r->emu, &link);
	link.up = up;
	emu_set_link(r->emu, &link);
}

/* Posts a frame and sends one from the netdev while the link is down, and then runs the engine. */
static int carry_nothing_while_down(void)
{
	uint8_t frame[FRAME], got[2048];
	const struct emu_vport_counters *v;
	struct core_rig r;
	int fd, how;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "tap:emutest0" });
	fd = r.emu ? open_netdev("emutest0") : -1;
	if (fd < 0)
		return FAILED;
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	uint8_t *mem = core_rig_alloc(&r, FRAME);

	v = &r.emu->vport;
	fill_frame(mem, 0x11);
	set_up(&r, false);
	core_rig_post_send(&r, &sq, core_rig_make_mkey(&r, mem, FRAME, false), mem, FRAME);
	set_up(&r, true);
	emu_poll(r.emu, 16);
	how = v->tx_link_down == 1 && !v->tx_uc_packets && recv(fd, got, sizeof(got), 0) < 0
		      ? PASSED
		      : FAILED;
	set_up(&r, false);
	fill_frame(frame, 0x22);
	if (send(fd, frame, FRAME, 0) != FRAME)
		how = FAILED;
	for (unsigned i = 0; i < PATIENCE && !v->rx_link_down; i++)
		emu_poll(r.emu, 16);
	if (!v->rx_link_down || v->rx_uc_packets)
		how = FAILED;
	close(fd);
	core_rig_close(&r);
	return how;
}

TEST(wire_tap, carries_nothing_while_the_link_is_down)
{
	IN_NAMESPACE(carry_nothing_while_down);
}

/*
 * Posts a frame after @lose, a command of the shell, took the netdev away. The port does not know
 * it yet. Returns whether the port completed it, and the counters.
 */
static bool send_into_lost_netdev(const char *wire, const char *lose, struct emu_vport_counters *v,
				  struct emu_wire_faults *faults)
{
	struct core_rig r;
	bool done;
	int fd;

	core_rig_open(&r, &(struct core_rig_config){ .wire = wire });
	fd = r.emu ? open_netdev("emutest0") : -1;
	if (fd < 0)
		return false;
	struct core_rig_cq cq = core_rig_make_cq(&r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&r, 4, cq.cqn);
	uint8_t *mem = core_rig_alloc(&r, FRAME);

	fill_frame(mem, 0x11);
	done = !system(lose);
	core_rig_post_send(&r, &sq, core_rig_make_mkey(&r, mem, FRAME, false), mem, FRAME);
	emu_poll(r.emu, 16);
	done &= core_rig_take_cqe(&cq) != NULL;
	*v = r.emu->vport;
	*faults = r.emu->wire->faults;
	close(fd);
	core_rig_close(&r);
	return done;
}

static int count_lost_frames(void)
{
	/* The kernel also sends frames, so the number of duplicates is not known. */
	static const struct {
		const char *wire, *lose;
		uint64_t sent, link_down, dropped;
	} row[] = {
		{ "tap:emutest0", "ip link set emutest0 down", 0, 1, 0 },
		{ "tap:emutest0", "ip link delete emutest0", 0, 1, 0 },
		{ "tap:emutest0,dup=1", "ip link set emutest0 down", 1, 0, 2 },
		{ "tap:emutest0,dup=1", "ip link delete emutest0", 1, 0, 2 },
	};
	int how = PASSED;

	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct emu_wire_faults faults = { 0 };
		struct emu_vport_counters v = { 0 };

		if (send_into_lost_netdev(row[i].wire, row[i].lose, &v, &faults) &&
		    v.tx_uc_packets == row[i].sent && v.tx_link_down == row[i].link_down &&
		    faults.dropped == row[i].dropped)
			continue;
		fprintf(stderr, "%s, %s: sent %llu, link down %llu, dropped %llu\n", row[i].wire,
			row[i].lose, (unsigned long long)v.tx_uc_packets,
			(unsigned long long)v.tx_link_down, (unsigned long long)faults.dropped);
		how = FAILED;
	}
	return how;
}

TEST(wire_tap, counts_frames_to_a_netdev_that_is_down_or_deleted_as_lost)
{
	IN_NAMESPACE(count_lost_frames);
}

/* Expects the wire to refuse a TAP that is already open, and a netdev that is not a TAP. */
static int check_refusals(void)
{
	static const struct {
		const char *wire, *says;
	} bad[] = {
		{ "tap:emutest1", "another program" },
		{ "tap:lo", "not a TAP" },
	};
	struct core_rig r;
	int how = PASSED;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "tap:emutest1" });
	for (unsigned i = 0; i < 2; i++) {
		char why[256] = "";
		struct emu_wire *w = emu_wire_open(r.adapter, r.emu, bad[i].wire, why, sizeof(why));

		if (w || !strstr(why, bad[i].says)) {
			fprintf(stderr, "%s: %s\n", bad[i].wire, why);
			how = FAILED;
		}
	}
	core_rig_close(&r);
	return how;
}

TEST(wire_tap, refuses_a_taken_tap_and_other_netdevs)
{
	IN_NAMESPACE(check_refusals);
}
