/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/uverbs/base/uv.h"
#include "emu/uverbs/base/libc.h"

/*
 * A uverbs file is a memory file: mmap of a UAR page gives real shared memory without any
 * help, dup and descriptor passing work, and the inode tells us which file a descriptor is.
 * Sparse, with room for every mmap offset that methods/uar.c hands out; its size says whose it is.
 */
static int make_cdev(unsigned port, int flags, ino_t *ino)
{
	const off_t bytes = ((off_t)1 << UV_CDEV_LOG_BYTES) + (off_t)port * 4096;
	char name[32];
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "devx-emu:uverbs%u", port);
	fd = memfd_create(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, bytes) || uv_real_fstat(fd, &st) ||
	    fcntl(fd, F_SETFL, O_RDWR | (flags & O_NONBLOCK))) {
		const int rc = -errno;

		uv_real_close(fd);
		return rc;
	}
	*ino = st.st_ino;
	return fd;
}

int uv_open(unsigned port, int flags)
{
	struct uv_file *f;
	int fd, rc = uv_dev_open(port);

	if (rc)
		return rc;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	fd = make_cdev(port, flags, &f->ino);
	if (fd < 0) {
		free(f);
		return fd;
	}
	f->dev = uv_front.dev[port];
	f->next = uv_front.files;
	uv_front.files = f;
	return fd;
}

bool uv_has_files(void)
{
	return __atomic_load_n(&uv_front.files, __ATOMIC_RELAXED);
}

struct uv_file *uv_file_of(int fd)
{
	struct stat st;

	if (!uv_front.files || uv_real_fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	for (struct uv_file *f = uv_front.files; f; f = f->next)
		if (f->ino == st.st_ino)
			return f;
	return NULL;
}

/* ---- closing -------------------------------------------------------------------- */

/*
 * What Linux does when the last reference goes: everything, newest first, in passes until
 * a pass destroys nothing. Who is still busy then is freed by force (and firmware keeps
 * the object: that is a bug of ours, which the counters show).
 */
static void destroy_all(struct uv_file *f)
{
	for (bool progress = true; progress && f->newest;) {
		struct uv_obj *o = f->newest;

		progress = false;
		while (o) {
			struct uv_obj *older = o->older;

			if (!uv_obj_destroy(o))
				progress = true;
			o = older;
		}
	}
	while (f->newest) {
		struct uv_obj *o = f->newest;

		f->newest = o->older;
		free(o);
	}
}

static void file_free(struct uv_file *f)
{
	if (f->dev) {
		destroy_all(f);
		if (f->ready)
			uv_context_close(f);
	}
	for (uint32_t i = 0; i < f->n_slots; i++)
		if (!f->dev)
			free(f->slot[i]); /* of the parent process: memory is all there is */
	free(f->slot);
	free(f->uar_map);
	free(f);
}

/* Does a descriptor of this process refer to the memory file? */
static bool still_open(DIR *fds, ino_t ino)
{
	const struct dirent *e;
	struct stat st;

	rewinddir(fds);
	while ((e = readdir(fds)))
		if (e->d_name[0] != '.' && !uv_real_fstat(atoi(e->d_name), &st) &&
		    S_ISREG(st.st_mode) && st.st_ino == ino)
			return true;
	return false;
}

void uv_reap(void)
{
	DIR *fds = uv_front.files ? opendir("/proc/self/fd") : NULL;

	if (!fds)
		return;
	for (struct uv_file **at = &uv_front.files; *at;) {
		struct uv_file *f = *at;

		if (still_open(fds, f->ino)) {
			at = &f->next;
			continue;
		}
		*at = f->next;
		file_free(f);
	}
	closedir(fds);
}

/* ---- objects -------------------------------------------------------------------- */

void *uv_obj_new(struct uv_file *file, const struct uv_type *type, size_t bytes)
{
	struct uv_obj *o = calloc(1, bytes);

	if (!o)
		return NULL;
	o->type = type;
	o->file = file;
	o->handle = UINT32_MAX;
	return o;
}

void uv_obj_drop(struct uv_obj *o)
{
	free(o);
}

int uv_obj_add(struct uv_obj *o)
{
	struct uv_file *f = o->file;
	uint32_t i = 0;

	while (i < f->n_slots && f->slot[i])
		i++;
	if (i == f->n_slots) {
		const uint32_t n = f->n_slots ? f->n_slots * 2 : 16;
		struct uv_obj **slot = realloc(f->slot, n * sizeof(struct uv_obj *));

		if (!slot)
			return -ENOMEM;
		memset(slot + f->n_slots, 0, (n - f->n_slots) * sizeof(struct uv_obj *));
		f->slot = slot;
		f->n_slots = n;
	}
	f->slot[i] = o;
	f->n_objs++;
	o->handle = i;
	o->older = f->newest;
	if (o->older)
		o->older->newer = o;
	f->newest = o;
	return 0;
}

int uv_obj_destroy(struct uv_obj *o)
{
	struct uv_file *f = o->file;
	int rc = o->users ? -EBUSY : 0;

	if (!rc && o->type->destroy)
		rc = o->type->destroy(o);
	if (rc)
		return rc;
	if (o->handle != UINT32_MAX) {
		f->slot[o->handle] = NULL;
		f->n_objs--;
		if (o->newer)
			o->newer->older = o->older;
		else
			f->newest = o->older;
		if (o->older)
			o->older->newer = o->newer;
	}
	free(o);
	return 0;
}

struct uv_obj *uv_obj_at(const struct uv_file *f, uint64_t handle)
{
	return handle < f->n_slots ? f->slot[handle] : NULL;
}
