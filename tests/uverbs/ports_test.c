/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An adapter with two ports: what happens to the second one leaves the first one as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "prm/cqe.h"
#include "verbs_rig.h"
#include "wait_limit.h"

enum { N_PORTS = 2, SECOND = 1, NO_PORT = N_PORTS };

FIXTURE(ports)
{
	const struct devx_emu_ctl *emu;
	struct ibv_context *ctx[N_PORTS];
};

/* Opens the device of a port. Returns NULL if libibverbs cannot find or open it. */
static struct ibv_context *open_port(unsigned port)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	char name[16];

	snprintf(name, sizeof(name), "mlx5_%u", port);
	for (struct ibv_device **d = list; d && *d && !ctx; d++)
		if (!strcmp(name, ibv_get_device_name(*d)))
			ctx = mlx5dv_open_device(*d, &attr);
	if (list)
		ibv_free_device_list(list);
	return ctx;
}

FIXTURE_SETUP(ports)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("because an adapter may have one port");
	if (emu->n_ports() < N_PORTS)
		SKIP("this run has one port");
	if (getenv("DEVX_TEST_IBDEV"))
		SKIP("DEVX_TEST_IBDEV names one port");
	self->emu = emu;
	for (unsigned i = 0; i < N_PORTS; i++) {
		self->ctx[i] = open_port(i);
		ASSERT_NE(NULL, self->ctx[i]);
	}
}

static struct devx_emu_counters read_counters(struct ct_fix_ports *self, unsigned port)
{
	struct devx_emu_counters c;

	EXPECT_EQ(0, self->emu->counters(port, &c, sizeof(c)));
	return c;
}

FIXTURE_TEARDOWN(ports)
{
	for (unsigned i = 0; self->emu && i < N_PORTS; i++) {
		if (self->ctx[i])
			EXPECT_EQ(0, ibv_close_device(self->ctx[i]));
		EXPECT_EQ(0, read_counters(self, i).contexts);
		EXPECT_EQ(0, read_counters(self, i).handles);
	}
}

static int query_port(struct ibv_context *ctx)
{
	struct ibv_port_attr port;

	return ibv_query_port(ctx, 1, &port);
}

/* ---- names --------------------------------------------------------------------------------- */

static const char *const formats[] = {
	"/dev/infiniband/uverbs%u",
	"/dev/char/231:%u",
	"/sys/dev/char/231:%u",
	"/sys/class/infiniband/mlx5_%u",
	"/sys/class/infiniband_verbs/uverbs%u",
	"/sys/bus/pci/devices/0000:c1:00.%u/infiniband",
	"/sys/bus/pci/devices/0000:c1:00.%u/infiniband_verbs",
	/* names of the PCI function, which leave with the adapter only */
	"/sys/bus/pci/devices/0000:c1:00.%u",
	"/sys/bus/pci/drivers/mlx5_core/0000:c1:00.%u",
	"/sys/devices/pci0000:c1/0000:c1:00.%u",
};
enum { N_FORMATS = sizeof(formats) / sizeof(formats[0]), FIRST_OF_PCI = 7 };

static bool has_name(unsigned k, unsigned port)
{
	char path[128];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(path, sizeof(path), formats[k], (k == 1 || k == 2 ? 192 : 0) + port);
#pragma GCC diagnostic pop
	return !faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* @n_left: number of names that the second port has */
static void expect_names(unsigned n_left)
{
	for (unsigned k = 0; k < N_FORMATS; k++) {
		SCOPED_TRACE("%s", formats[k]);
		EXPECT_TRUE(has_name(k, 0));
		EXPECT_EQ(n_left == N_FORMATS || (n_left && k >= FIRST_OF_PCI),
			  has_name(k, SECOND));
	}
}

static const struct removal {
	const char *name;
	enum devx_emu_inject what;
	unsigned n_left;
} removals[] = {
	{ "remove", DEVX_EMU_INJECT_DEVICE_REMOVE, N_FORMATS - FIRST_OF_PCI },
	{ "unplug", DEVX_EMU_INJECT_DEVICE_UNPLUG, 0 },
};

TEST_F_EACH(ports, second_device_leaves_and_returns_alone, struct removal, removals)
{
	const struct devx_emu_ctl *emu = self->emu;
	struct ibv_async_event event;
	struct pollfd first = { self->ctx[0]->async_fd, POLLIN, 0 };
	const int node = open("/dev/infiniband/uverbs1", O_PATH | O_CLOEXEC);
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", node);
	expect_names(N_FORMATS);
	EXPECT_EQ(0, emu->inject(SECOND, row->what, 0));
	expect_names(row->n_left);
	EXPECT_EQ(0, query_port(self->ctx[0]));
	EXPECT_EQ(EIO, query_port(self->ctx[1]));
	ASSERT_EQ(0, ibv_get_async_event(self->ctx[1], &event));
	EXPECT_EQ(IBV_EVENT_DEVICE_FATAL, event.event_type);
	ibv_ack_async_event(&event);
	EXPECT_EQ(0, poll(&first, 1, 0));
	EXPECT_EQ(NULL, open_port(SECOND));
	EXPECT_EQ(0, emu->inject(SECOND, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
	expect_names(N_FORMATS);
	EXPECT_EQ(EIO, query_port(self->ctx[1])); /* the old context stays lost */
	EXPECT_EQ(0, ibv_close_device(self->ctx[1]));
	self->ctx[1] = open_port(SECOND);
	ASSERT_NE(NULL, self->ctx[1]);
	EXPECT_EQ(0, query_port(self->ctx[1]));
	close(node);
}

TEST_F(ports, both_devices_leave_and_return_in_another_order)
{
	const struct devx_emu_ctl *emu = self->emu;

	for (unsigned i = 0; i < N_PORTS; i++) {
		EXPECT_EQ(0, ibv_close_device(self->ctx[i]));
		self->ctx[i] = NULL;
		EXPECT_EQ(0, emu->inject(i, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
		EXPECT_EQ(NULL, open_port(i));
	}
	for (unsigned i = N_PORTS; i-- > 0;) {
		EXPECT_EQ(0, emu->inject(i, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
		EXPECT_EQ(0, emu->inject(i, DEVX_EMU_INJECT_DEVICE_RETURN, 0)); /* is there */
		self->ctx[i] = open_port(i);
		ASSERT_NE(NULL, self->ctx[i]);
	}
	expect_names(N_FORMATS);
}

TEST_F(ports, each_device_has_a_number_and_a_guid)
{
	struct ibv_device_attr attr[N_PORTS];
	struct stat open_file, node;

	for (unsigned i = 0; i < N_PORTS; i++) {
		char path[32];

		SCOPED_TRACE("port %u", i);
		snprintf(path, sizeof(path), "/dev/infiniband/uverbs%u", i);
		ASSERT_EQ(0, stat(path, &node));
		ASSERT_EQ(0, fstat(self->ctx[i]->cmd_fd, &open_file));
		EXPECT_EQ(makedev(231, 192 + i), node.st_rdev);
		EXPECT_EQ(node.st_rdev, open_file.st_rdev);
		EXPECT_EQ(node.st_dev, open_file.st_dev);
		EXPECT_EQ(node.st_ino, open_file.st_ino);
		EXPECT_EQ(1, open_file.st_nlink);
		EXPECT_EQ(0, open_file.st_size);
		ASSERT_EQ(0, ibv_query_device(self->ctx[i], &attr[i]));
	}
	EXPECT_NE(attr[0].node_guid, attr[1].node_guid);
}

/* ---- state --------------------------------------------------------------------------------- */

TEST_F(ports, each_port_counts_its_own_objects)
{
	const struct devx_emu_counters was[] = { read_counters(self, 0), read_counters(self, 1) };
	struct ibv_pd *pd[2] = { ibv_alloc_pd(self->ctx[1]), ibv_alloc_pd(self->ctx[1]) };
	struct devx_emu_counters first = read_counters(self, 0), second = read_counters(self, 1);

	ASSERT_NE(NULL, pd[1]);
	EXPECT_EQ(1, first.contexts);
	EXPECT_EQ(1, second.contexts);
	EXPECT_EQ(0, first.objects[DEVX_EMU_PD]);
	EXPECT_EQ(2, second.objects[DEVX_EMU_PD]);
	EXPECT_EQ(was[0].handles, first.handles);
	EXPECT_EQ(was[1].handles + 2, second.handles);
	EXPECT_EQ(was[0].commands, first.commands);
	EXPECT_EQ(was[1].commands + 2, second.commands);
	EXPECT_EQ(was[0].ioctls + 2, first.ioctls); /* counts all ports */
	EXPECT_EQ(was[1].ioctls + 2, second.ioctls);
	for (unsigned i = 0; i < 2; i++)
		EXPECT_EQ(0, ibv_dealloc_pd(pd[i]));
	self->ctx[0] = ibv_close_device(self->ctx[0]) ? self->ctx[0] : NULL;
	EXPECT_EQ(0, read_counters(self, 0).contexts);
	EXPECT_EQ(1, read_counters(self, 1).contexts);
}

static int subscribe_port(struct mlx5dv_devx_event_channel *ch)
{
	uint16_t event = PRM_EVENT_PORT_CHANGE;

	return mlx5dv_devx_subscribe_devx_event(ch, NULL, sizeof(event), &event, 1);
}

TEST_F(ports, link_change_reaches_the_files_of_its_port)
{
	const struct devx_emu_ctl *emu = self->emu;
	struct mlx5dv_devx_event_channel *ch[N_PORTS];
	struct pollfd files[N_PORTS + 1];
	struct ibv_async_event event;
	struct ibv_port_attr port;

	for (unsigned i = 0; i < N_PORTS; i++) {
		ch[i] = mlx5dv_devx_create_event_channel(self->ctx[i], 0);
		ASSERT_NE(NULL, ch[i]);
		EXPECT_EQ(0, subscribe_port(ch[i]));
		files[i] = (struct pollfd){ ch[i]->fd, POLLIN, 0 };
	}
	files[N_PORTS] = (struct pollfd){ self->ctx[0]->async_fd, POLLIN, 0 };
	EXPECT_EQ(0, emu->inject(SECOND, DEVX_EMU_INJECT_LINK_DOWN, 0));
	ASSERT_EQ(0, ibv_get_async_event(self->ctx[1], &event));
	EXPECT_EQ(IBV_EVENT_PORT_ERR, event.event_type);
	ibv_ack_async_event(&event);
	EXPECT_EQ(1, poll(files, N_PORTS + 1, WAIT_LIMIT_MS));
	EXPECT_EQ(POLLIN, files[SECOND].revents);
	EXPECT_EQ(0, ibv_query_port(self->ctx[0], 1, &port));
	EXPECT_EQ(IBV_PORT_ACTIVE, port.state);
	EXPECT_EQ(0, emu->inject(SECOND, DEVX_EMU_INJECT_LINK_UP, 0));
	ASSERT_EQ(0, ibv_get_async_event(self->ctx[1], &event));
	EXPECT_EQ(IBV_EVENT_PORT_ACTIVE, event.event_type);
	ibv_ack_async_event(&event);
	for (unsigned i = 0; i < N_PORTS; i++)
		mlx5dv_devx_destroy_event_channel(ch[i]);
}

static struct ibv_pd *try_pd(struct ibv_context *ctx)
{
	struct ibv_pd *pd = ibv_alloc_pd(ctx);

	if (pd)
		ibv_dealloc_pd(pd);
	return pd;
}

TEST_F(ports, each_port_counts_the_commands_before_the_one_that_fails)
{
	const struct devx_emu_ctl *emu = self->emu;

	emu->fail(DEVX_EMU_FAIL_COMMAND, 4, PRM_STATUS_LIM_ERR);
	EXPECT_EQ(4, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
	EXPECT_NE(NULL, try_pd(self->ctx[1])); /* two commands */
	EXPECT_EQ(2, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
	EXPECT_NE(NULL, try_pd(self->ctx[1]));
	EXPECT_EQ(0, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
	EXPECT_EQ(NULL, try_pd(self->ctx[1]));
	EXPECT_EQ(4, emu->fail_pending(DEVX_EMU_FAIL_COMMAND)); /* the first port decides */
	EXPECT_NE(NULL, try_pd(self->ctx[0]));
	EXPECT_NE(NULL, try_pd(self->ctx[0]));
	EXPECT_EQ(NULL, try_pd(self->ctx[0]));
	EXPECT_EQ(-1, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
}

TEST_F(ports, option_changes_the_capabilities_of_each_port)
{
	const struct devx_emu_ctl *emu = self->emu;
	struct mlx5dv_devx_event_channel *ch[N_PORTS];

	EXPECT_EQ(1, emu->option("port_events", 0));
	for (unsigned i = 0; i < N_PORTS; i++) {
		ch[i] = mlx5dv_devx_create_event_channel(self->ctx[i], 0);
		ASSERT_NE(NULL, ch[i]);
		EXPECT_EQ(EINVAL, subscribe_port(ch[i]));
	}
	EXPECT_EQ(0, emu->option("port_events", 1));
	for (unsigned i = 0; i < N_PORTS; i++) {
		EXPECT_EQ(0, subscribe_port(ch[i]));
		mlx5dv_devx_destroy_event_channel(ch[i]);
	}
	EXPECT_EQ(-EINVAL, emu->option("port_events", 2));
	EXPECT_EQ(-EINVAL, emu->option("no_such_option", 0));
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, PRM_STATUS_LIM_ERR);
	EXPECT_EQ(-EINVAL, emu->option("port_events", 1)); /* the kernel cannot read them again */
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	EXPECT_EQ(1, emu->option("port_events", 1));
}

TEST_F(ports, controls_refuse_a_port_that_does_not_exist)
{
	const struct devx_emu_ctl *emu = self->emu;
	struct devx_emu_counters c;
	char wqes[64];

	EXPECT_EQ(N_PORTS, emu->n_ports());
	EXPECT_EQ(-EINVAL, emu->counters(NO_PORT, &c, sizeof(c)));
	EXPECT_EQ(-EINVAL, emu->wire_faults(NO_PORT, ""));
	EXPECT_EQ(0, emu->wire_faults(SECOND, ""));
	EXPECT_EQ(-EINVAL, emu->wire_faults(SECOND, "drop=much"));
	EXPECT_EQ(-EINVAL, emu->inject(NO_PORT, DEVX_EMU_INJECT_LINK_UP, 0));
	EXPECT_EQ(-EINVAL, emu->inject(NO_PORT, DEVX_EMU_INJECT_DEVICE_REMOVE, 0));
	EXPECT_EQ(-EINVAL, emu->inject(SECOND, DEVX_EMU_INJECT_SQ_ERROR, 0xfff));
	EXPECT_EQ(-EINVAL, emu->inject(SECOND, (enum devx_emu_inject)100, 0));
	EXPECT_EQ(-EINVAL, emu->evict_cqes(NO_PORT));
	EXPECT_EQ(-EINVAL, emu->record_wqes(NO_PORT, wqes, sizeof(wqes)));
	EXPECT_EQ(0, emu->record_wqes(SECOND, wqes, sizeof(wqes)));
	EXPECT_EQ(0, emu->record_wqes(SECOND, NULL, 0));
	EXPECT_EQ(-EINVAL, emu->age_counters(NO_PORT, 1));
	EXPECT_EQ(0, emu->age_counters(SECOND, 0));
	EXPECT_EQ(0, emu->hold_commands(NO_PORT, -1));
	EXPECT_EQ(0, emu->step(NO_PORT, 1));
}
