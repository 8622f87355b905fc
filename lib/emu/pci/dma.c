/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/state.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KNOWN_FLAGS = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE, PAGE = 4096 };

/* Returns the index of the first area that ends after @addr, or n_dma. */
static unsigned find_area(const struct emu_pci *pci, uint64_t addr)
{
	unsigned low = 0, high = pci->n_dma;

	while (low < high) {
		const unsigned mid = (low + high) / 2;

		if (pci->dma[mid].addr + pci->dma[mid].bytes <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void *pci_dma_translate(void *host, uint64_t addr, size_t bytes, bool write)
{
	const struct emu_pci *pci = host;
	const unsigned i = find_area(pci, addr);
	const struct pci_dma *d = &pci->dma[i];

	if (i == pci->n_dma || addr < d->addr || bytes > d->addr + d->bytes - addr)
		return NULL;
	if (!d->at || (write && !d->write))
		return NULL;
	return d->at + (addr - d->addr);
}

/* Returns the area that contains the byte at @at, or NULL. */
static struct pci_dma *find_host_area(struct emu_pci *pci, const uint8_t *at)
{
	for (unsigned i = 0; i < pci->n_dma; i++) {
		struct pci_dma *d = &pci->dma[i];

		if (d->at && at >= d->at && (uint64_t)(at - d->at) < d->bytes)
			return d;
	}
	return NULL;
}

bool pci_dma_owns(void *host, const void *at)
{
	return find_host_area(host, at);
}

void pci_dma_lose(void *host, const void *at)
{
	struct pci_dma *d = find_host_area(host, at);

	if (d->lost)
		return;
	d->lost = true;
	pci_say(host,
		"area at DMA address 0x%llx: the client truncated its file, so accesses fail; give "
		"the machine memory that cannot shrink (QEMU: memory-backend-memfd)",
		(unsigned long long)d->addr);
}

/* Maps a part of the client's file, but not beyond its end, where an access raises SIGBUS. */
static int map_file(struct emu_pci *pci, const struct vfu_dma_map *map, int fd, uint8_t **at)
{
	const int prot = PROT_READ | (map->flags & VFIO_DMA_MAP_FLAG_WRITE ? PROT_WRITE : 0);
	struct stat st;
	void *p;

	if (fstat(fd, &st))
		return errno;
	if (map->offset > (uint64_t)st.st_size || map->bytes > (uint64_t)st.st_size - map->offset) {
		pci_say(pci, "DMA_MAP: 0x%llx bytes at offset 0x%llx, but the file has 0x%llx",
			(unsigned long long)map->bytes, (unsigned long long)map->offset,
			(unsigned long long)st.st_size);
		return EINVAL;
	}
	p = mmap(NULL, map->bytes, prot, MAP_SHARED, fd, (off_t)map->offset);
	if (p == MAP_FAILED) {
		pci_say(pci, "DMA_MAP: cannot map the file: %s", strerror(errno));
		return errno;
	}
	*at = p;
	return 0;
}

int pci_dma_map(struct emu_pci *pci, const struct vfu_dma_map *map, int fd)
{
	struct pci_dma area = { .addr = map->addr,
				.bytes = map->bytes,
				.write = map->flags & VFIO_DMA_MAP_FLAG_WRITE };
	unsigned i;
	int error;

	if (!map->bytes || map->addr + map->bytes < map->addr || map->flags & ~KNOWN_FLAGS ||
	    (map->addr | map->bytes | map->offset) % PAGE) {
		pci_say(pci,
			"DMA_MAP: address 0x%llx, 0x%llx bytes, offset 0x%llx, flags 0x%x (valid: "
			"multiples of %d, flags 1 read, 2 write)",
			(unsigned long long)map->addr, (unsigned long long)map->bytes,
			(unsigned long long)map->offset, map->flags, PAGE);
		return EINVAL;
	}
	i = find_area(pci, map->addr);
	if (i < pci->n_dma && pci->dma[i].addr < map->addr + map->bytes) {
		pci_say(pci, "DMA_MAP: address 0x%llx, 0x%llx bytes: overlaps the area at 0x%llx",
			(unsigned long long)map->addr, (unsigned long long)map->bytes,
			(unsigned long long)pci->dma[i].addr);
		return EEXIST;
	}
	if (pci->n_dma == PCI_MAX_DMA) {
		pci_say(pci, "DMA_MAP: too many areas (valid: at most %d)", PCI_MAX_DMA);
		return ENOSPC;
	}
	error = fd < 0 ? 0 : map_file(pci, map, fd, &area.at);
	if (error)
		return error;

	emu_lock(pci->adapter);
	memmove(&pci->dma[i + 1], &pci->dma[i], (pci->n_dma - i) * sizeof(area));
	pci->dma[i] = area;
	pci->n_dma++;
	emu_unlock(pci->adapter);
	return 0;
}

/* Removes the area from the table, makes all objects forget it, and unmaps it last. */
static void drop_area(struct emu_pci *pci, unsigned i)
{
	const struct pci_dma area = pci->dma[i];

	emu_lock(pci->adapter);
	pci->n_dma--;
	memmove(&pci->dma[i], &pci->dma[i + 1], (pci->n_dma - i) * sizeof(area));
	emu_unlock(pci->adapter);
	emu_invalidate(pci->emu, area.addr, area.bytes);
	if (area.at)
		munmap(area.at, area.bytes);
}

int pci_dma_unmap(struct emu_pci *pci, const struct vfu_dma_unmap *unmap)
{
	const unsigned i = find_area(pci, unmap->addr);

	if (unmap->flags == VFIO_DMA_UNMAP_FLAG_ALL) {
		pci_dma_drop_all(pci);
		return 0;
	}
	if (unmap->flags) {
		pci_say(pci, "DMA_UNMAP: flags 0x%x (valid: 0 = one area, 2 = all areas)",
			unmap->flags);
		return EINVAL;
	}
	if (i == pci->n_dma || pci->dma[i].addr != unmap->addr ||
	    pci->dma[i].bytes != unmap->bytes) {
		pci_say(pci, "DMA_UNMAP: address 0x%llx, 0x%llx bytes: no such area",
			(unsigned long long)unmap->addr, (unsigned long long)unmap->bytes);
		return ENOENT;
	}
	drop_area(pci, i);
	return 0;
}

void pci_dma_drop_all(struct emu_pci *pci)
{
	while (pci->n_dma)
		drop_area(pci, pci->n_dma - 1);
}
