/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/dev.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/uverbs/event.h"
#include "emu/uverbs/fs.h"

/* ---- commands ------------------------------------------------------------------- */

int uv_do(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	return emu_exec(dev->emu, in, in_bytes, out, out_bytes) ? -EREMOTEIO : 0;
}

/* Source: Linux drivers/net/ethernet/mellanox/mlx5/core/cmd.c, cmd_status_to_err. */
static int errno_of(uint8_t status)
{
	switch ((enum prm_status)status) {
	case PRM_STATUS_OK: return 0;
	case PRM_STATUS_INT_ERR: return -EIO;
	case PRM_STATUS_BAD_OP: return -EINVAL;
	case PRM_STATUS_BAD_PARAM: return -EINVAL;
	case PRM_STATUS_BAD_SYS_STATE: return -EIO;
	case PRM_STATUS_BAD_RES: return -EINVAL;
	case PRM_STATUS_RES_BUSY: return -EBUSY;
	case PRM_STATUS_LIM_ERR: return -ENOMEM;
	case PRM_STATUS_BAD_RES_STATE: return -EINVAL;
	case PRM_STATUS_IX_ERR: return -EINVAL;
	case PRM_STATUS_NO_RES_ERR: return -EAGAIN;
	case PRM_STATUS_BAD_INP_LEN: return -EIO;
	case PRM_STATUS_BAD_OUTP_LEN: return -EIO;
	case PRM_STATUS_BAD_QP_STATE: return -EINVAL;
	case PRM_STATUS_BAD_PKT: return -EINVAL;
	case PRM_STATUS_BAD_SIZE_OUTS_CQES: return -EINVAL;
	}
	return -EIO;
}

int uv_exec(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	return errno_of(emu_exec(dev->emu, in, in_bytes, out, out_bytes));
}

bool uv_capable(const char *name)
{
	const char *caps = getenv("DEVX_EMU_CAPS");
	const size_t n = strlen(name);

	if (!caps)
		return true; /* whoever runs the emulated machine is its root */
	for (const char *p = strstr(caps, name); p; p = strstr(p + 1, name))
		if ((p == caps || p[-1] == ',') && (!p[n] || p[n] == ','))
			return true;
	return false;
}

/* ---- capabilities --------------------------------------------------------------- */

enum { CAP_GENERAL = 0, CAP_ETH = 1, CAP_NIC_FLOW = 7, CAP_CUR = 1, CAP_MAX = 0 };

static int query_caps(struct uv_dev *dev, unsigned type, unsigned which, void *caps, size_t bytes)
{
	struct prm_query_hca_cap_in in = {0};
	struct prm_query_hca_cap_out *out = calloc(1, sizeof(*out));
	int rc = out ? 0 : -ENOMEM;

	if (rc)
		return rc;
	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, type << 1 | which);
	rc = uv_exec(dev, &in, sizeof(in), out, sizeof(*out));
	if (!rc)
		memcpy(caps, (uint8_t *)out + sizeof(struct prm_general_obj_out_cmd_hdr), bytes);
	free(out);
	return rc;
}

static int query_all_caps(struct uv_dev *dev)
{
	int rc = query_caps(dev, CAP_GENERAL, CAP_CUR, &dev->general, sizeof(dev->general));

	if (!rc)
		rc = query_caps(dev, CAP_GENERAL, CAP_MAX, &dev->general_max,
				sizeof(dev->general_max));
	if (!rc)
		rc = query_caps(dev, CAP_ETH, CAP_CUR, &dev->eth, sizeof(dev->eth));
	if (!rc)
		rc = query_caps(dev, CAP_NIC_FLOW, CAP_CUR, &dev->flow, sizeof(dev->flow));
	return rc;
}

/* ---- event queues --------------------------------------------------------------- */

static const uint8_t async_events[] = {
	PRM_EVENT_SQ_DRAINED, PRM_EVENT_CQ_ERROR, PRM_EVENT_WQ_CATAS_ERROR, PRM_EVENT_INTERNAL_ERROR,
	PRM_EVENT_PORT_CHANGE, PRM_EVENT_WQ_INVAL_REQ_ERROR, PRM_EVENT_WQ_ACCESS_ERROR,
	PRM_EVENT_SRQ_LAST_WQE, PRM_EVENT_SRQ_RQ_LIMIT,
};

static uint64_t async_mask(const struct uv_dev *dev)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < sizeof(async_events); i++)
		mask |= 1ull << async_events[i];
	if (prm_get(&dev->general, nic_vport_change_event))
		mask |= 1ull << PRM_EVENT_NIC_VPORT_CHANGE;
	if (prm_get(&dev->general, general_notification_event))
		mask |= 1ull << PRM_EVENT_GENERAL;
	return mask;
}

static int eq_open(struct uv_dev *dev, unsigned vector)
{
	enum { RING_BYTES = sizeof(struct prm_eqe) << UV_LOG_EQ, PAGE = 4096, N_PAS = RING_BYTES / PAGE };
	struct uv_eq *eq = &dev->eq[vector];
	struct {
		struct prm_create_eq_in in;
		prm_be64 pas[N_PAS];
	} cmd = {0};
	struct prm_create_eq_out out = {0};
	struct prm_eqc *eqc = prm_sub(&cmd.in, eq_context_entry);
	int rc;

	eq->ring = aligned_alloc(PAGE, RING_BYTES);
	if (!eq->ring)
		return -ENOMEM;
	memset(eq->ring, 0, RING_BYTES);
	for (unsigned i = 0; i < 1u << UV_LOG_EQ; i++)
		eq->ring[i].owner = 1; /* stale on the first lap */
	rc = uv_pin(dev, &eq->pin, (uintptr_t)eq->ring, RING_BYTES, true);
	if (rc)
		return rc;

	prm_set(&cmd.in, opcode, PRM_OP_create_eq);
	prm_set_at(&cmd.in, event_bitmask, 0, vector ? 0 : async_mask(dev));
	prm_set(eqc, log_eq_size, UV_LOG_EQ);
	prm_set(eqc, uar_page, dev->uar);
	prm_set(eqc, intr, vector);
	prm_set(eqc, oi, 1);
	for (unsigned i = 0; i < N_PAS; i++)
		cmd.pas[i] = prm_be64_of((uintptr_t)eq->ring + i * PAGE);
	rc = UV_EXEC(dev, cmd, out);
	if (rc)
		return rc;
	eq->eqn = (uint8_t)prm_get(&out, eq_number);
	eq->open = true;
	return 0;
}

void uv_dev_irq(struct uv_dev *dev, uint16_t vector)
{
	struct uv_eq *eq = &dev->eq[vector];

	for (;;) {
		const struct prm_eqe *eqe = &eq->ring[eq->ci & ((1u << UV_LOG_EQ) - 1)];
		const uint8_t owner = __atomic_load_n(&eqe->owner, __ATOMIC_ACQUIRE);

		if ((owner & 1) != (eq->ci >> UV_LOG_EQ & 1))
			return;
		uv_event_dispatch(dev, eqe);
		eq->ci++;
	}
}

int uv_dev_eqn(const struct uv_dev *dev, uint64_t vector)
{
	return vector < UV_N_COMP_VECTORS ? dev->eq[1 + vector].eqn : -ENOENT;
}

bool uv_dev_has_eqn(const struct uv_dev *dev, uint32_t eqn)
{
	for (unsigned i = 1; i < UV_N_EQS; i++)
		if (dev->eq[i].open && dev->eq[i].eqn == eqn)
			return true;
	return false;
}

/* ---- the whole ------------------------------------------------------------------ */

static int make_uar(struct uv_dev *dev)
{
	struct prm_alloc_uar_in in = {0};
	struct prm_alloc_uar_out out = {0};
	int rc;

	prm_set(&in, opcode, PRM_OP_alloc_uar);
	rc = UV_EXEC(dev, in, out);
	dev->uar = prm_get(&out, uar);
	return rc;
}

static int make_uctx(struct uv_dev *dev)
{
	struct prm_create_uctx_in in = {0};
	struct prm_create_uctx_out out = {0};
	int rc;

	prm_set(&in, opcode, PRM_OP_create_uctx);
	rc = UV_EXEC(dev, in, out);
	dev->whitelist_uid = (uint16_t)prm_get(&out, uid);
	return rc;
}

static void dev_free(struct uv_dev *dev)
{
	for (unsigned i = 0; i < UV_N_EQS; i++) {
		struct prm_destroy_eq_in in = {0};
		struct prm_destroy_eq_out out = {0};

		if (dev->eq[i].open) {
			prm_set(&in, opcode, PRM_OP_destroy_eq);
			prm_set(&in, eq_number, dev->eq[i].eqn);
			UV_EXEC(dev, in, out);
		}
		uv_unpin(dev, &dev->eq[i].pin);
		free(dev->eq[i].ring);
	}
	if (dev->uar) {
		struct prm_dealloc_uar_in in = {0};
		struct prm_dealloc_uar_out out = {0};

		prm_set(&in, opcode, PRM_OP_dealloc_uar);
		prm_set(&in, uar, dev->uar);
		UV_EXEC(dev, in, out);
	}
	uv_fs_close(dev);
	pthread_mutex_destroy(&dev->pins.lock);
	free(dev);
}

int uv_dev_open(unsigned port)
{
	struct uv_dev *dev = uv_front.dev[port];
	int rc = uv_adapter_get();

	if (rc || dev)
		return rc;
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return -ENOMEM;
	pthread_mutex_init(&dev->pins.lock, NULL);
	dev->port = port;
	dev->emu = emu_port(uv_front.adapter, port);
	uv_front.dev[port] = dev; /* host operations find it from here on */
	rc = query_all_caps(dev);
	if (!rc)
		rc = make_uar(dev);
	for (unsigned i = 0; !rc && i < UV_N_EQS; i++)
		rc = eq_open(dev, i);
	if (!rc)
		rc = uv_fs_open(dev);
	if (!rc)
		rc = make_uctx(dev);
	if (rc) {
		uv_front.dev[port] = NULL;
		dev_free(dev);
	}
	return rc;
}

/* ---- contexts ------------------------------------------------------------------- */

enum { UCTX_RAW_TX = 1 << 0, UCTX_INTERNAL_DEV_RES = 1 << 1 };

static int open_uctx(struct uv_file *file)
{
	struct uv_dev *dev = file->dev;
	const uint32_t offered = (uint32_t)prm_get(&dev->general, uctx_cap);
	struct prm_create_uctx_in in = {0};
	struct prm_create_uctx_out out = {0};
	uint32_t cap = 0;
	int rc;

	if (!prm_get(&dev->general, log_max_uctx))
		return -EINVAL;
	if (uv_capable("net_raw"))
		cap |= offered & UCTX_RAW_TX;
	if (uv_capable("sys_rawio"))
		cap |= offered & UCTX_INTERNAL_DEV_RES;
	prm_set(&in, opcode, PRM_OP_create_uctx);
	prm_set(prm_sub(&in, uctx), cap, cap);
	rc = UV_EXEC(dev, in, out);
	file->uid = (uint16_t)prm_get(&out, uid);
	return rc;
}

static int open_td(struct uv_file *file)
{
	struct prm_alloc_transport_domain_in in = {0};
	struct prm_alloc_transport_domain_out out = {0};
	int rc;

	prm_set(&in, opcode, PRM_OP_alloc_transport_domain);
	prm_set(&in, uid, file->uid);
	rc = UV_EXEC(file->dev, in, out);
	file->owns_td = !rc;
	file->td = prm_get(&out, transport_domain);
	return rc;
}

int uv_context_open(struct uv_file *file, bool devx)
{
	int rc = devx ? open_uctx(file) : 0;

	if (!rc)
		rc = open_td(file);
	file->dev->n_contexts++;
	if (rc)
		uv_context_close(file);
	else
		file->ready = true;
	return rc;
}

void uv_context_close(struct uv_file *file)
{
	if (file->owns_td) {
		struct prm_dealloc_transport_domain_in in = {0};
		struct prm_dealloc_transport_domain_out out = {0};

		prm_set(&in, opcode, PRM_OP_dealloc_transport_domain);
		prm_set(&in, uid, file->uid);
		prm_set(&in, transport_domain, file->td);
		UV_EXEC(file->dev, in, out);
	}
	if (file->uid) {
		struct prm_destroy_uctx_in in = {0};
		struct prm_destroy_uctx_out out = {0};

		prm_set(&in, opcode, PRM_OP_destroy_uctx);
		prm_set(&in, uid, file->uid);
		UV_EXEC(file->dev, in, out);
	}
	file->owns_td = file->ready = false;
	file->uid = 0;
	file->dev->n_contexts--;
}
