/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/cmd.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"
#include "emu/firmware/fields.h"

/* One typed handler per row of commands.def; a missing handler is a link error. */
#define CMD(op, name)                                                                              \
	static uint8_t run_##name(struct emu *emu, uint16_t uid, const void *in, size_t in_bytes,  \
				  void *out, size_t out_bytes)                                     \
	{                                                                                          \
		return emu_fw_##name(emu, uid, in, in_bytes, out, out_bytes);                      \
	}
#include "prm/commands.def"

static const struct handler {
	uint16_t opcode;
	uint8_t (*run)(struct emu *emu, uint16_t uid, const void *in, size_t in_bytes, void *out,
		       size_t out_bytes);
} handlers[] = {
/* clang-format off */
#define CMD(op, name) { (op), run_##name },
#include "prm/commands.def"
	/* clang-format on */
};

/*
 * PRM-MISSING: each query fills an output of any length as far as it goes. (rdma-core's DEVX test
 * queries capabilities with 2064 instead of 4112 bytes; no source shows another short query.)
 */
static bool may_be_short(const struct prm_command *cmd)
{
	return !strncmp(cmd->name, "query_", strlen("query_"));
}

static uint8_t check_lengths(struct emu *emu, const struct emu_call *c,
			     const struct emu_fields *fields)
{
	const size_t in = fields->head_bytes, tail = fields->tail_bytes;
	const size_t out = c->cmd->out->bytes;
	const char *list = tail ? " plus whole list entries" : "";

	if (c->in_bytes != in && !(tail && c->in_bytes > in && (c->in_bytes - in) % tail == 0))
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				  "input: %zu bytes are invalid (valid: %zu%s)", c->in_bytes, in,
				  list);
	if (c->out_bytes < out && !may_be_short(c->cmd))
		return emu_refuse_output(emu, c->out_bytes, out);
	return PRM_STATUS_OK;
}

static uint8_t check_bits(struct emu *emu, const struct emu_call *c,
			  const struct emu_fields *fields)
{
	char name[96];
	int bit = emu_fields_first(fields, fields->reserved, c->in, c->in_bytes);

	if (bit >= 0) {
		prm_name_of(c->cmd->in, (size_t)bit, name, sizeof(name));
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_RESERVED,
				  "input: reserved bit 0x%x (%s) is 1 (valid: 0)", bit, name);
	}
	bit = emu_fields_first(fields, fields->unmodelled, c->in, c->in_bytes);
	if (bit >= 0) {
		prm_name_of(c->cmd->in, (size_t)bit, name, sizeof(name));
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UNMODELLED,
				  "%s: emu does not model this field (valid: 0)", name);
	}
	return PRM_STATUS_OK;
}

static uint8_t check_uid(struct emu *emu, const struct emu_call *c, const struct emu_fields *fields)
{
	if (c->uid && !emu_obj_at(&emu->table[EMU_UCTX], c->uid))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UID,
				  "uid: no such user context 0x%x", c->uid);
	if (c->uid && fields->kernel_only)
		return emu_refuse_user(emu, c->uid);
	return PRM_STATUS_OK;
}

static uint8_t run_handler(struct emu *emu, const struct emu_call *c)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].opcode == c->opcode)
			return handlers[i].run(emu, c->uid, c->in, c->in_bytes, c->out,
					       c->out_bytes);
	return PRM_STATUS_INT_ERR; /* unreachable: handlers[] and c->cmd both have commands.def */
}

/* Runs a query whose output mailbox has no room for all fields. */
static uint8_t run_short_query(struct emu *emu, const struct emu_call *c)
{
	struct emu_call whole = *c;
	uint8_t status;

	whole.out_bytes = c->cmd->out->bytes;
	whole.out = calloc(1, whole.out_bytes);
	if (!whole.out)
		return emu_refuse_memory(emu);
	status = run_handler(emu, &whole);
	memcpy(c->out, whole.out, c->out_bytes);
	free(whole.out);
	return status;
}

static uint8_t execute_command(struct emu *emu, const struct emu_call *c)
{
	const struct emu_fields *fields;
	uint8_t status;

	if (emu->fail_command >= 0 && emu->fail_command-- == 0)
		return emu_refuse(emu, emu->fail_status, EMU_SYND_INJECTED,
				  "command: a test made it fail");
	if (!c->cmd)
		return emu_refuse(emu, PRM_STATUS_BAD_OP, EMU_SYND_OPCODE,
				  "opcode: 0x%x is unknown to emu", c->opcode);
	fields = emu_fields_of(c->opcode);
	status = check_lengths(emu, c, fields);
	if (status == PRM_STATUS_OK)
		status = check_uid(emu, c, fields);
	if (status == PRM_STATUS_OK)
		status = check_bits(emu, c, fields);
	if (status != PRM_STATUS_OK)
		return status;
	return c->out_bytes < c->cmd->out->bytes ? run_short_query(emu, c) : run_handler(emu, c);
}

static void count_refusal(struct emu *emu, const struct emu_call *c)
{
	const enum emu_mistake m = emu_mistake_of(emu->syndrome);

	if (m != EMU_N_MISTAKES)
		emu_count_mistake(emu, m, "%s: %s", c->cmd ? c->cmd->name : "command", emu->detail);
}

uint8_t emu_run_command(struct emu *emu, const void *in, size_t in_bytes, void *out,
			size_t out_bytes)
{
	struct emu_call c = { .in = in, .in_bytes = in_bytes, .out = out, .out_bytes = out_bytes };
	struct prm_nop_out *head = out;
	uint8_t status;

	memset(out, 0, out_bytes);
	emu->n_commands++;
	emu->syndrome = 0;
	emu->detail[0] = '\0';
	if (in_bytes < EMU_HEADER_BYTES) {
		status = emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				    "input: %zu bytes are too few (valid: at least %d, the header)",
				    in_bytes, EMU_HEADER_BYTES);
	} else {
		/* opcode and uid are at the same place in the input of every command */
		const struct prm_nop_in *header = in;

		c.opcode = (uint16_t)prm_get(header, opcode);
		c.uid = (uint16_t)prm_get(header, uid);
		/*
		 * Under this uid, Linux's MLX5_SHARED_RESOURCE_UID, a kernel creates the EQs and
		 * queue counters that all users share. emu lets every uid use those of uid 0.
		 */
		if (c.uid == PRM_UID_SHARED_RESOURCE)
			c.uid = 0;
		c.cmd = prm_command_of(c.opcode);
		status = execute_command(emu, &c);
	}
	if (status != PRM_STATUS_OK) {
		count_refusal(emu, &c);
		memset(out, 0, out_bytes);
	}
	prm_set(head, status, status);
	prm_set(head, syndrome, emu->syndrome);
	if (emu->adapter->trace)
		emu_trace_command(emu, &c, status);
	return status;
}
