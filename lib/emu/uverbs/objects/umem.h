/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_UMEM_H
#define EMU_UVERBS_OBJECTS_UMEM_H

#include "emu/uverbs/memory/pin.h"

enum { UV_ADAPTER_PAGE_SHIFT = 12 };

/** struct uv_umem - a DEVX umem */
struct uv_umem {
	struct uv_obj obj;
	struct uv_pin pin;
	bool made; /* exists in firmware */
	uint32_t id;
};

extern const struct uv_type uv_type_umem;

/** uv_umem_make - send CREATE_UMEM for u->pin, in pages of @page bytes. Return: 0 or -errno */
int uv_umem_make(struct uv_umem *u, uint64_t page);

#endif
