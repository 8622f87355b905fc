/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/cmd.h"
#include "emu/firmware/ring.h"
#include "emu/queue/doorbell.h"
#include "emu/queue/eq.h"
#include "prm/cqe.h"

enum { LOG_EQE_BYTES = 6 };

/*
 * Event types that a kernel may select without a capability. emu posts only CMD, CQ_ERROR and
 * PORT_CHANGE. It accepts the others, and with capability pg also PAGE_FAULT, but never posts them.
 */
#define EVENT(type) (1ull << PRM_EVENT_##type)
static const uint64_t known_events =
	EVENT(PATH_MIG) | EVENT(COMM_EST) | EVENT(SQ_DRAINED) | EVENT(CQ_ERROR) |
	EVENT(WQ_CATAS_ERROR) | EVENT(PATH_MIG_FAILED) | EVENT(INTERNAL_ERROR) |
	EVENT(PORT_CHANGE) | EVENT(CMD) | EVENT(PAGE_REQUEST) | EVENT(WQ_INVAL_REQ_ERROR) |
	EVENT(WQ_ACCESS_ERROR) | EVENT(SRQ_CATAS_ERROR) | EVENT(SRQ_LAST_WQE) | EVENT(SRQ_RQ_LIMIT);

static uint8_t validate_eq_context(struct emu *emu, const struct prm_create_eq_in *in)
{
	const struct prm_eqc *eqc = prm_sub(in, eq_context_entry);
	const unsigned log_size = (unsigned)prm_get(eqc, log_eq_size);

	if (log_size > emu_cap(emu, log_max_eq_sz))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_eq_size", log_size, 0,
					emu_cap(emu, log_max_eq_sz));
	for (size_t i = 0; i < prm_count(in, event_bitmask); i++) {
		const uint64_t known =
			i ? 0 : known_events | (emu_cap(emu, pg) ? EVENT(PAGE_FAULT) : 0);
		const uint64_t unknown = prm_get_at(in, event_bitmask, i) & ~known;

		if (unknown)
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_EQ_EVENT,
					  "event_bitmask[%zu]: bits 0x%llx are unsupported events "
					  "(valid: bits of 0x%llx)",
					  i, (unsigned long long)unknown,
					  (unsigned long long)known);
	}
	return PRM_STATUS_OK;
}

static void drop_eq(struct emu *emu, struct emu_obj *obj)
{
	struct emu_eq *eq = (struct emu_eq *)obj;

	emu_span_drop(&eq->ring);
	emu_unref(emu_obj_at(&emu->table[EMU_UAR], (uint32_t)prm_get(&eq->ctx, uar_page)));
}

uint8_t emu_fw_create_eq(EMU_FW_ARGS(create_eq))
{
	const struct prm_eqc *eqc = prm_sub(in, eq_context_entry);
	struct emu_uar *uar = emu_use_field(emu, EMU_UAR, eqc, uar_page, uid);
	const struct emu_ring ring = {
		.bytes = (1ull << prm_get(eqc, log_eq_size)) << LOG_EQE_BYTES,
		.write = true,
		.log_page = (unsigned)prm_get(eqc, log_page_size),
		.page_offset = (unsigned)prm_get(eqc, page_offset),
		.pas = &in->dw[prm_bit(in, pas) / 32],
		.n_pas = (in_bytes - sizeof(*in)) / sizeof(uint64_t),
	};
	struct emu_umem *no_umem;
	struct emu_span span;
	struct emu_eq *eq;
	uint8_t status;

	if (!uar)
		return PRM_STATUS_BAD_RES;
	status = validate_eq_context(emu, in);
	if (status == PRM_STATUS_OK)
		status = emu_ring_open(emu, &ring, &span, &no_umem);
	if (status != PRM_STATUS_OK)
		return status;
	eq = emu_make_object(emu, EMU_EQ, uid, sizeof(*eq), drop_eq);
	if (!eq) {
		emu_span_drop(&span);
		return PRM_STATUS_LIM_ERR;
	}
	eq->ring = span;
	eq->log_size = (uint8_t)prm_get(eqc, log_eq_size);
	eq->vector = (uint16_t)prm_get(eqc, intr);
	eq->event_mask = prm_get_at(in, event_bitmask, 0);
	eq->oi = prm_get(eqc, oi);
	eq->ctx = *eqc;
	emu_ref(uar);
	prm_set(out, eq_number, eq->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_eq(EMU_FW_ARGS(query_eq))
{
	struct emu_eq *eq = emu_use_field(emu, EMU_EQ, in, eq_number, uid);
	struct prm_eqc *eqc = prm_sub(out, eq_context_entry);

	if (!eq)
		return PRM_STATUS_BAD_RES;
	*eqc = eq->ctx;
	prm_set(eqc, consumer_counter, eq->ci & 0xffffff);
	prm_set(eqc, producer_counter, eq->pi & 0xffffff);
	prm_set(out, event_bitmask, eq->event_mask);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_eq(EMU_FW_ARGS(destroy_eq))
{
	return emu_destroy_field(emu, EMU_EQ, in, eq_number, uid);
}
