/* SPDX-License-Identifier: BSD-3-Clause */
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "probes.h"

/** struct lands - memory with each protection; @holed is an unmapped page between mapped ones */
struct lands {
	uint8_t *plain, *holed, *read_only, *write_only, *none;
};

enum { LAND_PAGES = 3, LAND = LAND_PAGES * PAGE };

static uint8_t *map_land(int prot)
{
	uint8_t *at = mmap(NULL, LAND, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	for (int i = 0; i < LAND_PAGES; i++)
		at[i * PAGE] = 1;
	mprotect(at, LAND, prot);
	return at;
}

/* ---- umems ---------------------------------------------------------------------------- */

static void probe_umem(const struct world *w, struct ask *a, const char *name)
{
	const int error = ask_send(a, w->mine.fd);

	say_answer(error, SAY_NO_STATUS, "umem %s", name);
	if (!error)
		ask_destroy(w->mine.fd, MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG,
			    MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, ask_handle(a));
}

static void probe_umem_at(const struct world *w, const char *name, void *addr, uint64_t bytes)
{
	uint32_t id;
	struct ask a = umem_of(addr, bytes, &id);

	probe_umem(w, &a, name);
}

static void probe_umem_access(const struct world *w, const char *name, void *addr, uint64_t access)
{
	uint32_t id;
	struct ask a = umem_of(addr, PAGE, &id);

	a.attr[3].data = access;
	probe_umem(w, &a, name);
}

static void probe_umem_pages(const struct world *w, const char *name, void *addr, uint64_t bytes,
			     uint64_t bitmap)
{
	uint32_t id;
	struct ask a = umem_of(addr, bytes, &id);

	ask_num(&a, "pgsz_bitmap", MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP, bitmap);
	probe_umem(w, &a, name);
}

static void probe_umem_ranges(const struct world *w, const struct lands *l)
{
	uint8_t *const top = (uint8_t *)UINTPTR_MAX, *const kernel = top - (1ull << 46);

	probe_umem_at(w, "plain", l->plain, LAND);
	probe_umem_at(w, "part-of-a-page", l->plain + 64, 128);
	probe_umem_at(w, "one-byte", l->plain, 1);
	probe_umem_at(w, "unaligned", l->plain + 1, PAGE);
	probe_umem_at(w, "nothing", l->plain, 0);
	probe_umem_at(w, "nothing-unaligned", l->plain + 1, 0);
	probe_umem_at(w, "null", NULL, PAGE);
	probe_umem_at(w, "null-nothing", NULL, 0);
	probe_umem_at(w, "of-the-kernel", kernel, PAGE);
	probe_umem_at(w, "too-long", l->plain, 1ull << 40);
	probe_umem_at(w, "far-too-long", l->plain, 1ull << 62);
	probe_umem_at(w, "to-the-end-of-addresses", l->plain, UINT64_MAX - (uintptr_t)l->plain);
	probe_umem_at(w, "around-the-end-of-addresses", l->plain, UINT64_MAX);
	probe_umem_at(w, "last-page-of-addresses", top - PAGE + 1, PAGE);
	probe_umem_at(w, "last-byte-of-addresses", top - 1, 1);
	probe_umem_at(w, "hole-at-the-start", l->holed, PAGE);
	probe_umem_at(w, "hole-inside", l->holed - PAGE, 3 * PAGE);
	probe_umem_at(w, "hole-at-the-end", l->holed - PAGE, PAGE + 1);
}

static void probe_umem_accesses(const struct world *w, const struct lands *l)
{
	enum { LOCAL_WRITE = IBV_ACCESS_LOCAL_WRITE };

	probe_umem_access(w, "read-only-memory", l->read_only, 0);
	probe_umem_access(w, "read-only-memory written", l->read_only, LOCAL_WRITE);
	probe_umem_access(w, "write-only-memory", l->write_only, 0);
	probe_umem_access(w, "write-only-memory written", l->write_only, LOCAL_WRITE);
	probe_umem_access(w, "no-access-memory", l->none, 0);
	probe_umem_access(w, "no-access-memory written", l->none, LOCAL_WRITE);
	probe_umem_access(w, "access none", l->plain, 0);
	for (int bit = 0; bit < 64; bit++) {
		char name[32];

		snprintf(name, sizeof(name), "access bit-%d", bit);
		probe_umem_access(w, name, l->plain, 1ull << bit);
		snprintf(name, sizeof(name), "access local-write bit-%d", bit);
		probe_umem_access(w, name, l->plain, 1ull << bit | LOCAL_WRITE);
	}
}

static void probe_umem_page_sizes(const struct world *w, const struct lands *l)
{
	probe_umem_pages(w, "pages none", l->plain, PAGE, 0);
	probe_umem_pages(w, "pages 2048", l->plain, PAGE, 2048);
	probe_umem_pages(w, "pages 4096", l->plain, PAGE, PAGE);
	probe_umem_pages(w, "pages 4096 of three", l->plain, LAND, PAGE);
	probe_umem_pages(w, "pages 4096 unaligned", l->plain + 64, 64, PAGE);
	probe_umem_pages(w, "pages 8192 of one", l->plain, PAGE, 2 * PAGE);
	probe_umem_pages(w, "pages any", l->plain, PAGE, UINT64_MAX);
	probe_umem_pages(w, "pages highest", l->plain, PAGE, 1ull << 63);
}

/* ---- MRs ------------------------------------------------------------------------------- */

/* Sends REG_MR of the write() interface, because libibverbs checks the access flags by itself. */
static void probe_mr(const struct world *w, const char *name, const struct ib_uverbs_reg_mr *cmd)
{
	struct ib_uverbs_reg_mr_resp resp;
	struct ask a = ask_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	int error;

	ask_in(&a, "in", UVERBS_ATTR_CORE_IN, cmd, sizeof(*cmd));
	ask_out(&a, "out", UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	ask_num(&a, "cmd", UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_REG_MR);
	error = ask_send(&a, w->mine.fd);
	say_answer(error, SAY_NO_STATUS, "mr %s", name);
	if (!error)
		ask_destroy(w->mine.fd, UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY,
			    UVERBS_ATTR_DESTROY_MR_HANDLE, resp.mr_handle);
}

static void probe_mr_at(const struct world *w, const char *name, void *addr, uint64_t bytes,
			uint32_t access)
{
	probe_mr(w, name,
		 &(struct ib_uverbs_reg_mr){ .start = (uintptr_t)addr,
					     .length = bytes,
					     .hca_va = (uintptr_t)addr,
					     .access_flags = access,
					     .pd_handle = w->mine.pd->handle });
}

static void probe_mrs(const struct world *w, const struct lands *l)
{
	struct ib_uverbs_reg_mr cmd = { .start = (uintptr_t)l->plain,
					.length = LAND,
					.pd_handle = w->mine.pd->handle };

	probe_mr_at(w, "plain", l->plain, LAND, 0);
	probe_mr_at(w, "unaligned", l->plain + 1, PAGE, 0);
	probe_mr_at(w, "nothing", l->plain, 0, 0); /* no unaligned one: Linux 7.2 prints a WARN */
	probe_mr_at(w, "null", NULL, PAGE, 0);
	probe_mr_at(w, "around-the-end-of-addresses", l->plain, UINT64_MAX, 0);
	probe_mr_at(w, "hole-inside", l->holed - PAGE, 3 * PAGE, 0);
	probe_mr_at(w, "read-only-memory", l->read_only, PAGE, 0);
	probe_mr_at(w, "read-only-memory written", l->read_only, PAGE, IBV_ACCESS_LOCAL_WRITE);
	probe_mr_at(w, "write-only-memory", l->write_only, PAGE, 0);
	probe_mr_at(w, "write-only-memory written", l->write_only, PAGE, IBV_ACCESS_LOCAL_WRITE);
	probe_mr(w, "iova-of-zero", &cmd);
	cmd.hca_va = 64;
	probe_mr(w, "iova-with-another-offset", &cmd);
	cmd.hca_va = 0;
	cmd.pd_handle = w->mine.o[THING_alloc_pd].handle;
	probe_mr(w, "pd-of-devx", &cmd);
	cmd.pd_handle = NO_HANDLE;
	probe_mr(w, "pd-of-nothing", &cmd);
}

static void probe_mr_accesses(const struct world *w, const struct lands *l)
{
	for (int bit = 0; bit < 32; bit++) {
		char name[32];

		snprintf(name, sizeof(name), "access bit-%d", bit);
		probe_mr_at(w, name, l->plain, PAGE, 1u << bit);
		snprintf(name, sizeof(name), "access local-write bit-%d", bit);
		probe_mr_at(w, name, l->plain, PAGE, 1u << bit | IBV_ACCESS_LOCAL_WRITE);
	}
}

/* ---- REREG_MR ------------------------------------------------------------------------- */

enum { TRANS = 1, PD = 2, ACCESS = 4 };

static void probe_rereg(const struct world *w, const char *name,
			const struct ib_uverbs_rereg_mr *cmd)
{
	struct ib_uverbs_rereg_mr_resp resp;
	struct ask a = ask_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);

	ask_in(&a, "in", UVERBS_ATTR_CORE_IN, cmd, sizeof(*cmd));
	ask_out(&a, "out", UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	ask_num(&a, "cmd", UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_REREG_MR);
	say_answer(ask_send(&a, w->mine.fd), SAY_NO_STATUS, "rereg %s", name);
}

static void probe_reregs(const struct world *w, const struct lands *l)
{
	const uint32_t mr = w->mine.mr->handle, pd = w->mine.pd->handle;
	const uint64_t at = (uintptr_t)l->plain;

#define REREG(name, ...) probe_rereg(w, name, &(struct ib_uverbs_rereg_mr){ __VA_ARGS__ })
#define TO(address) .start = (address), .length = PAGE, .hca_va = (address)
	REREG("nothing", .mr_handle = mr);
	REREG("flags unknown", .mr_handle = mr, .flags = 8);
	REREG("access", .mr_handle = mr, .flags = ACCESS, .access_flags = 1);
	REREG("access unknown", .mr_handle = mr, .flags = ACCESS, .access_flags = 1 << 10);
	REREG("access on-demand", .mr_handle = mr, .flags = ACCESS, .access_flags = 1 << 6);
	REREG("access remote-write", .mr_handle = mr, .flags = ACCESS, .access_flags = 2);
	REREG("pd", .mr_handle = mr, .flags = PD, .pd_handle = pd);
	REREG("pd of-nothing", .mr_handle = mr, .flags = PD, .pd_handle = NO_HANDLE);
	REREG("pd of-devx", .mr_handle = mr, .flags = PD,
	      .pd_handle = w->mine.o[THING_alloc_pd].handle);
	REREG("memory", .mr_handle = mr, .flags = TRANS, TO(at));
	REREG("memory of-nothing", .mr_handle = mr, .flags = TRANS);
	REREG("memory null", .mr_handle = mr, .flags = TRANS, .length = PAGE);
	REREG("memory with-another-offset", .mr_handle = mr, .flags = TRANS, .start = at,
	      .length = PAGE, .hca_va = at + 64);
	REREG("memory read-only, written", .mr_handle = mr, .flags = TRANS | ACCESS,
	      .access_flags = 1, TO((uintptr_t)l->read_only));
	REREG("mr of-nothing", .mr_handle = NO_HANDLE, .flags = TRANS, TO(at));
	REREG("mr of-another-kind", .mr_handle = pd, .flags = TRANS, TO(at));
#undef TO
#undef REREG
}

void probe_memory(const struct world *w)
{
	struct lands l = { map_land(PROT_READ | PROT_WRITE), map_land(PROT_READ | PROT_WRITE),
			   map_land(PROT_READ), map_land(PROT_WRITE), map_land(PROT_NONE) };

	l.holed += PAGE;
	munmap(l.holed, PAGE);
	probe_umem_ranges(w, &l);
	probe_umem_accesses(w, &l);
	probe_umem_page_sizes(w, &l);
	probe_mrs(w, &l);
	probe_mr_accesses(w, &l);
	probe_reregs(w, &l);
}
