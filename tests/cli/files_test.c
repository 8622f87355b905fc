/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"

/* A folder with the names "link" to "target", "dangling" to "missing", and "file". */
FIXTURE(files)
{
	char before[512], folder[64];
};

FIXTURE_SETUP(files)
{
	int fd;

	strcpy(self->folder, "/tmp/devx-files-XXXXXX");
	ASSERT_NE(NULL, getcwd(self->before, sizeof(self->before)));
	ASSERT_NE(NULL, mkdtemp(self->folder));
	ASSERT_EQ(0, chdir(self->folder));
	close(creat("file", 0600));
	ASSERT_EQ(0, symlink("target", "link"));
	ASSERT_EQ(0, symlink("missing", "dangling"));
	fd = open("target", O_WRONLY | O_CREAT, 0600);
	ASSERT_EQ(5, write(fd, "hello", 5));
	close(fd);
}

FIXTURE_TEARDOWN(files)
{
	static const char *const names[] = {
		"file", "target", "link", "dangling", "missing", "new"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	ASSERT_EQ(0, chdir(self->before));
	ASSERT_EQ(0, rmdir(self->folder));
}

/* Returns 0 if the file can be created and is closed by exec, or an errno. */
static int try_create(const char *path)
{
	const int fd = files_create(path, O_TRUNC);

	if (fd < 0)
		return -fd;
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	EXPECT_EQ(O_WRONLY, fcntl(fd, F_GETFL) & O_ACCMODE);
	close(fd);
	return 0;
}

static off_t measure_file(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static const struct folder {
	const char *name;
	mode_t mode;
	bool other_group, other_user, shared;
} folders[] = {
	{ "own", 0700, false, false, false },
	{ "readable", 0755, false, false, false },
	{ "own_group_writes", 0775, false, false, false },
	{ "others_write", 0777, false, false, true },
	{ "sticky", 01777, false, false, true },
	{ "another_group_writes", 0770, true, false, true },
	{ "another_group_reads", 0750, true, false, false },
	{ "of_another_user", 0755, false, true, true },
};

TEST_F_EACH(files, follow_links_only_in_own_folders, struct folder, folders)
{
	enum { OTHER_GROUP = 1, OTHER_USER = 1 };
	char path[128];

	if ((row->other_group || row->other_user) && geteuid())
		SKIP("only root can make a folder of another user");
	ASSERT_EQ(0, chown(".", row->other_user ? OTHER_USER : (uid_t)-1,
			   row->other_group ? OTHER_GROUP : (gid_t)-1));
	ASSERT_EQ(0, chmod(".", row->mode));
	EXPECT_EQ(row->shared, files_is_shared("."));
	EXPECT_EQ(row->shared, files_is_shared(self->folder));

	EXPECT_EQ(0, try_create("file"));
	EXPECT_EQ(0, try_create("new"));
	EXPECT_EQ(row->shared ? EMLINK : 0, try_create("dangling"));
	EXPECT_EQ(row->shared ? -1 : 0, measure_file("missing"));
	EXPECT_EQ(row->shared ? EMLINK : 0, try_create("link"));
	EXPECT_EQ(row->shared ? 5 : 0, measure_file("target"));
	snprintf(path, sizeof(path), "%s/link", self->folder);
	EXPECT_EQ(row->shared ? EMLINK : 0, try_create(path));
	snprintf(path, sizeof(path), "%s/file", self->folder);
	EXPECT_EQ(0, try_create(path));
}

TEST_F(files, failures_have_a_text)
{
	EXPECT_EQ(ENOENT, try_create("none/file"));
	EXPECT_EQ(EISDIR, try_create("."));
	EXPECT_STREQ("No such file or directory", files_explain(ENOENT));
	EXPECT_SUBSTR("a link in a folder that others can write", files_explain(EMLINK));
	EXPECT_FALSE(files_is_shared("none"));
	ASSERT_EQ(0, symlink("new", "new")); /* a loop */
	EXPECT_EQ(ELOOP, try_create("new"));
}

TEST_F(files, link_of_root_is_followed)
{
	const int fd = files_create("/dev/stdout", 0);

	EXPECT_NE(-EMLINK, fd); /* stdout may belong to another user */
	if (fd >= 0)
		close(fd);
}

static const struct temporary {
	const char *name, *tmpdir, *path;
} temporaries[] = {
	{ "unset", NULL, "/tmp/a.XXXXXX" },
	{ "set", "/var/tmp", "/var/tmp/a.XXXXXX" },
	{ "relative", "var/tmp", "/tmp/a.XXXXXX" },
	{ "empty", "", "/tmp/a.XXXXXX" },
};

TEST_EACH(files_temporary, file_is_in_tmpdir, struct temporary, temporaries)
{
	const char *before = getenv("TMPDIR");
	char kept[512] = "", path[256];

	snprintf(kept, sizeof(kept), "%s", before ? before : "");
	if (row->tmpdir)
		setenv("TMPDIR", row->tmpdir, 1);
	else
		unsetenv("TMPDIR");
	files_format_temporary(path, sizeof(path), "a.XXXXXX");
	EXPECT_STREQ(row->path, path);
	if (before)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
}
