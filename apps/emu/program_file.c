/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "report.h"

enum { PATH_BYTES = 4096 };

/* Finds the file that execvp() would run. @path: has PATH_BYTES */
static bool find_program(const char *name, char *path)
{
	const char *dirs = getenv("PATH");

	if (strchr(name, '/')) {
		snprintf(path, PATH_BYTES, "%s", name);
		return true;
	}
	for (dirs = dirs ? dirs : "/bin:/usr/bin";;) {
		const int dir_bytes = (int)strcspn(dirs, ":");

		snprintf(path, PATH_BYTES, "%.*s/%s", dir_bytes, dir_bytes ? dirs : ".", name);
		if (!access(path, X_OK))
			return true;
		dirs += dir_bytes;
		if (!*dirs++)
			return false;
	}
}

/* Replaces the path of a script by the path of its interpreter. Returns false for other files. */
static bool find_interpreter(char *path)
{
	char line[256] = { 0 }; /* Linux also reads 256 bytes (BINPRM_BUF_SIZE) */
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	const char *name = line + 2 + strspn(line + 2, " \t");

	if (fd >= 0)
		close(fd);
	if (n < 2 || line[0] != '#' || line[1] != '!')
		return false;
	snprintf(path, PATH_BYTES, "%.*s", (int)strcspn(name, " \t\n"), name);
	return true;
}

static bool has_capabilities(const char *path)
{
	struct vfs_ns_cap_data caps = { 0 };

	if (getxattr(path, "security.capability", &caps, sizeof(caps)) < 0)
		return false;
	return le32toh(caps.magic_etc) & VFS_CAP_FLAGS_EFFECTIVE || caps.data[0].permitted ||
	       caps.data[1].permitted;
}

/*
 * Returns why Linux starts the file in secure mode (AT_SECURE), or NULL: see bprm_fill_uid() and
 * cap_bprm_creds_from_file(). Inheritable capabilities alone do not cause secure mode.
 */
static const char *find_secure_reason(const char *path)
{
	const bool ignores_setid = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
	const mode_t setgid = S_ISGID | S_IXGRP;
	struct statvfs fs;
	struct stat st;

	if (stat(path, &st) || statvfs(path, &fs) || fs.f_flag & ST_NOSUID)
		return NULL;
	if (st.st_mode & S_ISUID && st.st_uid != getuid() && !ignores_setid)
		return "is setuid";
	if ((st.st_mode & setgid) == setgid && st.st_gid != getgid() && !ignores_setid)
		return "is setgid";
	return getuid() && has_capabilities(path) ? "has file capabilities" : NULL;
}

static void warn_about_secure_mode(const char *name, char *path)
{
	enum { MAX_SCRIPTS = 5 }; /* Linux' limit for scripts that are interpreters of scripts */
	const char *reason;
	int n = 0;

	while (n < MAX_SCRIPTS && find_interpreter(path))
		n++;
	reason = find_secure_reason(path);
	if (reason)
		launcher_fail(0,
			      "warning: %s%s%s %s, so the loader ignores LD_PRELOAD: the program "
			      "and its children see no adapter; run a copy, which lacks that right "
			      "(cp %s COPY)",
			      name, n ? ": its interpreter " : "", n ? path : "", reason, path);
}

/** struct elf - a mapped 64-bit ELF file */
struct elf {
	const uint8_t *base;
	size_t bytes;
};

static const void *get_range(const struct elf *e, uint64_t at, uint64_t bytes)
{
	return at <= e->bytes && bytes <= e->bytes - at ? e->base + at : NULL;
}

static bool map_file(const char *path, struct elf *e)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
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

/* Copies the name of the AddressSanitizer runtime, if the program needs one. */
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

/* Return: true if the program is statically linked, after a warning */
static bool warn_about_static(const char *name, const struct elf *e)
{
	/* PROGRAM may be the dynamic loader, which has no interpreter but a DT_SONAME */
	if (find_segment(e, PT_INTERP, 0) || find_dynamic(e, DT_SONAME))
		return false;
	launcher_fail(0,
		      "warning: %s is statically linked, so libdevx-emu.so is not loaded and the "
		      "program sees no adapter; link it dynamically",
		      name);
	return true;
}

void launcher_check_program_file(struct launcher *l)
{
	char path[PATH_BYTES];
	bool is_static = false;
	struct elf e;

	snprintf(l->runtime, sizeof(l->runtime), "%s", ASAN_RUNTIME);
	if (!find_program(l->program[0], path))
		return;
	if (map_file(path, &e)) {
		is_static = warn_about_static(l->program[0], &e);
		if (!l->runtime[0])
			find_runtime(&e, l->runtime, sizeof(l->runtime));
		munmap((void *)(uintptr_t)e.base, e.bytes);
	}
	if (!is_static)
		warn_about_secure_mode(l->program[0], path);
}
