/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GET_CONTEXT with valid and invalid requests.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdio.h>
#include <unistd.h>

#include "probes.h"

/* A request with four more bytes, as a later kernel may define them. */
struct request {
	struct mlx5_ib_alloc_ucontext_req_v2 req;
	uint32_t more;
};

static const struct request good = { .req = {
					     .total_num_bfregs = 16,
					     .num_low_latency_bfregs = 4,
					     .max_cqe_version = 1,
					     .lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR,
				     } };

struct ask context_of(const void *req, size_t bytes)
{
	static struct mlx5_ib_alloc_ucontext_resp resp;
	static uint32_t n_vectors;
	static uint64_t support;
	struct ask a = ask_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);

	ask_out(&a, "vectors", UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &n_vectors,
		sizeof(n_vectors));
	ask_out(&a, "support", UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &support, sizeof(support));
	ask_in(&a, "req", UVERBS_ATTR_UHW_IN, req ? req : &good, req ? bytes : sizeof(good.req));
	ask_out(&a, "resp", UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
	return a;
}

int context_open_devx(const struct world *w)
{
	struct request r = good;
	struct ask a;
	const int fd = open(w->path, O_RDWR | O_CLOEXEC);

	r.req.flags = MLX5_IB_ALLOC_UCTX_DEVX;
	a = context_of(&r, sizeof(r.req));
	if (fd >= 0 && !ask_send(&a, fd))
		return fd;
	close(fd);
	return -1;
}

/* ---- by method GET_CONTEXT -------------------------------------------------------- */

static void probe_new_file(const struct world *w, struct ask *a, const char *name)
{
	const int fd = open(w->path, O_RDWR | O_CLOEXEC);

	say_answer(ask_send(a, fd), SAY_NO_STATUS, "context %s", name);
	close(fd);
}

static void probe_request(const struct world *w, const char *name, const struct request *r,
			  size_t bytes)
{
	struct ask a = context_of(r, bytes);

	probe_new_file(w, &a, name);
}

static void probe_requests(const struct world *w)
{
	const size_t v2 = offsetof(struct mlx5_ib_alloc_ucontext_req_v2, max_cqe_version);
	struct request r;

#define REQUEST(name, bytes, ...)                                                                  \
	do {                                                                                       \
		r = good;                                                                          \
		__VA_ARGS__;                                                                       \
		probe_request(w, name, &r, bytes);                                                 \
	} while (0)
	REQUEST("plain", sizeof(r.req));
	REQUEST("devx", sizeof(r.req), r.req.flags = MLX5_IB_ALLOC_UCTX_DEVX);
	REQUEST("flags unknown", sizeof(r.req), r.req.flags = 2);
	REQUEST("flags all", sizeof(r.req), r.req.flags = UINT32_MAX);
	REQUEST("comp-mask unknown", sizeof(r.req), r.req.comp_mask = 1);
	REQUEST("reserved0", sizeof(r.req), r.req.reserved0 = 1);
	REQUEST("reserved1", sizeof(r.req), r.req.reserved1 = 1);
	REQUEST("reserved2", sizeof(r.req), r.req.reserved2 = 1);
	REQUEST("cqe-version unknown", sizeof(r.req), r.req.max_cqe_version = 9);
	REQUEST("caps unknown", sizeof(r.req), r.req.lib_caps = UINT64_MAX);
	REQUEST("registers none", sizeof(r.req), r.req.total_num_bfregs = 0);
	REQUEST("registers too-many", sizeof(r.req), r.req.total_num_bfregs = 100000);
	REQUEST("registers fast-ones-only", sizeof(r.req), r.req.num_low_latency_bfregs = 16);
	REQUEST("flags and-comp-mask", sizeof(r.req), r.req.flags = 2, r.req.comp_mask = 1);
	REQUEST("length 12", 12);
	REQUEST("length of-version-2 less-one", v2 - 1);
	REQUEST("length longer", sizeof(r));
	REQUEST("length longer, not-zero", sizeof(r), r.more = 1);
#undef REQUEST
}

/* libibverbs sends the array if its caller passes descriptors; Linux 6.12 does not know it. */
static void probe_fd_array(const struct world *w, const char *name, const void *fds, size_t bytes)
{
	enum { ATTR_FD_ARR = UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT + 1 };
	struct ask a = context_of(NULL, 0);

	ask_in(&a, "fds", ATTR_FD_ARR, fds, bytes);
	probe_new_file(w, &a, name);
}

static void probe_fd_arrays(const struct world *w)
{
	static const int none[3] = { -1, -1, -1 };
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int other[3] = { null, null, null };

	probe_fd_array(w, "descriptors none", none, 0);
	probe_fd_array(w, "descriptors closed", none, sizeof(none));
	probe_fd_array(w, "descriptors of-another-kind", other, sizeof(other));
	close(null);
}

/* ---- by the command of the write() interface -------------------------------------- */

static struct ask write_context_of(struct ib_uverbs_get_context_resp *resp, const void *req,
				   size_t bytes)
{
	static const struct ib_uverbs_get_context cmd;
	static struct mlx5_ib_alloc_ucontext_resp uhw;
	struct ask a = ask_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);

	ask_in(&a, "in", UVERBS_ATTR_CORE_IN, &cmd, sizeof(cmd));
	ask_out(&a, "out", UVERBS_ATTR_CORE_OUT, resp, sizeof(*resp));
	ask_num(&a, "cmd", UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_GET_CONTEXT);
	ask_in(&a, "req", UVERBS_ATTR_UHW_IN, req, bytes);
	ask_out(&a, "resp", UVERBS_ATTR_UHW_OUT, &uhw, sizeof(uhw));
	return a;
}

/* Prints the answer, and for a new context whether its event file is one. */
static void probe_write_context(const struct world *w, struct ask *a, const char *name,
				struct ib_uverbs_get_context_resp *resp)
{
	const int fd = open(w->path, O_RDWR | O_CLOEXEC), error = ask_send(a, fd);
	char byte;

	say_answer(error, SAY_NO_STATUS, "context by-write %s", name);
	if (!error) {
		fcntl((int)resp->async_fd, F_SETFL, O_NONBLOCK);
		say_answer(read((int)resp->async_fd, &byte, 1) < 0 ? errno : 0, SAY_NO_STATUS,
			   "context by-write %s, read of events", name);
		say_answer(ask_send(a, fd), SAY_NO_STATUS, "context by-write %s, twice", name);
		close((int)resp->async_fd);
	}
	close(fd);
}

static void probe_write_contexts(const struct world *w)
{
	struct ib_uverbs_get_context_resp resp;
	struct request devx = good;
	struct ask a = write_context_of(&resp, &good, sizeof(good.req));

	devx.req.flags = MLX5_IB_ALLOC_UCTX_DEVX;
	probe_write_context(w, &a, "plain", &resp);
	a = write_context_of(&resp, &devx, sizeof(devx.req));
	probe_write_context(w, &a, "devx", &resp);
	a = write_context_of(&resp, &devx, 12);
	probe_write_context(w, &a, "length 12", &resp);
	a = write_context_of(&resp, &good, sizeof(good.req));
	a.attr[0].len = 4;
	probe_write_context(w, &a, "short-in", &resp);
	a = write_context_of(&resp, &good, sizeof(good.req));
	a.attr[1].len = 4;
	probe_write_context(w, &a, "short-out", &resp);
	a = write_context_of(&resp, &good, sizeof(good.req));
	a.attr[1].data = (uintptr_t)ask_nowhere();
	probe_write_context(w, &a, "out nowhere", &resp);
}

void probe_contexts(const struct world *w)
{
	struct ask a = context_of(NULL, 0);

	probe_requests(w);
	probe_fd_arrays(w);
	probe_write_contexts(w);
	say_answer(ask_send(&a, w->no_devx), SAY_NO_STATUS, "context twice");
	a = context_of(NULL, 0);
	a.hdr.num_attrs = 2;
	probe_new_file(w, &a, "without-a-request");
	a = context_of(NULL, 0);
	a.hdr.num_attrs = 3;
	probe_new_file(w, &a, "without-a-response");
	a = context_of(NULL, 0);
	a.attr[3].len = 4;
	probe_new_file(w, &a, "with-a-short-response");
	a = context_of(NULL, 0);
	a.attr[3].data = (uintptr_t)ask_nowhere();
	probe_new_file(w, &a, "with-a-response nowhere");
	a = context_of(NULL, 0);
	a.attr[0].data = (uintptr_t)ask_nowhere();
	probe_new_file(w, &a, "with-vectors nowhere");
	a = context_of(NULL, 0);
	a.attr[0].len = 8;
	probe_new_file(w, &a, "with-vectors longer");
}
