/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/ethtool/ethtool.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/user_memory.h"

int uv_ethtool_forward(const struct uv_ethtool *e, void *data)
{
	struct ifreq ifr = e->ifr;

	ifr.ifr_data = data;
	return uv_real_ioctl(e->fd, SIOCETHTOOL, &ifr) ? -errno : 0;
}

/* Serves ETHTOOL_GDRVINFO. The driver version is the kernel's, as for mlx5_core in Linux. */
int uv_ethtool_get_driver(const struct uv_ethtool *e)
{
	const struct emu_model *model = emu_model_find(uv_front.shared->profile);
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO, .driver = "mlx5_core" };
	struct utsname kernel;
	char firmware[64];

	if (!uname(&kernel))
		snprintf(info.version, sizeof(info.version), "%.31s", kernel.release);
	snprintf(firmware, sizeof(firmware), "%u.%u.%04u (%.16s)", model->fw[0], model->fw[1],
		 model->fw[2], model->board_id);
	snprintf(info.fw_version, sizeof(info.fw_version), "%.31s", firmware);
	if (uv_front.shared->sub_functions)
		snprintf(info.bus_info, sizeof(info.bus_info), EMU_SF_NAME, EMU_SF_FIRST + e->port);
	else
		snprintf(info.bus_info, sizeof(info.bus_info), EMU_PCI_ADDRESS, e->port);
	info.n_stats = uv_ethtool_n_statistics();
	return uv_copy_to_user(e->data, &info, sizeof(info));
}

static const struct command {
	uint32_t number;
	int (*serve)(const struct uv_ethtool *e);
} commands[] = {
	{ ETHTOOL_GDRVINFO, uv_ethtool_get_driver },
	{ ETHTOOL_GSSET_INFO, uv_ethtool_count_strings },
	{ ETHTOOL_GSTRINGS, uv_ethtool_get_strings },
	{ ETHTOOL_GSTATS, uv_ethtool_get_statistics },
	{ ETHTOOL_GLINK, uv_ethtool_get_link },
	{ ETHTOOL_GLINKSETTINGS, uv_ethtool_get_link_settings },
	{ ETHTOOL_SLINKSETTINGS, uv_ethtool_refuse_settings },
	{ ETHTOOL_GSET, uv_ethtool_get_old_settings },
	{ ETHTOOL_SSET, uv_ethtool_refuse_settings },
	{ ETHTOOL_GPAUSEPARAM, uv_ethtool_get_pause },
	{ ETHTOOL_SPAUSEPARAM, uv_ethtool_refuse_pause },
	{ ETHTOOL_GMODULEINFO, uv_ethtool_refuse_module },
	{ ETHTOOL_GMODULEEEPROM, uv_ethtool_refuse_module },
};

/* Returns the port of the netdev @name, or -1. */
static int find_port(const char *name)
{
	for (unsigned i = 0; *name && i < uv_front.shared->n_ports; i++)
		if (!strncmp(name, uv_front.shared->port[i].ifname, IFNAMSIZ))
			return (int)i;
	return -1;
}

/* Returns 0, or -ENODEV: the netdev was deleted, or moved to another network namespace. */
static int check_netdev(const struct uv_ethtool *e)
{
	struct ifreq ifr = { 0 };

	memcpy(ifr.ifr_name, e->ifr.ifr_name, sizeof(ifr.ifr_name));
	return uv_real_ioctl(e->fd, SIOCGIFFLAGS, &ifr) ? -errno : 0;
}

static int serve_command(const struct uv_ethtool *e)
{
	uint32_t number;
	int rc = check_netdev(e);

	if (!rc)
		rc = uv_copy_from_user(&number, e->data, sizeof(number));
	for (size_t i = 0; !rc && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].number == number)
			return commands[i].serve(e);
	return rc ? rc : -ENOTTY;
}

int uv_ethtool_serve(int fd, void *arg)
{
	struct uv_ethtool e = { .fd = fd };
	int port, rc = -ENOTTY;

	if (uv_copy_from_user(&e.ifr, (uintptr_t)arg, sizeof(e.ifr)))
		return -ENOTTY; /* the kernel will fail with the right errno */
	port = find_port(e.ifr.ifr_name);
	if (port < 0)
		return -ENOTTY;
	e.port = (unsigned)port;
	e.data = (uintptr_t)e.ifr.ifr_data;
	uv_front_lock();
	rc = serve_command(&e);
	uv_front_unlock();
	return rc;
}
