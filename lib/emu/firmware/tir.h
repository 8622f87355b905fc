/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_TIR_H
#define EMU_FIRMWARE_TIR_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/dev.h"

/**
 * DOC: TIR contexts, and the RQ tables that they use
 *
 * The functions that return uint8_t return enum prm_status, and record a refusal.
 */

struct emu_rqt;

/** emu_tir_read_selector - read a hash field selector as one dword */
static inline uint32_t emu_tir_read_selector(const struct prm_rx_hash_field_select *select)
{
	return prm_be32_get(select->dw[0]);
}

/** emu_tir_has_fields - whether a context selects any fields to hash */
bool emu_tir_has_fields(const struct prm_tirc *tirc);
/** emu_tir_check_hash - check the hash of a TIR on table @rqt; NULL: a direct TIR */
uint8_t emu_tir_check_hash(struct emu *emu, const struct prm_tirc *tirc, const struct emu_rqt *rqt);
/** emu_tir_check_tunnel - check tunneled_offload_en, and the fields that need it */
uint8_t emu_tir_check_tunnel(struct emu *emu, const struct prm_tirc *tirc);
/** emu_tir_refuse_inner_fields - refuse inner fields without tunneled_offload_en */
uint8_t emu_tir_refuse_inner_fields(struct emu *emu);

/** emu_rqt_check_unhashed - check a table of @n RQs that a TIR without hash fields uses */
uint8_t emu_rqt_check_unhashed(struct emu *emu, uint32_t n);

/** emu_rqt_set_tunneled - copy tunneled_offload_en of a TIR to a table and all its RQs */
void emu_rqt_set_tunneled(struct emu_rqt *rqt, bool on);

#endif
