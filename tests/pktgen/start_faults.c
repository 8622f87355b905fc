/* SPDX-License-Identifier: BSD-3-Clause
 *
 * devx-pktgen whose calls fail on request: -Wl,--wrap (meson.build) redirects the calls of its
 * own files, but not those of libraries. tests/scripts/pktgen-start.py runs it.
 *
 * With PKTGEN_FAULT=calloc:3 the third call of calloc() fails; with other_mtu:3, the third MTU is
 * another one; with hugepages:1, hugepages are free when devx-pktgen looks for the first time.
 * no_link, no_speed, no_node, fast_free and pauses persist: with no_link:3, the third call and all
 * later ones return another answer. At exit, the program writes two numbers to the
 * file PKTGEN_FAULT_LOG: 1 if the fault happened, else 0; and the number of objects that
 * devx-pktgen did not free.
 */
#undef _FILE_OFFSET_BITS /* with it the headers rename mmap to mmap64 */
#include <errno.h>
#include <hwloc.h>
#include <jansson.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_ring.h>

enum { MAX_LIVE = 1 << 16, NAME_BYTES = 64 };

static char fault[NAME_BYTES];
static unsigned fault_at, n_calls;
static bool has_happened;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *live[MAX_LIVE]; /* objects that wrapped calls returned and nobody has freed */
static unsigned n_live;

void *__real_calloc(size_t n, size_t bytes);
void __real_free(void *p);

static void write_log(void)
{
	const char *path = getenv("PKTGEN_FAULT_LOG");
	FILE *f = path ? fopen(path, "we") : NULL;

	if (f) {
		fprintf(f, "%d %u\n", has_happened, n_live);
		fclose(f);
	}
	fault[0] = '\0'; /* the end of the process is not the subject */
}

__attribute__((constructor)) static void read_fault(void)
{
	const char *text = getenv("PKTGEN_FAULT");

	if ((text && sscanf(text, "%63[^:]:%u", fault, &fault_at) != 2) || atexit(write_log))
		abort();
}

/* Returns whether this call of @name is the one that fails. */
static bool must_fail(const char *name)
{
	bool is_it;

	if (strcmp(name, fault) != 0)
		return false;
	pthread_mutex_lock(&lock);
	is_it = ++n_calls == fault_at;
	has_happened |= is_it;
	pthread_mutex_unlock(&lock);
	return is_it;
}

/* Returns whether this call of @name gives another answer. */
static bool gives_other(const char *name)
{
	return must_fail(name) || (has_happened && !strcmp(name, fault));
}

static void *keep_object(void *p)
{
	pthread_mutex_lock(&lock);
	if (p && n_live < MAX_LIVE)
		live[n_live++] = p;
	pthread_mutex_unlock(&lock);
	return p;
}

static void forget_object(const void *p)
{
	pthread_mutex_lock(&lock);
	for (unsigned i = n_live; p && i-- > 0;) {
		if (live[i] != p)
			continue;
		live[i] = live[--n_live];
		break;
	}
	pthread_mutex_unlock(&lock);
}

/* ---- calls that return what somebody must free ----------------------------------- */

#define MAKES(type, name, parameters, arguments)                                                   \
	type *__real_##name parameters;                                                            \
	type *__wrap_##name parameters;                                                            \
	type *__wrap_##name parameters                                                             \
	{                                                                                          \
		if (must_fail(#name)) {                                                            \
			rte_errno = errno = ENOMEM;                                                \
			return NULL;                                                               \
		}                                                                                  \
		return keep_object(__real_##name arguments);                                       \
	}

#define FREES(name, type)                                                                          \
	void __real_##name(type *p);                                                               \
	void __wrap_##name(type *p);                                                               \
	void __wrap_##name(type *p)                                                                \
	{                                                                                          \
		forget_object(p);                                                                  \
		__real_##name(p);                                                                  \
	}

MAKES(void, malloc, (size_t bytes), (bytes))
MAKES(void, calloc, (size_t n, size_t bytes), (n, bytes))
MAKES(void, aligned_alloc, (size_t align, size_t bytes), (align, bytes))
MAKES(char, strdup, (const char *text), (text))
MAKES(char, strndup, (const char *text, size_t n), (text, n))
MAKES(char, json_dumps, (const json_t *j, size_t flags), (j, flags))
MAKES(struct rte_mempool, rte_pktmbuf_pool_create,
      (const char *name, unsigned n, unsigned cache, uint16_t private, uint16_t bytes, int socket),
      (name, n, cache, private, bytes, socket))
MAKES(struct rte_ring, rte_ring_create, (const char *name, unsigned n, int socket, unsigned flags),
      (name, n, socket, flags))
MAKES(struct hwloc_bitmap_s, hwloc_bitmap_alloc, (void), ())
FREES(hwloc_bitmap_free, struct hwloc_bitmap_s)
FREES(free, void)
FREES(rte_mempool_free, struct rte_mempool)
FREES(rte_ring_free, struct rte_ring)

void *__real_realloc(void *p, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes)
{
	if (must_fail("realloc"))
		return NULL;
	forget_object(p);
	return keep_object(__real_realloc(p, bytes));
}

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list args;
	int n;

	if (must_fail("asprintf"))
		return -1;
	va_start(args, format);
	n = vasprintf(text, format, args);
	va_end(args);
	keep_object(*text);
	return n;
}

FILE *__real_open_memstream(char **text, size_t *bytes);
FILE *__wrap_open_memstream(char **text, size_t *bytes);
FILE *__wrap_open_memstream(char **text, size_t *bytes)
{
	return must_fail("open_memstream") ? NULL : __real_open_memstream(text, bytes);
}

void *__real_mmap64(void *at, size_t bytes, int rights, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t bytes, int rights, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t bytes, int rights, int flags, int fd, off_t offset)
{
	return must_fail("mmap64")
		       ? MAP_FAILED
		       : keep_object(__real_mmap64(at, bytes, rights, flags, fd, offset));
}

int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes)
{
	forget_object(at);
	return __real_munmap(at, bytes);
}

/* ---- calls that return an error -------------------------------------------------- */

#define RETURNS(error, name, parameters, arguments)                                                \
	int __real_##name parameters;                                                              \
	int __wrap_##name parameters;                                                              \
	int __wrap_##name parameters                                                               \
	{                                                                                          \
		if (!must_fail(#name))                                                             \
			return __real_##name arguments;                                            \
		errno = EIO;                                                                       \
		rte_errno = EIO;                                                                   \
		return error;                                                                      \
	}

RETURNS(-EIO, rte_eth_dev_configure,
	(uint16_t port, uint16_t n_rx, uint16_t n_tx, const struct rte_eth_conf *conf),
	(port, n_rx, n_tx, conf))
RETURNS(-EIO, rte_eth_rx_queue_setup,
	(uint16_t port, uint16_t queue, uint16_t n, unsigned socket,
	 const struct rte_eth_rxconf *conf, struct rte_mempool *pool),
	(port, queue, n, socket, conf, pool))
RETURNS(-EIO, rte_eth_tx_queue_setup,
	(uint16_t port, uint16_t queue, uint16_t n, unsigned socket,
	 const struct rte_eth_txconf *conf),
	(port, queue, n, socket, conf))
RETURNS(-EIO, rte_eth_dev_start, (uint16_t port), (port))
RETURNS(-EIO, rte_eth_dev_set_mtu, (uint16_t port, uint16_t mtu), (port, mtu))
RETURNS(-EIO, rte_eth_promiscuous_enable, (uint16_t port), (port))
RETURNS(-EIO, rte_eth_dev_get_port_by_name, (const char *name, uint16_t *port), (name, port))
RETURNS(-EIO, rte_eth_xstats_get, (uint16_t port, struct rte_eth_xstat *x, unsigned n),
	(port, x, n))
RETURNS(-1, rte_mbuf_dyn_rx_timestamp_register, (int *offset, uint64_t *flag), (offset, flag))
RETURNS(-EIO, rte_eth_read_clock, (uint16_t port, uint64_t *clock), (port, clock))
RETURNS(-1, hwloc_topology_init, (hwloc_topology_t * t), (t))
RETURNS(-1, hwloc_topology_load, (hwloc_topology_t t), (t))
RETURNS(-1, memfd_create, (const char *name, unsigned flags), (name, flags))
RETURNS(EIO, pthread_getcpuclockid, (pthread_t thread, clockid_t *clock), (thread, clock))

/* ---- other answers ---------------------------------------------------------------- */

int __real_rte_eth_link_get_nowait(uint16_t port, struct rte_eth_link *link);
int __wrap_rte_eth_link_get_nowait(uint16_t port, struct rte_eth_link *link);
int __wrap_rte_eth_link_get_nowait(uint16_t port, struct rte_eth_link *link)
{
	const int rc = __real_rte_eth_link_get_nowait(port, link);

	if (gives_other("no_link"))
		link->link_status = RTE_ETH_LINK_DOWN;
	if (gives_other("no_speed"))
		link->link_speed = RTE_ETH_SPEED_NUM_UNKNOWN;
	return rc;
}

int __real_rte_eth_dev_socket_id(uint16_t port);
int __wrap_rte_eth_dev_socket_id(uint16_t port);
int __wrap_rte_eth_dev_socket_id(uint16_t port)
{
	return gives_other("no_node") ? SOCKET_ID_ANY : __real_rte_eth_dev_socket_id(port);
}

/* fast_free: the driver says that it frees all buffers of a queue to one pool, and it does not. */
int __real_rte_eth_dev_info_get(uint16_t port, struct rte_eth_dev_info *info);
int __wrap_rte_eth_dev_info_get(uint16_t port, struct rte_eth_dev_info *info);
int __wrap_rte_eth_dev_info_get(uint16_t port, struct rte_eth_dev_info *info)
{
	int rc = -EIO;

	if (!must_fail("rte_eth_dev_info_get"))
		rc = __real_rte_eth_dev_info_get(port, info);
	if (gives_other("fast_free"))
		info->tx_offload_capa |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	return rc;
}

/* hugepages: 1 TiB is free. EAL reads the file without this function. */
FILE *__real_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode)
{
	static char many[] = "524288";

	if (strstr(path, "/free_hugepages") && must_fail("hugepages"))
		return fmemopen(many, strlen(many), "r");
	return __real_fopen64(path, mode);
}

/* other_mtu: the port has MTU 1400 when devx-pktgen finds it. */
int __real_rte_eth_dev_get_mtu(uint16_t port, uint16_t *mtu);
int __wrap_rte_eth_dev_get_mtu(uint16_t port, uint16_t *mtu);
int __wrap_rte_eth_dev_get_mtu(uint16_t port, uint16_t *mtu)
{
	int rc = -EIO;

	if (!must_fail("rte_eth_dev_get_mtu"))
		rc = __real_rte_eth_dev_get_mtu(port, mtu);
	if (must_fail("other_mtu"))
		*mtu = 1400;
	return rc;
}

/* Takes all packets for pause frames, of two kinds. */
int __real_rte_eth_xstats_get_names(uint16_t port, struct rte_eth_xstat_name *names, unsigned n);
int __wrap_rte_eth_xstats_get_names(uint16_t port, struct rte_eth_xstat_name *names, unsigned n);
int __wrap_rte_eth_xstats_get_names(uint16_t port, struct rte_eth_xstat_name *names, unsigned n)
{
	const int count = __real_rte_eth_xstats_get_names(port, names, n);

	if (!gives_other("pauses"))
		return must_fail("rte_eth_xstats_get_names") ? -EIO : count;
	for (int i = 0; names && i < count; i++) {
		if (!strcmp(names[i].name, "rx_good_packets"))
			strcpy(names[i].name, "rx_xon_packets");
		else if (!strcmp(names[i].name, "tx_good_packets"))
			strcpy(names[i].name, "rx_xoff_packets");
	}
	return count;
}

/* A wait for a link takes no time. */
int __wrap_usleep(useconds_t us);
int __wrap_usleep(useconds_t us)
{
	struct timespec t = { .tv_nsec = (long)us * 1000 };

	return strcmp(fault, "no_link") ? nanosleep(&t, NULL) : 0;
}
