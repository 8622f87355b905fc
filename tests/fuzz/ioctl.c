/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An input of the fuzzer is a list of ioctls of a uverbs file (devtools/fuzz), and of what the
 * device does in between. Each ioctl has the attributes that its method declares, with values of
 * the input. One of them may break the rules.
 *
 *     CALL     u8 method, u16 attributes that are there, u8 enum break_, then each attribute as
 *              fill_attr() takes it
 *     MEMORY   u32 offset, u16 length, words
 *     POLL     u8 packets
 */
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/calls/call.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/methods/methods.h"
#include "front_rig.h"
#include "input.h"

enum { MAX_METHODS = 128, MAX_BYTES = 0x1400, INLINE_BYTES = 8 };
enum step { CALL, MEMORY, POLL, N_STEPS };
enum break_ { NOTHING, LENGTH, NUMBER, DRIVER, ATTRIBUTE, TWICE, RESERVED, N_BREAKS };

static const struct uv_method *methods[MAX_METHODS];
static size_t n_methods;

/* The ioctl as a user has it in memory, with the buffers of its attributes. */
static struct call {
	struct ib_uverbs_ioctl_hdr header;
	struct ib_uverbs_attr attrs[UV_MAX_ATTRS + 1];
	uint8_t bytes[UV_MAX_ATTRS][MAX_BYTES];
} *const call = (struct call *)(FRONT_MEM_AT + FRONT_CALL);

static uint16_t take_length(struct input *in, const struct uv_spec *s)
{
	return s->min == s->max ? s->min : take_u16(in) % MAX_BYTES;
}

static void fill_input(struct input *in, struct ib_uverbs_attr *a, uint8_t *bytes)
{
	if (a->len <= INLINE_BYTES) {
		take_bytes(in, &a->data, a->len);
		return;
	}
	take_words(in, bytes, a->len);
	a->data = (uintptr_t)bytes;
}

static void fill_attr(struct input *in, const struct uv_spec *s, struct ib_uverbs_attr *a,
		      uint8_t *bytes)
{
	*a = (struct ib_uverbs_attr){ .attr_id = s->id, .flags = UVERBS_ATTR_F_MANDATORY };
	switch ((enum uv_kind)s->kind) {
	case UV_ENUM:
		a->attr_data.enum_data.elem_id = take_u8(in);
		a->len = a->attr_data.enum_data.elem_id ? 0 : s->min;
		fill_input(in, a, bytes);
		break;
	case UV_IN:
		a->len = take_length(in, s);
		fill_input(in, a, bytes);
		break;
	case UV_IDRS:
		a->len = (uint16_t)(take_u8(in) % (UV_MAX_IDRS + 2) * sizeof(uint32_t));
		fill_input(in, a, bytes);
		break;
	case UV_OUT:
		a->len = take_length(in, s) % MAX_BYTES;
		a->data = (uintptr_t)bytes;
		break;
	case UV_IDR:
	case UV_FD:
	case UV_RAW_FD:
		a->data = s->access == UV_NEW ? 0 : take_u8(in);
		break;
	}
}

static void break_call(struct input *in, enum break_ what)
{
	struct ib_uverbs_ioctl_hdr *h = &call->header;
	struct ib_uverbs_attr *a = &call->attrs[take_u8(in) % UV_MAX_ATTRS];

	switch (what) {
	case LENGTH:
		h->length = take_u16(in);
		break;
	case NUMBER:
		h->num_attrs = take_u8(in) % (UV_MAX_ATTRS + 1);
		h->length = (uint16_t)(sizeof(*h) + h->num_attrs * sizeof(*a));
		break;
	case DRIVER:
		h->driver_id = take_u8(in);
		break;
	case ATTRIBUTE:
		a->attr_id = take_u16(in);
		a->flags = take_u16(in);
		break;
	case TWICE:
		*a = call->attrs[0];
		break;
	case RESERVED:
		a->attr_data.reserved = take_u16(in);
		a->len = take_u16(in) % MAX_BYTES;
		break;
	case NOTHING:
	case N_BREAKS:
		break;
	}
}

static void run_call(struct input *in, int fd)
{
	const struct uv_method *m = methods[take_u8(in) % n_methods];
	const uint16_t there = take_u16(in);
	const enum break_ what = (enum break_)(take_u8(in) % N_BREAKS);
	struct uv_file *file = uv_file_find(fd);
	unsigned n = 0;

	memset(call, 0, offsetof(struct call, bytes));
	for (unsigned i = 0; i < UV_MAX_ATTRS && m->attrs[i].kind; i++) {
		if (there >> i & 1) {
			fill_attr(in, &m->attrs[i], &call->attrs[n], call->bytes[n]);
			n++;
		}
	}
	call->header = (struct ib_uverbs_ioctl_hdr){
		.length = (uint16_t)(sizeof(call->header) + n * sizeof(call->attrs[0])),
		.object_id = m->object,
		.method_id = m->method,
		.num_attrs = (uint16_t)n,
		.driver_id = RDMA_DRIVER_MLX5
	};
	break_call(in, what);
	uv_front_lock();
	if (file)
		uv_serve_ioctl(file, fd, call);
	uv_front_unlock();
}

static void run_memory(struct input *in)
{
	uint32_t at;
	uint16_t n;

	take_bytes(in, &at, sizeof(at));
	n = take_u16(in);
	at %= FRONT_CALL;
	take_words(in, (uint8_t *)FRONT_MEM_AT + at, n < FRONT_CALL - at ? n : FRONT_CALL - at);
}

/* Lists the methods of all objects, of the core and of mlx5_ib. */
static void list_methods(void)
{
	enum { IDS = 32 };

	for (unsigned i = 0; i < 4 * IDS * IDS; i++) {
		const unsigned object = i / IDS % IDS |
					(i / IDS / IDS & 1 ? 1u << UVERBS_ID_NS_SHIFT : 0),
			       method =
				       i % IDS | (i / IDS / IDS & 2 ? 1u << UVERBS_ID_NS_SHIFT : 0);
		const struct uv_method *m = uv_find_method((uint16_t)object, (uint16_t)method);

		if (m && n_methods < MAX_METHODS)
			methods[n_methods++] = m;
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	front_rig_start();
	list_methods();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct input in = { bytes, n };
	const int fd = front_rig_open();

	while (in.left) {
		switch ((enum step)(take_u8(&in) % N_STEPS)) {
		case CALL:
			run_call(&in, fd);
			break;
		case MEMORY:
			run_memory(&in);
			break;
		case POLL:
		case N_STEPS:
			emu_poll(uv_front_find_port(0), take_u8(&in));
			break;
		}
	}
	front_rig_close();
	return 0;
}
