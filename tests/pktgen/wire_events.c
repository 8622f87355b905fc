/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plugin for EAL (-d). Injects events of emu while the program runs. WIRE_EVENTS lists them with
 * the packets that port 0 sends before each, counted from the event in front of it:
 * "600:down:0 800:up:0 600:int:0". The kinds are: down and up (of the link), unplug, and int, which
 * interrupts the program. With WIRE_NETDEV=emu, down and up set the netdevs emu0, emu1 and so on.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/uverbs/emu_ctl.h"

enum { POLL_US = 1000, COMMAND_BYTES = 64 };

static enum devx_emu_inject get_event(const char *name)
{
	if (!strcmp(name, "down"))
		return DEVX_EMU_INJECT_LINK_DOWN;
	return strcmp(name, "up") ? DEVX_EMU_INJECT_DEVICE_UNPLUG : DEVX_EMU_INJECT_LINK_UP;
}

/* Counts the packets that port 0 has sent, also while its link was down. */
static uint64_t count_sent(const struct devx_emu_ctl *emu)
{
	struct devx_emu_counters c = { 0 };

	emu->counters(0, &c, sizeof(c));
	return c.tx_uc_packets + c.tx_mc_packets + c.tx_bc_packets + c.tx_link_down;
}

static void wait_packets(const struct devx_emu_ctl *emu, uint64_t n)
{
	const uint64_t first = count_sent(emu);

	while (count_sent(emu) - first < n)
		usleep(POLL_US);
}

static bool make_event(const struct devx_emu_ctl *emu, const char *name, unsigned port)
{
	const char *netdev = getenv("WIRE_NETDEV");
	char command[COMMAND_BYTES];

	if (!strcmp(name, "int"))
		return !kill(getpid(), SIGINT);
	if (!netdev)
		return !emu->inject(port, get_event(name), 0);
	snprintf(command, sizeof(command), "ip link set %s%u %s", netdev, port, name);
	return !system(command);
}

static void *inject_events(void *arg)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	const char *at = arg;
	unsigned packets, port;
	char name[8];
	int n;

	for (; emu && sscanf(at, "%u:%7[a-z]:%u%n", &packets, name, &port, &n) == 3; at += n) {
		wait_packets(emu, packets);
		if (!make_event(emu, name, port))
			fprintf(stderr, "wire_events: cannot make the event %s\n", name);
	}
	return NULL;
}

__attribute__((constructor)) static void start_events(void)
{
	char *list = getenv("WIRE_EVENTS");
	pthread_t thread;

	if (list)
		pthread_create(&thread, NULL, inject_events, list);
}
