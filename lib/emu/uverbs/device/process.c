/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/dev.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"

/* Maps the shared file of devx-emu. Returns NULL on failure, or if another build created it. */
static struct emu_shared *map_shared(const char *path)
{
	const int fd = uv_real_open(path, O_RDWR | O_CLOEXEC, 0);
	struct emu_shared *s = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!uv_real_fstat(fd, &st) && st.st_size == sizeof(*s))
		s = uv_real_mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	uv_real_close(fd);
	if (s == MAP_FAILED)
		return NULL;
	if (s->magic != EMU_SHARED_MAGIC || s->bytes != sizeof(*s)) {
		munmap(s, sizeof(*s));
		return NULL;
	}
	return s;
}

bool uv_is_launched(void)
{
	static bool started;
	const char *path;
	struct emu_shared *s;

	if (started)
		return uv_front.shared;
	path = getenv(EMU_SHARED_ENV);
	if (!path || !*path)
		return false;
	started = true;
	s = map_shared(path);
	uv_front.shared = s;
	return s;
}

/*
 * CPUs that the process may use at its start. A program such as DPDK later restricts the thread
 * that opens the device to fewer CPUs. The engine must not share them, as a real adapter does not.
 */
static cpu_set_t cpus;
static bool has_cpus;

__attribute__((constructor)) static void note_cpus(void)
{
	has_cpus = !sched_getaffinity(0, sizeof(cpus), &cpus);
}

const cpu_set_t *uv_process_get_cpus(void)
{
	return has_cpus ? &cpus : NULL;
}

/*
 * Powers the adapter off at exit. This closes the wires, which completes capture files, and
 * destroys the objects that the program did not destroy, as Linux does at the last close.
 */
__attribute__((destructor)) static void end_process(void)
{
	uv_front_lock();
	uv_power_off();
	uv_front_unlock();
}
