/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/dev.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/host.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/clock.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/memory/pin.h"

/* ---- host operations of a port; @host is a struct uv_dev ** ---------------------- */

static void *map_pinned(void *host, uint64_t addr, size_t bytes, bool write)
{
	struct uv_dev *dev = *(struct uv_dev **)host;

	return uv_pin_find(dev, addr, bytes, write) ? (void *)(uintptr_t)addr : NULL;
}

static void serve_irq(void *host, uint16_t vector)
{
	uv_eq_consume(*(struct uv_dev **)host, vector);
}

static const struct emu_host_ops host_ops = { .map = map_pinned, .irq = serve_irq };

/* ---- power ---------------------------------------------------------------------- */

/* The lowest number for a copy of standard error: above the numbers that programs rely on. */
enum { STDERR_COPY_FROM = 100 };

#define NS_PER_US 1000ull

static int trace_fd = -1;

static void write_trace_line(void *arg, const char *line)
{
	char buf[1024];
	const int n = snprintf(buf, sizeof(buf), "%s\n", line);
	const size_t bytes = (size_t)n < sizeof(buf) ? (size_t)n : sizeof(buf) - 1;

	(void)arg;
	buf[bytes - 1] = '\n';
	if (write(trace_fd, buf, bytes) < 0)
		return; /* drops the line: a full disk must not end the program */
}

static void open_trace(struct emu_config *cfg)
{
	const char *path = uv_front.shared->trace;

	if (!*path)
		return;
	/* a duplicate: the program may close descriptor 2 and open another file there */
	trace_fd = !strcmp(path, "-")
			   ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_COPY_FROM)
			   : uv_real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (trace_fd >= 0)
		cfg->trace = write_trace_line;
}

static void release_owner(struct emu_shared *s)
{
	int32_t self = getpid();

	__atomic_compare_exchange_n(&s->owner, &self, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void uv_set_command_time(void)
{
	const struct emu_shared *s = uv_front.shared;

	for (unsigned i = 0; uv_front.adapter && i < s->n_ports; i++)
		emu_set_command_time(uv_front_find_port(i), s->command_us * NS_PER_US);
}

int uv_power_on(void)
{
	struct emu_shared *s = uv_front.shared;
	struct emu_config cfg = { .profile = s->profile,
				  .n_ports = s->n_ports,
				  .mistakes = &s->mistakes };

	if (uv_front.adapter)
		return 0;
	open_trace(&cfg);
	for (unsigned i = 0; i < s->n_ports; i++) {
		cfg.port[i].ops = &host_ops;
		cfg.port[i].host = &uv_front.dev[i];
		cfg.port[i].wire = s->port[i].wire;
		cfg.port[i].mtu = s->port[i].mtu;
		cfg.port[i].traffic = &s->traffic[i];
		memcpy(cfg.port[i].mac, s->port[i].mac, EMU_MAC_BYTES);
	}
	uv_clock_set_registers(&cfg);
	emu_fault_catch(uv_real_sigaction);
	uv_front.adapter = emu_adapter_create(&cfg, s->why, sizeof(s->why));
	if (!uv_front.adapter)
		return -EIO;
	emu_set_clock(uv_front.adapter, (enum emu_clock)s->clock, 0);
	if (emu_engine_start(uv_front.adapter, uv_process_get_cpus())) {
		snprintf(s->why, sizeof(s->why),
			 "engine: cannot start its thread; raise the thread limit (ulimit -u)");
		emu_adapter_destroy(uv_front.adapter);
		uv_front.adapter = NULL;
		return -EAGAIN;
	}
	uv_set_command_time();
	__atomic_store_n(&s->owner, getpid(), __ATOMIC_RELAXED);
	uv_mirror_start();
	return 0;
}

void uv_power_off(void)
{
	uv_mirror_stop();
	if (uv_front.adapter) {
		emu_adapter_destroy(uv_front.adapter);
		release_owner(uv_front.shared);
	}
	uv_front.adapter = NULL;
	for (struct uv_file *f = uv_front.files; f; f = f->next)
		f->dev = NULL;
}
