/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/memory/pin.h"

struct uv_front uv_front = { .fail_ioctl = -1, .fail_mmap = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace_fd = -1;

void uv_lock(void) { pthread_mutex_lock(&lock); }
void uv_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- processes ------------------------------------------------------------------ */

/*
 * A child of fork has the memory of the parent's machine, but neither its engine nor its
 * place on the wire. It forgets the machine: its inherited descriptors answer EIO, as a
 * device that is gone, and its first open powers on a machine of its own.
 */
static struct uv_front parents; /* keeps what the child forgets reachable, for leak checkers */

static void before_fork(void)
{
	uv_lock();
	uv_event_lock();
}

static void after_fork_in_parent(void)
{
	uv_event_unlock();
	uv_unlock();
}

static void after_fork_in_child(void)
{
	parents = uv_front;
	uv_front.adapter = NULL;
	memset(uv_front.dev, 0, sizeof(uv_front.dev));
	for (struct uv_file *f = uv_front.files; f; f = f->next)
		f->dev = NULL;
	uv_link_forget();
	uv_event_unlock();
	uv_unlock();
}

void uv_start(void)
{
	static bool started; /* what is called here is interposed too, and comes back */
	const char *path = getenv(EMU_SHARED_ENV);
	struct emu_shared *s;
	struct stat st;
	int fd;

	if (started || !path || !*path)
		return;
	started = true;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) || st.st_size != sizeof(*s)) {
		close(fd);
		return;
	}
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (s == MAP_FAILED)
		return;
	if (s->magic != EMU_SHARED_MAGIC || s->bytes != sizeof(*s)) {
		munmap(s, sizeof(*s));
		return;
	}
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	uv_front.shared = s;
}

/* ---- power ---------------------------------------------------------------------- */

static void trace_line(void *arg, const char *line)
{
	char buf[1024];
	const int n = snprintf(buf, sizeof(buf), "%s\n", line);
	const size_t bytes = (size_t)n < sizeof(buf) ? (size_t)n : sizeof(buf) - 1;

	(void)arg;
	buf[bytes - 1] = '\n';
	if (write(trace_fd, buf, bytes) < 0)
		return; /* a full disk costs the trace, not the run */
}

static void open_trace(struct emu_config *cfg)
{
	if (!uv_front.shared->trace[0])
		return;
	trace_fd = open(uv_front.shared->trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (trace_fd >= 0)
		cfg->trace = trace_line;
}

int uv_adapter_get(void)
{
	struct emu_shared *s = uv_front.shared;
	struct emu_config cfg = { .profile = s->profile, .n_ports = s->n_ports,
				  .mistakes = &s->mistakes };

	if (uv_front.adapter)
		return 0;
	open_trace(&cfg);
	for (unsigned i = 0; i < s->n_ports; i++) {
		cfg.port[i].ops = &uv_host_ops;
		cfg.port[i].host = &uv_front.dev[i];
		cfg.port[i].wire = s->port[i].wire;
		cfg.port[i].mtu = s->port[i].mtu;
		memcpy(cfg.port[i].mac, s->port[i].mac, EMU_MAC_BYTES);
	}
	uv_front.adapter = emu_adapter_create(&cfg, s->why, sizeof(s->why));
	if (!uv_front.adapter)
		return -EIO;
	if (emu_engine_start(uv_front.adapter, -1)) {
		snprintf(s->why, sizeof(s->why), "the engine's thread could not be started");
		emu_adapter_destroy(uv_front.adapter);
		uv_front.adapter = NULL;
		return -EAGAIN;
	}
	uv_link_start();
	return 0;
}

/*
 * At exit the wires are closed properly, so that captures are whole. Objects that the
 * program left behind go with the adapter, as they go with the last close on Linux.
 */
__attribute__((destructor)) static void power_off(void)
{
	uv_lock();
	uv_link_stop();
	if (uv_front.adapter)
		emu_adapter_destroy(uv_front.adapter);
	uv_front.adapter = NULL;
	for (struct uv_file *f = uv_front.files; f; f = f->next)
		f->dev = NULL;
	uv_unlock();
}
