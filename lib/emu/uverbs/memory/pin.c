/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/pin.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "emu/uverbs/base/capability.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/memory/maps.h"
#include "emu/uverbs/memory/page_size.h"

/* emu accepts a memfd of this name in place of a dma-buf. */
#define DMABUF_STAND_IN "devx-emu-dmabuf"

static bool is_stand_in(int fd)
{
	static const char name[] = "/memfd:" DMABUF_STAND_IN " (deleted)";
	char path[32], target[sizeof(name)];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target));
	return n == sizeof(name) - 1 && !memcmp(target, name, (size_t)n);
}

/*
 * Reads the size of a dma-buf, or of a stand-in. Recognizes a dma-buf by its file system (Linux
 * drivers/dma-buf/dma-buf.c). Return: 0; -EBADF: @fd is not open; -EINVAL: another kind of file
 */
static int get_dmabuf_bytes(int fd, uint64_t *bytes)
{
	struct statfs fs;
	struct stat st;

	if (fd < 0 || uv_real_fstat(fd, &st) || fstatfs(fd, &fs))
		return -EBADF;
	if (fs.f_type != DMA_BUF_MAGIC && !is_stand_in(fd))
		return -EINVAL;
	*bytes = (uint64_t)st.st_size;
	return 0;
}

enum { PAGE = 4096 };

static void insert_pin(struct uv_dev *dev, struct uv_pin *pin)
{
	pthread_mutex_lock(&dev->pins.lock);
	pin->next = dev->pins.head;
	dev->pins.head = pin;
	pthread_mutex_unlock(&dev->pins.lock);
}

/* Returns RLIMIT_MEMLOCK in bytes, or RLIM_INFINITY where it does not apply. */
static rlim_t get_lock_limit(void)
{
	struct rlimit limit;

	if (uv_caller || !uv_front.shared->memlock || uv_has_granted("ipc_lock") ||
	    getrlimit(RLIMIT_MEMLOCK, &limit))
		return RLIM_INFINITY;
	return limit.rlim_cur;
}

/*
 * Checks a range and its @n pages in the order of Linux' ib_umem_get(). Like Linux (mm->pinned_vm),
 * counts pages per process, and a page once for each registration. Like Linux, compares with the
 * limit before anything looks at the memory.
 */
static int validate_range(uint64_t addr, uint64_t bytes, uint64_t n, rlim_t limit)
{
	if (addr + bytes < addr || addr + bytes + PAGE - 1 < addr + bytes)
		return -EINVAL;
	if (!limit)
		return -EPERM;
	if (!n || n > UINT32_MAX)
		return -EINVAL;
	return limit != RLIM_INFINITY && uv_front.n_locked + n > limit / PAGE ? -ENOMEM : 0;
}

static void add_pin(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes,
		    bool write)
{
	*pin = (struct uv_pin){ .addr = addr, .bytes = bytes, .pinned = true, .write = write };
	insert_pin(dev, pin);
}

/* Pins memory of another process, on whose behalf the current call runs. */
static int pin_callers_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes,
			     bool write)
{
	struct uv_area area = { 0 };
	const int rc = uv_caller->map_memory(uv_caller, addr, bytes, write, &area);

	if (rc)
		return rc;
	add_pin(dev, pin, area.at, bytes, write);
	pin->user_addr = addr;
	pin->mapped = area.base;
	pin->mapped_bytes = area.bytes;
	return 0;
}

int uv_pin_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes, bool write)
{
	const uint64_t n = uv_count_pages(addr, bytes, PAGE);
	const int rc = validate_range(addr, bytes, n, get_lock_limit());

	if (rc)
		return rc;
	if (uv_caller)
		return pin_callers_range(dev, pin, addr, bytes, write);
	if (!uv_maps_cover(addr, bytes, write))
		return -EFAULT;
	add_pin(dev, pin, addr, bytes, write);
	pin->user_addr = addr;
	pin->n_counted = n;
	uv_front.n_locked += n;
	return 0;
}

int uv_pin_kernel_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes)
{
	const int rc =
		validate_range(addr, bytes, uv_count_pages(addr, bytes, PAGE), RLIM_INFINITY);

	if (!rc)
		add_pin(dev, pin, addr, bytes, true);
	return rc;
}

enum { ENOTSUPP = 524 }; /* include/linux/errno.h of Linux; libc has no text for it */

/*
 * Maps a dma-buf, or reserves addresses for it if the exporter refuses mmap(). Returns MAP_FAILED
 * with errno EACCES if the descriptor does not permit the access.
 */
static void *map_dmabuf(int fd, uint64_t off, uint64_t bytes, bool write)
{
	void *at = uv_real_mmap(NULL, bytes, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd,
				(off_t)off);

	if (at != MAP_FAILED || errno == ENOMEM || errno == EACCES)
		return at;
	uv_warn(EMU_WARN_UNMAPPED_DMABUF,
		"dma-buf fd %d: its exporter refuses mmap() (%s); it can be registered, but emu "
		"moves no packet there",
		fd, errno == ENOTSUPP ? "ENOTSUPP" : strerror(errno));
	return uv_real_mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			    0);
}

int uv_pin_dmabuf(struct uv_dev *dev, struct uv_pin *pin, int fd, uint64_t off, uint64_t bytes,
		  bool write)
{
	const uint64_t skip = off & (PAGE - 1);
	uint64_t size;
	void *at;
	int rc;

	if (off + bytes < off)
		return -EINVAL;
	rc = get_dmabuf_bytes(fd, &size);
	if (rc)
		return rc;
	if (!bytes || size < off + bytes)
		return -EINVAL;
	at = map_dmabuf(fd, off - skip, bytes + skip, write);
	if (at == MAP_FAILED)
		return errno == ENOMEM ? -ENOMEM : -EOPNOTSUPP;
	*pin = (struct uv_pin){ .addr = (uintptr_t)at + skip,
				.bytes = bytes,
				.pinned = true,
				.write = write,
				.mapped = at,
				.mapped_bytes = bytes + skip };
	insert_pin(dev, pin);
	return 0;
}

void uv_pin_release(struct uv_dev *dev, struct uv_pin *pin)
{
	if (!pin->pinned)
		return;
	pthread_mutex_lock(&dev->pins.lock);
	for (struct uv_pin **at = &dev->pins.head; *at; at = &(*at)->next) {
		if (*at == pin) {
			*at = pin->next;
			break;
		}
	}
	pthread_mutex_unlock(&dev->pins.lock);
	uv_front.n_locked -= pin->n_counted;
	if (pin->mapped)
		munmap(pin->mapped, pin->mapped_bytes);
	*pin = (struct uv_pin){ 0 };
}

void uv_pin_move(struct uv_dev *dev, struct uv_pin *to, struct uv_pin *from)
{
	pthread_mutex_lock(&dev->pins.lock);
	for (struct uv_pin **at = &dev->pins.head; *at; at = &(*at)->next) {
		if (*at == from) {
			*at = to;
			break;
		}
	}
	*to = *from;
	*from = (struct uv_pin){ 0 };
	pthread_mutex_unlock(&dev->pins.lock);
}

/* Compares with the whole pages of the pin, because Linux pins whole pages. */
static bool pin_covers(const struct uv_pin *p, uint64_t addr, uint64_t end)
{
	return addr >= (p->addr & ~(uint64_t)(PAGE - 1)) &&
	       end <= ((p->addr + p->bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1));
}

const struct uv_pin *uv_pin_find(struct uv_dev *dev, uint64_t addr, uint64_t bytes, bool write)
{
	const struct uv_pin *p;

	pthread_mutex_lock(&dev->pins.lock);
	p = dev->pins.head;
	while (p && !(pin_covers(p, addr, addr + bytes) && (p->write || !write)))
		p = p->next;
	pthread_mutex_unlock(&dev->pins.lock);
	return p;
}
