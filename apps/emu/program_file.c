/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

/** struct elf - a mapped 64-bit ELF file */
struct elf {
	const uint8_t *base;
	size_t bytes;
};

static const void *get_range(const struct elf *e, uint64_t at, uint64_t bytes)
{
	return at <= e->bytes && bytes <= e->bytes - at ? e->base + at : NULL;
}

/* Opens the file that execvp() would run. Return: a descriptor, or -1 */
static int open_program(const char *name)
{
	const char *path = getenv("PATH");
	int fd = -1;

	if (strchr(name, '/'))
		return open(name, O_RDONLY | O_CLOEXEC);
	for (path = path ? path : "/bin:/usr/bin"; fd < 0;) {
		const int dir_bytes = (int)strcspn(path, ":");
		char file[4096];

		snprintf(file, sizeof(file), "%.*s/%s", dir_bytes, dir_bytes ? path : ".", name);
		if (!access(file, X_OK))
			fd = open(file, O_RDONLY | O_CLOEXEC);
		path += dir_bytes;
		if (!*path++)
			break;
	}
	return fd;
}

static bool map_program(const char *name, struct elf *e)
{
	const int fd = open_program(name);
	const Elf64_Ehdr *hdr;
	struct stat st;

	*e = (struct elf){ .base = MAP_FAILED };
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
		e->bytes = (size_t)st.st_size;
		e->base = mmap(NULL, e->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	if (e->base == MAP_FAILED)
		return false;
	hdr = get_range(e, 0, sizeof(*hdr));
	if (hdr && !memcmp(hdr->e_ident, ELFMAG, SELFMAG) && hdr->e_ident[EI_CLASS] == ELFCLASS64 &&
	    hdr->e_phentsize == sizeof(Elf64_Phdr) && hdr->e_phoff % 8 == 0 &&
	    get_range(e, hdr->e_phoff, (uint64_t)hdr->e_phnum * sizeof(Elf64_Phdr)))
		return true;
	munmap((void *)(uintptr_t)e->base, e->bytes);
	return false;
}

static const Elf64_Phdr *find_segment(const struct elf *e, uint32_t type, uint64_t addr)
{
	const Elf64_Ehdr *hdr = (const void *)e->base;
	const Elf64_Phdr *p = (const void *)(e->base + hdr->e_phoff);

	for (unsigned i = 0; i < hdr->e_phnum; i++)
		if (p[i].p_type == type && (type != PT_LOAD || addr - p[i].p_vaddr < p[i].p_filesz))
			return &p[i];
	return NULL;
}

/* Returns entry @index of the dynamic section; NULL for DT_NULL, which ends it. */
static const Elf64_Dyn *get_dynamic(const struct elf *e, uint64_t index)
{
	const Elf64_Phdr *p = find_segment(e, PT_DYNAMIC, 0);
	const Elf64_Dyn *d;

	if (!p || p->p_offset % 8 || (index + 1) * sizeof(*d) > p->p_filesz)
		return NULL;
	d = get_range(e, p->p_offset + index * sizeof(*d), sizeof(*d));
	return d && d->d_tag != DT_NULL ? d : NULL;
}

static uint64_t find_dynamic(const struct elf *e, int64_t tag)
{
	const Elf64_Dyn *d;

	for (uint64_t i = 0; (d = get_dynamic(e, i)); i++)
		if (d->d_tag == tag)
			return d->d_un.d_val;
	return 0;
}

/* Copies the name of the AddressSanitizer runtime that the program needs; if none, no change. */
static void find_runtime(const struct elf *e, char *name, size_t bytes)
{
	const uint64_t table = find_dynamic(e, DT_STRTAB);
	const Elf64_Phdr *load = find_segment(e, PT_LOAD, table);
	const Elf64_Dyn *d;

	for (uint64_t i = 0; load && (d = get_dynamic(e, i)); i++) {
		const char *needed =
			get_range(e, table - load->p_vaddr + load->p_offset + d->d_un.d_val, 1);

		if (d->d_tag != DT_NEEDED || !needed ||
		    !memchr(needed, '\0', e->bytes - (size_t)(needed - (const char *)e->base)))
			continue;
		if (!strncmp(needed, "libasan.so", 10) || strstr(needed, "clang_rt.asan"))
			snprintf(name, bytes, "%s", needed);
	}
}

void launcher_check_program_file(struct launcher *l)
{
	struct elf e;

	snprintf(l->runtime, sizeof(l->runtime), "%s", ASAN_RUNTIME);
	if (!map_program(l->program[0], &e))
		return;
	/* the dynamic loader as PROGRAM has no interpreter either, but a DT_SONAME */
	if (!find_segment(&e, PT_INTERP, 0) && !find_dynamic(&e, DT_SONAME))
		launcher_fail(0,
			      "warning: %s is statically linked, so libdevx-emu.so is not loaded "
			      "and the program sees no adapter; link it dynamically",
			      l->program[0]);
	if (!l->runtime[0])
		find_runtime(&e, l->runtime, sizeof(l->runtime));
	munmap((void *)(uintptr_t)e.base, e.bytes);
}
