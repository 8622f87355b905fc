/* SPDX-License-Identifier: BSD-3-Clause */
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <string.h>

#include "emu/packet/parse.h"
#include "emu/queue/wqe.h"
#include "core_rig_queue.h"
#include "core_rig_steer.h"

enum {
	HEADERS = 54,
	MSS = 1000,
	PAYLOAD = 2500,
	SEQ = 0xfffffe00,
	FRAMES = 4,
	INLINE_DS = 1 + 1 + (HEADERS - 2 + 15) / 16,
	N_DS = INLINE_DS + 1,
};

FIXTURE(lso)
{
	struct core_rig r;
	struct core_rig_cq rx_cq, tx_cq;
	struct core_rig_rq rq;
	struct core_rig_sq sq;
	uint8_t *rx[FRAMES], *payload;
	uint32_t lkey;
};

FIXTURE_SETUP(lso)
{
	struct core_rig *r = &self->r;

	core_rig_open(r, &(struct core_rig_config){ .wire = "loop" });
	self->rx_cq = core_rig_make_cq(r, 4);
	self->tx_cq = core_rig_make_cq(r, 4);
	self->rq = core_rig_make_rq(r, 2, 0, self->rx_cq.cqn);
	self->sq = core_rig_make_sq(r, 6, self->tx_cq.cqn);
	core_rig_steer_all(r, core_rig_make_tir(r, self->rq.rqn));
	self->payload = core_rig_alloc(r, CORE_RIG_PAGE);
	for (unsigned i = 0; i < PAYLOAD; i++)
		self->payload[i] = (uint8_t)(i * 7);
	self->lkey = core_rig_make_mkey(r, self->payload, CORE_RIG_PAGE, false);
	for (unsigned i = 0; i < FRAMES; i++) {
		struct prm_data_seg *seg =
			(struct prm_data_seg *)(self->rq.ring + i * self->rq.stride);

		self->rx[i] = core_rig_alloc(r, CORE_RIG_PAGE);
		*seg = (struct prm_data_seg){ prm_be32_of(CORE_RIG_PAGE),
					      prm_be32_of(core_rig_make_mkey(r, self->rx[i],
									     CORE_RIG_PAGE, true)),
					      prm_be64_of((uintptr_t)self->rx[i]) };
	}
	self->rq.dbr[PRM_DBR_RCV] = prm_be32_of(FRAMES);
}

FIXTURE_TEARDOWN(lso)
{
	core_rig_close(&self->r);
}

static void write_headers(uint8_t *at, uint8_t proto)
{
	const struct iphdr ip = { .version = 4,
				  .ihl = 5,
				  .ttl = 64,
				  .protocol = proto,
				  .id = htons(7),
				  .tot_len = htons(HEADERS - 14 + PAYLOAD),
				  .saddr = htonl(0x0a000001),
				  .daddr = htonl(0x0a000002) };
	const struct tcphdr tcp = { .th_sport = htons(80),
				    .th_dport = htons(1024),
				    .th_seq = htonl(SEQ),
				    .th_off = 5,
				    .th_flags = TH_ACK | TH_PUSH | TH_FIN };

	memcpy(at, "\xff\xff\xff\xff\xff\xff\x02\0\0\0\0\1\x08\0", 14);
	memcpy(at + 14, &ip, sizeof(ip));
	memcpy(at + 34, &tcp, sizeof(tcp));
}

static void post_lso(struct core_rig *r, struct core_rig_sq *sq, const uint8_t *hdr, uint16_t mss,
		     const struct prm_data_seg *seg)
{
	uint8_t *wqe = sq->ring + sq->pi % sq->n * PRM_WQEBB_BYTES;
	struct prm_ctrl_seg *ctrl = (struct prm_ctrl_seg *)wqe;
	struct prm_eth_seg *eth = (struct prm_eth_seg *)(wqe + PRM_DS_BYTES);

	*ctrl = (struct prm_ctrl_seg){ .opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_LSO),
				       .qpn_ds = prm_ctrl_dw1(sq->sqn, N_DS),
				       .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT };
	*eth = (struct prm_eth_seg){ .cs_flags = PRM_ETH_CS_L3 | PRM_ETH_CS_L4,
				     .mss = prm_be16_of(mss),
				     .inline_hdr_sz = prm_be16_of(HEADERS) };
	memcpy(wqe + PRM_DS_BYTES + offsetof(struct prm_eth_seg, inline_hdr_start), hdr, HEADERS);
	memcpy(wqe + INLINE_DS * PRM_DS_BYTES, seg, sizeof(*seg));
	sq->pi += emu_wqe_bbs(N_DS);
	core_rig_ring_sq(r, sq, ctrl);
	for (int i = 0; i < 4; i++)
		emu_poll(r->emu, 64);
}

TEST_F(lso, lso_cuts_a_long_segment_by_the_mss)
{
	const struct prm_data_seg seg = { prm_be32_of(PAYLOAD), prm_be32_of(self->lkey),
					  prm_be64_of((uintptr_t)self->payload) };
	uint8_t hdr[HEADERS];

	write_headers(hdr, IPPROTO_TCP);
	post_lso(&self->r, &self->sq, hdr, MSS, &seg);
	for (unsigned i = 0; i < 3; i++) {
		const uint32_t bytes = i < 2 ? MSS : PAYLOAD - 2 * MSS;
		struct emu_frame f = { self->rx[i], HEADERS + bytes };
		struct prm_cqe *cqe = core_rig_take_cqe(&self->rx_cq);
		struct emu_parsed p;
		struct tcphdr tcp;
		struct iphdr ip;

		SCOPED_TRACE("segment %u", i);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(f.bytes, prm_be32_get(cqe->byte_cnt));
		memcpy(&ip, f.data + 14, sizeof(ip));
		memcpy(&tcp, f.data + 34, sizeof(tcp));
		EXPECT_EQ(40 + bytes, ntohs(ip.tot_len));
		EXPECT_EQ(7 + i, ntohs(ip.id));
		EXPECT_EQ((uint32_t)SEQ + i * MSS, ntohl(tcp.seq));
		EXPECT_EQ(i == 2 ? TH_ACK | TH_PUSH | TH_FIN : TH_ACK, tcp.th_flags);
		EXPECT_MEMEQ(self->payload + i * MSS, f.data + HEADERS, bytes);
		emu_parse_frame(&f, NULL, &p);
		emu_parse_sums(&f, &p);
		EXPECT_TRUE(p.outer.ip_ok);
		EXPECT_TRUE(p.outer.l4_ok);
	}
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx_cq));
	EXPECT_NE(NULL, core_rig_take_cqe(&self->tx_cq)); /* one completion for the whole WQE */
}

static const struct bad {
	const char *name;
	uint8_t proto;
	uint16_t mss;
} bad[] = {
	{ "no_mss", IPPROTO_TCP, 0 },
	{ "not_tcp", IPPROTO_ICMP, MSS },
};

TEST_F(lso, lso_refuses_a_wqe_that_it_cannot_cut)
{
	const struct prm_data_seg seg = { prm_be32_of(PAYLOAD), prm_be32_of(self->lkey),
					  prm_be64_of((uintptr_t)self->payload) };

	FOR_EACH_ROW (row, bad) {
		struct core_rig_sq sq = core_rig_make_sq(&self->r, 4, self->tx_cq.cqn);
		uint8_t hdr[HEADERS];
		struct prm_cqe *cqe;

		write_headers(hdr, row->proto);
		post_lso(&self->r, &sq, hdr, row->mss, &seg);
		cqe = core_rig_take_cqe(&self->tx_cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(cqe->op_own));
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx_cq));
	}
}
