/* SPDX-License-Identifier: BSD-3-Clause */
#include "front_rig.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/control.h"
#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/files/file.h"
#include "open_files.h"

enum { N_FDS = 1024 };

static struct emu_shared shared = {
	.magic = EMU_SHARED_MAGIC,
	.bytes = sizeof(shared),
	.profile = "cx6dx",
	.clock = EMU_CLOCK_STEPPED,
	.n_ports = 1,
	.port = { { .wire = "loop", .mac = { 2, 0, 0, 0, 0, 1 }, .mtu = 1500 } }
};
static unsigned n_fds;

void front_rig_start(void)
{
	void *mem = mmap((void *)FRONT_MEM_AT, FRONT_MEM_BYTES, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	uv_front.shared = &shared;
	if (mem != (void *)FRONT_MEM_AT)
		abort();
	front_rig_open();
	emu_engine_stop(uv_front.adapter);
	front_rig_close();
}

int front_rig_open(void)
{
	int fd;

	memset((void *)FRONT_MEM_AT, 0, FRONT_MEM_BYTES);
	n_fds = count_open_files();
	fd = uv_file_open(0, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		abort();
	return fd;
}

static void check_objects(void)
{
	static struct emu_counters first, now;
	static bool is_later;
	bool differ = false;

	emu_read_counters(uv_front_find_port(0), uv_front.dev[0]->whitelist_uid,
			  is_later ? &now : &first);
	for (unsigned i = 0; is_later && i < EMU_N_TYPES; i++)
		if (now.n_objects[i] != first.n_objects[i]) {
			fprintf(stderr, "front_rig: %llu objects of type %u, %llu before\n",
				(unsigned long long)now.n_objects[i], i,
				(unsigned long long)first.n_objects[i]);
			differ = true;
		}
	if (differ)
		abort();
	is_later = true;
}

void front_rig_close(void)
{
	for (int fd = 0; fd < N_FDS; fd++)
		if (uv_fd_is_marked(fd)) {
			uv_fd_unmark(fd);
			close(fd);
		}
	uv_channel_reap();
	uv_file_reap(NULL);
	check_objects();
	if (count_open_files() != n_fds) {
		fprintf(stderr, "front_rig: %u descriptors, %u before\n", count_open_files(),
			n_fds);
		abort();
	}
}
