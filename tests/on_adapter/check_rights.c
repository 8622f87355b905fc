/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about a user without CAP_NET_RAW. The kernel reads the capability when a program
 * opens the device.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "checks.h"
#include "emu/uverbs/shared.h"

static int change_capabilities(struct __user_cap_data_struct data[2], long call)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return (int)syscall(call, &head, data);
}

/* Opens @dev without CAP_NET_RAW. The kernel that devx-emu emulates reads the variable instead. */
static int open_without_net_raw(struct devx_dev *dev, const char *name)
{
	struct __user_cap_data_struct before[2], less[2];
	const char *old = getenv(EMU_CAPABILITIES_ENV);
	int rc;

	if (change_capabilities(before, SYS_capget))
		return -errno;
	less[0] = before[0];
	less[1] = before[1];
	less[0].effective &= ~(1u << CAP_NET_RAW);
	if (change_capabilities(less, SYS_capset))
		return -errno;
	setenv(EMU_CAPABILITIES_ENV, "", 1);
	rc = devx_dev_open(dev, name);
	if (old)
		setenv(EMU_CAPABILITIES_ENV, old, 1);
	else
		unsetenv(EMU_CAPABILITIES_ENV);
	if (change_capabilities(before, SYS_capset) && !rc)
		rc = -errno;
	return rc;
}

/* Sets the results of both commands; a TIS that firmware refuses leaves no way to try the SQ. */
static bool try_both(struct adapter *at, struct finding *f, int *tis, int *sq)
{
	struct devx_dev weak = { 0 };
	struct rig rig = { .at = at, .dev = &weak };
	const struct devx_cq_attr cq = { .log2_n = RIG_LOG2_CQ, .uar = &rig.uar };
	const struct devx_sq_attr attr = {
		.log2_n = RIG_LOG2_SQ, .cq = &rig.send_cq, .tis = &rig.tis, .uar = &rig.uar
	};
	int rc = open_without_net_raw(&weak, at->ibdev);

	*tis = *sq = 0;
	rc = rc ? rc : devx_td_create(&rig.out_td, &weak);
	rc = rc ? rc : devx_uar_create(&rig.uar, &weak, DEVX_UAR_NC);
	rc = rc ? rc : devx_cq_create(&rig.send_cq, &weak, &cq);
	if (could_prepare(f, &weak, rc)) {
		*tis = devx_tis_create(&rig.tis, &weak, &rig.out_td);
		if (!*tis)
			*sq = devx_sq_create(&rig.sq, &weak, &attr);
	}
	rig_destroy(&rig);
	devx_dev_close(&weak);
	return f->verdict != NOT_HERE;
}

void check_user_without_net_raw_is_refused(struct adapter *at, struct finding *f)
{
	int tis, sq;

	if (try_both(at, f, &tis, &sq))
		judge_fact(f, tis == -EREMOTEIO || sq == -EREMOTEIO,
			   "firmware accepted a TIS and an SQ", "a refusal of one of them");
}

void check_create_sq_checks_raw_tx(struct adapter *at, struct finding *f)
{
	int tis, sq;

	if (try_both(at, f, &tis, &sq))
		judge_fact(f, !tis && sq == -EREMOTEIO,
			   tis ? "firmware refused the TIS" : "firmware accepted the SQ",
			   "an accepted TIS and a refused SQ");
}
