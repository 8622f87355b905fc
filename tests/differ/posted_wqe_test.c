/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both drivers send the same packets; emu records the WQEs that it executes, and the test compares
 * them byte by byte. It ignores the number of the SQ and memory keys, and counts indexes from the
 * first WQE on. Packet, segment and offset take the place of an address.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "packet.h"
#include "prm/wqe.h"
#include "report.h"

#define TX(offload) RTE_ETH_TX_OFFLOAD_##offload
#define SUMS (TX(IPV4_CKSUM) | TX(UDP_CKSUM) | TX(TCP_CKSUM))
#define BASE .n_rxq = 1, .mtu = 9500, .buffer = 9728, .ring = 64

enum { RECORD_BYTES = 1 << 16, MAX_WQES = LAB_BURST, TITLE_DS = 2, N_CONFIGS = 6, MAX_SEGS = 16 };

static const struct config wqe_configs[N_CONFIGS] = {
	{ .name = "wqe_default", BASE },
	{ .name = "wqe_checksums", BASE, .tx_offloads = SUMS },
	{ .name = "wqe_segments", BASE, .tx_offloads = TX(MULTI_SEGS) },
	{ .name = "wqe_vlan", BASE, .tx_offloads = SUMS | TX(VLAN_INSERT) },
	{ .name = "wqe_tso", BASE, .tx_offloads = SUMS | TX(MULTI_SEGS) | TX(TCP_TSO) },
	{ .name = "wqe_all",
	  BASE,
	  .tx_offloads = SUMS | TX(MULTI_SEGS) | TX(VLAN_INSERT) | TX(TCP_TSO) |
			 TX(OUTER_IPV4_CKSUM) | TX(VXLAN_TNL_TSO) },
};

/*
 * With DIFFER_MLX5_ARGS=txqs_min_inline=8 net_mlx5 points to every packet, else to long ones. With
 * DIFFER_ARGS=inline=268 net_devx also points to long packets only.
 */
static const struct packet packets[] = {
	{ "ip4 udp pay:18", "", "" },
	{ "ip4!sum udp!sum pay:18", "ip l4", "" },
	{ "ip4 udp pay:185", "", "" },
	{ "ip4!sum udp!sum pay:181", "ip l4", "" },
	{ "ip4 udp pay:400", "", "" },
	{ "ip4 udp pay:1400", "", "" },
	{ "ip4!sum udp!sum pay:400", "ip l4", "" },
	{ "ip4!sum udp!sum pay:1000", "ip", "" },
	{ "ip4!sum tcp!sum pay:1000", "l4", "" },
	{ "ip6 tcp!sum pay:500", "l4", "" },
	{ "ip4 udp pay:900", "", "442" },
	{ "ip4 udp pay:900", "", "42" },
	{ "ip4 udp pay:1400", "", "500,0,600" },
	{ "ip4!sum udp!sum pay:4000", "ip l4", "7*500" },
	{ "ip4 udp pay:500", "vlan:100", "" },
	{ "ip4!sum udp!sum pay:500", "vlan:0xe123 ip l4", "" },
	{ "ip4 udp pay:900", "vlan:100", "460,100" },
	{ "ip4!sum tcp!sum pay:3000", "ip l4 tso:1000", "" },
	{ "ip6 tcp!sum pay:5000", "l4 tso:1440", "" },
	{ "ip4!sum tcp!sum pay:8000", "ip l4 tso:1460", "54,3*2000" },
	{ "ip4!sum tcp!sum pay:8000", "ip l4 tso:1460", "14,20,20,1000,0,3000" },
	{ "ip4!sum tcp!sum pay:5000", "vlan:100 ip l4 tso:1400", "" },
	{ "ip4!sum udp vxlan:7 eth ip4!sum tcp!sum pay:3000", "outer ip l4 tso:1000", "" },
};

/* A WQE after its addresses and numbers were replaced. */
union segment {
	uint8_t bytes[PRM_DS_BYTES];
	struct prm_ctrl_seg ctrl;
	struct prm_eth_seg eth;
	struct prm_data_seg data;
};
struct wqe {
	unsigned int n_ds;
	union segment ds[PRM_WQE_MAX_DS];
};

/* WQEs of a burst. */
struct posted {
	unsigned int n;
	struct wqe wqe[MAX_WQES];
};

/* ---- recording ------------------------------------------------------------------------ */

/* The segments of the packets of a burst; net_mlx5 frees some of them at once. */
struct places {
	unsigned int n;
	struct place {
		uint64_t addr, number; /* place of the packet and its segment */
		uint16_t bytes;
	} place[LAB_BURST * MAX_SEGS];
};

static void add_places(struct places *all, const struct rte_mbuf *m, uint64_t packet)
{
	uint64_t segment = 0;

	for (; m; m = m->next)
		all->place[all->n++] =
			(struct place){ rte_pktmbuf_mtod(m, uint64_t),
					packet << 48 | segment++ << 32, m->data_len };
}

/* Replaces the address in a pointer to packet data by its place; headers have no pointer. */
static void replace_address(union segment *s, const struct places *all)
{
	const uint64_t addr = prm_be64_get(s->data.addr);

	for (unsigned int i = 0; i < all->n; i++)
		if (addr - all->place[i].addr < all->place[i].bytes) {
			s->data.addr =
				prm_be64_of(all->place[i].number + addr - all->place[i].addr);
			s->data.lkey = prm_be32_of(0);
			return;
		}
}

/*
 * Replaces the addresses of the pointers of a multi-packet WQE. Clears the bytes between a packet
 * in the WQE and the next segment, which no device reads.
 */
static void replace_entries(struct wqe *w, const struct places *all)
{
	for (unsigned int k = TITLE_DS; k < w->n_ds;) {
		const uint32_t count = prm_be32_get(w->ds[k].data.byte_count);
		const uint32_t bytes = sizeof(prm_be32) + (count & ~PRM_INLINE_SEG);

		if (count & PRM_INLINE_SEG) {
			memset((uint8_t *)&w->ds[k] + bytes, 0, -bytes % PRM_DS_BYTES);
			k += (bytes + PRM_DS_BYTES - 1) / PRM_DS_BYTES;
		} else {
			replace_address(&w->ds[k++], all);
		}
	}
}

/* Clears the bytes between the headers in a WQE and the next segment, which no device reads. */
static void clear_padding(struct wqe *w)
{
	const struct prm_eth_seg *eth = &w->ds[1].eth;
	const uint16_t bytes = prm_be16_get(eth->inline_hdr_sz);
	const size_t start = PRM_DS_BYTES + offsetof(struct prm_eth_seg, inline_hdr_start);
	uint8_t *const at = (uint8_t *)w->ds + start + bytes;

	if (bytes > PRM_ETH_INLINE_START_BYTES && !(bytes & PRM_ETH_INSERT_VLAN))
		memset(at, 0, -(start + bytes) % PRM_DS_BYTES);
}

/* Cuts the record into WQEs, and counts their indexes from the first one on. */
static void cut_record(struct posted *p, const uint8_t *record, size_t bytes,
		       const struct places *all)
{
	uint16_t first = 0;

	for (p->n = 0; bytes && p->n < MAX_WQES; p->n++) {
		struct wqe *w = &p->wqe[p->n];
		struct prm_ctrl_seg *ctrl = &w->ds[0].ctrl;

		w->n_ds = prm_ctrl_ds((const void *)record);
		memcpy(w->ds, record, w->n_ds * PRM_DS_BYTES);
		record += w->n_ds * PRM_DS_BYTES;
		bytes -= w->n_ds * PRM_DS_BYTES;
		first = p->n ? first : prm_ctrl_index(ctrl);
		ctrl->opmod_idx_opcode =
			prm_ctrl_dw0(prm_ctrl_opmod(ctrl), (uint16_t)(prm_ctrl_index(ctrl) - first),
				     prm_ctrl_opcode(ctrl));
		ctrl->qpn_ds = prm_ctrl_dw1(0, prm_ctrl_ds(ctrl));
		if (prm_ctrl_opcode(ctrl) == PRM_WQE_ENHANCED_MPSW) {
			replace_entries(w, all);
			continue;
		}
		clear_padding(w); /* it may have an address of an earlier WQE */
		for (unsigned int i = TITLE_DS; i < w->n_ds; i++)
			replace_address(&w->ds[i], all);
	}
	EXPECT_EQ(0, bytes);
}

/* Sends @n packets in one burst, and records their WQEs. */
static void record_burst(const struct dut *dut, const struct packet *packet, uint16_t n,
			 struct posted *p)
{
	const struct devx_emu_ctl *emu = dut->lab->emu;
	static struct places all;
	static uint8_t record[RECORD_BYTES];
	struct rte_mbuf *m[LAB_BURST], *back[LAB_BURST];
	int64_t bytes;
	uint16_t k;

	all.n = 0;
	for (uint16_t i = 0; i < n; i++) {
		struct frame *f = calloc(1, sizeof(*f));

		EXPECT_TRUE(frame_make(f, packet->frame, i, &dut->lab->mac));
		m[i] = packet_make(packet, f, dut->tx_pool);
		free(f);
		ASSERT_NE(NULL, m[i]);
		add_places(&all, m[i], i);
	}
	EXPECT_EQ(n, rte_eth_tx_prepare(dut->side->port, 0, m, n));
	emu->pause();
	EXPECT_LE(0, emu->record_wqes(dut->side->emu_port, record, sizeof(record)));
	EXPECT_EQ(n, rte_eth_tx_burst(dut->side->port, 0, m, n));
	lab_step(dut->lab, dut->side);
	bytes = emu->record_wqes(dut->side->emu_port, NULL, 0);
	EXPECT_LT(0, bytes);
	while ((k = lab_receive_at_peer(dut->side, back, LAB_BURST)) > 0)
		rte_pktmbuf_free_bulk(back, k);
	emu->resume();
	cut_record(p, record, bytes > 0 ? (size_t)bytes : 0, &all);
}

/* ---- comparing ------------------------------------------------------------------------ */

static void compare_field(const struct config *c, const char *subject, const char *field,
			  uint64_t mlx5, uint64_t devx)
{
	if (mlx5 != devx)
		report_difference(&(struct difference){ JUDGE_MLX5, c->name, subject, field, mlx5,
							devx, NULL, NULL });
}

static void compare_titles(const struct config *c, const char *subject, const struct wqe *mlx5,
			   const struct wqe *devx)
{
	const struct prm_ctrl_seg *a = &mlx5->ds[0].ctrl, *b = &devx->ds[0].ctrl;
	const struct prm_eth_seg *e = &mlx5->ds[1].eth, *f = &devx->ds[1].eth;
	const uint8_t ce = 3 << PRM_CE_SHIFT;

	compare_field(c, subject, "opcode", prm_ctrl_opcode(a), prm_ctrl_opcode(b));
	compare_field(c, subject, "opmod", prm_ctrl_opmod(a), prm_ctrl_opmod(b));
	compare_field(c, subject, "wqe_index", prm_ctrl_index(a), prm_ctrl_index(b));
	compare_field(c, subject, "ds", prm_be32_get(a->qpn_ds), prm_be32_get(b->qpn_ds));
	compare_field(c, subject, "ce", prm_ctrl_ce(a), prm_ctrl_ce(b));
	compare_field(c, subject, "fm and se", a->fm_ce_se & ~ce, b->fm_ce_se & ~ce);
	compare_field(c, subject, "signature", a->signature, b->signature);
	compare_field(c, subject, "imm", prm_be32_get(a->imm), prm_be32_get(b->imm));
	compare_field(c, subject, "cs_flags", e->cs_flags, f->cs_flags);
	compare_field(c, subject, "swp_flags", e->swp_flags, f->swp_flags);
	compare_field(c, subject, "offsets of the parser", *(const uint32_t *)(const void *)e,
		      *(const uint32_t *)(const void *)f);
	compare_field(c, subject, "mss", prm_be16_get(e->mss), prm_be16_get(f->mss));
	compare_field(c, subject, "metadata", prm_be32_get(e->flow_table_metadata),
		      prm_be32_get(f->flow_table_metadata));
	compare_field(c, subject, "tag or inline_hdr_sz", prm_be32_get(e->trailer),
		      prm_be32_get(f->trailer));
}

static void compare_bursts(const struct config *c, const char *subject, const struct posted *mlx5,
			   const struct posted *devx)
{
	compare_field(c, subject, "number of WQEs", mlx5->n, devx->n);
	for (unsigned int i = 0; i < RTE_MIN(mlx5->n, devx->n); i++) {
		const struct wqe *a = &mlx5->wqe[i], *b = &devx->wqe[i];

		compare_titles(c, subject, a, b);
		for (unsigned int k = TITLE_DS; k < RTE_MIN(a->n_ds, b->n_ds); k++)
			if (memcmp(&a->ds[k], &b->ds[k], PRM_DS_BYTES))
				compare_field(c, subject, "bytes behind the Ethernet segment", 0,
					      k * PRM_DS_BYTES);
	}
}

static void compare_wqes(const struct dut dut[LAB_DRIVERS], uint16_t burst)
{
	static struct posted posted[LAB_DRIVERS];

	if (burst > 32) /* net_mlx5 points to at most 32 packets in a WQE, net_devx to 58 */
		return;
	for (unsigned int i = 0; i < RTE_DIM(packets); i++) {
		char subject[256];

		if (packet_needs(&packets[i]) & ~dut->config->tx_offloads)
			continue;
		for (int d = 0; d < LAB_DRIVERS; d++)
			record_burst(&dut[d], &packets[i], burst, &posted[d]);
		snprintf(subject, sizeof(subject), "%s | %s | %s in a burst of %u",
			 packets[i].frame, packets[i].requests, packets[i].segments, burst);
		compare_bursts(dut->config, subject, &posted[LAB_MLX5], &posted[LAB_DEVX]);
	}
}

TEST(differ, both_drivers_write_the_same_WQEs)
{
	const bool pointers = getenv("DIFFER_MLX5_ARGS"), copies = getenv("DIFFER_ARGS");
	/* without data in WQEs net_mlx5 has no function for the last configuration (lab.c) */
	const unsigned int n = pointers ? N_CONFIGS - 1 : N_CONFIGS;
	struct lab *lab = lab_open();

	report_start();
	if (!lab)
		return;
	for (unsigned int i = 0; i < n; i++) {
		struct config c = wqe_configs[i];

		if (pointers)
			c.name = "wqe_pointers"; /* known.def allows fewer differences */
		if (copies)
			c.name = "wqe_copies"; /* likewise */
		config_run(lab, &c, compare_wqes);
	}
}
