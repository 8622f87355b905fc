/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/state.h"

#include <stdlib.h>
#include <string.h>

#include "emu/host.h"
#include "prm/prm.h"
#include "prm/seg.h"

/*
 * The command queue. Entries and mailboxes are in guest memory, which the guest can change at any
 * time. Each entry and each input is therefore copied once, and only the copy is checked and used.
 */
enum { IN_MAX_BYTES = 2 << 20, OUT_MAX_BYTES = 2 << 20 };

/** struct chain - position in the mailbox list of a command's input or output */
struct chain {
	struct emu_pci *pci;
	uint64_t next;
	uint32_t block;
	uint8_t token;
};

/*
 * Copies the next mailbox to @box. Returns its address in guest memory, or NULL with @error set.
 * Block numbers must count up from 0, so that a list cannot have loops or gaps.
 */
static struct prm_cmd_box *take_next_box(struct chain *c, struct prm_cmd_box *box,
					 enum prm_delivery bad_pointer, enum prm_delivery *error)
{
	struct prm_cmd_box *at = pci_dma_translate(c->pci, c->next, sizeof(*box), true);

	if (!c->next || !at || !emu_fault_copy(c->pci->emu, box, at, sizeof(*box)))
		*error = bad_pointer;
	else if (box->token != c->token)
		*error = PRM_DELIVERY_TOKEN;
	else if (prm_be32_get(box->block) != c->block)
		*error = PRM_DELIVERY_BLOCK;
	else {
		c->next = prm_be64_get(box->next);
		c->block++;
		return at;
	}
	return NULL;
}

static enum prm_delivery read_input(struct emu_pci *pci, const struct prm_cmd_entry *e, uint8_t *in,
				    size_t bytes)
{
	struct chain c = { pci, prm_be64_get(e->in_box), 0, e->token };
	enum prm_delivery error = PRM_DELIVERY_OK;
	size_t done = bytes < sizeof(e->in) ? bytes : sizeof(e->in);

	memcpy(in, e->in, done);
	while (done < bytes) {
		struct prm_cmd_box box;
		const size_t left = bytes - done;
		const size_t n = left < sizeof(box.bytes) ? left : sizeof(box.bytes);

		if (!take_next_box(&c, &box, PRM_DELIVERY_IN_POINTER, &error))
			break;
		memcpy(in + done, box.bytes, n);
		done += n;
	}
	return error;
}

/*
 * Writes @out to the mailboxes of a command's output; @out NULL: only checks the mailboxes. The
 * caller checks them first, because a command with bad mailboxes must not be executed.
 */
static enum prm_delivery write_output(struct emu_pci *pci, const struct prm_cmd_entry *e,
				      const uint8_t *out, size_t bytes)
{
	struct chain c = { pci, prm_be64_get(e->out_box), 0, e->token };
	enum prm_delivery error = PRM_DELIVERY_OK;
	size_t done = sizeof(e->out);

	while (done < bytes) {
		struct prm_cmd_box box;
		struct prm_cmd_box *at = take_next_box(&c, &box, PRM_DELIVERY_OUT_POINTER, &error);
		const size_t left = bytes - done;
		const size_t n = left < sizeof(box.bytes) ? left : sizeof(box.bytes);

		if (!at)
			break;
		if (out && !emu_fault_copy(pci->emu, at->bytes, out + done, n))
			return PRM_DELIVERY_OUT_POINTER;
		done += n;
	}
	return error;
}

static enum prm_delivery execute_command(struct emu_pci *pci, const struct prm_cmd_entry *e,
					 uint8_t *reply)
{
	const size_t in_bytes = prm_be32_get(e->in_bytes), out_bytes = prm_be32_get(e->out_bytes);
	const size_t out_room = out_bytes < sizeof(e->out) ? sizeof(e->out) : out_bytes;
	enum prm_delivery error;
	uint8_t *in, *out;

	if (e->type != PRM_CMD_TYPE)
		return PRM_DELIVERY_DESCRIPTOR;
	if (in_bytes > IN_MAX_BYTES || in_bytes % sizeof(prm_be32))
		return PRM_DELIVERY_IN_LENGTH;
	if (out_bytes > OUT_MAX_BYTES || out_bytes % sizeof(prm_be32))
		return PRM_DELIVERY_OUT_LENGTH;
	in = malloc(in_bytes + 1);
	out = calloc(1, out_room);
	if (!in || !out) {
		free(in);
		free(out);
		return PRM_DELIVERY_FW;
	}
	error = read_input(pci, e, in, in_bytes);
	if (error == PRM_DELIVERY_OK)
		error = write_output(pci, e, NULL, out_bytes);
	if (error == PRM_DELIVERY_OK) {
		const uint8_t status = emu_exec(pci->emu, in, in_bytes, out, out_bytes);

		error = write_output(pci, e, out, out_bytes);
		memcpy(reply, out, sizeof(e->out));
		reply[0] = status; /* even if the output is too short for a status */
	}
	free(in);
	free(out);
	return error;
}

static const char *describe_delivery(enum prm_delivery d)
{
	switch (d) {
	case PRM_DELIVERY_TOKEN:
		return "token of a mailbox differs from the token of the entry";
	case PRM_DELIVERY_BLOCK:
		return "block numbers of the mailboxes are not 0, 1, 2, ...";
	case PRM_DELIVERY_OUT_POINTER:
		return "output: too few mailboxes, or a mailbox is not mapped";
	case PRM_DELIVERY_IN_POINTER:
		return "input: too few mailboxes, or a mailbox is not mapped";
	case PRM_DELIVERY_IN_LENGTH:
		return "invalid length of the input (valid: a multiple of 4 up to 2 MiB)";
	case PRM_DELIVERY_OUT_LENGTH:
		return "invalid length of the output (valid: a multiple of 4 up to 2 MiB)";
	case PRM_DELIVERY_DESCRIPTOR:
		return "invalid type (valid: 7)";
	default:
		return "out of memory";
	}
}

static bool run_entry(struct emu_pci *pci, unsigned i)
{
	/* not NULL: the queue is in one page, which pci_cmdq_run() has translated */
	struct prm_cmd_entry *slot =
		pci_dma_translate(pci, pci->cmdq + i * sizeof(*slot), sizeof(*slot), true);
	struct prm_cmd_entry e;
	uint8_t reply[PRM_CMD_INLINE_BYTES] = { 0 };
	enum prm_delivery error;
	uint8_t status;

	if (!emu_fault_copy(pci->emu, &e, slot, sizeof(e))) {
		pci_say(pci, "command entry %u: not mapped (command queue at DMA address 0x%llx)",
			i, (unsigned long long)pci->cmdq);
		return false;
	}
	if (!(e.status_own & PRM_CMD_OWNED)) {
		pci_say(pci,
			"command entry %u: doorbell, but software still owns the entry (the owner "
			"bit must be 1)",
			i);
		return false;
	}
	error = execute_command(pci, &e, reply);
	if (error != PRM_DELIVERY_OK)
		pci_say(pci, "command entry %u: %s", i, describe_delivery(error));
	status = (uint8_t)(error << PRM_CMD_STATUS_SHIFT);
	/* Both copies take a lock, so a guest that sees the status also sees the output. */
	return emu_fault_copy(pci->emu, slot->out, reply, sizeof(slot->out)) &&
	       emu_fault_copy(pci->emu, &slot->status_own, &status, sizeof(status));
}

void pci_cmdq_run(struct emu_pci *pci, uint32_t entries)
{
	/* Address 0 means that the driver has set no queue, even if memory is mapped at 0. */
	if (!pci->cmdq || !pci_dma_translate(pci, pci->cmdq, sizeof(struct prm_cmd_entry), true)) {
		pci_say(pci, "command doorbell 0x%x: no command queue at DMA address 0x%llx",
			entries, (unsigned long long)pci->cmdq);
		return;
	}
	for (unsigned i = 0; i < PRM_CMDQ_ENTRIES; i++) {
		const struct emu_eq *eq;

		if (!(entries >> i & 1))
			continue;
		eq = emu_command_eq(pci->emu);
		if (run_entry(pci, i))
			emu_announce_command(pci->emu, eq, 1u << i);
	}
}
