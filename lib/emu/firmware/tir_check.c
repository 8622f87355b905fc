/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/tir.h"

#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "emu/steering/rss.h"

enum {
	HASH_FIELDS = PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP |
		      PRM_HASH_FIELD_SEL_L4_SPORT | PRM_HASH_FIELD_SEL_L4_DPORT |
		      PRM_HASH_FIELD_SEL_IPSEC_SPI,
};

static uint8_t check_fields(struct emu *emu, const struct prm_rx_hash_field_select *select)
{
	const uint32_t fields = (uint32_t)prm_get(select, selected_fields);

	if (fields & ~(uint32_t)HASH_FIELDS)
		return emu_refuse_bits(emu, EMU_SYND_HASH, "selected_fields", fields, HASH_FIELDS);
	return PRM_STATUS_OK;
}

uint8_t emu_tir_refuse_inner_fields(struct emu *emu)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HASH,
			  "rx_hash_field_selector_inner: not 0 without tunneled_offload_en (valid: "
			  "0)");
}

/*
 * PRM-MISSING: a TIR may select inner fields only with tunneled_offload_en. With both selectors it
 * hashes inner fields of tunneled frames, and outer fields of others. (Linux and net_mlx5 use one
 * selector, and the inner one only with this bit: create_rss_raw_qp_tir, mlx5_devx_tir_attr_set.)
 */
uint8_t emu_tir_check_tunnel(struct emu *emu, const struct prm_tirc *tirc)
{
	if (!prm_get(tirc, tunneled_offload_en)) {
		if (!emu_tir_read_selector(prm_sub(tirc, rx_hash_field_selector_inner)))
			return PRM_STATUS_OK;
		return emu_tir_refuse_inner_fields(emu);
	}
	if (!emu_eth_cap(emu, tunnel_stateless_vxlan) && !emu_eth_cap(emu, tunnel_stateless_gre) &&
	    !emu_eth_cap(emu, tunnel_stateless_ip_over_ip))
		return emu_refuse_feature(emu, "tunneled_offload_en", "tunnel_stateless_*");
	/*
	 * A host may request the bit before its e-switch manager, another function, has removed
	 * the capability inner_ip_version. Source, with status and syndrome: Linux, "net/mlx5:
	 * Enable host PF HCA after eswitch is initialized".
	 */
	if (!emu->profile->options.inner_hashing)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_INNER_HASHING,
				  "tunneled_offload_en: the e-switch manager forbids 1 (valid: 0)");
	return PRM_STATUS_OK;
}

bool emu_tir_has_fields(const struct prm_tirc *tirc)
{
	return prm_get(prm_sub(tirc, rx_hash_field_selector_outer), selected_fields) ||
	       prm_get(prm_sub(tirc, rx_hash_field_selector_inner), selected_fields);
}

uint8_t emu_tir_check_hash(struct emu *emu, const struct prm_tirc *tirc, const struct emu_rqt *rqt)
{
	const bool indirect = rqt;
	const struct prm_rx_hash_field_select *outer = prm_sub(tirc, rx_hash_field_selector_outer);
	const struct prm_rx_hash_field_select *inner = prm_sub(tirc, rx_hash_field_selector_inner);
	const unsigned fn = (unsigned)prm_get(tirc, rx_hash_fn);
	uint8_t status;

	if (!indirect && (fn != PRM_RX_HASH_FN_NONE || emu_tir_read_selector(outer) ||
			  emu_tir_read_selector(inner) || prm_get(tirc, rx_hash_symmetric)))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HASH,
			"rx_hash_fn: a direct TIR has hash settings (valid: all hash fields 0)");
	if (indirect && fn != PRM_RX_HASH_FN_INVERTED_XOR8 && fn != PRM_RX_HASH_FN_TOEPLITZ)
		return emu_refuse_value(emu, EMU_SYND_HASH, "rx_hash_fn", fn,
					"1 = XOR8, 2 = Toeplitz in an indirect TIR");
	status = check_fields(emu, outer);
	if (status == PRM_STATUS_OK)
		status = check_fields(emu, inner);
	if (status == PRM_STATUS_OK && indirect && !emu_tir_has_fields(tirc))
		status = emu_rqt_check_unhashed(emu, rqt->n);
	return status;
}
