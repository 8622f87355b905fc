/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A client can disconnect at any moment. The next client finds no objects, packets, settings or
 * half-sent commands of the previous client.
 */
#include <linux/pci_regs.h>
#include <string.h>

#include "emu/base/profile.h"
#include "../core_rig_post.h"
#include "../udp_frame.h"
#include "pci_rig.h"
#include "prm/seg.h"
#include "wait_limit.h"

enum { N_FRAMES = 200, FRAME_BYTES = 1000, LOG_QUEUE = 6 };

FIXTURE(next_client)
{
	struct pci_rig rig;
	struct core_rig r;
};

FIXTURE_SETUP(next_client)
{
	pci_rig_open(&self->rig);
}

FIXTURE_TEARDOWN(next_client)
{
	pci_rig_close(&self->rig);
	for (int m = 0; m < EMU_N_MISTAKES; m++)
		EXPECT_EQ(0, self->rig.mistakes.n[m]);
}

/* ---- traffic ---------------------------------------------------------------------- */

/* Sends frames over wire loop to an RQ. Returns before the server has read all doorbells. */
static struct core_rig_rx start_traffic(struct pci_rig *rig, struct core_rig *r,
					struct core_rig_cq *cq)
{
	struct core_rig_rx rx;
	struct core_rig_sq sq;
	uint8_t *frame;
	uint32_t lkey;

	pci_rig_attach_core(rig, r);
	rx = core_rig_make_rx(r, LOG_QUEUE, 2048);
	*cq = core_rig_make_cq(r, LOG_QUEUE);
	sq = core_rig_make_sq(r, LOG_QUEUE, cq->cqn);
	frame = core_rig_alloc(r, FRAME_BYTES);
	udp_frame_write(frame, FRAME_BYTES, &(struct udp_frame){ .fill = 7 });
	lkey = core_rig_make_mkey(r, frame, FRAME_BYTES, false);
	for (unsigned i = 0; i < sq.n; i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

		core_rig_add_eth(&p, 0);
		core_rig_add_pointer(&p, lkey, frame, FRAME_BYTES);
		core_rig_end_wqe(r, &p, false);
		pci_rig_ring_sq(rig, r, &sq, p.ctrl);
	}
	return rx;
}

static void expect_traffic(struct pci_rig *rig, struct core_rig *r)
{
	struct core_rig_cq cq;
	struct core_rig_rx rx = start_traffic(rig, r, &cq);
	const uint64_t give_up = emu_now_ns() + WAIT_LIMIT_S * 1000000000ull;
	unsigned n = 0;

	while (n < 1u << LOG_QUEUE && emu_now_ns() < give_up)
		n += core_rig_take_cqe(&rx.cq) != NULL;
	EXPECT_EQ(1u << LOG_QUEUE, n);
}

TEST_F(next_client, finds_no_object_of_a_client_that_left_during_traffic)
{
	struct core_rig_cq cq;

	for (int i = 0; i < 5; i++) {
		start_traffic(&self->rig, &self->r, &cq);
		pci_rig_hang_up(&self->rig);
		pci_rig_connect(&self->rig);
	}
	expect_traffic(&self->rig, &self->r);
}

TEST_F(next_client, finds_no_object_after_a_reset_during_traffic)
{
	static const uint32_t devctl = 0x60 + PCI_EXP_DEVCTL;
	const struct {
		struct vfu_region_io io;
		uint16_t value;
	} flr = { { devctl, VFIO_PCI_CONFIG_REGION_INDEX, 2 }, PCI_EXP_DEVCTL_BCR_FLR };
	const struct vfu_dma_unmap all = { sizeof(all), VFIO_DMA_UNMAP_FLAG_ALL, 0, 0 };
	struct core_rig_cq cq;

	start_traffic(&self->rig, &self->r, &cq);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DEVICE_RESET, NULL, 0, NULL, 0));
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DMA_UNMAP, &all, sizeof(all), NULL, 0));
	start_traffic(&self->rig, &self->r, &cq);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_REGION_WRITE, &flr, 18, NULL, 0));
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DMA_UNMAP, &all, sizeof(all), NULL, 0));
	expect_traffic(&self->rig, &self->r);
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("the machine was reset", self->rig.said);
	EXPECT_SUBSTR("4 objects of the kernel", self->rig.said);
	EXPECT_SUBSTR("the function was reset", self->rig.said);
	EXPECT_SUBSTR("the client disconnected", self->rig.said);
}

/* ---- commands --------------------------------------------------------------------- */

static void fill_alloc_pd(struct pci_rig *rig, unsigned i)
{
	struct prm_cmd_entry *e = (struct prm_cmd_entry *)rig->mem + i;
	struct prm_alloc_pd_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_alloc_pd);
	*e = (struct prm_cmd_entry){ .type = PRM_CMD_TYPE,
				     .status_own = PRM_CMD_OWNED,
				     .in_bytes = prm_be32_of(sizeof(in)),
				     .out_bytes = prm_be32_of(sizeof(struct prm_alloc_pd_out)) };
	memcpy(e->in, &in, sizeof(e->in));
}

/* The client leaves without an answer; the server runs the commands and frees their objects. */
TEST_F(next_client, finds_no_object_of_commands_that_were_outstanding)
{
	const struct {
		struct vfu_region_io io;
		prm_be32 value;
	} ring = { { offsetof(struct prm_init_seg, cmd_dbell), VFIO_PCI_BAR0_REGION_INDEX, 4 },
		   prm_be32_of(7) };
	char line[64];

	pci_rig_map_memory(&self->rig);
	pci_rig_write32(&self->rig, offsetof(struct prm_init_seg, cmdq_addr_l_sz), PCI_RIG_MEM_AT);
	for (unsigned i = 0; i < 4; i++)
		fill_alloc_pd(&self->rig, i);
	EXPECT_TRUE(pci_rig_send(&self->rig, VFU_REGION_WRITE, VFU_NO_REPLY, &ring, 20, NULL, 0));
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("3 objects of the kernel", self->rig.said);
	EXPECT_EQ(0, emu_pci_list_objects(self->rig.pci, line, sizeof(line)));

	pci_rig_connect(&self->rig);
	pci_rig_map_memory(&self->rig);
	pci_rig_write32(&self->rig, offsetof(struct prm_init_seg, cmd_dbell), 1 << 3);
	EXPECT_EQ(PRM_CMD_OWNED, ((struct prm_cmd_entry *)self->rig.mem)[3].status_own);
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("no command queue at DMA address 0x0", self->rig.said);
}

/* ---- settings of a driver ----------------------------------------------------------- */

static void set_port(struct core_rig *r)
{
	struct {
		struct prm_modify_nic_vport_context_in head;
		prm_be64 mac;
	} in = { 0 };
	struct prm_modify_nic_vport_context_out out;
	struct prm_nic_vport_context *ctx = prm_sub(&in.head, nic_vport_context);
	struct {
		struct prm_access_register_in head;
		struct prm_paos_reg reg;
	} paos = { 0 };
	struct {
		struct prm_access_register_out head;
		struct prm_paos_reg reg;
	} paos_out;

	prm_set(prm_sub(&in.head, field_select), mtu, 1);
	prm_set(prm_sub(&in.head, field_select), permanent_address, 1);
	prm_set(prm_sub(&in.head, field_select), promisc, 1);
	prm_set(prm_sub(&in.head, field_select), addresses_list, 1);
	prm_set(ctx, mtu, 3000);
	prm_set(ctx, allowed_list_size, 1);
	prm_set(prm_sub(ctx, permanent_address), mac_addr_31_0, 0x12345678);
	in.mac = prm_be64_of(0x020000000099);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(r, PRM_OP_modify_nic_vport_context, &in, sizeof(in),
					       &out, sizeof(out)));
	prm_set(&paos.head, register_id, PRM_REG_PAOS);
	prm_set(&paos.reg, admin_status, PRM_PAOS_STATUS_DOWN);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(r, PRM_OP_access_register, &paos, sizeof(paos),
					       &paos_out, sizeof(paos_out)));
}

static void set_caps(struct core_rig *r)
{
	struct prm_query_hca_cap_in query = { 0 };
	static struct prm_query_hca_cap_out is;
	static struct prm_set_hca_cap_in in;
	struct prm_set_hca_cap_out out;
	struct prm_cmd_hca_cap *caps =
		(struct prm_cmd_hca_cap *)&in.dw[prm_bit(&in, capability) / 32];

	prm_set(&query, op_mod, PRM_HCA_CAP_OP_MOD_CURRENT);
	CORE_RIG_OK(r, query_hca_cap, &query, &is);
	memcpy(caps, &is.dw[prm_bit(&is, capability) / 32], sizeof(*caps));
	prm_set(caps, log_max_qp, 1);
	CORE_RIG_OK(r, set_hca_cap, &in, &out);
}

TEST_F(next_client, finds_the_port_and_the_capabilities_as_after_power_on)
{
	struct emu_link before, after;
	struct emu *emu = self->rig.pci->emu;

	emu_get_link(emu, &before);
	pci_rig_attach_core(&self->rig, &self->r);
	set_port(&self->r);
	set_caps(&self->r);
	emu->vport.rx_dropped = 5;
	emu_get_link(emu, &after);
	EXPECT_FALSE(after.up);
	EXPECT_EQ(0x99, emu->addresses.uc[0][EMU_MAC_BYTES - 1]);
	EXPECT_EQ(1, emu_cap(emu, log_max_qp));
	pci_rig_hang_up(&self->rig);

	emu_get_link(emu, &after);
	EXPECT_MEMEQ(&before, &after, sizeof(before));
	EXPECT_MEMEQ(before.mac, emu->addresses.uc[0], EMU_MAC_BYTES);
	EXPECT_EQ(0, emu->vport.rx_dropped);
	EXPECT_NE(1, emu_cap(emu, log_max_qp));
	EXPECT_FALSE(emu->boot.enabled);
	pci_rig_connect(&self->rig);
	expect_traffic(&self->rig, &self->r);
}

TEST_F(next_client, finds_configuration_space_as_after_power_on_or_a_reset)
{
	const struct {
		struct vfu_region_io io;
		uint16_t value;
	} command = { { PCI_COMMAND, VFIO_PCI_CONFIG_REGION_INDEX, 2 }, 0x406 };
	static uint8_t before[PCI_CONFIG_BYTES];

	memcpy(before, self->rig.pci->config, sizeof(before));
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_REGION_WRITE, &command, 18, NULL, 0));
	EXPECT_NE(0, memcmp(before, self->rig.pci->config, sizeof(before)));
	pci_rig_hang_up(&self->rig);
	EXPECT_MEMEQ(before, self->rig.pci->config, sizeof(before));
	pci_rig_connect(&self->rig);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_REGION_WRITE, &command, 18, NULL, 0));
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DEVICE_RESET, NULL, 0, NULL, 0));
	EXPECT_MEMEQ(before, self->rig.pci->config, sizeof(before));
}
