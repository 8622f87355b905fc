/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FW_H
#define EMU_FW_H

#include "emu/base/caps.h"
#include "emu/firmware/syndrome.h"

/**
 * DOC: Firmware
 *
 *     emu_run_command   lengths, opcode, uid, reserved bits, fields that emu does not model
 *        |
 *     emu_fw_<command>  one typed handler a row of prm/commands.def, in fw_<chapter>.c
 *
 * A handler finds a well-formed mailbox: every bit that is set is a field listed in
 * fields.def. The adapter's lock is held. It returns enum prm_status, and what it refuses it
 * refuses through emu_refuse(), before it has changed anything. The output is zeroed.
 */

enum { EMU_HEADER_BYTES = 8 }; /* what every input and output begins with */

/**
 * emu_run_command - emu_exec() with the adapter's lock held, without the doorbells before it
 *
 * @out_bytes is at least EMU_HEADER_BYTES.
 */
uint8_t emu_run_command(struct emu *emu, const void *in, size_t in_bytes, void *out,
			size_t out_bytes);

/** struct emu_call - one command on its way through the checks */
struct emu_call {
	const struct prm_command *cmd; /* NULL: unknown opcode */
	uint16_t opcode, uid;
	const prm_be32 *in;
	size_t in_bytes;
	prm_be32 *out;
	size_t out_bytes;
};

/** emu_trace_command - give the trace a line about a command that was executed (trace.c) */
void emu_trace_command(struct emu *emu, const struct emu_call *c, uint8_t status);

#define EMU_UNUSED __attribute__((unused))

/** EMU_FW - head of the handler of command @name */
#define EMU_FW(name)                                                                            \
	uint8_t emu_fw_##name(EMU_UNUSED struct emu *emu, EMU_UNUSED uint16_t uid,              \
			      EMU_UNUSED const struct prm_##name##_in *in,                      \
			      EMU_UNUSED size_t in_bytes, EMU_UNUSED struct prm_##name##_out *out, \
			      EMU_UNUSED size_t out_bytes)

#define CMD(op, name) EMU_FW(name);
#include "prm/commands.def"

/** struct emu_uctx - a user context: the uid that isolates a program's objects */
struct emu_uctx {
	struct emu_obj obj; /* its number is the uid */
	uint32_t cap;       /* EMU_UCTX_RAW_TX */
};
/**
 * emu_refuse - say why a command is refused
 * @emu: the function
 * @status: enum prm_status
 * @syndrome: enum emu_syndrome
 * @fmt: one line: what was wrong, what is allowed
 *
 * Return: @status
 */
uint8_t emu_refuse(struct emu *emu, uint8_t status, uint32_t syndrome, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** emu_link - as emu_set_link(), with the adapter's lock held */
void emu_link(struct emu *emu, const struct emu_link *link);

/** emu_objects - what objects there are, "UAR 1, EQ 2". Return: how many, of @n_users not uid 0 */
unsigned emu_objects(const struct emu *emu, char *line, size_t bytes, unsigned *n_users);

/** emu_type_name - "CQ" */
const char *emu_type_name(enum emu_type type);

/** emu_use - emu_obj_find(), or refuse: the handler returns PRM_STATUS_BAD_RES then */
void *emu_use(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid);

/**
 * emu_make - emu_obj_new(), or refuse: the handler returns PRM_STATUS_LIM_ERR then
 * @drop: called before the object is freed; NULL: it refers to nothing
 *
 * Call it last, when nothing else can fail: an object that exists is whole.
 */
void *emu_make(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes, emu_drop_fn *drop);

/** emu_destroy - free an object that nothing refers to, and drop what it refers to */
uint8_t emu_destroy(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid);

/** emu_release_all - power off: destroy every object, users before what they use */
void emu_release_all(struct emu *emu);

/** emu_ref - count a reference; NULL is none. Both return or take what embeds struct emu_obj */
static inline void emu_ref(void *obj)
{
	if (obj)
		((struct emu_obj *)obj)->refs++;
}
static inline void emu_unref(void *obj)
{
	if (obj)
		((struct emu_obj *)obj)->refs--;
}

/* ---- fields that emu models (fields.c, fields.def) ---------------------------- */

/** emu_fields_resolve - make the masks of fields.def, once. Return: 0, or -1 with a line in @why */
int emu_fields_resolve(char *why, size_t why_bytes);

/** struct emu_fields - what a command's mailbox may set */
struct emu_fields {
	uint32_t *reserved;   /* bits of no row; layout, then one element of its tail */
	uint32_t *unmodelled; /* bits of rows that fields.def does not list */
	size_t head_bytes;    /* of the input without its list */
	size_t tail_bytes;    /* of one element of the list, 0: none */
	bool kernel_only;
};

/** emu_fields_of - of a command of prm/commands.def */
const struct emu_fields *emu_fields_of(uint16_t opcode);

/** emu_fields_first - first bit of @dw that is set in @mask, one of the two above; or -1 */
int emu_fields_first(const struct emu_fields *f, const uint32_t *mask, const prm_be32 *dw,
		     size_t bytes);

/* ---- memory of queues (ring.c) -------------------------------------------- */

/** struct emu_ring - where a queue's buffer is, as its mailbox says it */
struct emu_ring {
	uint16_t uid;
	uint64_t bytes;
	bool write;                    /* the device writes it */
	bool in_umem;
	uint32_t umem_id;
	uint64_t umem_offset;
	unsigned log_page, page_offset; /* as in the mailbox: relative to 4 KiB; 64ths of a page */
	const prm_be32 *pas;           /* physical pages, when not in_umem */
	size_t n_pas;
};

/** emu_ring_open - check and translate; @umem receives the umem, referenced, or NULL */
uint8_t emu_ring_open(struct emu *emu, const struct emu_ring *ring, struct emu_span *span,
		      struct emu_umem **umem);

/** emu_dbr_open - the same for a doorbell record of 8 bytes; @addr: DMA address or umem offset */
uint8_t emu_dbr_open(struct emu *emu, uint16_t uid, bool in_umem, uint32_t umem_id, uint64_t addr,
		     struct emu_span *span, struct emu_umem **umem);

/** emu_buffer_close - undo either */
void emu_buffer_close(struct emu_span *span, struct emu_umem **umem);

/* ---- work queues: what SQ and RQ share (wq.c) ------------------------------- */

/** struct emu_wq_refs - what a wq context refers to, found and checked */
struct emu_wq_refs {
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	struct emu_pd *pd;
	struct emu_cq *cq;
};

/** emu_wq_open - check a wq context and translate its memory; emu_wq_close() undoes it */
uint8_t emu_wq_open(struct emu *emu, uint16_t uid, const struct prm_wq *wq, uint32_t cqn,
		    size_t n_pas, struct emu_wq_refs *refs);
void emu_wq_close(struct emu_wq_refs *refs);

/** emu_wq_transition - may a queue in state @is go from @from to @to? */
uint8_t emu_wq_transition(struct emu *emu, uint8_t is, uint8_t from, uint8_t to);

/* ---- pages of mkeys (mkey_pages.c) ----------------------------------------- */

/** emu_mkey_check_pages - refuse a range and a list that do not fit each other */
uint8_t emu_mkey_check_pages(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes);
/** emu_mkey_open_pages - translate them, or none if UMRs will list them; @umem as above */
uint8_t emu_mkey_open_pages(struct emu *emu, uint16_t uid, const struct prm_create_mkey_in *in,
			    struct emu_span *span, struct emu_umem **umem);
/** emu_mkey_make_list - room for the pages that UMRs will list, if they may */
uint8_t emu_mkey_make_list(struct emu *emu, struct emu_mkey *key, const struct prm_mkc *mkc);

/** emu_drop_sq - emu_drop_fn of SQs, and of the send queue of a QP */
void emu_drop_sq(struct emu *emu, struct emu_obj *obj);

#endif
