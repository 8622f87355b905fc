/* SPDX-License-Identifier: BSD-3-Clause */
#include <infiniband/mlx5dv.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx/memory/mkey_umem.h"
#include "devx/mkey.h"
#include "devx/pp.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/*
 * Contexts of objects, as firmware reports them: every attribute of a creator is in its field, and
 * the fields that have no attribute have the value that the device needs.
 */

FIXTURE(context)
{
	struct devx_rig rig;
	struct devx_uar uar; /* has another page than that of the rig */
	struct devx_cq cq;
};

FIXTURE_SETUP(context)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	ASSERT_EQ(0, devx_uar_create(&self->uar, &self->rig.dev, DEVX_UAR_NC));
	ASSERT_EQ(0, devx_cq_create(&self->cq, &self->rig.dev,
				    &(struct devx_cq_attr){ .log2_n = 4, .uar = &self->uar }));
}

FIXTURE_TEARDOWN(context)
{
	devx_cq_destroy(&self->cq);
	devx_uar_destroy(&self->uar);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

#define QUERY(object, type, number_field, number)                                                  \
	struct prm_query_##type##_in in = { 0 };                                                   \
	struct prm_query_##type##_out out = { 0 };                                                 \
                                                                                                   \
	prm_set(&in, opcode, PRM_OP_query_##type);                                                 \
	prm_set(&in, number_field, number);                                                        \
	ASSERT_EQ(0, devx_cmd_query((object)->dev, (object)->obj, &in, sizeof(in), &out,           \
				    sizeof(out)))

static unsigned find_ts_format(uint8_t cap)
{
	return cap == PRM_HCA_CAP_TS_FORMAT_REAL_TIME ? PRM_TS_FORMAT_DEFAULT
						      : PRM_TS_FORMAT_FREE_RUNNING;
}

static void expect_wq(const struct devx_rig *rig, const struct prm_wq *wq,
		      const struct devx_buf *buf, unsigned log_size, unsigned log_stride)
{
	EXPECT_EQ(PRM_WQ_TYPE_CYCLIC, prm_get(wq, wq_type));
	EXPECT_EQ(rig->dev.pdn, prm_get(wq, pd));
	EXPECT_EQ(log_size, prm_get(wq, log_wq_sz));
	EXPECT_EQ(log_stride, prm_get(wq, log_wq_stride));
	EXPECT_EQ(1, prm_get(wq, wq_umem_valid));
	EXPECT_EQ(buf->umem_id, prm_get(wq, wq_umem_id));
	EXPECT_EQ(1, prm_get(wq, dbr_umem_valid));
	EXPECT_EQ(buf->umem_id, prm_get(wq, dbr_umem_id));
	EXPECT_EQ(buf->dbrec_offset, prm_get(wq, dbr_addr));
}

static void expect_sq(const struct devx_rig *rig, const struct devx_sq *sq,
		      const struct devx_sq_attr *attr)
{
	const struct prm_sqc *sqc;

	QUERY(sq, sq, sqn, sq->sqn);
	sqc = prm_sub(&out, sq_context);
	EXPECT_EQ(PRM_WQ_STATE_RST, prm_get(sqc, state));
	EXPECT_EQ(1, prm_get(sqc, flush_in_error_en));
	EXPECT_EQ(attr->allow_multi_pkt, prm_get(sqc, allow_multi_pkt_send_wqe));
	EXPECT_EQ(sq->inline_mode, prm_get(sqc, min_wqe_inline_mode));
	EXPECT_LE(attr->inline_mode, sq->inline_mode);
	EXPECT_EQ(find_ts_format(rig->dev.sq_ts_format), prm_get(sqc, ts_format));
	EXPECT_EQ(attr->cq->cqn, prm_get(sqc, cqn));
	EXPECT_EQ(attr->pp ? attr->pp->index : 0, prm_get(sqc, packet_pacing_rate_limit_index));
	EXPECT_EQ(1, prm_get(sqc, tis_lst_sz));
	EXPECT_EQ(attr->tis->tisn, prm_get(sqc, tis_num_0));
	EXPECT_EQ(attr->uar->page_id, prm_get(prm_sub(sqc, wq), uar_page));
	expect_wq(rig, prm_sub(sqc, wq), &sq->buf, attr->log2_n, 6);
}

TEST_F(context, sq_has_its_attributes)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_sq_attr plain = {
		.log2_n = 3, .cq = &self->cq, .tis = &rig->tis, .uar = &self->uar
	};
	struct devx_sq_attr attr = plain;
	struct devx_pp pp = { 0 };
	struct devx_sq sq = { 0 };

	ASSERT_EQ(0, devx_sq_create(&sq, &rig->dev, &plain));
	expect_sq(rig, &sq, &plain);
	devx_sq_destroy(&sq);
	attr.inline_mode = PRM_MIN_WQE_INLINE_MODE_IP;
	attr.allow_multi_pkt = rig->dev.caps.enhanced_multi_pkt_send_wqe;
	if (!devx_pp_create(&pp, &rig->dev, &(struct devx_pp_attr){ .kbps = 10000 }))
		attr.pp = &pp;
	ASSERT_EQ(0, devx_sq_create(&sq, &rig->dev, &attr));
	expect_sq(rig, &sq, &attr);
	devx_sq_destroy(&sq);
	devx_pp_destroy(&pp);
}

static void expect_rq(const struct devx_rig *rig, const struct devx_rq *rq,
		      const struct devx_rq_attr *attr)
{
	const struct prm_rqc *rqc;

	QUERY(rq, rq, rqn, rq->rqn);
	rqc = prm_sub(&out, rq_context);
	EXPECT_EQ(PRM_WQ_STATE_RST, prm_get(rqc, state));
	EXPECT_EQ(1, prm_get(rqc, flush_in_error_en));
	EXPECT_EQ(0, prm_get(rqc, delay_drop_en));
	EXPECT_EQ(attr->scatter_fcs, prm_get(rqc, scatter_fcs));
	EXPECT_EQ(attr->keep_vlan, prm_get(rqc, vsd));
	EXPECT_EQ(find_ts_format(rig->dev.rq_ts_format), prm_get(rqc, ts_format));
	EXPECT_EQ(attr->cq->cqn, prm_get(rqc, cqn));
	EXPECT_EQ(attr->counter ? attr->counter->id : 0, prm_get(rqc, counter_set_id));
	expect_wq(rig, prm_sub(rqc, wq), &rq->buf, attr->log2_n, 4 + attr->log2_segs);
}

TEST_F(context, rq_has_its_attributes)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_rq_attr attrs[] = {
		{ .log2_n = 3, .cq = &self->cq, .keep_vlan = true },
		{ .log2_n = 5,
		  .log2_segs = 2,
		  .cq = &self->cq,
		  .counter = devx_rig_get_counter(rig),
		  .keep_vlan = !rig->dev.caps.vlan_cap,
		  .scatter_fcs = rig->dev.caps.scatter_fcs },
	};

	for (unsigned i = 0; i < 2; i++) {
		struct devx_rq rq = { 0 };

		ASSERT_EQ(0, devx_rq_create(&rq, &rig->dev, &attrs[i]));
		expect_rq(rig, &rq, &attrs[i]);
		devx_rq_destroy(&rq);
	}
}

static void expect_cq(const struct devx_cq *cq, const struct devx_cq_attr *attr)
{
	const struct prm_cqc *cqc;
	uint32_t eqn = 0;

	ASSERT_EQ(0, mlx5dv_devx_query_eqn(cq->dev->ctx, attr->vector, &eqn));
	QUERY(cq, cq, cqn, cq->cqn);
	cqc = prm_sub(&out, cq_context);
	EXPECT_EQ(attr->log2_n, prm_get(cqc, log_cq_size));
	EXPECT_EQ(attr->uar->page_id, prm_get(cqc, uar_page));
	EXPECT_EQ(eqn, prm_get(cqc, c_eqn_or_apu_element));
	EXPECT_EQ(attr->overrun_ignore, prm_get(cqc, oi));
	EXPECT_EQ(0, prm_get(cqc, cqe_comp_en));
	EXPECT_EQ(0, prm_get(cqc, cq_period));
	EXPECT_EQ(0, prm_get(cqc, cq_max_count));
	EXPECT_EQ(cq->buf.umem_id, prm_get(cqc, dbr_umem_id));
	EXPECT_EQ(cq->buf.dbrec_offset, prm_get(cqc, dbr_addr));
}

TEST_F(context, cq_has_its_attributes)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_cq_attr plain = { .log2_n = 4, .uar = &self->uar }, ignoring = {
		.log2_n = 6, .uar = &rig->uar, .overrun_ignore = rig->dev.caps.cq_oi
	};
	struct devx_cq cq = { 0 };

	expect_cq(&self->cq, &plain);
	ASSERT_EQ(0, devx_cq_create(&cq, &rig->dev, &ignoring));
	expect_cq(&cq, &ignoring);
	devx_cq_destroy(&cq);
}

static void expect_key(const struct prm_tirc *tirc, const uint8_t *key)
{
	for (unsigned i = 0; i < prm_count(tirc, rx_hash_toeplitz_key); i++) {
		const uint32_t word = (uint32_t)prm_get_at(tirc, rx_hash_toeplitz_key, i);

		for (unsigned k = 0; k < 4; k++)
			EXPECT_EQ(key[4 * i + k], word >> (24 - 8 * k) & 0xff);
	}
}

TEST_F(context, hashing_tir_has_its_attributes)
{
	struct devx_rig *rig = &self->rig;
	struct devx_tir_attr attr = { .td = &rig->td,
				      .rqt = &rig->rqt,
				      .l3 = PRM_L3_PROT_TYPE_IPV6,
				      .l4 = PRM_L4_PROT_TYPE_UDP,
				      .fields = PRM_HASH_FIELD_SEL_SRC_IP |
						PRM_HASH_FIELD_SEL_L4_DPORT,
				      .symmetric = false };
	const struct prm_rx_hash_field_select *select;
	const struct prm_tirc *tirc;
	struct devx_tir tir = { 0 };

	for (unsigned i = 0; i < sizeof(attr.key); i++)
		attr.key[i] = (uint8_t)(3 * i + 1);
	ASSERT_EQ(0, devx_tir_create(&tir, &rig->dev, &attr));
	QUERY(&tir, tir, tirn, tir.tirn);
	tirc = prm_sub(&out, tir_context);
	select = prm_sub(tirc, rx_hash_field_selector_outer);
	EXPECT_EQ(rig->td.tdn, prm_get(tirc, transport_domain));
	EXPECT_EQ(0, prm_get(tirc, self_lb_block));
	EXPECT_EQ(PRM_TIRC_DISP_TYPE_INDIRECT, prm_get(tirc, disp_type));
	EXPECT_EQ(rig->rqt.rqtn, prm_get(tirc, indirect_table));
	EXPECT_EQ(PRM_RX_HASH_FN_TOEPLITZ, prm_get(tirc, rx_hash_fn));
	EXPECT_EQ(0, prm_get(tirc, rx_hash_symmetric));
	EXPECT_EQ(0, prm_get(tirc, tunneled_offload_en));
	EXPECT_EQ(PRM_L3_PROT_TYPE_IPV6, prm_get(select, l3_prot_type));
	EXPECT_EQ(PRM_L4_PROT_TYPE_UDP, prm_get(select, l4_prot_type));
	EXPECT_EQ(attr.fields, prm_get(select, selected_fields));
	expect_key(tirc, attr.key);
	devx_tir_destroy(&tir);
}

TEST_F(context, direct_tir_has_its_attributes)
{
	const struct devx_rig *rig = &self->rig;
	const struct prm_tirc *tirc;

	QUERY(&rig->tir, tir, tirn, rig->tir.tirn);
	tirc = prm_sub(&out, tir_context);
	EXPECT_EQ(rig->td.tdn, prm_get(tirc, transport_domain));
	EXPECT_EQ(0, prm_get(tirc, self_lb_block));
}

TEST_F(context, mkey_of_pieces_has_its_attributes)
{
	struct devx_rig *rig = &self->rig;
	const uintptr_t at = (uintptr_t)devx_rig_get_send_slot(rig, 0);
	const struct devx_mkey_piece pieces[] = { { rig->mr.lkey, 100, at },
						  { rig->mr.lkey, 60, at + 500 } };
	const struct prm_mkc *mkc;
	struct devx_mkey mkey = { 0 };

	if (!rig->dev.caps.max_indirection)
		SKIP("the device has no indirect mkeys");
	ASSERT_EQ(0, devx_mkey_create_list(&mkey, &rig->dev, 0x10000, pieces, 2));
	QUERY(&mkey, mkey, mkey_index, mkey.lkey >> 8);
	mkc = prm_sub(&out, memory_key_mkey_entry);
	EXPECT_EQ(PRM_MKC_ACCESS_MODE_KLMS, prm_get(mkc, access_mode_1_0));
	EXPECT_EQ(1, prm_get(mkc, lr));
	EXPECT_EQ(1, prm_get(mkc, lw));
	EXPECT_EQ(0, prm_get(mkc, rr));
	EXPECT_EQ(0, prm_get(mkc, rw));
	EXPECT_EQ(PRM_MKC_QPN_ANY, prm_get(mkc, qpn));
	EXPECT_EQ(rig->dev.pdn, prm_get(mkc, pd));
	EXPECT_EQ(0x10000, prm_get(mkc, start_addr));
	EXPECT_EQ(160, prm_get(mkc, len));
	/* the list is padded to a multiple of 4 entries of 16 bytes */
	EXPECT_EQ(4, prm_get(mkc, translations_octword_size));
	devx_mkey_destroy(&mkey);
}

/* The bits of relaxed ordering in an mkey over the umem of the rig */
static void expect_ordering(struct devx_rig *rig, bool write, bool relaxed_write)
{
	const struct devx_mkey_umem_attr attr = { .umem_id = rig->umem.id,
						  .addr = (uintptr_t)rig->umem.addr,
						  .bytes = DEVX_RIG_UMEM_BYTES,
						  .write = write };
	struct devx_mkey key = { .dev = &rig->dev };
	const struct prm_mkc *mkc;

	ASSERT_EQ(0, devx_mkey_umem_create(&rig->dev, &attr, &key.obj, &key.lkey));
	QUERY(&key, mkey, mkey_index, key.lkey >> 8);
	mkc = prm_sub(&out, memory_key_mkey_entry);
	EXPECT_EQ(1, prm_get(mkc, lr));
	EXPECT_EQ(write, prm_get(mkc, lw));
	EXPECT_EQ(relaxed_write, prm_get(mkc, relaxed_ordering_write));
	EXPECT_EQ(rig->dev.caps.relaxed_ordering_read, prm_get(mkc, relaxed_ordering_read));
	devx_cmd_destroy(&rig->dev, key.obj);
}

/* emu's profile realtime lacks the capabilities. */
TEST_F(context, mkey_over_a_umem_has_relaxed_ordering_only_with_the_capability)
{
	struct devx_caps *caps = &self->rig.dev.caps;

	expect_ordering(&self->rig, true, caps->relaxed_ordering_write);
	expect_ordering(&self->rig, false, false);
	caps->relaxed_ordering_write = caps->relaxed_ordering_read = false;
	expect_ordering(&self->rig, true, false);
}

/* Firmware that demands relaxed writes refuses every mkey without them, also a read-only one. */
FIXTURE(ordering)
{
	struct devx_rig rig;
	const struct devx_emu_ctl *emu;
};
FIXTURE_SETUP(ordering)
{
	struct devx_dev dev = { 0 };
	bool relaxed;

	self->emu = emu_if_any();
	NEEDS_EMU("for such firmware");
	ASSERT_EQ(0, devx_dev_open(&dev, devx_rig_get_ibdev()));
	relaxed = dev.caps.relaxed_ordering_write;
	devx_dev_close(&dev);
	if (!relaxed)
		SKIP("the device has no relaxed ordering");
	ASSERT_LE(0, self->emu->option("mkc_order_write_after_write_ro_only", 1));
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}
FIXTURE_TEARDOWN(ordering)
{
	devx_rig_down(&self->rig);
	if (self->emu)
		self->emu->option("mkc_order_write_after_write_ro_only", 0);
}

TEST_F(ordering, mkeys_follow_firmware_that_demands_relaxed_writes)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_mkey_piece piece = { .lkey = rig->mr.lkey,
					       .addr = (uintptr_t)rig->mr.addr,
					       .bytes = 64 };
	struct devx_mkey list = { 0 };

	EXPECT_TRUE(rig->dev.caps.mkc_order_write_after_write_ro_only);
	expect_ordering(rig, true, true);
	expect_ordering(rig, false, true);
	EXPECT_EQ(0, devx_mkey_create_list(&list, &rig->dev, 0x10000, &piece, 1));
	devx_mkey_destroy(&list);
}
