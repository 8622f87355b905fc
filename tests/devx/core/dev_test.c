/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <string.h>
#include <unistd.h>

#include "ct.h"
#include "devx_rig.h"
#include "devx_rig_faults.h"

/* devx_dev_open() and devx_dev_list() (dev.c). */

FIXTURE(dev)
{
	struct devx_dev dev;
	char line[DEVX_TEXT_BYTES];
};

FIXTURE_SETUP(dev) {}

FIXTURE_TEARDOWN(dev)
{
	devx_dev_close(&self->dev);
}

TEST_F(dev, opens_by_name)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_STREQ(devx_rig_get_ibdev(), self->dev.ibdev);
	EXPECT_NE(0, self->dev.pdn);
	EXPECT_STRNE("", self->dev.fw_version);
}

TEST_F(dev, opens_by_pci_address_with_and_without_domain)
{
	struct devx_dev by_pci = { 0 }, by_short = { 0 };

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_STRNE("", self->dev.pci);
	ASSERT_EQ(0, devx_dev_open(&by_pci, self->dev.pci));
	EXPECT_STREQ(self->dev.ibdev, by_pci.ibdev);
	devx_dev_close(&by_pci);
	if (strncmp(self->dev.pci, "0000:", 5))
		return;
	ASSERT_EQ(0, devx_dev_open(&by_short, self->dev.pci + 5));
	EXPECT_STREQ(self->dev.ibdev, by_short.ibdev);
	devx_dev_close(&by_short);
}

TEST_F(dev, opens_twice)
{
	struct devx_dev again = { 0 };

	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	ASSERT_EQ(0, devx_dev_open(&again, devx_rig_get_ibdev()));
	devx_dev_close(&again);
}

/* @dev is all zero, except the reason for @rc. */
static void expect_only_a_reason(struct devx_dev *dev, int rc)
{
	static const struct devx_dev zero;

	EXPECT_EQ(rc, dev->refusal.rc);
	dev->refusal = zero.refusal;
	EXPECT_MEMEQ(&zero, dev, sizeof(zero));
}

TEST_F(dev, unknown_name_is_refused_with_a_list_of_devices)
{
	char there[256];

	ASSERT_LE(1, devx_dev_list(there, sizeof(there)));
	ASSERT_EQ(-ENOENT, devx_dev_open(&self->dev, "mlx5_77"));
	devx_strerror(&self->dev, -ENOENT, self->line, sizeof(self->line));
	EXPECT_SUBSTR("mlx5_77", self->line);
	EXPECT_SUBSTR(there, self->line);
	expect_only_a_reason(&self->dev, -ENOENT);
}

TEST_F(dev, open_forgets_the_refusal_of_the_open_before)
{
	ASSERT_EQ(-ENOENT, devx_dev_open(&self->dev, "mlx5_77"));
	EXPECT_EQ(-ENOENT, self->dev.refusal.rc);
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_EQ(0, self->dev.refusal.rc);
}

TEST_F(dev, unknown_pci_address_is_refused_with_a_list_of_devices)
{
	devx_rig_expect_error(&self->dev, -ENOENT, devx_rig_get_ibdev(),
			      devx_dev_open(&self->dev, "ffff:ff:1f.7"));
}

static const struct bad_name {
	const char *name;
	const char *dev;
} bad_names[] = {
	{ "null", NULL },
	{ "empty", "" },
	{ "too_long", "mlx5_0000000000000000000000000000000000000000000000000000000000000" },
};

TEST_F_EACH(dev, invalid_name_is_refused, struct bad_name, bad_names)
{
	devx_rig_expect_error(&self->dev, -EINVAL, "mlx5_0", devx_dev_open(&self->dev, row->dev));
	expect_only_a_reason(&self->dev, -EINVAL);
}

static const struct denial {
	const char *name;
	int how;
	int rc;
	const char *says;
} denials[] = {
	{ "eperm", EPERM, -EPERM, "no permission" },
	{ "eacces", EACCES, -EACCES, "no permission" },
	{ "kernel_without_devx", EOPNOTSUPP, -ENOTSUP, "DEVX is unsupported" },
	{ "firmware_without_devx", EINVAL, -ENOTSUP, "DEVX is unsupported" },
	{ "other_error", EIO, -EIO, "cannot open" },
};

/* All ioctls fail: libmlx5 tries to open up to three times, with requests of three lengths. */
TEST_F_EACH(dev, failed_open_names_the_reason, struct denial, denials)
{
	int rc;

	devx_rig_fail_ioctls(row->how);
	rc = devx_dev_open(&self->dev, devx_rig_get_ibdev());
	devx_rig_fail_ioctls(0);
	devx_rig_expect_error(&self->dev, row->rc, row->says, rc);
	expect_only_a_reason(&self->dev, rc);
}

/* ---- descriptors of user capabilities ------------------------------------------------------ */

static const int negative[] = { -1 };
static const struct bad_attr {
	const char *name;
	const struct devx_dev_attr *attr;
	const char *says;
} bad_attrs[] = {
	{ "null", NULL, "pass a struct devx_dev_attr" },
	{ "no_array", &(struct devx_dev_attr){ .n_fds = 1 }, "1 descriptors" },
	{ "too_many", &(struct devx_dev_attr){ .fds = negative, .n_fds = DEVX_MAX_FDS + 1 },
	  "65 descriptors" },
	{ "negative", &(struct devx_dev_attr){ .fds = negative, .n_fds = 1 },
	  "descriptor 0 is -1" },
};

TEST_F_EACH(dev, invalid_descriptors_are_refused, struct bad_attr, bad_attrs)
{
	devx_rig_expect_error(&self->dev, -EINVAL, row->says,
			      devx_dev_open_attr(&self->dev, devx_rig_get_ibdev(), row->attr));
	expect_only_a_reason(&self->dev, -EINVAL);
}

TEST_F(dev, empty_array_opens_as_without_one)
{
	const struct devx_dev_attr attr = { .n_fds = 0 };

	ASSERT_EQ(0, devx_dev_open_attr(&self->dev, devx_rig_get_ibdev(), &attr));
	EXPECT_NE(0, self->dev.pdn);
}

/* Returns a descriptor of a user capability, or -1: the kernel or the device has none. */
static int open_capability(void)
{
	return open("/dev/infiniband/mlx5_perm_ctrl_local", O_RDWR | O_CLOEXEC);
}

TEST_F(dev, descriptor_of_a_capability_opens)
{
	const int fd = open_capability();
	const struct devx_dev_attr attr = { .fds = &fd, .n_fds = 1 };
	int rc;

	if (fd < 0)
		SKIP("/dev/infiniband/mlx5_perm_ctrl_local: %s (needs Linux 6.15 and a device with "
		     "user capabilities)",
		     strerror(errno));
	rc = devx_dev_open_attr(&self->dev, devx_rig_get_ibdev(), &attr);
	close(fd);
#ifdef DEVX_HAS_FD_ARRAY
	EXPECT_EQ(0, rc);
#else
	devx_rig_expect_error(&self->dev, -ENOTSUP, "needed: rdma-core 57", rc);
#endif
}

/*
 * Linux up to 6.14 ignores the array, and Linux 6.15 compares the descriptors with its user
 * capabilities. rdma-core before 57 cannot pass the array.
 */
static void expect_refusal(struct ct_fix_dev *self, int fd)
{
	const char *says = "(valid: open descriptors of /dev/infiniband/mlx5_perm_ctrl_*)";
	const struct devx_dev_attr attr = { .fds = &fd, .n_fds = 1 };
	const int rc = devx_dev_open_attr(&self->dev, devx_rig_get_ibdev(), &attr);
	int want = rc == -EINVAL ? -EINVAL : -EBADF;

#ifdef DEVX_HAS_FD_ARRAY
	if (!rc) { /* a kernel that ignores the array has no user capabilities */
		EXPECT_NE(0, access("/dev/infiniband/mlx5_perm_ctrl_local", F_OK));
		return;
	}
#else
	want = -ENOTSUP;
	says = "needed: rdma-core 57";
#endif
	devx_rig_expect_error(&self->dev, want, says, rc);
	expect_only_a_reason(&self->dev, want);
}

TEST_F(dev, descriptor_of_a_plain_file_is_refused)
{
	const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, fd);
	expect_refusal(self, fd);
	close(fd);
}

TEST_F(dev, closed_descriptor_is_refused)
{
	const int fd = dup(0);

	close(fd);
	expect_refusal(self, fd);
}

TEST_F(dev, list_truncates_the_text_to_the_buffer)
{
	char there[4];

	EXPECT_LE(1, devx_dev_list(there, sizeof(there)));
	EXPECT_EQ(3, strlen(there));
}
