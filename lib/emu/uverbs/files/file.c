/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/object.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/files/cdev.h"

static struct uv_file *add_file(const struct stat *st)
{
	struct uv_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->fs = st->st_dev;
	f->ino = st->st_ino;
	f->next = uv_front.files;
	uv_front.files = f;
	return f;
}

int uv_file_open(unsigned port, int flags)
{
	struct uv_file *f;
	struct stat st;
	int fd, rc;

	/* Source: Linux drivers/infiniband/core/uverbs_main.c, ib_uverbs_open. */
	if (uv_front_is_absent(port))
		return -ENXIO;
	rc = uv_dev_open(port);
	if (rc)
		return rc;
	fd = uv_cdev_make(port, flags, &st);
	if (fd < 0)
		return fd;
	f = add_file(&st);
	if (!f) {
		uv_real_close(fd);
		return -ENOMEM;
	}
	uv_fd_mark(fd);
	f->dev = uv_front.dev[port];
	return fd;
}

struct uv_file *uv_file_add_remote(int fd)
{
	struct uv_file *f;
	struct stat st;

	if (uv_real_fstat(fd, &st) || uv_cdev_find_port(&st) < 0)
		return NULL;
	f = uv_file_find(fd);
	if (f)
		return f;
	f = add_file(&st);
	if (f)
		f->remote = true;
	uv_fd_mark(fd);
	return f;
}

bool uv_has_files(void)
{
	return __atomic_load_n(&uv_front.files, __ATOMIC_RELAXED);
}

struct uv_file *uv_file_find(int fd)
{
	struct stat st;

	if (!uv_front.files || uv_real_fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	for (struct uv_file *f = uv_front.files; f; f = f->next)
		if (f->ino == st.st_ino)
			return f;
	return NULL;
}

/*
 * Destroys the objects of a file as Linux does after the last close: newest first, in passes,
 * until a pass destroys nothing. @late: also objects with uv_type.late
 */
static void destroy_in_passes(struct uv_file *f, bool late)
{
	for (bool progress = true; progress && f->newest;) {
		struct uv_obj *o = f->newest;

		progress = false;
		while (o) {
			struct uv_obj *older = o->older;

			if ((late || !o->type->late) && !uv_obj_destroy(o))
				progress = true;
			o = older;
		}
	}
}

static void destroy_objects(struct uv_file *f)
{
	destroy_in_passes(f, true);
	/*
	 * Objects that are still busy lose their memory but stay in firmware. That is a bug of emu,
	 * visible in devx_emu_counters.objects.
	 */
	uv_event_forget_file(f);
	while (f->newest) {
		struct uv_obj *o = f->newest;

		f->newest = o->older;
		f->slot[o->handle] = NULL;
		free(o);
	}
}

static void leave_device(struct uv_file *f)
{
	destroy_objects(f);
	if (f->ready)
		uv_context_close(f);
	f->dev = NULL;
}

/* Hides later user writes to the mapped pages of @f from the device. */
static void take_pages(const struct uv_file *f)
{
	for (const struct uv_obj *o = f->newest; o; o = o->older)
		if (o->type->take_page)
			o->type->take_page(o);
}

/*
 * Linux first reports the loss, which the user can still read; reads of other event files end. Then
 * it destroys every object of every file, as a close would, and unmaps the doorbell pages. UARs are
 * destroyed last, when firmware has no queue left that uses one.
 *
 * emu detaches the doorbell pages before it destroys the objects. A program that has not noticed
 * the loss may still ring a destroyed queue. A device ignores that, but emu would count a mistake.
 * Source: Linux drivers/infiniband/core/uverbs_main.c, ib_uverbs_free_hw_resources; Linux
 * drivers/infiniband/core/rdma_core.c, uverbs_destroy_ufile_hw.
 */
void uv_file_remove_device(struct uv_dev *dev)
{
	uv_event_report_fatal(dev);
	for (struct uv_file *f = uv_front.files; f; f = f->next) {
		if (f->dev != dev)
			continue;
		take_pages(f);
		destroy_in_passes(f, false);
		leave_device(f);
	}
}

static void free_file(struct uv_file *f)
{
	if (f->dev)
		leave_device(f);
	uv_event_forget_file(f);
	for (uint32_t i = 0; i < f->n_slots; i++)
		if (!f->dev)
			free(f->slot[i]); /* no device, so no firmware object to destroy */
	free(f->slot);
	free(f->uar_map);
	free(f);
}

void uv_file_reap(void (*left)(const struct uv_file *file))
{
	for (struct uv_file **at = &uv_front.files; *at;) {
		struct uv_file *f = *at;

		if (f->n_mappings || uv_fds_find(f->fs, f->ino, -1) >= 0) {
			at = &f->next;
			continue;
		}
		*at = f->next;
		if (f->remote && left)
			left(f);
		free_file(f);
	}
}
