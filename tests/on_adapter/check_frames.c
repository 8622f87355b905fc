/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about frames. Each check sends frames from the port to its own MAC address.
 */
#include <errno.h>
#include <string.h>

#include "checks.h"
#include "devx/rqt.h"
#include "frames.h"

enum { FRAME = 100, MAC_BYTES = 12, TAG_BYTES = 4, ETHERTYPE_VLAN = 0x8100, ETH_MIN = 60 };

static struct frames_send send_of(const struct rig *rig, uint32_t bytes)
{
	return (struct frames_send){ .addr = rig->memory, .lkey = rig->mr.lkey, .bytes = bytes };
}

static bool take_experiment(struct rig *rig, struct finding *f)
{
	return could_prepare(f, rig->dev,
			     frames_make_rule(rig, &rig->tir, ETHERTYPE_EXPERIMENT, 0));
}

void check_ethertype_after_vlan_tag_matches(struct adapter *at, struct finding *f)
{
	static const uint8_t tag[TAG_BYTES] = { ETHERTYPE_VLAN >> 8, ETHERTYPE_VLAN & 0xff, 0, 1 };
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f) && take_experiment(&rig, f)) {
		frames_write(&rig, rig.memory + TAG_BYTES, FRAME);
		memmove(rig.memory, rig.memory + TAG_BYTES, MAC_BYTES);
		memcpy(rig.memory + MAC_BYTES, tag, sizeof(tag));
		send = send_of(&rig, FRAME + TAG_BYTES);
		frames_judge(&rig, f, &send, rig.memory);
	}
	rig_destroy(&rig);
}

void check_empty_segment_has_0_bytes(struct adapter *at, struct finding *f)
{
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f) && take_experiment(&rig, f)) {
		send = send_of(&rig, frames_write(&rig, rig.memory, FRAME));
		send.empty_segment = true;
		frames_judge(&rig, f, &send, rig.memory);
	}
	rig_destroy(&rig);
}

void check_short_frame_is_padded_with_zeros(struct adapter *at, struct finding *f)
{
	enum { SHORT = 30 };
	static const uint8_t zeros[ETH_MIN - SHORT];
	const struct prm_cqe *cqe;
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f) && take_experiment(&rig, f)) {
		send = send_of(&rig, frames_write(&rig, rig.memory, SHORT));
		memset(rig.memory + SHORT, 0xa5, ETH_MIN); /* bytes that the device must not send */
		cqe = frames_exchange(&rig, f, &send);
		if (cqe && prm_be32_get(cqe->byte_cnt) == SHORT)
			cannot_test(f, "local loopback does not pad frames");
		else if (cqe && prm_be32_get(cqe->byte_cnt) != ETH_MIN)
			finding_refute(f, "saw a frame of %u bytes (expected %u)",
				       prm_be32_get(cqe->byte_cnt), ETH_MIN);
		else if (cqe)
			judge_fact(f,
				   !memcmp(zeros,
					   frames_get_slot(&rig, prm_be16_get(cqe->wqe_counter)) +
						   SHORT,
					   sizeof(zeros)),
				   "other bytes as padding", "zeros");
	}
	rig_destroy(&rig);
}

void check_frame_below_14_bytes_is_refused(struct adapter *at, struct finding *f)
{
	enum { TINY = 10 };
	const struct prm_cqe *cqe;
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f)) {
		send = send_of(&rig, TINY);
		if (rig.sq.inline_mode) {
			cannot_test(f, "each WQE of this device has a whole L2 header");
		} else {
			frames_write(&rig, rig.memory, FRAME);
			cqe = frames_send(&rig, &send);
			judge_fact(f, cqe && prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ_ERR,
				   "no error CQE", "an error CQE for a frame of 10 bytes");
		}
	}
	rig_destroy(&rig);
}

void check_short_frame_gets_no_tag(struct adapter *at, struct finding *f)
{
	enum { SHORT = 17 };
	const struct prm_cqe *cqe;
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f)) {
		send = send_of(&rig, SHORT);
		send.add_tag = true;
		if (rig.sq.inline_mode || !at->dev.caps.wqe_vlan_insert) {
			cannot_test(f, "the device adds no tag (capability wqe_vlan_insert)");
		} else {
			frames_write(&rig, rig.memory, FRAME);
			cqe = frames_send(&rig, &send);
			judge_fact(f, cqe && prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ_ERR,
				   "no error CQE", "an error CQE for a frame of 17 bytes");
		}
	}
	rig_destroy(&rig);
}

void check_udp_checksum_0_sets_l4_ok(struct adapter *at, struct finding *f)
{
	const struct prm_cqe *cqe;
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f) &&
	    could_prepare(f, rig.dev, frames_make_rule(&rig, &rig.tir, 0x0800, PORT_DISCARD))) {
		send = send_of(&rig, frames_write_udp(&rig, rig.memory, PORT_DISCARD, FRAME));
		cqe = frames_exchange(&rig, f, &send);
		if (cqe)
			judge_fact(f, cqe->hds_ip_ext & PRM_CQE_L4_OK, "a CQE without L4_OK",
				   "L4_OK");
	}
	rig_destroy(&rig);
}

/* The RQ of entry 1 has no buffer, so a frame that comes is a frame of entry 0. */
static void send_without_hash_fields(struct adapter *at, struct finding *f)
{
	const struct devx_rq_attr empty_attr = { .log2_n = RIG_LOG2_RQ, .keep_vlan = true };
	struct devx_rq_attr attr = empty_attr;
	struct devx_tir_attr tir_attr = { .fields = PRM_HASH_FIELD_SEL_SRC_IP |
						    PRM_HASH_FIELD_SEL_DST_IP };
	struct devx_rq empty = { 0 };
	struct devx_rqt rqt = { 0 };
	struct devx_tir tir = { 0 };
	const struct prm_cqe *cqe;
	struct frames_send send;
	struct rig rig = { 0 };
	int rc;

	if (rig_prepare_frames(&rig, at, f)) {
		attr.cq = &rig.recv_cq;
		tir_attr.td = &rig.in_td;
		tir_attr.rqt = &rqt;
		memset(tir_attr.key, 0x6d, sizeof(tir_attr.key));
		rc = devx_rq_create(&empty, rig.dev, &attr);
		rc = rc ? rc : devx_rq_ready(&empty);
		rc = rc ? rc
			: devx_rqt_create(&rqt, rig.dev, (uint32_t[]){ rig.rq.rqn, empty.rqn }, 2,
					  2);
		rc = rc ? rc : devx_tir_create(&tir, rig.dev, &tir_attr);
		rc = rc ? rc : frames_make_rule(&rig, &tir, ETHERTYPE_EXPERIMENT, 0);
		if (could_prepare(f, rig.dev, rc)) {
			send = send_of(&rig, frames_write(&rig, rig.memory, FRAME));
			cqe = frames_exchange(&rig, f, &send);
			if (cqe && prm_be32_get(cqe->rss_hash_result))
				finding_refute(f, "saw hash 0x%08x (expected 0)",
					       prm_be32_get(cqe->rss_hash_result));
			else if (cqe)
				finding_confirm(f);
		}
	}
	frames_end_rule(&rig);
	devx_tir_destroy(&tir);
	devx_rqt_destroy(&rqt);
	devx_rq_destroy(&empty);
	rig_destroy(&rig);
}

void check_unhashed_packet_goes_to_entry_0(struct adapter *at, struct finding *f)
{
	send_without_hash_fields(at, f);
}

void check_unhashed_frame_goes_to_first_rq(struct adapter *at, struct finding *f)
{
	send_without_hash_fields(at, f);
}

void check_producer_index_ahead_fails_rq(struct adapter *at, struct finding *f)
{
	enum prm_wq_state state = PRM_WQ_STATE_RST;
	struct frames_send send;
	struct rig rig = { 0 };

	/* A device that knows the first buffers reads the record after these only: reset first. */
	if (rig_prepare_frames(&rig, at, f) && take_experiment(&rig, f) &&
	    could_prepare(f, rig.dev, devx_rq_reset(&rig.rq)) &&
	    could_prepare(f, rig.dev, devx_rq_ready(&rig.rq))) {
		rig.rq.pi = (1u << RIG_LOG2_RQ) + 1;
		devx_rq_post(&rig.rq);
		send = send_of(&rig, frames_write(&rig, rig.memory, FRAME));
		frames_send(&rig, &send);
		rig_wait_cqe(&rig.recv_cq, RIG_SILENCE_MS);
		if (could_prepare(f, rig.dev, devx_rq_query_state(&rig.rq, &state)))
			judge_fact(f, state == PRM_WQ_STATE_ERR, "an RQ that is not in ERR",
				   "state ERR");
	}
	rig_destroy(&rig);
}

/* A rule for an inner EtherType of 0 takes plain frames only if the device compares a 0 there. */
void check_inner_fields_are_0_without_tunnel(struct adapter *at, struct finding *f)
{
	struct prm_fte_match_param mask = { 0 }, value = { 0 };
	struct prm_fte_match_set_lyr_2_4 *outer = prm_sub(&mask, outer_headers);
	struct frames_send send;
	struct rig rig = { 0 };
	int rc;

	if (rig_prepare_frames(&rig, at, f)) {
		frames_match_mac(&rig, outer, prm_sub(&value, outer_headers));
		prm_set(outer, ethertype, UINT16_MAX);
		prm_set(prm_sub(&value, outer_headers), ethertype, ETHERTYPE_EXPERIMENT);
		prm_set(prm_sub(&mask, inner_headers), ethertype, UINT16_MAX);
		rc = frames_steer(&rig, &rig.tir, &mask, &value,
				  PRM_MATCH_OUTER_HEADERS | PRM_MATCH_INNER_HEADERS);
		if (rc)
			cannot_test(f, "the kernel does not take a rule for inner headers: %s",
				    strerror(-rc));
		send = send_of(&rig, frames_write(&rig, rig.memory, FRAME));
		if (!rc)
			frames_judge(&rig, f, &send, rig.memory);
	}
	rig_destroy(&rig);
}

static bool prepare_multi_packet(struct rig *rig, struct adapter *at, struct finding *f)
{
	if (!at->dev.caps.enhanced_multi_pkt_send_wqe)
		cannot_test(f, "the device lacks enhanced_multi_pkt_send_wqe");
	else if (at->port.min_inline)
		cannot_test(f, "each WQE of this device needs inline headers");
	return f->verdict != NOT_HERE && rig_prepare_frames(rig, at, f) && take_experiment(rig, f);
}

void check_nop_follows_multi_packet_wqe(struct adapter *at, struct finding *f)
{
	struct frames_send send;
	struct rig rig = { 0 };
	uint16_t nop;

	if (prepare_multi_packet(&rig, at, f)) {
		send = send_of(&rig, frames_write(&rig, rig.memory, FRAME));
		send.multi_packet = send.quiet = true;
		frames_post(&rig, &send);
		nop = rig.sq.pi;
		rig_expect_nop(&rig, f, rig_post_nop(&rig, PRM_CE_ALWAYS), nop);
		if (f->verdict == CONFIRMED && !rig_wait_cqe(&rig.recv_cq, RIG_PATIENCE_MS))
			finding_refute(f, "saw no frame of the WQE before the NOP (expected one)");
	}
	rig_destroy(&rig);
}
