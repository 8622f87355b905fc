/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed functions that walk through directories: glob, ftw, fts. Internally libc does not call
 * the interposed functions.
 */
#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/preload/path.h"
#include "emu/uverbs/preload/descriptor.h"

/* ---- glob: libc calls the functions in GLOB_ALTDIRFUNC, which are interposed ---- */

static void *open_dir(const char *path)
{
	return opendir(path);
}
static void close_dir(void *dir)
{
	closedir(dir);
}
static struct dirent *read_dir(void *dir)
{
	return readdir(dir);
}
static struct dirent64 *read_dir64(void *dir)
{
	return readdir64(dir);
}

EXPORT int glob(const char *restrict pattern, int flags, int (*on_error)(const char *, int),
		glob_t *restrict found)
{
	if (uv_is_launched() && !(flags & GLOB_ALTDIRFUNC)) {
		flags |= GLOB_ALTDIRFUNC;
		found->gl_opendir = open_dir;
		found->gl_readdir = read_dir;
		found->gl_closedir = close_dir;
		found->gl_stat = stat;
		found->gl_lstat = lstat;
	}
	return REAL(glob)(pattern, flags, on_error, found);
}

EXPORT int glob64(const char *restrict pattern, int flags, int (*on_error)(const char *, int),
		  glob64_t *restrict found)
{
	if (uv_is_launched() && !(flags & GLOB_ALTDIRFUNC)) {
		flags |= GLOB_ALTDIRFUNC;
		found->gl_opendir = open_dir;
		found->gl_readdir = read_dir64;
		found->gl_closedir = close_dir;
		found->gl_stat = stat64;
		found->gl_lstat = lstat64;
	}
	return REAL(glob64)(pattern, flags, on_error, found);
}

/* ---- ftw: libc calls a function with each path ---- */

typedef int (*visit_fn)(const char *path, const struct stat *st, int kind);
typedef int (*nvisit_fn)(const char *path, const struct stat *st, int kind, struct FTW *at);
static __thread visit_fn program_visit;
static __thread nvisit_fn program_nvisit;

static size_t dir_bytes(void)
{
	return strlen(uv_front.shared->dir);
}

static int visit_file(const char *path, const struct stat *st, int kind)
{
	struct stat shown = *st;

	uv_stat_show(kind == FTW_NS, &shown);
	return program_visit(path + dir_bytes(), &shown, kind);
}

static int nvisit_file(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	struct stat shown = *st;
	struct FTW shown_at = { at->base - (int)dir_bytes(), at->level };

	uv_stat_show(kind == FTW_NS, &shown);
	return program_nvisit(path + dir_bytes(), &shown, kind, &shown_at);
}

typedef int (*ftw_fn)(const char *path, visit_fn call, int n_fds);
typedef int (*nftw_fn)(const char *path, nvisit_fn call, int n_fds, int flags);

static int walk_tree(const char *path, visit_fn call, int n_fds, ftw_fn real)
{
	const visit_fn outer = program_visit;
	struct uv_path room;
	const char *file = uv_path_translate(&room, path);
	int rc;

	if (file == path)
		return real(path, call, n_fds);
	program_visit = call;
	rc = real(file, visit_file, n_fds);
	program_visit = outer;
	return rc;
}

static int nwalk_tree(const char *path, nvisit_fn call, int n_fds, int flags, nftw_fn real)
{
	const nvisit_fn outer = program_nvisit;
	struct uv_path room;
	const char *file = uv_path_translate(&room, path);
	int rc;

	if (file == path)
		return real(path, call, n_fds, flags);
	program_nvisit = call;
	rc = real(file, nvisit_file, n_fds, flags);
	program_nvisit = outer;
	return rc;
}

EXPORT int ftw(const char *path, __ftw_func_t call, int n_fds)
{
	return walk_tree(path, call, n_fds, REAL(ftw));
}

/* On 64-bit hosts, struct stat64 has the layout of struct stat. */
EXPORT int ftw64(const char *path, __ftw64_func_t call, int n_fds)
{
	return walk_tree(path, (visit_fn)call, n_fds, (ftw_fn)REAL(ftw64));
}

EXPORT int nftw(const char *path, __nftw_func_t call, int n_fds, int flags)
{
	return nwalk_tree(path, call, n_fds, flags, REAL(nftw));
}

EXPORT int nftw64(const char *path, __nftw64_func_t call, int n_fds, int flags)
{
	return nwalk_tree(path, (nvisit_fn)call, n_fds, flags, (nftw_fn)REAL(nftw64));
}

/* ---- fts: returns untranslated paths below the launcher's directory ---- */

static void free_all(char **paths)
{
	for (char **p = paths; p && *p; p++)
		free(*p);
	free(paths);
}

static char **translate_all(char *const *paths)
{
	size_t n = 0;
	char **all;

	while (paths[n])
		n++;
	all = calloc(n + 1, sizeof(*all));
	for (size_t i = 0; all && i < n; i++) {
		struct uv_path room;

		all[i] = strdup(uv_path_translate(&room, paths[i]));
		if (!all[i]) {
			free_all(all);
			return NULL;
		}
	}
	return all;
}

EXPORT FTS *fts_open(char *const *paths, int options,
		     int (*order)(const FTSENT **a, const FTSENT **b))
{
	char **all = translate_all(paths);
	FTS *fts = all ? REAL(fts_open)(all, options, order) : NULL;

	free_all(all);
	return fts;
}

EXPORT FTS64 *fts64_open(char *const *paths, int options,
			 int (*order)(const FTSENT64 **a, const FTSENT64 **b))
{
	char **all = translate_all(paths);
	FTS64 *fts = all ? REAL(fts64_open)(all, options, order) : NULL;

	free_all(all);
	return fts;
}
