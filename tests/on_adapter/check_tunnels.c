/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about tunnels. Each check sends a VXLAN frame from the port to its own MAC address.
 */
#include <string.h>

#include "checks.h"
#include "devx/rqt.h"
#include "frames.h"

enum {
	IPV4 = 0x0800,
	OUTER_HEADERS = 42, /* Ethernet, IPv4, UDP */
	IPV4_CHECKSUM = 24, /* from the start of a frame */
	VXLAN_HEADER = 8,
	VXLAN_HAS_VNI = 0x08,
	PAYLOAD = 32,
	INNER_BYTES = OUTER_HEADERS + PAYLOAD,
};

/* A TIR that looks into tunnels, or one that does not. */
static bool prepare_tunnel(struct rig *rig, struct devx_tir *tir, struct adapter *at,
			   struct finding *f, bool inner_headers)
{
	struct devx_tir_attr attr = { .inner_headers = inner_headers };
	int rc;

	if (!at->dev.caps.tunnel_stateless_vxlan) {
		cannot_test(f, "the device has no capability tunnel_stateless_vxlan");
		return false;
	}
	if (!rig_prepare_frames(rig, at, f))
		return false;
	attr.td = &rig->in_td;
	attr.rq = &rig->rq;
	rc = devx_tir_create(tir, rig->dev, &attr);
	rc = rc ? rc : frames_make_rule(rig, tir, IPV4, PORT_VXLAN);
	return could_prepare(f, rig->dev, rc);
}

static void end_tunnel(struct rig *rig, struct devx_tir *tir)
{
	if (rig->dev)
		frames_end_rule(rig);
	devx_tir_destroy(tir);
	rig_destroy(rig);
}

/* Writes a VXLAN frame into the send buffer. */
static struct frames_send write_vxlan(const struct rig *rig, uint8_t flags)
{
	struct frames_send send = { .addr = rig->memory, .lkey = rig->mr.lkey };
	uint8_t *vxlan = rig->memory + OUTER_HEADERS;

	send.bytes = frames_write_udp(rig, rig->memory, PORT_VXLAN, VXLAN_HEADER + INNER_BYTES);
	memset(vxlan, 0, VXLAN_HEADER);
	vxlan[0] = flags;
	frames_write_udp(rig, vxlan + VXLAN_HEADER, PORT_DISCARD, PAYLOAD);
	return send;
}

void check_vxlan_without_flag_is_a_tunnel(struct adapter *at, struct finding *f)
{
	const struct prm_cqe *cqe;
	struct devx_tir tir = { 0 };
	struct frames_send send;
	struct rig rig = { 0 };

	if (prepare_tunnel(&rig, &tir, at, f, true)) {
		send = write_vxlan(&rig, 0);
		cqe = frames_exchange(&rig, f, &send);
		if (cqe)
			judge_fact(f, cqe->outer_tunnel & PRM_CQE_TUNNELED,
				   "a CQE of a frame without a tunnel", "a tunneled frame");
	}
	end_tunnel(&rig, &tir);
}

void check_plain_tir_sees_no_tunnel(struct adapter *at, struct finding *f)
{
	const struct prm_cqe *cqe;
	struct devx_tir tir = { 0 };
	struct frames_send send;
	struct rig rig = { 0 };

	if (prepare_tunnel(&rig, &tir, at, f, false)) {
		send = write_vxlan(&rig, VXLAN_HAS_VNI);
		cqe = frames_exchange(&rig, f, &send);
		if (cqe)
			judge_fact(f, !(cqe->outer_tunnel & PRM_CQE_TUNNELED),
				   "a CQE of a tunneled frame", "a frame without a tunnel");
	}
	end_tunnel(&rig, &tir);
}

/* The frame comes by a plain TIR. Its RQ joins the table of a TIR that looks into tunnels. */
void check_rqt_passes_tunneled_offload(struct adapter *at, struct finding *f)
{
	struct devx_tir_attr attr = { .fields = PRM_HASH_FIELD_SEL_SRC_IP, .inner_headers = true };
	struct devx_rq_attr other_attr = { .log2_n = RIG_LOG2_RQ, .keep_vlan = true };
	struct devx_tir tir = { 0 }, hashing = { 0 };
	const struct prm_cqe *cqe;
	struct devx_rq other = { 0 };
	struct devx_rqt rqt = { 0 };
	struct frames_send send;
	struct rig rig = { 0 };
	int rc;

	if (prepare_tunnel(&rig, &tir, at, f, false)) {
		other_attr.cq = &rig.recv_cq;
		attr.td = &rig.in_td;
		attr.rqt = &rqt;
		rc = devx_rq_create(&other, rig.dev, &other_attr);
		rc = rc ? rc : devx_rqt_create(&rqt, rig.dev, &other.rqn, 1, 1);
		rc = rc ? rc : devx_tir_create(&hashing, rig.dev, &attr);
		rc = rc ? rc : devx_rqt_modify(&rqt, &rig.rq.rqn, 1);
		if (could_prepare(f, rig.dev, rc)) {
			send = write_vxlan(&rig, VXLAN_HAS_VNI);
			cqe = frames_exchange(&rig, f, &send);
			if (cqe)
				judge_fact(f, cqe->outer_tunnel & PRM_CQE_TUNNELED,
					   "a CQE of a frame without a tunnel", "a tunneled frame");
		}
	}
	devx_tir_destroy(&hashing);
	devx_rqt_destroy(&rqt);
	devx_rq_destroy(&other);
	end_tunnel(&rig, &tir);
}

/* The inner checksums are right, so only the outer header can clear the bit. */
void check_outer_checksum_counts_for_l3_ok(struct adapter *at, struct finding *f)
{
	const struct prm_cqe *cqe;
	struct devx_tir tir = { 0 };
	struct frames_send send;
	struct rig rig = { 0 };

	if (prepare_tunnel(&rig, &tir, at, f, true)) {
		send = write_vxlan(&rig, VXLAN_HAS_VNI);
		rig.memory[IPV4_CHECKSUM] ^= 1;
		cqe = frames_exchange(&rig, f, &send);
		if (cqe && !(cqe->outer_tunnel & PRM_CQE_TUNNELED))
			cannot_test(f, "the device takes the frame for one without a tunnel");
		else if (cqe)
			judge_fact(f, !(cqe->hds_ip_ext & PRM_CQE_L3_OK), "L3_OK",
				   "no L3_OK with a wrong outer checksum");
	}
	end_tunnel(&rig, &tir);
}

/* The part about frames without a tunnel: the wrong checksum must stay as it is. */
void check_inner_checksum_flags_do_nothing(struct adapter *at, struct finding *f)
{
	struct frames_send send;
	struct rig rig = { 0 };

	if (rig_prepare_frames(&rig, at, f) &&
	    could_prepare(f, rig.dev, frames_make_rule(&rig, &rig.tir, IPV4, PORT_DISCARD))) {
		send = (struct frames_send){ .addr = rig.memory, .lkey = rig.mr.lkey };
		send.bytes = frames_write_udp(&rig, rig.memory, PORT_DISCARD, PAYLOAD);
		send.cs_flags = PRM_ETH_CS_INNER_L3 | PRM_ETH_CS_INNER_L4;
		rig.memory[IPV4_CHECKSUM] ^= 1;
		frames_judge(&rig, f, &send, rig.memory);
	}
	rig_destroy(&rig);
}
