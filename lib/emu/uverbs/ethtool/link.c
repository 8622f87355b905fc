/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands of ethtool about the link of a port: state, speed, pause frames, module. The answers are
 * those of mlx5_core with the firmware of emu (firmware/register.c).
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdbool.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/user_memory.h"
#include "emu/uverbs/ethtool/ethtool.h"

/* Number of words in a mask of link modes, in the linux/ethtool.h that emu was built with. */
enum { MASK_WORDS = (__ETHTOOL_LINK_MODE_MASK_NBITS + 31) / 32, MASKS = 3 };

/*
 * Returns whether netdev and adapter are up. The adapter follows the netdev with a delay
 * (device/netdev.c). Without an adapter in this process, only the netdev counts.
 */
static bool is_up(const struct uv_ethtool *e)
{
	struct emu *emu = uv_front_find_port(e->port);
	struct emu_link link;
	struct ifreq ifr = e->ifr;

	if (uv_real_ioctl(e->fd, SIOCGIFFLAGS, &ifr) || !(ifr.ifr_flags & IFF_UP))
		return false;
	if (!emu)
		return true;
	emu_get_link(emu, &link);
	return link.up;
}

int uv_ethtool_get_link(const struct uv_ethtool *e)
{
	const struct ethtool_value value = { ETHTOOL_GLINK, is_up(e) };

	return uv_copy_to_user(e->data, &value, sizeof(value));
}

static void set_mode(uint32_t *mask, unsigned bit)
{
	mask[bit / 32] |= 1u << bit % 32;
}

/* The port has one mode, 100GBASE-CR4. While the link is down, speed and duplex are unknown. */
int uv_ethtool_get_link_settings(const struct uv_ethtool *e)
{
	struct {
		struct ethtool_link_settings base;
		uint32_t mask[MASKS][MASK_WORDS]; /* supported, advertised, link partner's */
	} reply = { 0 };
	const bool up = is_up(e);
	int rc = uv_copy_from_user(&reply.base, e->data, sizeof(reply.base));

	if (rc)
		return rc;
	if (reply.base.link_mode_masks_nwords != MASK_WORDS) {
		/* the first of two calls, which asks for the number of words */
		reply.base =
			(struct ethtool_link_settings){ .cmd = ETHTOOL_GLINKSETTINGS,
							.link_mode_masks_nwords = -MASK_WORDS };
		return uv_copy_to_user(e->data, &reply.base, sizeof(reply.base));
	}
	reply.base = (struct ethtool_link_settings){
		.cmd = ETHTOOL_GLINKSETTINGS,
		.speed = up ? SPEED_100000 : (uint32_t)SPEED_UNKNOWN,
		.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN,
		.port = PORT_DA,
		.autoneg = AUTONEG_ENABLE,
		.link_mode_masks_nwords = MASK_WORDS,
	};
	set_mode(reply.mask[0], ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT);
	set_mode(reply.mask[0], ETHTOOL_LINK_MODE_Autoneg_BIT);
	set_mode(reply.mask[0], ETHTOOL_LINK_MODE_Pause_BIT);
	set_mode(reply.mask[1], ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT);
	set_mode(reply.mask[1], ETHTOOL_LINK_MODE_Autoneg_BIT);
	return uv_copy_to_user(e->data, &reply, sizeof(reply));
}

/* ETHTOOL_GSET has 32 bits of link modes. 100GBASE-CR4 does not fit; Linux then omits it. */
int uv_ethtool_get_old_settings(const struct uv_ethtool *e)
{
	const bool up = is_up(e);
	struct ethtool_cmd settings = {
		.cmd = ETHTOOL_GSET,
		.supported = SUPPORTED_Autoneg | SUPPORTED_Pause,
		.advertising = ADVERTISED_Autoneg,
		.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN,
		.port = PORT_DA,
		.autoneg = AUTONEG_ENABLE,
	};

	ethtool_cmd_speed_set(&settings, up ? SPEED_100000 : (uint32_t)SPEED_UNKNOWN);
	return uv_copy_to_user(e->data, &settings, sizeof(settings));
}

/*
 * Returns -EPERM if the process may not change the netdev. Asks the kernel with a command that the
 * driver of a TAP does not have, so that the check changes nothing.
 */
static int check_permission(const struct uv_ethtool *e)
{
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_SPAUSEPARAM };

	return uv_ethtool_forward(e, &pause) == -EPERM ? -EPERM : 0;
}

/* PTYS is read-only, because the speed of the wire is fixed. */
int uv_ethtool_refuse_settings(const struct uv_ethtool *e)
{
	const int rc = check_permission(e);

	return rc ? rc : -EINVAL;
}

/* PFCC reads as zeros: the port has no pause frames. */
int uv_ethtool_get_pause(const struct uv_ethtool *e)
{
	const struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };

	return uv_copy_to_user(e->data, &pause, sizeof(pause));
}

/* mlx5_core refuses changes if capability vport_group_manager is 0. */
int uv_ethtool_refuse_pause(const struct uv_ethtool *e)
{
	const int rc = check_permission(e);

	return rc ? rc : -EOPNOTSUPP;
}

/* emu has no register MCIA. In that case mlx5_core reads 0 bytes of the module and returns EIO. */
int uv_ethtool_refuse_module(const struct uv_ethtool *e)
{
	(void)e;
	return -EIO;
}
