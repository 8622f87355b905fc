/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEMORY_EVENT_H
#define MEMORY_EVENT_H

#include <stddef.h>

#include <rte_memory.h>

/**
 * DOC: Events of EAL's memory
 *
 * EAL without hugepages knows no memory events. This program interposes the functions that register
 * and unregister callbacks for them, so that a test can call the callbacks of all started ports.
 */

/** memory_event_raise - call each registered callback, as EAL does for memory that comes or goes */
void memory_event_raise(enum rte_mem_event type, const void *addr, size_t bytes);

#endif
