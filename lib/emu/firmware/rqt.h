/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_RQT_H
#define EMU_FIRMWARE_RQT_H

#include <stdbool.h>
#include <stdint.h>

struct emu;
struct emu_rqt;

/**
 * emu_rqt_check_unhashed - check a table that a TIR without hash fields uses
 * @n: number of RQs in the table
 *
 * Return: enum prm_status, the refusal recorded
 */
uint8_t emu_rqt_check_unhashed(struct emu *emu, uint32_t n);

/** emu_rqt_set_tunneled - give a table, and all its RQs, tunneled_offload_en of a TIR */
void emu_rqt_set_tunneled(struct emu_rqt *rqt, bool on);

#endif
