/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To be preloaded into the program that owns the adapter of devx-emu. Reads the FIFO that the
 * variable LOSER names, and lets port 0 lose its device: f for a fatal error, r for a removal of
 * the RDMA device, u for a removal of the PCI function; b brings it back. Prints one line for each
 * letter.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "emu/uverbs/emu_ctl.h"

static const struct {
	char letter;
	enum devx_emu_inject what;
} acts[] = {
	{ 'f', DEVX_EMU_INJECT_DEVICE_FATAL },
	{ 'r', DEVX_EMU_INJECT_DEVICE_REMOVE },
	{ 'u', DEVX_EMU_INJECT_DEVICE_UNPLUG },
	{ 'b', DEVX_EMU_INJECT_DEVICE_RETURN },
};

static void perform_act(const struct devx_emu_ctl *emu, char letter)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (acts[i].letter == letter) {
			const int rc = emu->inject(0, acts[i].what, 0);

			printf("loser: %c returned %d\n", letter, rc);
			fflush(stdout);
		}
}

static void *read_letters(void *arg)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	const int fd = open(arg, O_RDWR | O_CLOEXEC); /* never at its end */
	char letter;

	while (emu && read(fd, &letter, 1) == 1)
		perform_act(emu, letter);
	return NULL;
}

__attribute__((constructor)) static void start_loser(void)
{
	pthread_t thread;

	if (getenv("LOSER") && !pthread_create(&thread, NULL, read_letters, getenv("LOSER")))
		pthread_detach(thread);
}
