/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts.h"

#include <errno.h>
#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "devx/cmd.h"

bool facts_open(struct adapter *at, char *why, size_t bytes)
{
	bool ethernet = false;
	int rc = devx_dev_open(&at->dev, at->ibdev);

	if (rc) {
		devx_strerror(&at->dev, rc, why, bytes);
		return false;
	}
	at->ibdev = at->dev.ibdev;
	rc = devx_port_query_ethernet(&at->dev, &ethernet);
	if (!rc && !ethernet) {
		snprintf(why, bytes,
			 "%s: the link layer is InfiniBand (valid: Ethernet); "
			 "name another device",
			 at->ibdev);
		return false;
	}
	rc = rc ? rc : devx_port_query(&at->dev, &at->port);
	if (rc) {
		devx_strerror(&at->dev, rc, why, bytes);
		return false;
	}
	rc = devx_dev_open(&at->second, at->ibdev);
	if (rc)
		devx_strerror(&at->second, rc, why, bytes);
	return !rc;
}

void facts_close(struct adapter *at)
{
	devx_dev_close(&at->second);
	devx_dev_close(&at->dev);
}

static bool has_net_raw(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	return !syscall(SYS_capget, &head, data) && data[0].effective >> CAP_NET_RAW & 1;
}

bool facts_are_ready(struct adapter *at, char *why, size_t bytes)
{
	struct rlimit limit = { 0 };
	struct finding f = { 0 };
	struct rig rig = { 0 };
	const bool ready = rig_prepare_send(&rig, at, &f);

	rig_destroy(&rig);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (!at->port.up)
		snprintf(why, bytes,
			 "%s: the link is down; connect a cable, and run `ip link set "
			 "%s up`",
			 at->ibdev, at->dev.netdev[0] ? at->dev.netdev : "NETDEV");
	else if (!ready && at->dev.refusal.rc == -ENOMEM)
		snprintf(why, bytes,
			 "%s: RLIMIT_MEMLOCK of %llu KiB is too small; run `ulimit -l "
			 "unlimited`",
			 at->ibdev, (unsigned long long)limit.rlim_cur / 1024);
	else if (!ready)
		snprintf(why, bytes, "%s: cannot create a send queue%s: %s", at->ibdev,
			 has_net_raw() ? "" : " (this process has no CAP_NET_RAW; run as root)",
			 f.text);
	return ready && at->port.up;
}

/* Every netdev has a link-local address of IPv6, which does not mean that somebody uses it. */
static bool is_used_address(const struct sockaddr *a)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)a;

	if (a && a->sa_family == AF_INET)
		return true;
	return a && a->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr);
}

bool facts_is_in_use(const struct adapter *at, char *why, size_t bytes)
{
	struct ifaddrs *list = NULL;
	bool used = false;

	if (!at->dev.netdev[0] || getifaddrs(&list))
		return false;
	for (const struct ifaddrs *a = list; a; a = a->ifa_next)
		used |= !strcmp(a->ifa_name, at->dev.netdev) && is_used_address(a->ifa_addr);
	freeifaddrs(list);
	if (used)
		snprintf(why, bytes,
			 "%s: its netdev %s has an IP address, so it may be in use "
			 "(valid: no address); name another port, or pass --yes",
			 at->ibdev, at->dev.netdev);
	return used;
}

static void print_board(struct adapter *at)
{
	struct prm_query_adapter_in in = { 0 };
	struct prm_query_adapter_out out = { 0 };
	const struct prm_query_adapter_param_block *block = prm_sub(&out, query_adapter_struct);

	prm_set(&in, opcode, PRM_OP_query_adapter);
	if (devx_cmd_general(&at->dev, &in, sizeof(in), &out, sizeof(out)))
		printf("PSID: unknown\n");
	else
		printf("PSID: %.16s\n", (const char *)prm_bytes(block, vsd_contd_psid));
}

static void print_mask(const char *name, const uint64_t mask[4])
{
	printf("%s: 0x", name);
	for (int i = 3; i >= 0; i--)
		printf("%016" PRIx64, mask[i]);
	printf("\n");
}

/* Prints the events that users may subscribe to, if the device has masks of them. */
static void print_event_masks(struct adapter *at)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_query_hca_cap_out out = { 0 };
	const void *page = &out.dw[prm_bit(&out, capability) / 32];
	const struct prm_device_event_cap *c = page;
	uint64_t of_objects[4], of_device[4];

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_PAGE_DEV_EVENT << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	if (devx_cmd_general(&at->dev, &in, sizeof(in), &out, sizeof(out))) {
		printf("event masks: none\n");
		return;
	}
	for (size_t i = 0; i < prm_count(c, user_affiliated_events); i++) {
		of_objects[i] = prm_get_at(c, user_affiliated_events, i);
		of_device[i] = prm_get_at(c, user_unaffiliated_events, i);
	}
	print_mask("user_affiliated_events", of_objects);
	print_mask("user_unaffiliated_events", of_device);
}

void facts_print(struct adapter *at)
{
	struct ibv_device_attr attr = { .vendor_part_id = 0 };
	struct utsname system = { 0 };

	uname(&system);
	printf("kernel: %s %s\n", system.release, system.machine);
	printf("device: %s\n", at->ibdev);
	printf("PCI address: %s\n", at->dev.pci[0] ? at->dev.pci : "none");
	if (!ibv_query_device(at->dev.ctx, &attr))
		printf("PCI device: 0x%04x\n", attr.vendor_part_id);
	printf("virtual function: %s\n", devx_dev_is_vf(&at->dev) ? "yes" : "no");
	printf("firmware: %s\n", at->dev.fw_version);
	print_board(at);
	printf("speed: %u Mbit/s\n", at->port.speed_mbps);
	printf("min_wqe_inline_mode: %u\n", at->port.min_inline);
	print_event_masks(at);
}
