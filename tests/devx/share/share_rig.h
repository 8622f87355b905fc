/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHARE_RIG_H
#define SHARE_RIG_H

#include "devx/share.h"
#include "devx_rig.h"

/* Two devices over one context, and queues that send from one of them to the RQ of the other. */

/** struct share_rig - a rig, and a second device that is imported from it */
struct share_rig {
	struct devx_rig rig;
	struct devx_dev other;
	struct devx_share share; /* export of the device of the rig */
	int fd;                  /* its descriptor */
};

/** share_rig_up - create the rig and import its device; @s is all zero */
void share_rig_up(struct share_rig *s);
/** share_rig_down - close both devices, which must have destroyed their objects */
void share_rig_down(struct share_rig *s);

/** share_rig_expect_frame - send frame @seq through the SQ of @from; expect it in the RQ of @rig */
void share_rig_expect_frame(struct devx_rig *from, struct devx_rig *rig, uint32_t seq);

/**
 * share_rig_create_sender - create the CQ and the SQ of a sender
 * @sender: all zero; receives send_cq and sq
 * @dev: device of the queues
 * @tis, @uar: of any device over the same context
 *
 * Return: 0 or -errno
 */
int share_rig_create_sender(struct devx_rig *sender, struct devx_dev *dev,
			    const struct devx_tis *tis, const struct devx_uar *uar);

/** share_rig_destroy_sender - destroy the queues of a sender */
void share_rig_destroy_sender(struct devx_rig *sender);

#endif
