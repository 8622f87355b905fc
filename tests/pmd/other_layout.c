/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include <rte_eal.h>

/*
 * To be preloaded into a secondary process: makes it a process of another version of net_devx. The
 * first field of each request of net_devx is the number of its layout (process/devx_message.h).
 */

__attribute__((visibility("default"))) int rte_mp_request_sync(struct rte_mp_msg *request,
							       struct rte_mp_reply *reply,
							       const struct timespec *timeout)
{
	int (*const send)(struct rte_mp_msg *, struct rte_mp_reply *, const struct timespec *) =
		(int (*)(struct rte_mp_msg *, struct rte_mp_reply *, const struct timespec *))dlsym(
			RTLD_NEXT, "rte_mp_request_sync");
	uint32_t layout;

	if (!strcmp(request->name, "net_devx")) {
		memcpy(&layout, request->param, sizeof(layout));
		layout += 1000;
		memcpy(request->param, &layout, sizeof(layout));
	}
	return send(request, reply, timeout);
}
