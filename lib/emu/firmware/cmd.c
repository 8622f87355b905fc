/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/firmware/fw.h"

/*
 * The kernel's uid for what it shares with every user context: completion EQs. Here the
 * kernel's EQs and UARs are everybody's anyway. Linux MLX5_SHARED_RESOURCE_UID.
 */
enum { UID_SHARED = 0xffff };

/* One typed handler a row of commands.def: a missing one does not link. */
#define CMD(op, name)                                                                           \
	static uint8_t run_##name(struct emu *emu, uint16_t uid, const void *in, size_t in_bytes, \
				  void *out, size_t out_bytes)                                  \
	{                                                                                       \
		return emu_fw_##name(emu, uid, in, in_bytes, out, out_bytes);                   \
	}
#include "prm/commands.def"

static const struct handler {
	uint16_t opcode;
	uint8_t (*run)(struct emu *emu, uint16_t uid, const void *in, size_t in_bytes, void *out,
		       size_t out_bytes);
} handlers[] = {
#define CMD(op, name) { (op), run_##name },
#include "prm/commands.def"
};

/** struct call - one command on its way through the checks */
struct call {
	const struct prm_command *cmd; /* NULL: unknown opcode */
	uint16_t opcode, uid;
	const prm_be32 *in;
	size_t in_bytes;
	prm_be32 *out;
	size_t out_bytes;
};

static uint8_t check_lengths(struct emu *emu, const struct call *c, const struct emu_fields *fields)
{
	const size_t in = fields->head_bytes, tail = fields->tail_bytes;
	const size_t out = c->cmd->out->bytes;

	if (c->in_bytes != in && !(tail && c->in_bytes > in && (c->in_bytes - in) % tail == 0)) {
		emu_mistake(emu, EMU_MISTAKE_bad_length, "%s: input of %zu bytes, it has %zu%s",
			    c->cmd->name, c->in_bytes, in, tail ? " and a list" : "");
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				  "input of %zu bytes, it has %zu", c->in_bytes, in);
	}
	if (c->out_bytes < out) {
		emu_mistake(emu, EMU_MISTAKE_bad_length, "%s: output of %zu bytes, it needs %zu",
			    c->cmd->name, c->out_bytes, out);
		return emu_refuse(emu, PRM_STATUS_BAD_OUTP_LEN, EMU_SYND_LENGTH,
				  "output of %zu bytes, it needs %zu", c->out_bytes, out);
	}
	return PRM_STATUS_OK;
}

static uint8_t check_bits(struct emu *emu, const struct call *c, const struct emu_fields *fields)
{
	char name[96];
	int bit = emu_fields_first(fields, fields->reserved, c->in, c->in_bytes);

	if (bit >= 0) {
		prm_name_of(c->cmd->in, (size_t)bit, name, sizeof(name));
		emu_mistake(emu, EMU_MISTAKE_reserved_bit, "%s: bit 0x%x (%s)", c->cmd->name, bit,
			    name);
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_RESERVED,
				  "bit 0x%x is reserved (%s)", bit, name);
	}
	bit = emu_fields_first(fields, fields->unmodelled, c->in, c->in_bytes);
	if (bit >= 0) {
		prm_name_of(c->cmd->in, (size_t)bit, name, sizeof(name));
		emu_mistake(emu, EMU_MISTAKE_unmodelled_field, "%s: %s", c->cmd->name, name);
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UNMODELLED,
				  "%s is not modelled", name);
	}
	return PRM_STATUS_OK;
}

static uint8_t check_uid(struct emu *emu, const struct call *c, const struct emu_fields *fields)
{
	if (c->uid && !emu_obj_at(&emu->table[EMU_UCTX], c->uid))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UID,
				  "there is no user context 0x%x", c->uid);
	if (c->uid && fields->kernel_only)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_KERNEL_ONLY,
				  "only the kernel (uid 0) may do this");
	return PRM_STATUS_OK;
}

static uint8_t run(struct emu *emu, const struct call *c)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].opcode == c->opcode)
			return handlers[i].run(emu, c->uid, c->in, c->in_bytes, c->out,
					       c->out_bytes);
	return PRM_STATUS_INT_ERR; /* not reached: cmd comes from the same table */
}

static uint8_t execute(struct emu *emu, const struct call *c)
{
	const struct emu_fields *fields;
	uint8_t status;

	if (emu->fail_command >= 0 && emu->fail_command-- == 0)
		return emu_refuse(emu, emu->fail_status, EMU_SYND_INJECTED, "a test asked for it");
	if (!c->cmd)
		return emu_refuse(emu, PRM_STATUS_BAD_OP, EMU_SYND_OPCODE, "opcode 0x%x",
				  c->opcode);
	fields = emu_fields_of(c->opcode);
	status = check_lengths(emu, c, fields);
	if (status == PRM_STATUS_OK)
		status = check_uid(emu, c, fields);
	if (status == PRM_STATUS_OK)
		status = check_bits(emu, c, fields);
	return status == PRM_STATUS_OK ? run(emu, c) : status;
}

/* ---- trace ------------------------------------------------------------------- */

/** struct line - of the trace; fields past @limit are cut, so that the outcome has room */
struct line {
	char text[EMU_TRACE_BYTES];
	size_t used, limit;
};

static void append(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void append(struct line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->used, sizeof(l->text) - l->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->used += (size_t)n;
	if (l->used >= sizeof(l->text))
		l->used = sizeof(l->text) - 1;
}

static int append_field(const char *name, uint64_t value, void *arg)
{
	struct line *l = arg;

	if (!strcmp(name, "opcode") || !strcmp(name, "uid") || !strcmp(name, "status") ||
	    !strcmp(name, "syndrome"))
		return 0;
	if (l->used > l->limit) {
		append(l, " ...");
		return 1;
	}
	append(l, " %s=0x%" PRIx64, name, value);
	return 0;
}

/* Linux declares a flow context's list by its longer form, which emu has not: as it is, then. */
static void append_fte(struct line *l, const struct call *c)
{
	const struct prm_set_fte_in *in = (const void *)c->in;
	const struct prm_flow_context *ctx = prm_sub(in, flow_context);
	const size_t n = prm_get(ctx, destination_list_size);

	prm_each_set(c->cmd->in, c->in, sizeof(*in), append_field, l);
	for (size_t i = 0; sizeof(*in) + (i + 1) * sizeof(prm_be64) <= c->in_bytes; i++)
		prm_each_set(i < n ? &prm_layout_dest_format_struct
				   : &prm_layout_flow_counter_list,
			     in->dw + sizeof(*in) / 4 + i * 2, sizeof(prm_be64), append_field, l);
}

static void trace(struct emu *emu, const struct call *c, uint8_t status)
{
	struct line l;

	l.used = 0;
	l.limit = sizeof(l.text) * 2 / 3;
	append(&l, "port %u %s uid=0x%x", emu->index, c->cmd ? c->cmd->name : "?", c->uid);
	if (c->opcode == PRM_OP_set_fte && c->in_bytes >= sizeof(struct prm_set_fte_in))
		append_fte(&l, c);
	else if (c->cmd)
		prm_each_set(c->cmd->in, c->in, c->in_bytes, append_field, &l);
	l.limit = sizeof(l.text);
	append(&l, " -> %s", prm_status_name(status));
	if (status != PRM_STATUS_OK)
		append(&l, " syndrome=0x%x: %s", emu->syndrome, emu->detail);
	else /* the number of what was made; what was asked for would fill pages */
		prm_each_set(c->cmd->out, c->out, sizeof(struct prm_nop_out), append_field, &l);
	emu->adapter->trace(emu->adapter->trace_arg, l.text);
}

uint8_t emu_exec(struct emu *emu, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	enum { HEADER_BYTES = 8 }; /* what every input and output begins with */
	struct call c = { .in = in, .in_bytes = in_bytes, .out = out, .out_bytes = out_bytes };
	uint8_t status;

	if (out_bytes < HEADER_BYTES)
		return PRM_STATUS_BAD_OUTP_LEN;
	memset(out, 0, out_bytes);
	emu_lock(emu->adapter);
	emu->n_commands++;
	emu->syndrome = 0;
	emu->detail[0] = '\0';
	if (in_bytes < HEADER_BYTES) {
		status = emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				    "input of %zu bytes has no header", in_bytes);
	} else {
		/* opcode and uid stand in the same place in every command */
		const struct prm_nop_in *header = in;

		c.opcode = (uint16_t)prm_get(header, opcode);
		c.uid = (uint16_t)prm_get(header, uid);
		if (c.uid == UID_SHARED)
			c.uid = 0;
		c.cmd = prm_command_of(c.opcode);
		emu_doorbells(emu);
		status = execute(emu, &c);
	}
	if (status != PRM_STATUS_OK)
		memset(out, 0, out_bytes);

	struct prm_nop_out *head = out;

	prm_set(head, status, status);
	prm_set(head, syndrome, emu->syndrome);
	if (emu->adapter->trace)
		trace(emu, &c, status);
	emu_unlock(emu->adapter);
	return status;
}
