/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "devx/account.h"
#include "devx/core/fail.h"
#include "devx/dev.h"
#include "devx/error.h"
#include "prm/prm.h"

/*
 * The meaning of a syndrome depends on the firmware build. Public reports about several builds
 * agree on the syndromes in this table. Source: daqiri issues 283 and 284, UCX issue 6049, mailing
 * list patches of mlx5_core.
 */
static const struct {
	uint16_t opcode;
	uint32_t syndrome;
	const char *meaning;
} syndromes[] = {
	{ PRM_OP_create_rq, 0x43d98f, "the device clock does not support the real-time format" },
	{ PRM_OP_create_sq, 0xd61c0b,
	  "the device clock is in real-time mode, but the queue is not" },
	{ PRM_OP_create_tir, 0x562b00, "inner hashing is not enabled by the eswitch manager" },
	{ PRM_OP_alloc_uar, 0x5a7939, "all UAR pages are in use" },
	{ PRM_OP_create_mkey, 0x59c8a4, "all memory keys are in use" },
	{ PRM_OP_create_mkey, 0x03bf6f, "the memory key has no pages" },
	{ PRM_OP_dealloc_pd, 0x31b635, "the protection domain is in use" },
	{ PRM_OP_dealloc_pd, 0xef0c8a, "the protection domain is in use" },
	{ PRM_OP_destroy_flow_group, 0x563e2f, "the flow group is in use" },
	{ PRM_OP_destroy_flow_table, 0x66d6c3, "no such flow table" },
	{ PRM_OP_set_fte, 0x8708c3, "invalid combination of actions" },
	{ PRM_OP_set_fte, 0xa9c090, "invalid combination of actions" },
	{ PRM_OP_set_fte, 0xcdb051, "invalid combination of actions" },
};

int devx_refuse(struct devx_refusal *refusal, int rc, const char *fmt, ...)
{
	va_list ap;

	*refusal = (struct devx_refusal){ .rc = rc };
	va_start(ap, fmt);
	vsnprintf(refusal->text, sizeof(refusal->text), fmt, ap);
	va_end(ap);
	return rc;
}

int devx_fail(struct devx_dev *dev, int rc, const char *fmt, ...)
{
	va_list ap;

	dev->refusal = (struct devx_refusal){ .rc = rc };
	va_start(ap, fmt);
	vsnprintf(dev->refusal.text, sizeof(dev->refusal.text), fmt, ap);
	va_end(ap);
	return rc;
}

int devx_fail_sys(struct devx_dev *dev, int err, const char *fmt, ...)
{
	struct devx_refusal *r = &dev->refusal;
	char why[64];
	va_list ap;
	size_t n;

	*r = (struct devx_refusal){ .rc = -err };
	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
	n = strlen(r->text);
	snprintf(r->text + n, sizeof(r->text) - n, ": %s", strerror_r(err, why, sizeof(why)));
	return -err;
}

static const char *find_meaning(const struct devx_refusal *r)
{
	for (size_t i = 0; i < sizeof(syndromes) / sizeof(syndromes[0]); i++)
		if (syndromes[i].opcode == r->opcode && syndromes[i].syndrome == r->syndrome)
			return syndromes[i].meaning;
	return NULL;
}

/* Writes the name of a command, such as "CREATE_SQ", or "command 0x904" for an unknown opcode. */
static void format_command_name(uint16_t opcode, char *buf, size_t bytes)
{
	if (prm_command_of(opcode))
		devx_opcode_name(opcode, buf, bytes);
	else
		snprintf(buf, bytes, "command 0x%x", opcode);
}

static void format_command_error(const struct devx_refusal *r, char *buf, size_t bytes)
{
	const char *meaning = find_meaning(r);
	char name[64], object[32] = "", why[64];

	format_command_name(r->opcode, name, sizeof(name));
	if (r->object)
		snprintf(object, sizeof(object), " of object 0x%x", r->object);
	if (r->status == PRM_STATUS_OK) {
		snprintf(buf, bytes, "the kernel did not execute %s%s: %s%s", name, object,
			 strerror_r(-r->rc, why, sizeof(why)),
			 r->rc == -ENOENT ? "; the owner destroyed the imported object" : "");
		return;
	}
	snprintf(buf, bytes, "firmware refused %s%s: %s (%u), syndrome 0x%06x%s%s", name, object,
		 prm_status_name(r->status), r->status, r->syndrome, meaning ? ": " : "",
		 meaning ? meaning : "");
}

const char *devx_refusal_format(const struct devx_refusal *r, int rc, char *buf, size_t bytes)
{
	char why[64];

	if (rc != 0 && rc == r->rc && r->opcode)
		format_command_error(r, buf, bytes);
	else if (rc != 0 && rc == r->rc)
		snprintf(buf, bytes, "%s", r->text);
	else
		snprintf(buf, bytes, "%s", strerror_r(rc < 0 ? -rc : rc, why, sizeof(why)));
	return buf;
}

const char *devx_strerror(const struct devx_dev *dev, int rc, char *buf, size_t bytes)
{
	return devx_refusal_format(&dev->refusal, rc, buf, bytes);
}

/* Pinned pages count against RLIMIT_MEMLOCK, which is small by default. */
const char *devx_memlock_hint(int err)
{
	return err == ENOMEM ? " (raise RLIMIT_MEMLOCK if it is too small: `ulimit -l`)" : "";
}

/*
 * Every DEVX method of a removed device fails with EIO. This one only asks for an event queue,
 * which the kernel answers without firmware. Source: Linux drivers/infiniband/core/uverbs_uapi.c,
 * uverbs_disassociate_api.
 */
static bool is_removed(struct devx_dev *dev)
{
	uint32_t eqn;

	return mlx5dv_devx_query_eqn(dev->ctx, 0, &eqn) == EIO;
}

bool devx_stuck_count(struct devx_dev *dev)
{
	if (is_removed(dev))
		return false;
	dev->n_stuck++;
	return true;
}
