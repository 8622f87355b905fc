/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/cmd.h"
#include "devx/memory/mkey_umem.h"
#include "prm/prm.h"

enum { MTTS_PER_OCTWORD = 2, TAG_BITS = 8 };

int devx_mkey_umem_create(struct devx_dev *dev, const struct devx_mkey_umem_attr *attr,
			  struct mlx5dv_devx_obj **obj, uint32_t *lkey)
{
	const uint64_t n_pages =
		(attr->bytes + (1u << DEVX_MKEY_LOG_PAGE) - 1) >> DEVX_MKEY_LOG_PAGE;
	const uint64_t octwords = (n_pages + MTTS_PER_OCTWORD - 1) / MTTS_PER_OCTWORD;
	/* The creator chooses the low byte of a key. If it varies, most stale keys are invalid. */
	const uint8_t tag = (uint8_t)attr->umem_id;
	struct prm_create_mkey_in in = { 0 };
	struct prm_create_mkey_out out = { 0 };
	struct prm_mkc *mkc = prm_sub(&in, memory_key_mkey_entry);
	int rc;

	prm_set(&in, opcode, PRM_OP_create_mkey);
	prm_set(&in, mkey_umem_valid, 1);
	prm_set(&in, mkey_umem_id, attr->umem_id);
	prm_set(&in, translations_octword_actual_size, octwords);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, attr->write);
	prm_set(mkc, relaxed_ordering_write,
		(attr->write && dev->caps.relaxed_ordering_write) ||
			dev->caps.mkc_order_write_after_write_ro_only);
	prm_set(mkc, relaxed_ordering_read, dev->caps.relaxed_ordering_read);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, mkey_7_0, tag);
	prm_set(mkc, pd, dev->pdn);
	prm_set(mkc, start_addr, attr->addr);
	prm_set(mkc, len, attr->bytes);
	prm_set(mkc, translations_octword_size, octwords);
	prm_set(mkc, log_page_size, DEVX_MKEY_LOG_PAGE);
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), obj);
	if (!rc)
		*lkey = (uint32_t)prm_get(&out, mkey_index) << TAG_BITS | tag;
	return rc;
}
