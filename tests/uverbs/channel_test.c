/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that wait in read() of an event file.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "open_files.h"
#include "prm/prm.h"
#include "verbs_rig.h"
#include "wait_limit.h"

enum { WR_ID = 77, SIGNAL_MS = 10, TICKS = WAIT_LIMIT_MS / SIGNAL_MS };

FIXTURE(channel)
{
	struct ibv_context *ctx;
	struct mlx5dv_devx_obj *counter;
	uint32_t counter_id;
	struct mlx5dv_devx_cmd_comp *comp;
	pthread_t thread;
	int result; /* result of the thread: 0 or errno */
	uint64_t wr_id;
	bool done;
	unsigned n_fds; /* before the device was open */
};

FIXTURE_SETUP(channel)
{
	struct prm_alloc_q_counter_in in = { 0 };
	struct prm_alloc_q_counter_out out = { 0 };

	ibv_close_device(verbs_rig_open(true)); /* from now on emu has its own descriptors */
	self->n_fds = count_open_files();
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	prm_set(&in, opcode, PRM_OP_alloc_q_counter);
	self->counter = VERBS_RIG_CREATE(self->ctx, in, out);
	ASSERT_NE(NULL, self->counter);
	self->counter_id = (uint32_t)prm_get(&out, counter_set_id);
	self->comp = mlx5dv_devx_create_cmd_comp(self->ctx);
	ASSERT_NE(NULL, self->comp);
}

FIXTURE_TEARDOWN(channel)
{
	mlx5dv_devx_destroy_cmd_comp(self->comp);
	if (self->ctx) {
		EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->counter));
		EXPECT_EQ(0, ibv_close_device(self->ctx));
	} else {
		free(self->counter);
	}
	EXPECT_EQ(self->n_fds, count_open_files());
}

static void *read_reply(void *fixture)
{
	struct ct_fix_channel *self = fixture;
	struct {
		struct mlx5dv_devx_async_cmd_hdr hdr;
		uint8_t out[sizeof(struct prm_query_q_counter_out)];
	} msg = { .hdr.wr_id = 0 };

	self->result = mlx5dv_devx_get_async_cmd_comp(self->comp, &msg.hdr, sizeof(msg));
	self->wr_id = msg.hdr.wr_id;
	__atomic_store_n(&self->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static int query_counter(struct ct_fix_channel *self)
{
	struct prm_query_q_counter_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_q_counter);
	prm_set(&in, counter_set_id, self->counter_id);
	return mlx5dv_devx_obj_query_async(self->counter, &in, sizeof(in),
					   sizeof(struct prm_query_q_counter_out), WR_ID,
					   self->comp);
}

static void start_reader(struct ct_fix_channel *self)
{
	ASSERT_EQ(0, pthread_create(&self->thread, NULL, read_reply, self));
	usleep(SIGNAL_MS * 1000); /* then the thread waits in most runs */
}

/* An empty event file fails read() of 0 bytes, where a pipe returns 0. */
static bool is_event_file(int fd)
{
	char none;

	errno = 0;
	return read(fd, &none, 0) == -1 && errno == EAGAIN;
}

TEST_F(channel, file_stays_an_event_file_after_a_failed_dup2)
{
	const int fd = self->comp->fd;

	ASSERT_EQ(0, fcntl(fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, dup2(-1, fd));
	EXPECT_EQ(EBADF, errno);
	EXPECT_TRUE(is_event_file(fd));
	EXPECT_EQ(-1, dup3(0, fd, O_APPEND));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(is_event_file(fd));
}

int fcntl64(int fd, int cmd, ...); /* glibc's name of fcntl() for large files */

TEST_F(channel, each_duplicate_is_an_event_file)
{
	const int fd = self->comp->fd, high = 500;
	int copy[7];

	ASSERT_EQ(0, fcntl(fd, F_SETFL, O_NONBLOCK));
	copy[0] = dup(fd);
	copy[1] = fcntl(fd, F_DUPFD, high);
	copy[2] = fcntl(fd, F_DUPFD_CLOEXEC, high);
	copy[3] = fcntl64(fd, F_DUPFD, high);
	copy[4] = fcntl64(fd, F_DUPFD_CLOEXEC, high);
	copy[5] = dup2(fd, high + 10);
	copy[6] = dup3(fd, high + 11, O_CLOEXEC);
	for (unsigned i = 0; i < 7; i++) {
		SCOPED_TRACE("duplicate %u", i);
		EXPECT_TRUE(is_event_file(copy[i]));
		EXPECT_EQ(i ? high - 1 + (int)(i < 5 ? i : i + 6) : copy[0], copy[i]);
		EXPECT_EQ(0, close(copy[i]));
		EXPECT_EQ(-1, close(copy[i]));
		EXPECT_EQ(EBADF, errno);
	}
	EXPECT_EQ(fd, dup2(fd, fd));
	EXPECT_TRUE(is_event_file(fd));
	EXPECT_EQ(-1, dup3(fd, fd, 0));
	EXPECT_TRUE(is_event_file(fd));
}

/* The last descriptor of an event file goes as dup2() puts another file there, also at number 0. */
TEST_F(channel, dup2_over_the_last_descriptor_destroys_the_event_file)
{
	const int input = fcntl(0, F_DUPFD_CLOEXEC, 3);
	const uint64_t before = verbs_rig_read_counters().handles;
	struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(self->ctx);
	char byte;

	ASSERT_NE(NULL, comp);
	EXPECT_EQ(0, dup2(comp->fd, 0));
	EXPECT_EQ(0, close(comp->fd));
	EXPECT_EQ_ON_EMU(before + 1, verbs_rig_read_counters().handles);
	EXPECT_EQ(0, dup2(input, 0));
	EXPECT_EQ_ON_EMU(before, verbs_rig_read_counters().handles);
	comp->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(comp->fd, dup2(comp->fd, comp->fd));
	EXPECT_EQ(0, read(comp->fd, &byte, 1)); /* a number that was an event file */
	EXPECT_EQ(0, read(0, &byte, 0));
	mlx5dv_devx_destroy_cmd_comp(comp);
	close(input);
}

/* A system call puts a regular file where an event file was, which no function of libc sees. */
TEST_F(channel, number_of_an_event_file_reads_the_file_that_is_there_now)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const int copy = dup(self->comp->fd);
	char text[4] = "";

	ASSERT_NE(-1, fd);
	ASSERT_EQ(copy, syscall(SYS_dup3, fd, copy, O_CLOEXEC));
	EXPECT_EQ(sizeof(text), (size_t)read(copy, text, sizeof(text)));
	EXPECT_MEMEQ("\177ELF", text, sizeof(text));
	EXPECT_EQ(-1, write(copy, text, sizeof(text)));
	EXPECT_EQ(EBADF, errno); /* and not EINVAL, as of a device file */
	EXPECT_EQ(0, close(copy));
	EXPECT_EQ(0, close(fd));
}

TEST_F(channel, close_range_destroys_all_event_files_in_it)
{
	enum { FIRST = 600, N = 3 };
	const uint64_t before = verbs_rig_read_counters().handles;
	struct mlx5dv_devx_cmd_comp *comp[N];

	for (int i = 0; i < N; i++) {
		comp[i] = mlx5dv_devx_create_cmd_comp(self->ctx);
		ASSERT_NE(NULL, comp[i]);
		EXPECT_EQ(FIRST + i, dup2(comp[i]->fd, FIRST + i));
		mlx5dv_devx_destroy_cmd_comp(comp[i]);
	}
	EXPECT_EQ_ON_EMU(before + N, verbs_rig_read_counters().handles);
	EXPECT_EQ(0, close_range(FIRST, FIRST + N - 1, 0));
	EXPECT_EQ_ON_EMU(before, verbs_rig_read_counters().handles);
}

TEST_F(channel, command_replies_fill_each_element_of_readv)
{
	struct {
		struct mlx5dv_devx_async_cmd_hdr hdr;
		uint8_t out[sizeof(struct prm_query_q_counter_out)];
	} msg[3] = { 0 };
	struct iovec iov[3] = { { &msg[0], sizeof(msg[0]) },
				{ &msg[1], sizeof(msg[1]) },
				{ &msg[2], sizeof(msg[2]) } };

	NEEDS_EMU("whose replies are there when the call returns");
	ASSERT_EQ(0, fcntl(self->comp->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, readv(self->comp->fd, iov, 3));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, query_counter(self));
	EXPECT_EQ(0, query_counter(self));
	EXPECT_EQ(2 * sizeof(msg[0]), (size_t)readv(self->comp->fd, iov, 3));
	EXPECT_EQ(WR_ID, msg[1].hdr.wr_id);
	EXPECT_EQ(0, msg[2].hdr.wr_id);
	EXPECT_TRUE(is_event_file(self->comp->fd));
}

TEST_F(channel, waiting_reader_gets_the_reply)
{
	start_reader(self);
	EXPECT_EQ(0, query_counter(self));
	pthread_join(self->thread, NULL);
	EXPECT_EQ(0, self->result);
	EXPECT_EQ(WR_ID, self->wr_id);
}

TEST_F(channel, cancelled_reader_leaves_the_channel_usable)
{
	start_reader(self);
	EXPECT_EQ(0, pthread_cancel(self->thread));
	pthread_join(self->thread, NULL);
	EXPECT_FALSE(self->done);
	EXPECT_EQ(0, query_counter(self));
	read_reply(self);
	EXPECT_EQ(0, self->result);
	EXPECT_EQ(WR_ID, self->wr_id);
}

static void ignore_signal(int number)
{
	(void)number;
}

/* Sends signals to the reader until it ends, @n at most. */
static void signal_reader(struct ct_fix_channel *self, unsigned n)
{
	for (unsigned i = 0; i < n && !__atomic_load_n(&self->done, __ATOMIC_ACQUIRE); i++) {
		pthread_kill(self->thread, SIGUSR1);
		usleep(SIGNAL_MS * 1000);
	}
}

TEST_F(channel, signal_interrupts_a_waiting_reader)
{
	const struct sigaction act = { .sa_handler = ignore_signal };
	struct sigaction old;

	sigaction(SIGUSR1, &act, &old);
	start_reader(self);
	signal_reader(self, TICKS);
	EXPECT_TRUE(__atomic_load_n(&self->done, __ATOMIC_ACQUIRE));
	pthread_join(self->thread, NULL);
	EXPECT_EQ(EINTR, self->result);
	sigaction(SIGUSR1, &old, NULL);
}

TEST_F(channel, signal_with_sa_restart_does_not_interrupt)
{
	const struct sigaction act = { .sa_handler = ignore_signal, .sa_flags = SA_RESTART };
	struct sigaction old;

	sigaction(SIGUSR1, &act, &old);
	start_reader(self);
	signal_reader(self, 5);
	EXPECT_FALSE(__atomic_load_n(&self->done, __ATOMIC_ACQUIRE));
	EXPECT_EQ(0, query_counter(self));
	pthread_join(self->thread, NULL);
	EXPECT_EQ(0, self->result);
	sigaction(SIGUSR1, &old, NULL);
}

TEST_F(channel, close_of_the_context_ends_a_waiting_reader)
{
	start_reader(self);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	pthread_join(self->thread, NULL);
	EXPECT_EQ(EIO, self->result);
	EXPECT_EQ_ON_EMU(0, verbs_rig_read_counters().contexts);
}

TEST_F(channel, close_of_the_file_ends_a_waiting_reader)
{
	NEEDS_EMU("because a kernel lets the reader wait");
	start_reader(self);
	EXPECT_EQ(0, close(self->comp->fd));
	pthread_join(self->thread, NULL);
	if (self->result != EBADF) /* EBADF: the thread had not begun */
		EXPECT_EQ(EIO, self->result);
	self->comp->fd = open("/dev/null", O_RDONLY | O_CLOEXEC); /* for libmlx5 to close */
}
