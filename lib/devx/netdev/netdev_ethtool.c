/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/netdev_ethtool.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "devx/core/fail.h"

_Static_assert(ETH_GSTRING_LEN == DEVX_NETDEV_STAT_BYTES, "length of a name in the kernel");
_Static_assert(DEVX_NETDEV_BYTES <= IFNAMSIZ, "a name fits a struct ifreq");

/*
 * Sends the command in @data, a struct of linux/ethtool.h. @what describes it in the message, such
 * as "read the link".
 */
static int send_command(struct devx_dev *dev, void *data, const char *what)
{
	struct ifreq ifr = { .ifr_data = data };
	int fd, err = 0;

	if (!dev->netdev[0])
		return devx_fail(dev, -ENODEV,
				 "%s has no network interface in this network namespace",
				 dev->ibdev);
	memcpy(ifr.ifr_name, dev->netdev, sizeof(dev->netdev));
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &ifr))
		err = errno;
	if (fd >= 0)
		close(fd);
	if (err)
		return devx_fail_sys(dev, err, "cannot %s of network interface %s%s", what,
				     dev->netdev,
				     err == EPERM ? " (this process needs CAP_NET_ADMIN)" : "");
	return 0;
}

/* ---- link, pause frames, module ------------------------------------------------------ */

enum { MAX_MASK_WORDS = INT8_MAX, N_MASKS = 3 };

/* Argument of ETHTOOL_GLINKSETTINGS with room for the masks of link modes */
union link_settings {
	struct ethtool_link_settings head;
	uint32_t words[sizeof(struct ethtool_link_settings) / sizeof(uint32_t) +
		       N_MASKS * MAX_MASK_WORDS];
};

int devx_netdev_get_link(struct devx_dev *dev, struct devx_netdev_link *link)
{
	static const char what[] = "read the link";
	union link_settings get = { .head = { .cmd = ETHTOOL_GLINKSETTINGS } };
	struct devx_netdev_link got = { 0 };
	int rc = send_command(dev, &get, what);

	if (rc)
		return rc;
	/* The first answer has only the number of words, negated; the second has the masks. */
	if (get.head.link_mode_masks_nwords >= 0)
		return devx_fail(dev, -EOPNOTSUPP,
				 "cannot %s of network interface %s: the kernel reports no link "
				 "modes",
				 what, dev->netdev);
	get.head.link_mode_masks_nwords = (int8_t)-get.head.link_mode_masks_nwords;
	rc = send_command(dev, &get, what);
	if (rc)
		return rc;
	if (get.head.speed != (uint32_t)SPEED_UNKNOWN)
		got.speed_mbps = get.head.speed;
	got.half_duplex = get.head.duplex == DUPLEX_HALF;
	got.autoneg = get.head.autoneg == AUTONEG_ENABLE;
	for (int i = 0; i < get.head.link_mode_masks_nwords && i < DEVX_NETDEV_MODE_WORDS; i++)
		got.supported[i] = get.words[sizeof(get.head) / sizeof(uint32_t) + (size_t)i];
	*link = got;
	return 0;
}

int devx_netdev_get_pause(struct devx_dev *dev, struct devx_netdev_pause *pause)
{
	struct ethtool_pauseparam get = { .cmd = ETHTOOL_GPAUSEPARAM };
	const int rc = send_command(dev, &get, "read the flow control");

	if (!rc)
		*pause = (struct devx_netdev_pause){ get.rx_pause, get.tx_pause, get.autoneg };
	return rc;
}

int devx_netdev_set_pause(struct devx_dev *dev, const struct devx_netdev_pause *pause)
{
	struct ethtool_pauseparam set = { ETHTOOL_SPAUSEPARAM, pause->autoneg, pause->rx,
					  pause->tx };

	return send_command(dev, &set, "change the flow control");
}

int devx_netdev_get_module(struct devx_dev *dev, struct devx_netdev_module *module)
{
	struct ethtool_modinfo get = { .cmd = ETHTOOL_GMODULEINFO };
	const int rc = send_command(dev, &get, "read the module");

	if (!rc)
		*module = (struct devx_netdev_module){ get.type, get.eeprom_len };
	return rc;
}

int devx_netdev_read_module(struct devx_dev *dev, uint32_t offset, void *buf, uint32_t bytes)
{
	struct ethtool_eeprom *get = calloc(1, sizeof(*get) + bytes);
	int rc;

	if (!get)
		return devx_fail_sys(dev, ENOMEM, "cannot allocate %u bytes for the module", bytes);
	get->cmd = ETHTOOL_GMODULEEEPROM;
	get->offset = offset;
	get->len = bytes;
	rc = send_command(dev, get, "read the module");
	if (!rc)
		memcpy(buf, get->data, bytes);
	free(get);
	return rc;
}

/* ---- statistics ---------------------------------------------------------------------- */

/*
 * Spare room in the buffers: the kernel always writes all statistics, and their number grows if an
 * administrator adds queues between the count and the read.
 */
enum { SPARE_STATISTICS = 8192 };

static int count_statistics(struct devx_dev *dev, uint32_t *n)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t n;
	} get = { .head = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS } };
	const int rc = send_command(dev, &get, "count the statistics");

	if (!rc)
		*n = get.head.sset_mask ? get.n : 0;
	return rc;
}

static int find_name(const struct ethtool_gstrings *all, const char *name)
{
	for (uint32_t i = 0; i < all->len; i++)
		if (!strncmp((const char *)all->data + i * ETH_GSTRING_LEN, name, ETH_GSTRING_LEN))
			return (int)i;
	return -1;
}

/* Sets stats->index and stats->n_all. */
static int find_names(struct devx_netdev_stats *stats)
{
	struct ethtool_gstrings *all;
	uint32_t n = 0;
	int rc = count_statistics(stats->dev, &n);

	if (rc)
		return rc;
	all = calloc(1, sizeof(*all) + (n + SPARE_STATISTICS) * ETH_GSTRING_LEN);
	if (!all)
		return devx_fail_sys(stats->dev, ENOMEM, "cannot allocate %u names of statistics",
				     n);
	*all = (struct ethtool_gstrings){ ETHTOOL_GSTRINGS, ETH_SS_STATS, n };
	if (n)
		rc = send_command(stats->dev, all, "read the names of the statistics");
	for (uint32_t i = 0; !rc && i < stats->n; i++)
		stats->index[i] = find_name(all, stats->names[i]);
	if (!rc)
		stats->n_all = all->len;
	free(all);
	return rc;
}

int devx_netdev_stats_create(struct devx_netdev_stats *stats, struct devx_dev *dev,
			     const char *const *names, uint32_t n)
{
	int rc;

	*stats = (struct devx_netdev_stats){ dev, names, calloc(n, sizeof(*stats->index)), n, 0 };
	rc = stats->index ? find_names(stats)
			  : devx_fail_sys(dev, ENOMEM, "cannot allocate %u statistics", n);
	if (rc)
		devx_netdev_stats_destroy(stats);
	return rc;
}

/* Looks the names up again if the number of statistics has changed. */
static int follow_changes(struct devx_netdev_stats *stats)
{
	uint32_t n = 0;
	const int rc = count_statistics(stats->dev, &n);

	return rc || n == stats->n_all ? rc : find_names(stats);
}

int devx_netdev_stats_read(struct devx_netdev_stats *stats, uint64_t *values)
{
	int rc = follow_changes(stats);
	struct ethtool_stats *all;

	if (rc)
		return rc;
	all = calloc(1, sizeof(*all) + (stats->n_all + SPARE_STATISTICS) * sizeof(uint64_t));
	if (!all)
		return devx_fail_sys(stats->dev, ENOMEM, "cannot allocate %u statistics",
				     stats->n_all);
	*all = (struct ethtool_stats){ ETHTOOL_GSTATS, stats->n_all };
	if (stats->n_all)
		rc = send_command(stats->dev, all, "read the statistics");
	for (uint32_t i = 0; !rc && i < stats->n; i++)
		values[i] = stats->index[i] < 0 ? 0 : all->data[stats->index[i]];
	free(all);
	return rc;
}

void devx_netdev_stats_destroy(struct devx_netdev_stats *stats)
{
	free(stats->index);
	*stats = (struct devx_netdev_stats){ 0 };
}
