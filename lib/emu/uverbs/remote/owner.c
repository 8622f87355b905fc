/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/owner.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/remote/describe.h"

static int owner_sock = -1;

bool uv_owner_is_connected(void)
{
	return owner_sock >= 0;
}

void uv_owner_drop(void)
{
	if (owner_sock >= 0)
		uv_real_close(owner_sock);
	owner_sock = -1;
}

void uv_owner_use(int sock)
{
	uv_owner_drop();
	owner_sock = sock;
}

int uv_owner_connect(void)
{
	int sock;

	if (uv_owner_is_connected())
		return 0;
	if (uv_front.adapter)
		return -EIO; /* the old owner has ended; this process is the owner now */
	sock = uv_place_connect();
	if (sock < 0)
		return -EIO;
	uv_owner_use(sock);
	return 0;
}

/*
 * Waits for the answer to a request. Meanwhile answers the owner's questions about memory of this
 * process. Return: 0, or -errno if the connection is broken
 */
static int await_answer(struct uv_rpc *m)
{
	enum { MAX_ERRNO = 4095 };
	int rc;

	do {
		rc = uv_rpc_receive(owner_sock, m);
		if (rc)
			return rc;
		if ((m->kind == UV_RPC_ANSWER || m->kind == UV_RPC_REFUSAL) && m->rc <= 0 &&
		    m->rc >= -MAX_ERRNO)
			return 0;
		if (m->kind != UV_RPC_DESCRIBE)
			return -EPIPE;
		uv_describe_memory(m);
		rc = uv_rpc_send(owner_sock, m);
		uv_rpc_clear(m);
	} while (!rc);
	return rc;
}

int uv_owner_call(const struct uv_rpc *m, struct uv_rpc *answer)
{
	int rc = -EPIPE;

	memset(answer, 0, sizeof(*answer));
	if (uv_owner_is_connected()) {
		/* A failed send may have an answer: the owner sends REFUSAL before it closes. */
		if (uv_rpc_send(owner_sock, m))
			shutdown(owner_sock, SHUT_WR);
		rc = await_answer(answer);
	}
	if (rc) {
		uv_rpc_clear(answer);
		memset(answer, 0, sizeof(*answer));
		answer->rc = -EIO;
	}
	if (rc || answer->kind == UV_RPC_REFUSAL)
		uv_owner_drop();
	return answer->rc;
}
