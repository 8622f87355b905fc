/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mmap() of UARs, doorbells behind the last close(), read() and write() of uverbs files.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "probes.h"
#include "spark.h"

/** struct uar - a UAR */
struct uar {
	uint32_t handle, number;
	uint64_t offset;
};

static struct uar make_uar(int fd)
{
	struct uar u;
	uint32_t bytes;
	struct ask a = uar_of(MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, &u.offset, &bytes, &u.number);

	if (ask_send(&a, fd))
		abort();
	u.handle = ask_handle(&a);
	return u;
}

static int destroy_uar(int fd, const struct uar *u)
{
	return ask_destroy(fd, MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY,
			   MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, u->handle);
}

/* ---- mmap ------------------------------------------------------------------------- */

static void probe_map(const char *name, int fd, uint64_t offset, size_t bytes, int prot, int flags)
{
	void *at = mmap(NULL, bytes, prot, flags, fd, (off_t)offset);

	say_answer(at == MAP_FAILED ? errno : 0, SAY_NO_STATUS, "map %s", name);
	if (at != MAP_FAILED)
		munmap(at, bytes);
}

static void probe_lengths(int fd, uint64_t at)
{
	enum { RW = PROT_READ | PROT_WRITE };

	probe_map("plain", fd, at, PAGE, PROT_WRITE, MAP_SHARED);
	probe_map("again", fd, at, PAGE, PROT_WRITE, MAP_SHARED);
	probe_map("read-write", fd, at, PAGE, RW, MAP_SHARED);
	probe_map("read-only", fd, at, PAGE, PROT_READ, MAP_SHARED);
	probe_map("no-access", fd, at, PAGE, PROT_NONE, MAP_SHARED);
	probe_map("one-byte", fd, at, 1, RW, MAP_SHARED);
	probe_map("one-page-and-a-byte", fd, at, PAGE + 1, RW, MAP_SHARED);
	probe_map("two-pages", fd, at, 2 * PAGE, RW, MAP_SHARED);
	probe_map("nothing", fd, at, 0, RW, MAP_SHARED);
	probe_map("private", fd, at, PAGE, RW, MAP_PRIVATE);
	probe_map("private read-only", fd, at, PAGE, PROT_READ, MAP_PRIVATE);
	probe_map("shared-validate", fd, at, PAGE, RW, MAP_SHARED_VALIDATE);
	probe_map("unaligned", fd, at + 64, PAGE, RW, MAP_SHARED);
}

static void probe_offsets(const struct world *w, int fd, uint64_t at)
{
	/* an offset counts pages: bits 8 to 15 of the page number are the command */
	enum { RW = PROT_READ | PROT_WRITE, COMMAND_PAGES = 256, WC_PAGE = 2, NC_PAGE = 3 };

	probe_map("offset 0", fd, 0, PAGE, RW, MAP_SHARED);
	probe_map("offset of-the-next", fd, at + PAGE, PAGE, RW, MAP_SHARED);
	probe_map("offset of-far-behind", fd, at + 200 * PAGE, PAGE, RW, MAP_SHARED);
	probe_map("offset of-a-wc-page", fd, WC_PAGE * COMMAND_PAGES * PAGE, PAGE, RW, MAP_SHARED);
	probe_map("offset of-an-nc-page", fd, NC_PAGE * COMMAND_PAGES * PAGE, PAGE, RW, MAP_SHARED);
	probe_map("offset of-no-command", fd, 99ull * COMMAND_PAGES * PAGE, PAGE, RW, MAP_SHARED);
	probe_map("no-context", w->no_context, at, PAGE, RW, MAP_SHARED);
}

/* The page with the register of the clock: the command is 5. */
static void probe_clock(const struct world *w, int fd)
{
	enum { RW = PROT_READ | PROT_WRITE, CLOCK_PAGE = 5, COMMAND_PAGES = 256 };
	const uint64_t at = CLOCK_PAGE * COMMAND_PAGES * PAGE;

	probe_map("clock plain", fd, at, PAGE, PROT_READ, MAP_SHARED);
	probe_map("clock again", fd, at, PAGE, PROT_READ, MAP_SHARED);
	probe_map("clock read-write", fd, at, PAGE, RW, MAP_SHARED);
	probe_map("clock write-only", fd, at, PAGE, PROT_WRITE, MAP_SHARED);
	probe_map("clock no-access", fd, at, PAGE, PROT_NONE, MAP_SHARED);
	probe_map("clock executable", fd, at, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED);
	probe_map("clock one-byte", fd, at, 1, PROT_READ, MAP_SHARED);
	probe_map("clock two-pages", fd, at, 2 * PAGE, PROT_READ, MAP_SHARED);
	probe_map("clock two-pages read-write", fd, at, 2 * PAGE, RW, MAP_SHARED);
	probe_map("clock private", fd, at, PAGE, PROT_READ, MAP_PRIVATE);
	probe_map("clock private read-write", fd, at, PAGE, RW, MAP_PRIVATE);
	probe_map("clock shared-validate", fd, at, PAGE, PROT_READ, MAP_SHARED_VALIDATE);
	probe_map("clock with-an-index", fd, at + 3 * PAGE, PAGE, PROT_READ, MAP_SHARED);
	probe_map("clock with-a-high-index", fd, at + 65536 * PAGE, PAGE, PROT_READ, MAP_SHARED);
	probe_map("clock no-context", w->no_context, at, PAGE, PROT_READ, MAP_SHARED);
}

static void probe_foreign(const struct world *w, int fd, uint64_t at)
{
	const int other = context_open_devx(w);
	struct uar last = { 0 };

	/* more UARs than context @fd has, so that the last offset is unused there */
	for (int i = 0; i < 4; i++)
		last = make_uar(other);
	probe_map("offset of-another-context", fd, last.offset, PAGE, PROT_WRITE, MAP_SHARED);
	probe_map("offset of-another-context, there", other, last.offset, PAGE, PROT_WRITE,
		  MAP_SHARED);
	close(other);
	probe_map("other context closed", fd, at, PAGE, PROT_WRITE, MAP_SHARED);
}

static void probe_destroyed(int fd)
{
	struct uar u = make_uar(fd), next;
	void *at = mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, fd, (off_t)u.offset);

	say_answer(destroy_uar(fd, &u), SAY_NO_STATUS, "map destroy while mapped");
	probe_map("of a destroyed UAR", fd, u.offset, PAGE, PROT_WRITE, MAP_SHARED);
	next = make_uar(fd);
	say_text(next.offset == u.offset ? "the-same" : "another",
		 "map offset of the next UAR while mapped");
	destroy_uar(fd, &next);
	munmap(at, PAGE);
	next = make_uar(fd);
	say_text(next.offset == u.offset ? "the-same" : "another",
		 "map offset of the next UAR when unmapped");
	destroy_uar(fd, &next);
}

/* ---- doorbells -------------------------------------------------------------------- */

static void probe_outliving(const struct world *w)
{
	struct set s = { 0 };
	struct spark k;
	const int fd = context_open_devx(w);

	if (world_make_set(w, &s, fd) || spark_open(&k, &s))
		abort();
	spark_raise(&k);
	say_answer(spark_wait(&k), SAY_NO_STATUS, "doorbell plain");
	close(fd);
	spark_raise(&k);
	say_answer(spark_wait(&k), SAY_NO_STATUS, "doorbell behind the last close");
	spark_close(&k);
	free(s.mem);
}

/* ---- uverbs files ----------------------------------------------------------------- */

static void probe_bytes(const char *which, int fd)
{
	static uint8_t zero[64];
	struct iovec iov = { zero, sizeof(zero) };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	say_answer(read(fd, zero, sizeof(zero)) < 0 ? errno : 0, SAY_NO_STATUS, "%s read", which);
	say_answer(read(fd, zero, 0) < 0 ? errno : 0, SAY_NO_STATUS, "%s read nothing", which);
	say_answer(readv(fd, &iov, 1) < 0 ? errno : 0, SAY_NO_STATUS, "%s readv", which);
	say_answer(write(fd, zero, 4) < 0 ? errno : 0, SAY_NO_STATUS, "%s write 4", which);
	say_answer(write(fd, zero, 8) < 0 ? errno : 0, SAY_NO_STATUS, "%s write 8", which);
	say_answer(write(fd, zero, 64) < 0 ? errno : 0, SAY_NO_STATUS, "%s write 64", which);
	say_answer(writev(fd, &iov, 1) < 0 ? errno : 0, SAY_NO_STATUS, "%s writev", which);
	poll(&p, 1, 0);
	say_text(p.revents == (POLLIN | POLLOUT) ? "in-and-out" : "not-both", "%s poll", which);
}

void probe_mappings(const struct world *w)
{
	const int fd = context_open_devx(w);
	const int copy = dup(fd);
	const struct uar u = make_uar(fd);

	probe_lengths(fd, u.offset);
	probe_map("by a duplicate", copy, u.offset, PAGE, PROT_WRITE, MAP_SHARED);
	probe_offsets(w, fd, u.offset);
	probe_clock(w, fd);
	probe_foreign(w, fd, u.offset);
	probe_destroyed(fd);
	close(copy);
	close(fd);
	probe_outliving(w);
	probe_bytes("file", w->mine.fd);
	probe_bytes("file no-context", w->no_context);
}
