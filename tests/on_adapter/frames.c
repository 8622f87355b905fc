/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <string.h>

enum { MAC = 6, ETH_HEADER = 14, INLINE_L2 = 18, IPV4 = 0x0800, TTL = 64 };

uint8_t *frames_get_slot(const struct rig *rig, uint32_t i)
{
	return rig->memory + RIG_SEND_BYTES +
	       (size_t)(i & ((1u << RIG_LOG2_RQ) - 1)) * RIG_SLOT_BYTES;
}

static void write_header(const struct rig *rig, uint8_t *to, uint16_t ethertype)
{
	memcpy(to, rig->at->port.mac, MAC);
	memcpy(to + MAC, rig->at->port.mac, MAC);
	to[12] = (uint8_t)(ethertype >> 8);
	to[13] = (uint8_t)ethertype;
}

uint32_t frames_write(const struct rig *rig, uint8_t *to, uint32_t bytes)
{
	write_header(rig, to, ETHERTYPE_EXPERIMENT);
	for (uint32_t i = ETH_HEADER; i < bytes; i++)
		to[i] = (uint8_t)(i * 7 + 1);
	return bytes;
}

static uint16_t sum_header(const struct iphdr *ip)
{
	uint16_t words[sizeof(*ip) / 2];
	uint32_t sum = 0;

	memcpy(words, ip, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sum += words[i];
	sum = (sum >> 16) + (sum & 0xffff);
	return (uint16_t) ~(sum + (sum >> 16));
}

uint32_t frames_write_udp(const struct rig *rig, uint8_t *to, uint16_t port, uint32_t bytes)
{
	const uint32_t length = (uint32_t)sizeof(struct udphdr) + bytes;
	struct udphdr udp = { .source = htons(PORT_DISCARD),
			      .dest = htons(port),
			      .len = htons((uint16_t)length) };
	struct iphdr ip = { .version = 4,
			    .ihl = sizeof(ip) / 4,
			    .tot_len = htons((uint16_t)(sizeof(ip) + length)),
			    .ttl = TTL,
			    .protocol = IPPROTO_UDP,
			    .saddr = htonl(0xc6120001), /* 198.18.0.1, RFC 2544 */
			    .daddr = htonl(0xc6120002) };
	uint8_t *at = to + ETH_HEADER;

	ip.check = sum_header(&ip);
	write_header(rig, to, IPV4);
	memcpy(at, &ip, sizeof(ip));
	memcpy(at + sizeof(ip), &udp, sizeof(udp)); /* checksum 0: absent */
	at += sizeof(ip) + sizeof(udp);
	for (uint32_t i = 0; i < bytes; i++)
		at[i] = (uint8_t)(i * 5 + 3);
	return (uint32_t)(at - to) + bytes;
}

struct parameters {
	size_t bytes; /* struct mlx5dv_flow_match_parameters */
	struct prm_fte_match_param param;
};

int frames_steer(struct rig *rig, const struct devx_tir *tir,
		 const struct prm_fte_match_param *mask, const struct prm_fte_match_param *value,
		 uint8_t criteria)
{
	struct parameters m = { sizeof(m.param), *mask }, v = { sizeof(v.param), *value };
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL,
		.match_criteria_enable = criteria,
		.match_mask = (struct mlx5dv_flow_match_parameters *)&m,
	};
	struct mlx5dv_flow_action_attr action = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX,
						  .obj = tir->obj };

	errno = 0;
	rig->matcher = mlx5dv_create_flow_matcher(rig->dev->ctx, &attr);
	if (!rig->matcher)
		return errno ? -errno : -ENOMEM;
	rig->flow = mlx5dv_create_flow(rig->matcher, (struct mlx5dv_flow_match_parameters *)&v, 1,
				       &action);
	return rig->flow ? 0 : errno ? -errno : -ENOMEM;
}

void frames_match_mac(const struct rig *rig, struct prm_fte_match_set_lyr_2_4 *mask,
		      struct prm_fte_match_set_lyr_2_4 *value)
{
	const uint8_t *mac = rig->at->port.mac;

	prm_set(mask, dmac_47_16, UINT32_MAX);
	prm_set(mask, dmac_15_0, UINT16_MAX);
	prm_set(value, dmac_47_16,
		(uint32_t)mac[0] << 24 | (uint32_t)mac[1] << 16 | (uint32_t)mac[2] << 8 | mac[3]);
	prm_set(value, dmac_15_0, (uint32_t)mac[4] << 8 | mac[5]);
}

int frames_make_rule(struct rig *rig, const struct devx_tir *tir, uint16_t ethertype, uint16_t udp)
{
	struct prm_fte_match_param mask = { 0 }, value = { 0 };
	struct prm_fte_match_set_lyr_2_4 *m = prm_sub(&mask, outer_headers),
					 *v = prm_sub(&value, outer_headers);

	frames_match_mac(rig, m, v);
	prm_set(m, ethertype, UINT16_MAX);
	prm_set(v, ethertype, ethertype);
	if (udp) {
		prm_set(m, ip_protocol, UINT8_MAX);
		prm_set(v, ip_protocol, IPPROTO_UDP);
		prm_set(m, udp_dport, UINT16_MAX);
		prm_set(v, udp_dport, udp);
	}
	return frames_steer(rig, tir, &mask, &value, PRM_MATCH_OUTER_HEADERS);
}

void frames_end_rule(struct rig *rig)
{
	if (rig->flow && ibv_destroy_flow(rig->flow))
		rig->dev->n_stuck++;
	if (rig->matcher && mlx5dv_destroy_flow_matcher(rig->matcher))
		rig->dev->n_stuck++;
	rig->flow = NULL;
	rig->matcher = NULL;
}

bool rig_prepare_frames(struct rig *rig, struct adapter *at, struct finding *f)
{
	if (!at->may_send) {
		cannot_test(f, "the check sends a frame to the own MAC address; pass --send");
		return false;
	}
	if (!at->hears_itself) {
		cannot_test(
			f,
			"frames to the own MAC address do not come back; connect a loopback cable");
		return false;
	}
	if (!rig_prepare_send(rig, at, f) || !rig_prepare_receive(rig, f))
		return false;
	if (rig->sq.inline_mode > PRM_MIN_WQE_INLINE_MODE_L2) {
		cannot_test(
			f,
			"the device needs L3 headers in WQEs, which this program does not write");
		return false;
	}
	return true;
}

/* Writes the Ethernet segment at @to, with the inline header. Return: number of its segments. */
static uint8_t write_eth(uint8_t *to, const struct frames_send *send, uint32_t n_inline)
{
	struct prm_eth_seg eth = { .cs_flags = send->cs_flags };

	eth.inline_hdr_sz = prm_be16_of((uint16_t)n_inline);
	memcpy(to, &eth, sizeof(eth));
	if (!n_inline)
		return 1;
	memcpy(to + offsetof(struct prm_eth_seg, inline_hdr_start), send->addr, n_inline);
	return 2;
}

struct prm_ctrl_seg *frames_post(struct rig *rig, const struct frames_send *send)
{
	const uint64_t addr = send->seen_at ? send->seen_at : (uintptr_t)send->addr;
	struct devx_sq *sq = &rig->sq;
	struct devx_wqebb *bb = devx_sq_get_wqebb(sq, sq->pi);
	const uint32_t n_inline = sq->inline_mode ? INLINE_L2 : 0;
	uint8_t *first = bb->bytes, ds = 1;
	struct prm_data_seg seg = { prm_be32_of(0), prm_be32_of(send->lkey), prm_be64_of(addr) };

	/* At most 5 segments in two blocks. A check posts fewer blocks than the ring has. */
	memset(bb, 0, 2 * sizeof(*bb));
	ds = (uint8_t)(ds + write_eth(first + PRM_DS_BYTES, send, n_inline));
	if (send->add_tag)
		((struct prm_eth_seg *)(first + PRM_DS_BYTES))->insert_type =
			prm_be16_of(PRM_ETH_INSERT_VLAN);
	if (send->empty_segment)
		memcpy(first + PRM_DS_BYTES * ds++, &seg, sizeof(seg));
	seg.byte_count = prm_be32_of(send->bytes - n_inline);
	seg.addr = prm_be64_of(addr + n_inline);
	memcpy(first + PRM_DS_BYTES * ds++, &seg, sizeof(seg));
	bb->ctrl.opmod_idx_opcode =
		prm_ctrl_dw0(0, sq->pi, send->multi_packet ? PRM_WQE_ENHANCED_MPSW : PRM_WQE_SEND);
	bb->ctrl.qpn_ds = prm_ctrl_dw1(sq->sqn, ds);
	bb->ctrl.fm_ce_se = (send->quiet ? PRM_CE_ERROR : PRM_CE_ALWAYS) << PRM_CE_SHIFT;
	sq->pi = (uint16_t)(sq->pi + prm_wqe_count_blocks(ds));
	return &bb->ctrl;
}

const struct prm_cqe *frames_send(struct rig *rig, const struct frames_send *send)
{
	devx_sq_ring(&rig->sq, frames_post(rig, send));
	return rig_wait_cqe(&rig->send_cq, RIG_PATIENCE_MS);
}

const struct prm_cqe *frames_exchange(struct rig *rig, struct finding *f,
				      const struct frames_send *send)
{
	const struct prm_cqe *cqe = frames_send(rig, send);
	bool sent;

	if (!cqe) {
		finding_refute(f, "saw no CQE for the WQE (expected one)");
		return NULL;
	}
	sent = prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ;
	if (!sent)
		finding_refute(
			f, "saw an error CQE for the WQE, syndrome 0x%02x (expected: it is sent)",
			((const struct prm_err_cqe *)cqe)->syndrome);
	rig_drop_cqe(&rig->send_cq);
	if (!sent)
		return NULL;
	cqe = rig_wait_cqe(&rig->recv_cq, RIG_PATIENCE_MS);
	if (!cqe)
		finding_refute(f, "saw no received frame (expected the frame that was sent)");
	else if (prm_cqe_opcode(cqe->op_own) != PRM_CQE_RESP_SEND)
		finding_refute(f, "saw an error CQE of the receive queue (expected a frame)");
	return f->verdict == REFUTED ? NULL : cqe;
}

void frames_judge(struct rig *rig, struct finding *f, const struct frames_send *send,
		  const uint8_t *want)
{
	const struct prm_cqe *cqe = frames_exchange(rig, f, send);

	if (!cqe)
		return;
	if (prm_be32_get(cqe->byte_cnt) < send->bytes ||
	    memcmp(want, frames_get_slot(rig, prm_be16_get(cqe->wqe_counter)), send->bytes))
		finding_refute(f,
			       "saw a frame with other bytes (expected the bytes that were sent)");
	else
		finding_confirm(f);
}

void frames_find_loop(struct adapter *at, struct finding *f)
{
	struct rig rig = { 0 };
	struct frames_send send = { .bytes = 100 };

	at->hears_itself = true; /* for rig_prepare_frames() */
	if (rig_prepare_frames(&rig, at, f) &&
	    could_prepare(f, rig.dev, frames_make_rule(&rig, &rig.tir, ETHERTYPE_EXPERIMENT, 0))) {
		send.addr = rig.memory;
		send.lkey = rig.mr.lkey;
		frames_write(&rig, rig.memory, send.bytes);
		frames_judge(&rig, f, &send, rig.memory);
	}
	at->hears_itself = f->verdict == CONFIRMED;
	rig_destroy(&rig);
}
