/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx_rig.h"
#include "wait_limit.h"

/* A TAP wire whose netdev is moved or deleted while a program uses the port. */
enum { PROTOCOL = 0x88b5, FRAMES = 20 };

static const char netdev[] = "devx-tap";

/* Brings the netdev up and opens a packet socket on it. Return: a descriptor, or -1 */
static int open_netdev(void)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(PROTOCOL) };
	const int fd = socket(AF_PACKET, SOCK_RAW, htons(PROTOCOL));
	struct ifreq ifr = { 0 };

	strcpy(ifr.ifr_name, netdev);
	if (fd < 0 || ioctl(fd, SIOCGIFINDEX, &ifr))
		return -1;
	at.sll_ifindex = ifr.ifr_ifindex;
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		return -1;
	ifr.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr) || bind(fd, (struct sockaddr *)&at, sizeof(at)))
		return -1;
	return fd;
}

/*
 * The child process: enters a network namespace of its own and writes to @ready. After the netdev
 * has arrived there, it writes to @ready again and sends back the first FRAMES frames that the
 * netdev receives.
 */
static int echo_frames(int ready)
{
	uint8_t frame[2048];
	int fd = -1;

	/* a test that fails leaves without waiting for this child */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (unshare(CLONE_NEWNET) || write(ready, "", 1) != 1)
		return EXIT_FAILURE;
	for (int i = 0; i < 1000 && fd < 0; i++) {
		usleep(10000);
		fd = open_netdev();
	}
	if (fd < 0 || write(ready, "", 1) != 1)
		return EXIT_FAILURE;
	for (unsigned n = 0; n < FRAMES;) {
		struct sockaddr_ll from;
		socklen_t bytes = sizeof(from);
		const ssize_t got =
			recvfrom(fd, frame, sizeof(frame), 0, (struct sockaddr *)&from, &bytes);

		if (from.sll_pkttype == PACKET_OUTGOING)
			continue; /* a frame that this loop sent */
		if (got < 0 || send(fd, frame, (size_t)got, 0) != got)
			return EXIT_FAILURE;
		n++;
	}
	return EXIT_SUCCESS;
}

static bool is_told(int ready)
{
	struct pollfd p = { .fd = ready, .events = POLLIN };
	char c;

	return poll(&p, 1, WAIT_LIMIT_MS) == 1 && read(ready, &c, 1) == 1;
}

/* Sends frame @seq to the port's own MAC, waits for the frame to come back, and compares it. */
static bool exchange_frame(struct devx_rig *rig, uint32_t seq)
{
	uint8_t *sent = devx_rig_get_send_slot(rig, seq), *got = devx_rig_get_recv_slot(rig, seq);
	const unsigned bytes = devx_rig_write_frame(rig, sent, seq, 64 + seq);

	devx_rig_post_recv(rig, seq + 1);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, sent, bytes, rig->mr.lkey));
	if (!devx_rig_wait_cqe(&rig->send_cq))
		return false;
	devx_rig_drop_cqe(&rig->send_cq);
	if (!devx_rig_wait_cqe(&rig->recv_cq))
		return false;
	devx_rig_drop_cqe(&rig->recv_cq);
	return !memcmp(sent, got, bytes);
}

/* Waits until the link is up; @up false: until it is down. */
static bool wait_for_link(struct devx_dev *dev, bool up)
{
	struct devx_port port;

	for (int i = 0; i < WAIT_LIMIT_MS; i++) {
		if (devx_port_query(dev, &port))
			return false;
		if (port.up == up)
			return true;
		usleep(1000);
	}
	return false;
}

TEST(tap_moved, frames_pass_both_ways)
{
	struct devx_rig rig = { 0 };
	char command[80];
	int ready[2], status = -1;
	pid_t child;

	ASSERT_EQ(0, pipe(ready));
	child = fork();
	if (!child)
		_exit(echo_frames(ready[1]));
	ASSERT_EQ(0, devx_rig_up(&rig));
	ASSERT_TRUE(is_told(ready[0]));
	/* without the preload: a sanitizer that it brings would judge the leaks of ip */
	snprintf(command, sizeof(command), "LD_PRELOAD= ip link set %s netns %d", netdev,
		 (int)child);
	ASSERT_EQ(0, system(command));
	ASSERT_TRUE(is_told(ready[0]));
	EXPECT_TRUE(wait_for_link(&rig.dev, true));
	for (uint32_t seq = 0; seq < FRAMES; seq++) {
		SCOPED_TRACE("frame %u", seq);
		ASSERT_TRUE(exchange_frame(&rig, seq));
	}
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	devx_rig_down(&rig);
}

TEST(tap_moved, link_goes_down_when_the_netdev_is_deleted)
{
	struct devx_rig rig = { 0 };
	char command[80];

	ASSERT_EQ(0, devx_rig_up(&rig));
	snprintf(command, sizeof(command), "LD_PRELOAD= ip link set %s up", netdev);
	ASSERT_EQ(0, system(command));
	EXPECT_TRUE(wait_for_link(&rig.dev, true));
	snprintf(command, sizeof(command), "LD_PRELOAD= ip link delete %s", netdev);
	ASSERT_EQ(0, system(command));
	EXPECT_TRUE(wait_for_link(&rig.dev, false));
	devx_rig_down(&rig);
}
