/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at the device with each function of libc that takes a path, and prints what it says, one
 * line per path. looks.txt is what Linux says in a guest.
 *
 * The output leaves out what depends on the machine: the PCI address, sizes, times, owners. "seen"
 * is a success, or an error that depends on the file system, and is not ENOENT.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wnonnull"

/* Old names, and those that fortified programs call. Headers do not declare them. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
ssize_t __readlink_chk(const char *path, char *target, size_t bytes, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *target, size_t bytes, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);
char *__getcwd_chk(char *path, size_t bytes, size_t room);
int __xstat(int version, const char *path, struct stat *buf);
int __xstat64(int version, const char *path, struct stat64 *buf);
int __lxstat(int version, const char *path, struct stat *buf);
int __lxstat64(int version, const char *path, struct stat64 *buf);
int __fxstatat(int version, int dir, const char *path, struct stat *buf, int flags);
int __fxstatat64(int version, int dir, const char *path, struct stat64 *buf, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *dev);
int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *dev);

/* ---- the answer of a call ------------------------------------------------------------------- */

static char said[4096];
static char function[PATH_MAX]; /* "devices/pci0000:00/...": the PCI function, below /sys */

static int say_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int say_text(const char *fmt, ...)
{
	const size_t used = strlen(said);
	va_list args;

	va_start(args, fmt);
	vsnprintf(said + used, sizeof(said) - used, fmt, args);
	va_end(args);
	return 0;
}

/* Says a path, with FUNCTION in place of the PCI function's directory. */
static int say_path(const char *path)
{
	const char *at = path && *function ? strstr(path, function) : NULL;

	if (!path)
		return -1;
	return at ? say_text("%.*sFUNCTION%s", (int)(at - path), path, at + strlen(function))
		  : say_text("%s", path);
}

/* Prints @path as say_path() does, and frees it. */
static int say_new_path(char *path)
{
	const int rc = say_path(path);

	free(path);
	return rc;
}

static int say_target(const char *target, ssize_t bytes)
{
	char text[PATH_MAX];

	if (bytes < 0)
		return -1;
	snprintf(text, sizeof(text), "%.*s", (int)bytes, target);
	return say_path(text);
}

static int say_seen(long rc)
{
	return rc >= 0 || errno != ENOENT ? say_text("seen") : -1;
}

static const char kinds[] = "?pc?d?b?-?l?s???"; /* letters of `ls -l`, by DT_* */

static int say_mode(int rc, mode_t mode, unsigned device_major, unsigned device_minor)
{
	if (rc)
		return rc;
	say_text("%c%o", kinds[mode >> 12], mode & 07777);
	return S_ISCHR(mode) ? say_text(" %u:%u", device_major, device_minor) : 0;
}

static struct stat st;
static struct stat64 st64;
static struct statx stx;
static int say_stat(int rc)
{
	return say_mode(rc, st.st_mode, major(st.st_rdev), minor(st.st_rdev));
}
static int say_stat64(int rc)
{
	return say_mode(rc, st64.st_mode, major(st64.st_rdev), minor(st64.st_rdev));
}
static int say_statx(int rc)
{
	return say_mode(rc, stx.stx_mode, stx.stx_rdev_major, stx.stx_rdev_minor);
}

/* Says what the descriptor of an open file is, and closes it. */
static int say_fd(int fd)
{
	char link[64], target[PATH_MAX];
	ssize_t bytes;

	if (fd < 0)
		return -1;
	say_stat(fstat(fd, &st));
	if (S_ISCHR(st.st_mode)) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		bytes = readlink(link, target, sizeof(target));
		say_text(" ");
		say_target(target, bytes);
	}
	return close(fd);
}

static int say_stream(FILE *f)
{
	char line[64] = "";

	if (!f)
		return -1;
	say_stat(fstat(fileno(f), &st));
	if (S_ISREG(st.st_mode) && fgets(line, sizeof(line), f))
		say_text(" %.*s", (int)strcspn(line, "\n"), line);
	return fclose(f);
}

/* After a failure libc has closed the stream. An older glibc keeps its memory. */
static int say_reopened(FILE *(*reopen)(const char *path, const char *mode, FILE *stream),
			const char *path, const char *mode)
{
	static FILE *closed[64]; /* for leak checkers */
	static size_t n;
	FILE *old = fopen("/dev/null", "r"), *f = reopen(path, mode, old);

	if (!f && n < sizeof(closed) / sizeof(closed[0]))
		closed[n++] = old;
	return say_stream(f);
}

/* Says an entry of a directory, if a device of emu and one of Linux both have it. */
static void say_entry(const char *name, unsigned char type)
{
	static const char *const known[] = { "uverbs0", "mlx5_0", "abi_version", "node_guid" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i]))
			say_text("%s(%c)", name, kinds[type]);
}

static int say_dir(DIR *dir)
{
	const struct dirent *e;

	while (dir && (e = readdir(dir)))
		say_entry(e->d_name, e->d_type);
	return dir ? closedir(dir) : -1;
}

#define SAY_LIST(n, list)                                                                          \
	({                                                                                         \
		const int n_ = (n);                                                                \
                                                                                                   \
		for (int i_ = 0; i_ < n_; i_++) {                                                  \
			say_entry((list)[i_]->d_name, (list)[i_]->d_type);                         \
			free((list)[i_]);                                                          \
		}                                                                                  \
		if (n_ >= 0)                                                                       \
			free(list);                                                                \
		n_ < 0 ? -1 : 0;                                                                   \
	})
static struct dirent **list;
static struct dirent64 **list64;

static const char *name_below(const char *path, const char *name)
{
	static char text[2][PATH_MAX + 16];
	static int last;

	last = !last;
	snprintf(text[last], sizeof(text[last]), "%s/%s", path, name);
	return text[last];
}

#define SAY_GLOB(rc, found, free_found)                                                            \
	({                                                                                         \
		if (!(rc)) {                                                                       \
			for (size_t i_ = 0; i_ < (found)->gl_pathc; i_++)                          \
				say_text("%s%s", i_ ? "," : "", (found)->gl_pathv[i_]);            \
			free_found(found);                                                         \
		}                                                                                  \
		*said ? 0 : say_text("no match");                                                  \
	})

static int say_visit(const char *path, const struct stat *visited, int kind)
{
	(void)kind;
	if (strstr(path, "uverbs0") || S_ISDIR(visited->st_mode)) {
		say_text("%s%s ", *said ? ", " : "", path);
		say_mode(0, visited->st_mode & (S_ISDIR(visited->st_mode) ? S_IFMT : ~0u),
			 major(visited->st_rdev), minor(visited->st_rdev));
	}
	return 0;
}
static int say_nvisit(const char *path, const struct stat *visited, int kind, struct FTW *at)
{
	say_visit(path, visited, kind);
	return say_text(" (%s)", path + at->base);
}
static int say_visit64(const char *path, const struct stat64 *visited, int kind)
{
	return say_visit(path, (const struct stat *)visited, kind);
}
static int say_nvisit64(const char *path, const struct stat64 *visited, int kind, struct FTW *at)
{
	return say_nvisit(path, (const struct stat *)visited, kind, at);
}

#define SAY_FTS(suffix, path)                                                                      \
	({                                                                                         \
		char *paths_[] = { (char *)(uintptr_t)(path), NULL };                              \
		FTS##suffix *fts_ = fts##suffix##_open(paths_, FTS_PHYSICAL, NULL);                \
		FTSENT##suffix *e_;                                                                \
                                                                                                   \
		while (fts_ && (e_ = fts##suffix##_read(fts_)))                                    \
			say_text("%s%s=%d", *said ? " " : "", e_->fts_name, e_->fts_info);         \
		fts_ ? fts##suffix##_close(fts_) : -1;                                             \
	})

/* The linker warns of each program that calls getwd() or __getwd_chk() by its name. */
static char *getwd_quietly(char *path)
{
	return ((__typeof__(&getwd))dlsym(RTLD_DEFAULT, "getwd"))(path);
}

static char *getwd_chk_quietly(char *path, size_t room)
{
	char *(*getwd_chk)(char *, size_t) =
		(__typeof__(getwd_chk))dlsym(RTLD_DEFAULT, "__getwd_chk");

	return getwd_chk(path, room);
}

/* Says the working directory by each function, after a change to @path. */
static int say_cwd(const char *path)
{
	char text[PATH_MAX];
	const int home = open(".", O_RDONLY | O_DIRECTORY);
	int rc = chdir(path);

	if (!rc) {
		say_path(getcwd(text, sizeof(text)));
		say_text(" ");
		say_new_path(get_current_dir_name());
		say_text(" ");
		say_path(getwd_quietly(text));
		say_text(" ");
		say_path(__getcwd_chk(text, sizeof(text), sizeof(text)));
		say_text(" ");
		say_path(getwd_chk_quietly(text, sizeof(text)));
		rc = fchdir(home);
	}
	close(home);
	return rc;
}

/* Opens a directory, and looks at an entry of it by its name alone. */
#define FROM(directory, call)                                                                      \
	({                                                                                         \
		const int dir = open(directory, O_RDONLY | O_DIRECTORY);                           \
		const int rc_ = dir < 0 ? -1 : (call);                                             \
		const int error_ = errno;                                                          \
                                                                                                   \
		close(dir);                                                                        \
		errno = error_;                                                                    \
		rc_;                                                                               \
	})

static char text[PATH_MAX];
static const struct timespec now[2] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };
static union {
	struct file_handle head;
	char bytes[sizeof(struct file_handle) + 128];
} handle = { .head = { .handle_bytes = 128 } };
static int mount_id;
static dev_t no_device;

static int call_fanotify(const char *path)
{
	const int fd = fanotify_init(FAN_REPORT_FID, 0);
	const int rc = fd < 0 ? access(path, F_OK) /* not permitted, or not in this kernel */
			      : fanotify_mark(fd, FAN_MARK_ADD, FAN_ATTRIB, AT_FDCWD, path);
	const int error = errno;

	close(fd);
	errno = error;
	return say_seen(rc);
}

/* ---- the calls ------------------------------------------------------------------------------- */

/*
 * Letters of the paths that a call gets: n node, m missing node, d directory of the node, c class,
 * v device of the class, a attribute, p attribute of the PCI function.
 */
static const char letters[] = "nmdcvap";
static char path_of[sizeof(letters) - 1][PATH_MAX] = {
	"/dev/infiniband/uverbs0",
	"/dev/infiniband/uverbs99",
	"/dev/infiniband",
	"/sys/class/infiniband",
	"/sys/class/infiniband_verbs/uverbs0",
	"/sys/class/infiniband_verbs/uverbs0/ibdev",
};

#define ALL "nmdcvap"
#define FILES "nmdap"
enum { STAT_VERSION = sizeof(st) == 144 }; /* version of __xstat: 1 on x86-64, 0 on AArch64 */

#define CALL(name, paths, call)                                                                    \
	static int call_##name(const char *p)                                                      \
	{                                                                                          \
		(void)p;                                                                           \
		return (call) < 0 ? -1 : 0;                                                        \
	}
#include "looks_calls.def"

#define CALL(name, paths, call) { #name, paths, call_##name },
static const struct {
	const char *name, *paths;
	int (*call)(const char *p);
} calls[] = {
#include "looks_calls.def"
};

static void run_call(size_t i)
{
	printf("%s\n", calls[i].name);
	for (const char *letter = calls[i].paths; *letter; letter++) {
		const char *path = path_of[strchr(letters, *letter) - letters];
		int rc;

		said[0] = '\0';
		rc = calls[i].call(path);
		printf("    %c  %s\n", *letter, rc ? strerrorname_np(errno) : *said ? said : "0");
	}
}

int main(void)
{
	const char *pci;

	if (!realpath("/sys/class/infiniband/mlx5_0/device", text)) {
		perror("/sys/class/infiniband/mlx5_0/device");
		return 1;
	}
	pci = strrchr(text, '/');
	snprintf(function, sizeof(function), "%s", text + strlen("/sys/"));
	snprintf(path_of[6], sizeof(path_of[6]), "/sys/bus/pci/devices%s/vendor", pci);
	umask(0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		run_call(i);
	return 0;
}
