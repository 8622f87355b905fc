/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "prm/cqe.h"
#include "pci_rig.h"
#include "prm/seg.h"

/* Offsets in the guest's memory; TOKEN: the token of every command */
enum { QUEUE = 0, IN_BOXES = 0x4000, OUT_BOXES = 0x8000, RING = 0x10000, TOKEN = 0x5a };

#define SEG(field) offsetof(struct prm_init_seg, field)

FIXTURE(cmdq)
{
	struct pci_rig rig;
};

static void open_queue(struct pci_rig *rig)
{
	pci_rig_map_memory(rig);
	pci_rig_write32(rig, SEG(cmdq_addr_h), 0);
	pci_rig_write32(rig, SEG(cmdq_addr_l_sz), PCI_RIG_MEM_AT + QUEUE);
}

FIXTURE_SETUP(cmdq)
{
	pci_rig_open(&self->rig);
	open_queue(&self->rig);
}

FIXTURE_TEARDOWN(cmdq)
{
	pci_rig_close(&self->rig);
}

static struct prm_cmd_entry *get_entry(struct pci_rig *rig, unsigned i)
{
	return (struct prm_cmd_entry *)(rig->mem + QUEUE) + i;
}

/* Writes a list of @n mailboxes at @at, one after another. */
static struct prm_cmd_box *write_boxes(struct pci_rig *rig, uint32_t at, unsigned n)
{
	struct prm_cmd_box *box = (struct prm_cmd_box *)(rig->mem + at);

	for (unsigned i = 0; i < n; i++) {
		box[i] = (struct prm_cmd_box){ .block = prm_be32_of(i), .token = TOKEN };
		if (i + 1 < n)
			box[i].next = prm_be64_of(PCI_RIG_MEM_AT + at + (i + 1) * sizeof(*box));
	}
	return box;
}

static unsigned count_boxes(size_t bytes)
{
	return bytes <= PRM_CMD_INLINE_BYTES
		       ? 0
		       : (unsigned)((bytes - PRM_CMD_INLINE_BYTES + PRM_CMD_BOX_DATA_BYTES - 1) /
				    PRM_CMD_BOX_DATA_BYTES);
}

static struct prm_cmd_entry *fill_entry(struct pci_rig *rig, unsigned i, const void *in,
					size_t in_bytes, size_t out_bytes)
{
	struct prm_cmd_entry *e = get_entry(rig, i);
	const unsigned n_in = count_boxes(in_bytes), n_out = count_boxes(out_bytes);
	struct prm_cmd_box *box = write_boxes(rig, IN_BOXES, n_in);

	write_boxes(rig, OUT_BOXES, n_out);
	*e = (struct prm_cmd_entry){
		.type = PRM_CMD_TYPE,
		.token = TOKEN,
		.status_own = PRM_CMD_OWNED,
		.in_bytes = prm_be32_of((uint32_t)in_bytes),
		.out_bytes = prm_be32_of((uint32_t)out_bytes),
		.in_box = prm_be64_of(n_in ? PCI_RIG_MEM_AT + IN_BOXES : 0),
		.out_box = prm_be64_of(n_out ? PCI_RIG_MEM_AT + OUT_BOXES : 0),
	};
	memcpy(e->in, in, in_bytes < sizeof(e->in) ? in_bytes : sizeof(e->in));
	for (size_t at = sizeof(e->in); at < in_bytes; at += PRM_CMD_BOX_DATA_BYTES, box++)
		memcpy(box->bytes, (const uint8_t *)in + at,
		       in_bytes - at < PRM_CMD_BOX_DATA_BYTES ? in_bytes - at
							      : PRM_CMD_BOX_DATA_BYTES);
	return e;
}

static uint8_t ring_entry(struct pci_rig *rig, unsigned i)
{
	pci_rig_write32(rig, SEG(cmd_dbell), 1u << i);
	return get_entry(rig, i)->status_own;
}

static struct prm_cmd_entry *fill_adapter(struct pci_rig *rig, unsigned i)
{
	struct prm_query_adapter_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_adapter);
	return fill_entry(rig, i, &in, sizeof(in), sizeof(struct prm_query_adapter_out));
}

static struct prm_cmd_entry *fill_driver_version(struct pci_rig *rig, unsigned i)
{
	struct prm_set_driver_version_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_set_driver_version);
	return fill_entry(rig, i, &in, sizeof(in), sizeof(struct prm_set_driver_version_out));
}

TEST_F(cmdq, output_longer_than_the_entry_goes_to_mailboxes)
{
	struct prm_cmd_entry *e = fill_adapter(&self->rig, 5);
	const struct prm_cmd_box *box = (struct prm_cmd_box *)(self->rig.mem + OUT_BOXES);

	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(&self->rig, 5));
	EXPECT_EQ(PRM_STATUS_OK, e->out[0]);
	EXPECT_NE(NULL, memmem(box->bytes, sizeof(box->bytes), "EMU0000000001", 13));
}

TEST_F(cmdq, input_longer_than_the_entry_comes_from_mailboxes)
{
	static struct prm_set_hca_cap_in in; /* 4112 bytes: 16 in the entry, 8 mailboxes */
	struct prm_cmd_entry *e;

	prm_set(&in, opcode, PRM_OP_set_hca_cap);
	prm_set_at(&in, capability, 0x3ff, 1);
	e = fill_entry(&self->rig, 0, &in, sizeof(in), sizeof(struct prm_set_hca_cap_out));
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(&self->rig, 0));
	EXPECT_EQ(PRM_STATUS_BAD_SYS_STATE,
		  e->out[0]); /* refused for its state, so the input is complete */
}

TEST_F(cmdq, an_unknown_opcode_is_a_status_of_the_command)
{
	struct prm_nop_in in = { 0 };
	struct prm_cmd_entry *e;

	prm_set(&in, opcode, 0xb0c);
	e = fill_entry(&self->rig, 31, &in, sizeof(in), 16);
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(&self->rig, 31));
	EXPECT_EQ(PRM_STATUS_BAD_OP, e->out[0]);
}

/* ---- delivery errors ------------------------------------------------------- */

static void expect_delivery(struct pci_rig *rig, enum prm_delivery want)
{
	EXPECT_EQ(want << PRM_CMD_STATUS_SHIFT, ring_entry(rig, 0));
	fill_adapter(rig, 1);
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(rig, 1)); /* the queue executes the next command */
}

TEST_F(cmdq, a_loop_of_input_mailboxes_is_found)
{
	static struct prm_set_hca_cap_in in;
	struct prm_cmd_box *box;

	prm_set(&in, opcode, PRM_OP_set_hca_cap);
	fill_entry(&self->rig, 0, &in, sizeof(in), 16);
	box = (struct prm_cmd_box *)(self->rig.mem + IN_BOXES);
	box[1].next = prm_be64_of(PCI_RIG_MEM_AT + IN_BOXES);
	expect_delivery(&self->rig, PRM_DELIVERY_BLOCK);
}

TEST_F(cmdq, an_output_mailbox_that_points_to_itself_is_found)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_cmd_box *box = (struct prm_cmd_box *)(self->rig.mem + OUT_BOXES);

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	fill_entry(&self->rig, 0, &in, sizeof(in), sizeof(struct prm_query_hca_cap_out));
	box[0].next = prm_be64_of(PCI_RIG_MEM_AT + OUT_BOXES);
	expect_delivery(&self->rig, PRM_DELIVERY_BLOCK);
	EXPECT_EQ(0, box[0].bytes[0]); /* the mailbox was not written */
}

TEST_F(cmdq, another_commands_mailbox_is_refused)
{
	fill_driver_version(&self->rig, 0);
	((struct prm_cmd_box *)(self->rig.mem + IN_BOXES))->token ^= 1;
	expect_delivery(&self->rig, PRM_DELIVERY_TOKEN);
}

TEST_F(cmdq, mailboxes_that_are_not_mapped_are_refused)
{
	fill_driver_version(&self->rig, 0)->in_box = prm_be64_of(0xdead0000);
	expect_delivery(&self->rig, PRM_DELIVERY_IN_POINTER);
	fill_driver_version(&self->rig, 0)->in_box = prm_be64_of(0);
	expect_delivery(&self->rig, PRM_DELIVERY_IN_POINTER);
	fill_adapter(&self->rig, 0)->out_box = prm_be64_of(PCI_RIG_MEM_AT + PCI_RIG_MEM_BYTES - 8);
	expect_delivery(&self->rig, PRM_DELIVERY_OUT_POINTER);
}

TEST_F(cmdq, invalid_lengths_are_refused)
{
	fill_adapter(&self->rig, 0)->in_bytes = prm_be32_of(UINT32_MAX - 3);
	expect_delivery(&self->rig, PRM_DELIVERY_IN_LENGTH);
	fill_adapter(&self->rig, 0)->in_bytes = prm_be32_of(15);
	expect_delivery(&self->rig, PRM_DELIVERY_IN_LENGTH);
	fill_adapter(&self->rig, 0)->out_bytes = prm_be32_of(UINT32_MAX - 3);
	expect_delivery(&self->rig, PRM_DELIVERY_OUT_LENGTH);
	fill_adapter(&self->rig, 0)->type = 6;
	expect_delivery(&self->rig, PRM_DELIVERY_DESCRIPTOR);
}

TEST_F(cmdq, lengths_shorter_than_a_header_are_answered)
{
	struct prm_cmd_entry *e = fill_adapter(&self->rig, 0);

	e->in_bytes = prm_be32_of(0);
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(&self->rig, 0));
	EXPECT_EQ(PRM_STATUS_BAD_INP_LEN, e->out[0]);
	e = fill_adapter(&self->rig, 0);
	e->out_bytes = prm_be32_of(4);
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(&self->rig, 0));
	EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN, e->out[0]);
}

TEST_F(cmdq, an_entry_that_the_driver_owns_is_not_executed)
{
	struct prm_cmd_entry before, *e = fill_adapter(&self->rig, 0);

	e->status_own = 0;
	before = *e;
	ring_entry(&self->rig, 0);
	EXPECT_MEMEQ(&before, e, sizeof(before));
	pci_rig_hang_up(&self->rig);
	EXPECT_NE(NULL, strstr(self->rig.said, "still owns"));
}

TEST_F(cmdq, a_doorbell_without_a_queue_is_reported)
{
	const struct vfu_dma_map map = { sizeof(map), 3, 0, 0, PCI_RIG_MEM_BYTES };

	fill_adapter(&self->rig, 0); /* DMA address 0 is also mapped, as in a real machine */
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DMA_MAP, &map, sizeof(map), &self->rig.mem_fd, 1));
	pci_rig_write32(&self->rig, SEG(cmdq_addr_l_sz), 0xdead0000);
	pci_rig_write32(&self->rig, SEG(cmd_dbell), 1);
	pci_rig_write32(&self->rig, SEG(cmdq_addr_l_sz), 0);
	pci_rig_write32(&self->rig, SEG(cmd_dbell), UINT32_MAX);
	EXPECT_EQ(PRM_CMD_OWNED, get_entry(&self->rig, 0)->status_own);
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("no command queue at DMA address 0xdead0000\n", self->rig.said);
	EXPECT_SUBSTR("no command queue at DMA address 0x0\n", self->rig.said);
}

/* ---- completion events ---------------------------------------------------------------- */

enum { LOG_EQES = 4, VECTOR = 2 };

static uint32_t alloc_uar(struct pci_rig *rig)
{
	struct prm_alloc_uar_in in = { 0 };
	struct prm_cmd_entry *e;

	prm_set(&in, opcode, PRM_OP_alloc_uar);
	e = fill_entry(rig, 0, &in, sizeof(in), sizeof(struct prm_alloc_uar_out));
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(rig, 0));
	EXPECT_EQ(PRM_STATUS_OK, e->out[0]);
	return (uint32_t)prm_get((struct prm_alloc_uar_out *)(void *)e->out, uar);
}

/* Creates the EQ for command completions at RING. */
static void create_command_eq(struct pci_rig *rig)
{
	struct {
		struct prm_create_eq_in head;
		prm_be64 pas;
	} in = { 0 };
	struct prm_eqc *eqc = prm_sub(&in.head, eq_context_entry);
	struct prm_eqe *eqe = (struct prm_eqe *)(rig->mem + RING);
	struct prm_cmd_entry *e;

	prm_set(&in.head, opcode, PRM_OP_create_eq);
	prm_set(eqc, log_eq_size, LOG_EQES);
	prm_set(eqc, uar_page, alloc_uar(rig));
	prm_set(eqc, intr, VECTOR);
	prm_set_at(&in.head, event_bitmask, 0, 1ull << PRM_EVENT_CMD);
	in.pas = prm_be64_of(PCI_RIG_MEM_AT + RING);
	for (unsigned i = 0; i < 1u << LOG_EQES; i++)
		eqe[i].owner = 1;
	e = fill_entry(rig, 0, &in, sizeof(in), sizeof(struct prm_create_eq_out));
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(rig, 0));
	EXPECT_EQ(PRM_STATUS_OK, e->out[0]);
}

TEST_F(cmdq, completions_are_reported_by_an_eq_after_its_creation)
{
	const struct prm_eqe *eqe = (struct prm_eqe *)(self->rig.mem + RING);
	struct vfu_irq_set set = { sizeof(set),
				   VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
				   VFIO_PCI_MSIX_IRQ_INDEX, VECTOR, 1 };
	int fd = eventfd(0, EFD_NONBLOCK);
	uint64_t irqs = 0;

	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_SET_IRQS, &set, sizeof(set), &fd, 1));
	create_command_eq(&self->rig);
	EXPECT_EQ(1, eqe[0].owner); /* the driver polled for the command that created the EQ */
	EXPECT_EQ(-1, read(fd, &irqs, sizeof(irqs)));
	fill_adapter(&self->rig, 7);
	EXPECT_EQ(PRM_DELIVERY_OK, ring_entry(&self->rig, 7));
	EXPECT_EQ(0, eqe[0].owner);
	EXPECT_EQ(PRM_EVENT_CMD, eqe[0].type);
	EXPECT_EQ(1u << 7, prm_be32_get(eqe[0].data[0]));
	EXPECT_EQ(sizeof(irqs), read(fd, &irqs, sizeof(irqs)));
	EXPECT_EQ(1, irqs);
	close(fd);
}

TEST_F(cmdq, two_entries_of_one_doorbell_are_both_run)
{
	struct prm_cmd_entry *a = fill_adapter(&self->rig, 3), *b = fill_adapter(&self->rig, 9);

	pci_rig_write32(&self->rig, SEG(cmd_dbell), 1u << 3 | 1u << 9);
	EXPECT_EQ(PRM_DELIVERY_OK, a->status_own);
	EXPECT_EQ(PRM_DELIVERY_OK, b->status_own);
}

/* ---- reset ---------------------------------------------------------------------------- */

TEST_F(cmdq, reset_frees_objects_and_forgets_the_queue)
{
	char line[64];

	create_command_eq(&self->rig);
	EXPECT_EQ(2, emu_pci_list_objects(self->rig.pci, line, sizeof(line)));
	EXPECT_STREQ("UAR 1, EQ 1", line);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DEVICE_RESET, NULL, 0, NULL, 0));
	EXPECT_EQ(0, emu_pci_list_objects(self->rig.pci, line, sizeof(line)));
	EXPECT_EQ(0, self->rig.pci->cmdq);
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("the machine was reset", self->rig.said);
	EXPECT_SUBSTR("2 objects of the kernel and 0 of programs: UAR 1, EQ 1\n", self->rig.said);
	pci_rig_connect(&self->rig);
	open_queue(&self->rig);
	create_command_eq(&self->rig);
}

TEST_F(cmdq, unmapped_memory_is_not_written)
{
	const struct vfu_dma_unmap unmap = { sizeof(unmap), 0, PCI_RIG_MEM_AT, PCI_RIG_MEM_BYTES };

	create_command_eq(&self->rig);
	fill_adapter(&self->rig, 1);
	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DMA_UNMAP, &unmap, sizeof(unmap), NULL, 0));
	pci_rig_write32(&self->rig, SEG(cmd_dbell), 1 << 1);
	EXPECT_EQ(PRM_CMD_OWNED, get_entry(&self->rig, 1)->status_own);
}

/* ---- doorbell registers ------------------------------------------------------------- */

static void write_register(struct pci_rig *rig, uint64_t off, const void *bytes)
{
	struct {
		struct vfu_region_io io;
		uint8_t bytes[8];
	} m = { { off, VFIO_PCI_BAR0_REGION_INDEX, 8 }, { 0 } };

	memcpy(m.bytes, bytes, sizeof(m.bytes));
	EXPECT_EQ(0, pci_rig_ask(rig, VFU_REGION_WRITE, &m, sizeof(m), NULL, 0));
}

/* The client waits for each answer, so the server joins no writes to a copied WQE. */
TEST_F(cmdq, doorbells_without_a_queue_are_counted_as_mistakes)
{
	const uint64_t uar = (uint64_t)alloc_uar(&self->rig) * PRM_UAR_BYTES;
	const struct prm_ctrl_seg ctrl = { .qpn_ds = prm_ctrl_dw1(0x123456, 1) };

	write_register(&self->rig, uar + PRM_UAR_BF, &ctrl);
	write_register(&self->rig, uar + PRM_UAR_BF + 8, &ctrl);
	write_register(&self->rig, uar + PRM_UAR_CQ_ARM, &ctrl);
	write_register(&self->rig, uar + PRM_UAR_BYTES + PRM_UAR_BF,
		       &ctrl); /* a page without a UAR */
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(2, self->rig.mistakes.n[EMU_MISTAKE_db_unknown_queue]);
}

/* A doorbell that arrives after a reset is not counted as a mistake. */
TEST_F(cmdq, doorbells_after_a_reset_are_ignored)
{
	const uint64_t uar = (uint64_t)alloc_uar(&self->rig) * PRM_UAR_BYTES;
	const struct prm_ctrl_seg ctrl = { .qpn_ds = prm_ctrl_dw1(0x123456, 1) };

	EXPECT_EQ(0, pci_rig_ask(&self->rig, VFU_DEVICE_RESET, NULL, 0, NULL, 0));
	write_register(&self->rig, uar + PRM_UAR_BF, &ctrl);
	write_register(&self->rig, uar + PRM_UAR_CQ_ARM, &ctrl);
	pci_rig_hang_up(&self->rig);
	EXPECT_EQ(0, self->rig.mistakes.n[EMU_MISTAKE_db_unknown_queue]);
}
