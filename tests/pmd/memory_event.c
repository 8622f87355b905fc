/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <string.h>

#include "ct.h"
#include "driver_objects.h"
#include "memory_event.h"

enum { MAX_CALLBACKS = 4 };

static struct callback {
	char name[64];
	rte_mem_event_callback_t call;
	void *arg;
} callbacks[MAX_CALLBACKS];

int rte_mem_event_callback_register(const char *name, rte_mem_event_callback_t call, void *arg)
{
	const uintptr_t next = (uintptr_t)dlsym(RTLD_NEXT, "rte_mem_event_callback_register");
	struct callback *c = callbacks;

	while (c < callbacks + MAX_CALLBACKS && c->call)
		c++;
	if (c == callbacks + MAX_CALLBACKS)
		ADD_FAILURE("more than %d callbacks for memory events", MAX_CALLBACKS);
	else
		*c = (struct callback){ .call = call, .arg = arg };
	driver_objects_add(DRIVER_MEMORY_CALLBACK, 1);
	if (c < callbacks + MAX_CALLBACKS)
		strncpy(c->name, name, sizeof(c->name) - 1);
	return ((int (*)(const char *, rte_mem_event_callback_t, void *))next)(name, call, arg);
}

int rte_mem_event_callback_unregister(const char *name, void *arg)
{
	const uintptr_t next = (uintptr_t)dlsym(RTLD_NEXT, "rte_mem_event_callback_unregister");

	for (struct callback *c = callbacks; c < callbacks + MAX_CALLBACKS; c++)
		if (c->call && c->arg == arg && !strcmp(c->name, name)) {
			c->call = NULL;
			driver_objects_add(DRIVER_MEMORY_CALLBACK, -1);
		}
	return ((int (*)(const char *, void *))next)(name, arg);
}

void memory_event_raise(enum rte_mem_event type, const void *addr, size_t bytes)
{
	for (const struct callback *c = callbacks; c < callbacks + MAX_CALLBACKS; c++)
		if (c->call)
			c->call(type, addr, bytes, c->arg);
}
