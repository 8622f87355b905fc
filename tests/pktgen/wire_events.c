/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plugin for EAL (-d). Injects events of emu while the program runs. WIRE_EVENTS lists them with
 * milliseconds since port 0 sent its first packet: "500:down:0 900:up:0 1200:unplug:1".
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/uverbs/emu_ctl.h"

enum { MS_US = 1000, POLL_US = 10000 };

static enum devx_emu_inject get_event(const char *name)
{
	if (!strcmp(name, "down"))
		return DEVX_EMU_INJECT_LINK_DOWN;
	return strcmp(name, "up") ? DEVX_EMU_INJECT_DEVICE_UNPLUG : DEVX_EMU_INJECT_LINK_UP;
}

static void wait_first_packet(const struct devx_emu_ctl *emu)
{
	struct devx_emu_counters c = { 0 };

	while (!emu->counters(0, &c, sizeof(c)) && !c.tx_uc_packets)
		usleep(POLL_US);
}

static void *inject_events(void *arg)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	unsigned ms, port, last = 0;
	const char *at = arg;
	char name[8];
	int n;

	if (emu)
		wait_first_packet(emu);
	for (; emu && sscanf(at, "%u:%7[a-z]:%u%n", &ms, name, &port, &n) == 3; at += n) {
		usleep((ms - last) * MS_US);
		last = ms;
		if (emu->inject(port, get_event(name), 0))
			fprintf(stderr, "wire_events: cannot inject %s\n", name);
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
