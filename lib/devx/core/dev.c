/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devx/account.h"
#include "devx/core/dev_parts.h"
#include "devx/core/fail.h"
#include "devx/core/sysfs.h"
#include "devx/dev.h"
#include "devx/share.h"

/* Appends @a, @b and @c to the text in @buf, truncated to @bytes. */
static void append_text(char *buf, size_t bytes, const char *a, const char *b, const char *c)
{
	const size_t n = strlen(buf);

	snprintf(buf + n, bytes - n, "%s%s%s", a, b, c);
}

static void list_devices(struct ibv_device **list, char *buf, size_t bytes)
{
	char function[DEVX_NAME_BYTES];

	buf[0] = '\0';
	for (size_t i = 0; list[i]; i++) {
		append_text(buf, bytes, i ? ", " : "", ibv_get_device_name(list[i]), "");
		devx_sysfs_read_pci(list[i]->ibdev_path, function, sizeof(function));
		if (!function[0])
			devx_sysfs_read_parent(list[i]->ibdev_path, function, sizeof(function));
		if (function[0])
			append_text(buf, bytes, " (", function, ")");
	}
}

int devx_dev_list(char *buf, size_t bytes)
{
	int n = 0;
	struct ibv_device **list = ibv_get_device_list(&n);

	buf[0] = '\0';
	if (!list)
		return errno ? -errno : -ENOMEM;
	list_devices(list, buf, bytes);
	ibv_free_device_list(list);
	return n;
}

static struct ibv_device *find_device(struct ibv_device **list, const char *name)
{
	char want[DEVX_PCI_BYTES], has[DEVX_NAME_BYTES];
	const bool by_pci = devx_pci_normalise(name, want, sizeof(want));

	for (size_t i = 0; list[i]; i++) {
		if (!strcmp(name, ibv_get_device_name(list[i])))
			return list[i];
		if (by_pci)
			devx_sysfs_read_pci(list[i]->ibdev_path, has, sizeof(has));
		else
			devx_sysfs_read_parent(list[i]->ibdev_path, has, sizeof(has));
		if (!strcmp(by_pci ? want : name, has))
			return list[i];
	}
	return NULL;
}

void devx_dev_read_names(struct devx_dev *dev, struct ibv_device *device)
{
	snprintf(dev->ibdev, sizeof(dev->ibdev), "%s", ibv_get_device_name(device));
	devx_sysfs_read_pci(device->ibdev_path, dev->pci, sizeof(dev->pci));
	if (!devx_netdev_find(dev->ibdev, dev->netdev, sizeof(dev->netdev)))
		devx_sysfs_read_netdev(device->ibdev_path, dev->netdev, sizeof(dev->netdev));
	dev->numa_node = devx_sysfs_read_numa_node(device->ibdev_path);
}

static int open_context(struct devx_dev *dev, struct ibv_device *device,
			const struct devx_dev_attr *attr)
{
	devx_dev_read_names(dev, device);
	if (!mlx5dv_is_supported(device))
		return devx_fail(dev, -ENOTSUP, "%s is not an mlx5 device", dev->ibdev);
	return devx_context_open(dev, device, attr);
}

static int open_by_name(struct devx_dev *dev, const char *name, const struct devx_dev_attr *attr)
{
	struct ibv_device **list, *device;
	char there[DEVX_TEXT_BYTES / 2];
	int n = 0, rc;

	errno = 0;
	list = ibv_get_device_list(&n);
	if ((!list && errno != ENOSYS) || (!n && errno == ENOMEM)) {
		const int err = errno ? errno : ENOMEM;

		if (list)
			ibv_free_device_list(list);
		return devx_fail_sys(dev, err, "cannot list RDMA devices");
	}
	if (!list || !n) {
		if (list)
			ibv_free_device_list(list);
		return devx_fail(dev, -ENODEV,
				 "no RDMA device on this machine; check that the kernel module "
				 "mlx5_ib is loaded");
	}
	device = find_device(list, name);
	if (device) {
		rc = open_context(dev, device, attr);
	} else {
		list_devices(list, there, sizeof(there));
		rc = devx_fail(dev, -ENOENT, "no such RDMA device: %s (valid: %s)", name, there);
	}
	ibv_free_device_list(list);
	return rc;
}

static int alloc_pd(struct devx_dev *dev)
{
	errno = 0;
	dev->pd = ibv_alloc_pd(dev->ctx);
	if (!dev->pd)
		return devx_fail_sys(dev, errno ? errno : ENOMEM,
				     "cannot allocate a protection domain");
	return devx_dev_read_pdn(dev);
}

int devx_dev_read_pdn(struct devx_dev *dev)
{
	struct mlx5dv_pd pd = { 0 };
	struct mlx5dv_obj obj = { .pd = { .in = dev->pd, .out = &pd } };
	const int err = mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD);

	if (err)
		return devx_fail_sys(dev, err, "cannot read the number of the protection domain");
	dev->pdn = pd.pdn;
	return 0;
}

static int read_fw_version(struct devx_dev *dev)
{
	struct ibv_device_attr attr;
	const int err = ibv_query_device(dev->ctx, &attr);

	if (err)
		return devx_fail_sys(dev, err, "cannot read the firmware version of %s",
				     dev->ibdev);
	snprintf(dev->fw_version, sizeof(dev->fw_version), "%.*s", (int)sizeof(attr.fw_ver),
		 attr.fw_ver);
	return 0;
}

int devx_dev_query(struct devx_dev *dev)
{
	const int rc = read_fw_version(dev);

	if (rc)
		return rc;
	dev->account = calloc(1, sizeof(*dev->account));
	if (!dev->account)
		return devx_fail_sys(dev, ENOMEM, "cannot allocate the account of commands");
	return devx_caps_query(dev);
}

int devx_dev_open(struct devx_dev *dev, const char *name)
{
	const struct devx_dev_attr attr = { .n_fds = 0 };

	return devx_dev_open_attr(dev, name, &attr);
}

int devx_dev_open_attr(struct devx_dev *dev, const char *name, const struct devx_dev_attr *attr)
{
	int rc;

	dev->refusal = (struct devx_refusal){ 0 };
	if (!name || !name[0] || strlen(name) >= sizeof(dev->ibdev))
		return devx_fail(
			dev, -EINVAL,
			"device name: missing, empty or longer than %zu characters (valid: "
			"a name that `ibv_devices` prints, such as mlx5_0, a PCI address, such as "
			"0000:08:00.0, or a sub-function, such as mlx5_core.sf.4)",
			sizeof(dev->ibdev) - 1);
	rc = devx_context_validate(dev, attr);
	if (!rc)
		rc = open_by_name(dev, name, attr);
	if (!rc)
		rc = alloc_pd(dev);
	if (!rc)
		rc = devx_dev_query(dev);
	if (rc)
		devx_dev_abandon(dev);
	return rc;
}

void devx_dev_abandon(struct devx_dev *dev)
{
	const struct devx_refusal why = dev->refusal;

	devx_dev_close(dev);
	dev->refusal = why;
}

/* The kernel frees a shared protection domain once the last process has closed the device. */
static void free_pd(struct devx_dev *dev)
{
	if (dev->shared)
		ibv_unimport_pd(dev->pd); /* frees only the struct of libmlx5 */
	else
		ibv_dealloc_pd(dev->pd);
}

void devx_dev_close(struct devx_dev *dev)
{
	while (dev->imports)
		devx_obj_unimport(dev->imports);
	if (dev->pd)
		free_pd(dev);
	if (dev->ctx)
		ibv_close_device(dev->ctx);
	free(dev->account);
	*dev = (struct devx_dev){ 0 };
}

bool devx_dev_is_vf(const struct devx_dev *dev)
{
	return devx_sysfs_is_vf(dev->ctx->device->ibdev_path);
}
