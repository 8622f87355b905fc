/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_malloc.h>

#include "ct.h"
#include "driver_calls.h"

/* Defines a call of @type that the linker redirects here, and the function behind it. */
#define WRAP(type, name, parameters)                                                               \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters

/* ---- allocations ------------------------------------------------------------------------ */

static atomic_int left = -1; /* allocations before the one that fails; < 0: none fails */

void driver_calls_fail_alloc(int k)
{
	left = k;
}

int driver_calls_get_pending_fault(void)
{
	return left;
}

static bool should_fail(void)
{
	int n = left;

	while (n >= 0)
		if (atomic_compare_exchange_weak(&left, &n, n - 1))
			return n == 0;
	return false;
}

WRAP(void *, malloc, (size_t bytes))
{
	return should_fail() ? NULL : __real_malloc(bytes);
}

WRAP(void *, calloc, (size_t n, size_t bytes))
{
	return should_fail() ? NULL : __real_calloc(n, bytes);
}

WRAP(void *, realloc, (void *old, size_t bytes))
{
	return should_fail() ? NULL : __real_realloc(old, bytes);
}

WRAP(void *, rte_malloc, (const char *type, size_t bytes, unsigned align))
{
	return should_fail() ? NULL : __real_rte_malloc(type, bytes, align);
}

WRAP(void *, rte_malloc_socket, (const char *type, size_t bytes, unsigned align, int socket))
{
	return should_fail() ? NULL : __real_rte_malloc_socket(type, bytes, align, socket);
}

WRAP(void *, rte_zmalloc_socket, (const char *type, size_t bytes, unsigned align, int socket))
{
	return should_fail() ? NULL : __real_rte_zmalloc_socket(type, bytes, align, socket);
}

/* ---- mutexes ---------------------------------------------------------------------------- */

enum { HELD_MAX = 16 };
static __thread const pthread_mutex_t *held[HELD_MAX]; /* by this thread; NULL: a free place */

static const pthread_mutex_t **find_held(const void *mutex)
{
	for (int i = 0; i < HELD_MAX; i++)
		if (held[i] == mutex)
			return &held[i];
	return NULL;
}

bool driver_calls_hold(const void *mutex)
{
	return find_held(mutex) != NULL;
}

static void note_lock(const pthread_mutex_t *mutex)
{
	const pthread_mutex_t **place = find_held(NULL);

	if (place)
		*place = mutex;
	else
		ADD_FAILURE("a thread holds more than %d mutexes", HELD_MAX);
}

WRAP(int, pthread_mutex_lock, (pthread_mutex_t * mutex))
{
	int rc;

	if (find_held(mutex)) {
		ADD_FAILURE("mutex %p: the thread holds it already", (void *)mutex);
		abort(); /* it would wait for ever */
	}
	rc = __real_pthread_mutex_lock(mutex);
	if (!rc)
		note_lock(mutex);
	return rc;
}

WRAP(int, pthread_mutex_trylock, (pthread_mutex_t * mutex))
{
	const int rc = __real_pthread_mutex_trylock(mutex);

	if (!rc)
		note_lock(mutex);
	return rc;
}

WRAP(int, pthread_mutex_unlock, (pthread_mutex_t * mutex))
{
	const pthread_mutex_t **place = find_held(mutex);

	if (!place) {
		ADD_FAILURE("mutex %p: unlocked by a thread that does not hold it", (void *)mutex);
		return EPERM;
	}
	*place = NULL;
	return __real_pthread_mutex_unlock(mutex);
}

WRAP(int, pthread_mutex_destroy, (pthread_mutex_t * mutex))
{
	const int rc = __real_pthread_mutex_destroy(mutex);

	EXPECT_EQ(0, rc); /* no thread holds it */
	return rc;
}
