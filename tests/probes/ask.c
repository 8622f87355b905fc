/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "prm/prm.h"

struct ask ask_of(uint16_t object, uint16_t method)
{
	return (struct ask){
		.hdr = { .object_id = object, .method_id = method, .driver_id = RDMA_DRIVER_MLX5 }
	};
}

static struct ib_uverbs_attr *add_attr(struct ask *a, enum ask_kind kind, const char *name,
				       uint16_t id)
{
	const unsigned i = a->hdr.num_attrs++;

	a->name[i] = name;
	a->kind[i] = kind;
	a->attr[i] = (struct ib_uverbs_attr){ .attr_id = id, .flags = UVERBS_ATTR_F_MANDATORY };
	return &a->attr[i];
}

void ask_in(struct ask *a, const char *name, uint16_t id, const void *data, size_t len)
{
	struct ib_uverbs_attr *attr = add_attr(a, ASK_IN, name, id);

	attr->len = (uint16_t)len;
	if (len > sizeof(attr->data))
		attr->data = (uintptr_t)data;
	else if (len)
		memcpy(&attr->data, data, len);
}

void ask_num(struct ask *a, const char *name, uint16_t id, uint64_t value)
{
	ask_in(a, name, id, &value, sizeof(value));
}

void ask_num32(struct ask *a, const char *name, uint16_t id, uint32_t value)
{
	ask_in(a, name, id, &value, sizeof(value));
}

void ask_out(struct ask *a, const char *name, uint16_t id, void *room, size_t len)
{
	struct ib_uverbs_attr *attr = add_attr(a, ASK_OUT, name, id);

	attr->len = (uint16_t)len;
	attr->data = (uintptr_t)room;
}

void ask_obj(struct ask *a, const char *name, uint16_t id, int64_t handle)
{
	add_attr(a, ASK_OBJ, name, id)->data_s64 = handle;
}

void ask_new(struct ask *a, const char *name, uint16_t id)
{
	add_attr(a, ASK_NEW, name, id);
}

int ask_send(struct ask *a, int fd)
{
	if (!a->hdr.length)
		a->hdr.length = (uint16_t)(sizeof(a->hdr) + a->hdr.num_attrs * sizeof(a->attr[0]));
	return ioctl(fd, RDMA_VERBS_IOCTL, &a->hdr) ? errno : 0;
}

uint32_t ask_handle(const struct ask *a)
{
	for (unsigned i = 0; i < a->hdr.num_attrs; i++)
		if (a->kind[i] == ASK_NEW)
			return (uint32_t)a->attr[i].data;
	return UINT32_MAX;
}

int ask_destroy(int fd, uint16_t object, uint16_t method, uint16_t attr, int64_t handle)
{
	struct ask a = ask_of(object, method);

	ask_obj(&a, "handle", attr, handle);
	return ask_send(&a, fd);
}

void *ask_nowhere(void)
{
	return (void *)(uintptr_t)64; /* below vm.mmap_min_addr */
}

void say_answer(int error, int status, const char *fmt, ...)
{
	char name[96];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	printf("%-52s  %s", name, error ? strerrorname_np(error) : "ok");
	if (status == SAY_UNWRITTEN)
		printf("/unwritten");
	else if (status > 0)
		printf("/%s", prm_status_name((uint8_t)status));
	putchar('\n');
}

void say_text(const char *answer, const char *fmt, ...)
{
	char name[96];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	printf("%-52s  %s\n", name, answer);
}
