/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRIVER_OBJECTS_H
#define DRIVER_OBJECTS_H

#include <stdint.h>

/**
 * DOC: Objects that the driver and lib/devx created and did not destroy yet
 *
 * The end of a device frees all of its objects, so the counters of emu do not show one that the
 * driver forgot before. The linker redirects the calls (-Wl,--wrap=NAME in meson.build). A destroy
 * that fails also counts.
 *
 * A stopped port keeps some memory, so tests compare what the process holds only around a port.
 */

enum driver_object {
	DRIVER_COMMAND_OBJECT,
	DRIVER_MR,
	DRIVER_UMEM,
	DRIVER_UAR,
	DRIVER_EVENT_CHANNEL,
	DRIVER_CMD_COMP,
	DRIVER_MATCHER,
	DRIVER_RATE_LIMIT,
	DRIVER_DEVICE,
	DRIVER_MUTEX,
	DRIVER_INTERRUPT_HANDLE,
	DRIVER_MEMPOOL_CALLBACK,
	DRIVER_MEMORY_CALLBACK, /* memory_event.c */
	DRIVER_N_OBJECTS,
};

/**
 * struct driver_objects - numbers at a time
 * @n: objects by enum driver_object
 * @allocations: allocations minus frees of the driver, of lib/devx and of the test, without EAL's
 * @descriptors: open descriptors of the process, without those of epoll: EAL's interrupt thread
 *               closes and opens one at each change of its sources; 0: not compared
 * @n_pools: mempools
 * @heap_bytes: allocated bytes of EAL's heap
 */

struct driver_objects {
	int n[DRIVER_N_OBJECTS];
	int allocations;
	unsigned int descriptors, n_pools;
	uint64_t heap_bytes;
};

/** driver_objects_add - count @n more objects; for wrapped calls elsewhere */
void driver_objects_add(enum driver_object kind, int n);
/** driver_objects_count - get the present numbers */
struct driver_objects driver_objects_count(void);
/** driver_objects_expect - expect as many objects as at @then; the process may hold more */
void driver_objects_expect(const struct driver_objects *then);
/**
 * driver_objects_expect_all - expect no more descriptors than at @then, and all others as then
 *
 * The bytes of the heap count only if as many mempools exist as then.
 */
void driver_objects_expect_all(const struct driver_objects *then);
/** driver_objects_count_heap_bytes - count allocated bytes of EAL's heap */
uint64_t driver_objects_count_heap_bytes(void);

#endif
