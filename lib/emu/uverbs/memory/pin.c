/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/pin.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/memory/dmabuf.h"
#include "emu/uverbs/memory/maps.h"
#include "emu/uverbs/memory/page_size.h"

enum { PAGE = 4096 };

static void link_pin(struct uv_dev *dev, struct uv_pin *pin)
{
	pthread_mutex_lock(&dev->pins.lock);
	pin->next = dev->pins.head;
	dev->pins.head = pin;
	pthread_mutex_unlock(&dev->pins.lock);
}

int uv_pin_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes, bool write)
{
	uint64_t n;

	if (addr + bytes < addr || addr + bytes + PAGE - 1 < addr + bytes)
		return -EINVAL;
	n = uv_count_pages(addr, bytes, PAGE);
	if (!n || n > UINT32_MAX)
		return -EINVAL;
	if (!uv_maps_cover(addr, bytes, write))
		return -EFAULT;
	*pin = (struct uv_pin){ .addr = addr, .bytes = bytes, .pinned = true, .write = write };
	link_pin(dev, pin);
	return 0;
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
	rc = uv_dmabuf_get_size(fd, &size);
	if (rc)
		return rc;
	if (!bytes || size < off + bytes)
		return -EINVAL;
	at = uv_real_mmap(NULL, bytes + skip, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd,
			  (off_t)(off - skip));
	if (at == MAP_FAILED)
		return errno == ENOMEM ? -ENOMEM : -EOPNOTSUPP;
	*pin = (struct uv_pin){ .addr = (uintptr_t)at + skip,
				.bytes = bytes,
				.pinned = true,
				.write = write,
				.mapped = at };
	link_pin(dev, pin);
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
	if (pin->mapped)
		munmap(pin->mapped, pin->bytes + (pin->addr & (PAGE - 1)));
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

/* Returns true if [addr, end) lies in the pages of the pin. Linux pins whole pages. */
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
