/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ct.h"
#include "emu/pci/pci.h"
#include "open_files.h"

static char lines[4096];

static void keep_line(void *arg, const char *line)
{
	(void)arg;
	strncat(lines, line, sizeof(lines) - strlen(lines) - 1);
}

static const struct emu_pci_config config = {
	.profile = "cx6dx",
	.wire = "sink",
	.mac = { 2, 0, 0, 0, 0, 1 },
	.mtu = 1500,
	.say = keep_line,
};

FIXTURE(server)
{
	char dir[64], path[96];
	unsigned n_fds;
};

FIXTURE_SETUP(server)
{
	strcpy(self->dir, "/tmp/devx-pci-test.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->path, sizeof(self->path), "%s/socket", self->dir);
	lines[0] = '\0';
	self->n_fds = count_open_files();
}

FIXTURE_TEARDOWN(server)
{
	EXPECT_EQ(self->n_fds, count_open_files());
	unlink(self->path);
	rmdir(self->dir);
}

TEST(server_path, too_long_is_refused_with_its_limit)
{
	char path[300], why[256];

	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	EXPECT_EQ(-1, emu_pci_listen(path, why, sizeof(why)));
	EXPECT_SUBSTR("299 bytes (valid: 1 to 107)", why);
	EXPECT_EQ(-1, emu_pci_listen("", why, sizeof(why)));
	EXPECT_EQ(-1, emu_pci_listen("/nowhere/at/all", why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "socket /nowhere/at/all"));
}

TEST_F(server, the_socket_is_of_its_user_alone_under_any_umask)
{
	static const mode_t masks[] = { 0, 022, 0177, 0777 };

	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		const mode_t before = umask(masks[i]);
		struct stat st;
		char why[256];
		const int fd = emu_pci_listen(self->path, why, sizeof(why));

		EXPECT_EQ(masks[i], umask(before));
		ASSERT_EQ(0, stat(self->path, &st));
		EXPECT_EQ(0600, st.st_mode & 0777);
		close(fd);
	}
}

TEST_F(server, a_path_with_another_server_is_refused)
{
	char why[256];
	const int fd = emu_pci_listen(self->path, why, sizeof(why));

	EXPECT_EQ(-1, emu_pci_listen(self->path, why, sizeof(why)));
	EXPECT_SUBSTR("another server listens", why);
	close(fd);
}

TEST_F(server, a_path_that_a_killed_server_left_is_reused)
{
	char why[256];
	int fd = emu_pci_listen(self->path, why, sizeof(why));

	close(fd);
	fd = emu_pci_listen(self->path, why, sizeof(why));
	EXPECT_GE(fd, 0);
	close(fd);
}

TEST_F(server, a_file_that_is_not_a_socket_is_not_removed)
{
	char why[256];
	FILE *f = fopen(self->path, "w");

	fclose(f);
	EXPECT_EQ(-1, emu_pci_listen(self->path, why, sizeof(why)));
	EXPECT_SUBSTR("not a socket", why);
	EXPECT_EQ(0, access(self->path, F_OK));
}

/* ---- clients -------------------------------------------------------------------------- */

struct running {
	struct emu_pci *pci;
	int listener;
};

static void *run_server(void *arg)
{
	struct running *r = arg;

	EXPECT_EQ(0, emu_pci_run(r->pci, r->listener));
	return NULL;
}

static int dial_server(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(addr.sun_path, path);
	EXPECT_EQ(0, connect(fd, (struct sockaddr *)&addr, sizeof(addr)));
	return fd;
}

/* Sends DEVICE_RESET and waits. Return: whether an answer came */
static bool is_served(int fd)
{
	static const uint32_t reset[4] = { 13 << 16 | 1, 16 };
	uint32_t reply[4];

	return send(fd, reset, sizeof(reset), MSG_NOSIGNAL) == sizeof(reset) &&
	       recv(fd, reply, sizeof(reply), MSG_WAITALL) == sizeof(reply);
}

TEST_F(server, one_client_is_served_at_a_time)
{
	char why[256];
	struct running r = { emu_pci_create(&config, why, sizeof(why)),
			     emu_pci_listen(self->path, why, sizeof(why)) };
	pthread_t thread;
	int first, second;

	pthread_create(&thread, NULL, run_server, &r);
	first = dial_server(self->path);
	EXPECT_TRUE(is_served(first));
	second = dial_server(self->path);
	EXPECT_FALSE(is_served(second));
	EXPECT_TRUE(is_served(first));
	close(first);
	close(second);
	first = dial_server(self->path);
	EXPECT_TRUE(is_served(first));
	emu_pci_stop(r.pci);
	pthread_join(thread, NULL);
	EXPECT_NE(NULL, strstr(lines, "second client"));
	close(first);
	close(r.listener);
	emu_pci_destroy(r.pci);
}

/* A client leaves, and the next one connects, before the server has read all messages. */
TEST_F(server, a_client_that_left_unread_messages_frees_its_slot)
{
	static const uint32_t write32[9] = { 10 << 16 | 1, 36, 0x10, 0, 0x200, 0, 0, 4, 0 };
	char why[256];
	struct running r = { emu_pci_create(&config, why, sizeof(why)),
			     emu_pci_listen(self->path, why, sizeof(why)) };
	pthread_t thread;

	pthread_create(&thread, NULL, run_server, &r);
	for (int i = 0; i < 20; i++) {
		int fd = dial_server(self->path);

		EXPECT_TRUE(is_served(fd));
		while (send(fd, write32, sizeof(write32), MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
			;
		close(fd);
		fd = dial_server(self->path);
		EXPECT_TRUE(is_served(fd));
		close(fd);
	}
	emu_pci_stop(r.pci);
	pthread_join(thread, NULL);
	EXPECT_EQ(NULL, strstr(lines, "second client"));
	close(r.listener);
	emu_pci_destroy(r.pci);
}

TEST(server_config, an_unknown_profile_is_refused_by_name)
{
	struct emu_pci_config bad = config;
	char why[256];

	bad.profile = "cx99";
	EXPECT_EQ(NULL, emu_pci_create(&bad, why, sizeof(why)));
	EXPECT_NE(NULL, strstr(why, "\"cx99\""));
}
