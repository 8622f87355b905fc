/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

#include <stdlib.h>
#include <string.h>

/* ---- the host: this process ------------------------------------------------- */

static bool is_ours(const struct core_rig *r, uint64_t addr, size_t bytes)
{
	for (unsigned i = 0; i < r->n_mem; i++) {
		const uint64_t off = addr - (uintptr_t)r->mem[i]; /* huge if addr is below mem[i] */

		if (off < r->mem_bytes[i] && bytes <= r->mem_bytes[i] - off)
			return true;
	}
	return false;
}

static void *host_map(void *host, uint64_t addr, size_t bytes, bool write)
{
	const struct core_rig *r = host;

	(void)write;
	if (addr < CORE_RIG_PAGE || (r->deny && r->deny >= addr && r->deny < addr + bytes))
		return NULL;
	return !r->strict || is_ours(r, addr, bytes) ? (void *)(uintptr_t)addr : NULL;
}

static void host_irq(void *host, uint16_t vector)
{
	struct core_rig *r = host;

	if (vector < CORE_RIG_VECTORS)
		r->irqs[vector]++;
}

static const struct emu_host_ops host_ops = { .map = host_map, .irq = host_irq };

void core_rig_open(struct core_rig *r, const struct core_rig_config *config)
{
	struct emu_config cfg = { .profile = config->profile ? config->profile : "cx6dx",
				  .n_ports = config->n_ports ? config->n_ports : 1,
				  .mistakes = &r->mistakes };
	char why[256] = "";

	*r = (struct core_rig){ 0 };
	for (unsigned i = 0; i < cfg.n_ports; i++)
		cfg.port[i] = (struct emu_port_config){
			.ops = &host_ops,
			.host = r,
			.wire = config->wire ? config->wire : "sink",
			.mac = { 0x02, 0, 0, 0, 0, (uint8_t)(i + 1) },
			.mtu = config->mtu ? config->mtu : 1500,
		};
	r->adapter = emu_adapter_create(&cfg, why, sizeof(why));
	SCOPED_TRACE("%s", why);
	ASSERT_NE(NULL, r->adapter);
	r->emu = emu_port(r->adapter, 0);
	if (!config->no_context)
		core_rig_fill_context(r);
}

void core_rig_close(struct core_rig *r)
{
	emu_adapter_destroy(r->adapter);
	for (unsigned i = 0; i < r->n_mem; i++)
		free(r->mem[i]);
	r->adapter = NULL;
}

void *core_rig_alloc(struct core_rig *r, size_t bytes)
{
	const size_t whole = (bytes + CORE_RIG_PAGE - 1) / CORE_RIG_PAGE * CORE_RIG_PAGE;
	void *mem;

	if (r->pool && whole <= r->pool_left) {
		r->pool += whole;
		r->pool_left -= whole;
		return memset(r->pool - whole, 0, whole);
	}
	mem = r->n_mem < CORE_RIG_MAX_MEM && !r->pool ? aligned_alloc(CORE_RIG_PAGE, whole) : NULL;
	EXPECT_NE(NULL, mem);
	if (!mem)
		abort();
	memset(mem, 0, whole);
	r->mem_bytes[r->n_mem] = whole;
	r->mem[r->n_mem++] = mem;
	return mem;
}

/* ---- commands ------------------------------------------------------------------ */

uint8_t core_rig_exec(struct core_rig *r, uint16_t opcode, void *in, size_t in_bytes, void *out,
		      size_t out_bytes)
{
	struct prm_nop_in *header = in;

	prm_set(header, opcode, opcode);

	const uint8_t status = emu_exec(r->emu, in, in_bytes, out, out_bytes);

	if (r->tape && status == PRM_STATUS_OK && r->tape->n < CORE_RIG_TAPE_CMDS &&
	    in_bytes <= CORE_RIG_TAPE_BYTES) {
		r->tape->cmd[r->tape->n].bytes = in_bytes;
		memcpy(r->tape->cmd[r->tape->n++].in, in, in_bytes);
	}
	return status;
}

bool core_rig_expect_ok(const char *file, int line, const struct core_rig *r, const char *what,
			uint8_t status)
{
	SCOPED_TRACE("%s:%d: %s: %s, syndrome 0x%x: %s", file, line, what, prm_status_name(status),
		     r->emu->syndrome, r->emu->detail);
	EXPECT_EQ(PRM_STATUS_OK, status);
	return status == PRM_STATUS_OK;
}

const struct prm_row *core_rig_find_row(const struct prm_layout *layout, const char *field,
					size_t *bit)
{
	*bit = 0;
	for (;;) {
		const size_t len = strcspn(field, ".");
		const struct prm_row *row = layout->rows;

		while (row->name && (strlen(row->name) != len || strncmp(row->name, field, len)))
			row++;
		if (!row->name)
			ADD_FAILURE("%s: no such field %s", layout->name, field);
		*bit += row->bit;
		if (!row->sub || !field[len])
			return row;
		layout = row->sub;
		field += len + 1;
	}
}

void core_rig_set_field(void *in, uint16_t opcode, const char *field, uint64_t value)
{
	size_t bit;
	const struct prm_row *row = core_rig_find_row(prm_command_of(opcode)->in, field, &bit);

	prm_set_(in, bit, row->width, value);
}

uint64_t core_rig_count_mistakes(const struct core_rig *r)
{
	uint64_t n = 0;

	for (int m = 0; m < EMU_N_MISTAKES; m++)
		n += r->mistakes.n[m];
	return n;
}

uint32_t core_rig_get_syndrome(const struct core_rig *r)
{
	return r->emu->syndrome;
}

static void make_uctx(struct core_rig *r)
{
	struct prm_create_uctx_in in = { 0 };
	struct prm_create_uctx_out out;

	prm_set(prm_sub(&in, uctx), cap, PRM_UCTX_CAP_RAW_TX);
	CORE_RIG_OK(r, create_uctx, &in, &out);
	r->uid = (uint16_t)prm_get(&out, uid);
}

static void make_eq(struct core_rig *r)
{
	enum { LOG_EQES = 6 };
	struct {
		struct prm_create_eq_in head;
		prm_be32 pas[2];
	} in = { 0 };
	struct prm_create_eq_out out;
	struct prm_eqc *eqc = prm_sub(&in.head, eq_context_entry);
	const uint64_t ring = (uintptr_t)core_rig_alloc(r, sizeof(struct prm_eqe) << LOG_EQES);

	prm_set(eqc, log_eq_size, LOG_EQES);
	prm_set(eqc, uar_page, r->uar);
	prm_set(eqc, oi, 1); /* tests count interrupts and never move the consumer index */
	in.pas[0] = prm_be32_of((uint32_t)(ring >> 32));
	in.pas[1] = prm_be32_of((uint32_t)ring);
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_eq",
			   core_rig_exec(r, PRM_OP_create_eq, &in, sizeof(in), &out, sizeof(out)));
	r->eqn = (uint32_t)prm_get(&out, eq_number);
}

void core_rig_fill_context(struct core_rig *r)
{
	struct prm_alloc_uar_in uar_in = { 0 };
	struct prm_alloc_uar_out uar;
	struct prm_alloc_pd_in pd_in = { 0 };
	struct prm_alloc_pd_out pd;
	struct prm_alloc_transport_domain_in td_in = { 0 };
	struct prm_alloc_transport_domain_out td;
	struct prm_create_tis_in tis_in = { 0 };
	struct prm_create_tis_out tis;

	make_uctx(r);
	CORE_RIG_OK(r, alloc_uar, &uar_in, &uar);
	r->uar = (uint32_t)prm_get(&uar, uar);
	r->uar_page = core_rig_alloc(r, PRM_UAR_BYTES);
	emu_uar_attach(r->emu, r->uar, r->uar_page);
	make_eq(r);
	prm_set(&pd_in, uid, r->uid);
	CORE_RIG_OK(r, alloc_pd, &pd_in, &pd);
	r->pd = (uint32_t)prm_get(&pd, pd);
	prm_set(&td_in, uid, r->uid);
	CORE_RIG_OK(r, alloc_transport_domain, &td_in, &td);
	r->td = (uint32_t)prm_get(&td, transport_domain);
	prm_set(&tis_in, uid, r->uid);
	prm_set(prm_sub(&tis_in, ctx), transport_domain, r->td);
	CORE_RIG_OK(r, create_tis, &tis_in, &tis);
	r->tis = (uint32_t)prm_get(&tis, tisn);
}

/* ---- memory --------------------------------------------------------------------- */

uint32_t core_rig_make_umem(struct core_rig *r, void *mem, size_t bytes, bool write)
{
	const size_t n = (bytes + CORE_RIG_PAGE - 1) / CORE_RIG_PAGE;
	const size_t in_bytes = sizeof(struct prm_create_umem_in) + n * prm_mtt_bytes;
	struct prm_create_umem_in *in = calloc(1, in_bytes);
	struct prm_create_umem_out out;
	struct prm_umem *umem = prm_sub(in, umem);

	prm_set(in, uid, r->uid);
	prm_set(umem, num_of_mtt, n);
	for (size_t i = 0; i < n; i++) {
		struct prm_mtt *mtt = prm_sub_at(umem, mtt, i);
		const uint64_t at = (uintptr_t)mem + i * CORE_RIG_PAGE;

		prm_set(mtt, ptag_63_32, at >> 32);
		prm_set(mtt, ptag_31_8, (at & UINT32_MAX) >> 8);
		prm_set(mtt, rd_en, 1);
		prm_set(mtt, wr_en, write);
	}
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_umem",
			   core_rig_exec(r, PRM_OP_create_umem, in, in_bytes, &out, sizeof(out)));
	free(in);
	return (uint32_t)prm_get(&out, umem_id);
}

uint32_t core_rig_make_mkey(struct core_rig *r, void *mem, size_t bytes, bool write)
{
	enum { TAG = 0x5a, LOG_PAGE = 12 };
	const uint64_t start = (uintptr_t)mem, first = start & (CORE_RIG_PAGE - 1);
	const size_t n = (first + bytes + CORE_RIG_PAGE - 1) / CORE_RIG_PAGE,
		     octwords = (n + 1) / 2;
	const size_t in_bytes = sizeof(struct prm_create_mkey_in) + octwords * 2 * sizeof(uint64_t);
	struct prm_create_mkey_in *in = calloc(1, in_bytes);
	struct prm_create_mkey_out out;
	struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);

	prm_set(in, uid, r->uid);
	prm_set(in, translations_octword_actual_size, octwords);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, write);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, mkey_7_0, TAG);
	prm_set(mkc, pd, r->pd);
	prm_set(mkc, start_addr, start);
	prm_set(mkc, len, bytes);
	prm_set(mkc, translations_octword_size, octwords);
	prm_set(mkc, log_page_size, LOG_PAGE);
	for (size_t i = 0; i < n; i++) {
		const uint64_t at = start - first + i * CORE_RIG_PAGE;

		prm_set_at(in, klm_pas_mtt, 2 * i, at >> 32);
		prm_set_at(in, klm_pas_mtt, 2 * i + 1, at & UINT32_MAX);
	}
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_mkey",
			   core_rig_exec(r, PRM_OP_create_mkey, in, in_bytes, &out, sizeof(out)));
	free(in);
	return (uint32_t)prm_get(&out, mkey_index) << 8 | TAG;
}
