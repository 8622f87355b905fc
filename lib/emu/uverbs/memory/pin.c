/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/pin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/base/libc.h"

enum { PAGE = 4096, MAX_LOG_PAGE = 31 /* mkc.log_page_size has 5 bits */ };

/* ---- is it there? --------------------------------------------------------------- */

/* /proc/self/maps, whole, terminated; or NULL. Without stdio: DPDK has thousands of lines. */
static char *read_maps(void)
{
	size_t room = 1 << 16, used = 0;
	const int fd = uv_real_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	char *buf = fd < 0 ? NULL : malloc(room);

	while (buf) {
		const ssize_t n = read(fd, buf + used, room - used - 1);

		if (n <= 0)
			break;
		used += (size_t)n;
		if (room - used < PAGE) {
			char *more = realloc(buf, room *= 2);

			if (!more) {
				free(buf);
				buf = NULL;
				break;
			}
			buf = more;
		}
	}
	if (fd >= 0)
		uv_real_close(fd);
	if (buf)
		buf[used] = '\0';
	return buf;
}

/*
 * Does the process have every byte, with the access? Lines are "start-end rwxp ...", ascending.
 * What can be written can be read, whatever the mapping says: pages have no other way.
 */
static bool mapped(uint64_t addr, uint64_t bytes, bool write)
{
	const uint64_t end = addr + bytes;
	char *maps = read_maps();
	const char *p = maps;

	while (p && *p && addr < end) {
		char *at;
		const uint64_t lo = strtoull(p, &at, 16), hi = strtoull(at + 1, &at, 16);

		if (lo > addr)
			break;
		if (hi > addr) {
			if (at[2] != 'w' && (write || at[1] != 'r'))
				break;
			addr = hi;
		}
		p = strchr(at, '\n');
		if (p)
			p++;
	}
	free(maps);
	return addr >= end;
}

/* ---- pins ----------------------------------------------------------------------- */

static void link_pin(struct uv_dev *dev, struct uv_pin *pin)
{
	pthread_mutex_lock(&dev->pins.lock);
	pin->next = dev->pins.head;
	dev->pins.head = pin;
	pthread_mutex_unlock(&dev->pins.lock);
}

int uv_pin(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes, bool write)
{
	uint64_t n;

	if (addr + bytes < addr || addr + bytes + PAGE - 1 < addr + bytes)
		return -EINVAL;
	n = uv_pages(addr, bytes, PAGE);
	if (!n || n > UINT32_MAX)
		return -EINVAL;
	if (!mapped(addr, bytes, write))
		return -EFAULT;
	*pin = (struct uv_pin){ .addr = addr, .bytes = bytes, .pinned = true, .write = write };
	link_pin(dev, pin);
	return 0;
}

int uv_pin_dmabuf(struct uv_dev *dev, struct uv_pin *pin, int fd, uint64_t off, uint64_t bytes,
		  bool write)
{
	const uint64_t skip = off & (PAGE - 1);
	struct stat st;
	void *at;

	if (!bytes || off + bytes < off)
		return -EINVAL;
	if (fd < 0 || uv_real_fstat(fd, &st))
		return -EBADF;
	if (st.st_size && (uint64_t)st.st_size < off + bytes)
		return -EINVAL;
	at = uv_real_mmap(NULL, bytes + skip, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd,
			  (off_t)(off - skip));
	if (at == MAP_FAILED)
		return errno == EACCES || errno == ENODEV ? -EINVAL : -errno;
	*pin = (struct uv_pin){ .addr = (uintptr_t)at + skip, .bytes = bytes, .pinned = true,
				.write = write, .mapped = at };
	link_pin(dev, pin);
	return 0;
}

void uv_unpin(struct uv_dev *dev, struct uv_pin *pin)
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
	if (pin->mapped)
		munmap(pin->mapped, pin->bytes + (pin->addr & (PAGE - 1)));
	*pin = (struct uv_pin){0};
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
	*from = (struct uv_pin){0};
	pthread_mutex_unlock(&dev->pins.lock);
}

/* Pages are pinned whole: a translation may begin and end where its page does. */
static bool covers(const struct uv_pin *p, uint64_t addr, uint64_t end)
{
	return addr >= (p->addr & ~(uint64_t)(PAGE - 1)) &&
	       end <= ((p->addr + p->bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1));
}

static void *map(void *host, uint64_t addr, size_t bytes, bool write)
{
	struct uv_dev *dev = *(struct uv_dev **)host;
	const struct uv_pin *p;

	pthread_mutex_lock(&dev->pins.lock);
	p = dev->pins.head;
	while (p && !(covers(p, addr, addr + bytes) && (p->write || !write)))
		p = p->next;
	pthread_mutex_unlock(&dev->pins.lock);
	return p ? (void *)(uintptr_t)addr : NULL;
}

static void irq(void *host, uint16_t vector)
{
	uv_dev_irq(*(struct uv_dev **)host, vector);
}

const struct emu_host_ops uv_host_ops = { .map = map, .irq = irq };

/* ---- page sizes ----------------------------------------------------------------- */

/*
 * Here memory is one piece in DMA space, so only alignment limits the page. Above 4 KiB
 * Linux wants a page list that is exactly the range: no offset, no rest.
 */
static uint64_t whole_page(uint64_t addr, uint64_t bytes, uint64_t page)
{
	while (page > PAGE && (addr % page || bytes % page))
		page /= 2;
	return page;
}

uint64_t uv_umem_page(uint64_t addr, uint64_t bytes, uint64_t bitmap)
{
	uint64_t top = PAGE;

	while (top < bytes)
		top *= 2;
	bitmap &= (top * 2 - 1) & ~(uint64_t)(PAGE - 1);
	if (!bitmap)
		return 0;
	return whole_page(addr, bytes, 1ull << (63 - __builtin_clzll(bitmap)));
}

uint64_t uv_mr_page(uint64_t addr, uint64_t bytes, uint64_t iova)
{
	uint64_t page = 1ull << MAX_LOG_PAGE;

	while (page > PAGE && (addr ^ iova) % page)
		page /= 2;
	if ((addr ^ iova) % PAGE)
		return 0;
	return whole_page(addr, bytes, page);
}

uint64_t uv_pages(uint64_t addr, uint64_t bytes, uint64_t page)
{
	return (addr % page + bytes + page - 1) / page;
}
