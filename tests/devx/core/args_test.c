/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx/dmabuf.h"
#include "devx/netdev.h"
#include "devx_rig.h"
#include "needs_emu.h"

/*
 * Invalid arguments that functions of lib/devx refuse without an ioctl: the object stays zero, and
 * the message names the value. One table per function.
 */

static struct devx_rig rig; /* static, so that tables can point to its objects */

FIXTURE(args)
{
	uint64_t ioctls; /* number of ioctls before the call */
};

static uint64_t count_ioctls(void)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters c = { 0 };

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c.ioctls;
}

FIXTURE_SETUP(args)
{
	ASSERT_EQ(0, devx_rig_up(&rig));
	self->ioctls = count_ioctls();
}

FIXTURE_TEARDOWN(args)
{
	devx_rig_down(&rig);
}

/* @rc: return value of the call; @object: object that it should create, or NULL */
static void expect_refused(const struct ct_fix_args *self, const char *says, int rc,
			   const void *object, size_t bytes)
{
	static const uint8_t zero[1024];

	EXPECT_EQ(self->ioctls, count_ioctls());
	devx_rig_expect_error(&rig.dev, -EINVAL, says, rc);
	ASSERT_LE(bytes, sizeof(zero));
	if (object)
		EXPECT_MEMEQ(zero, object, bytes);
}

static const struct bad_cq {
	const char *name;
	struct devx_cq_attr attr;
	const char *says;
} bad_cqs[] = {
	{ "too_large", { .log2_n = 25, .uar = &rig.uar }, "2^25 entries" },
	{ "far_too_large", { .log2_n = 255, .uar = &rig.uar }, "2^255 entries" },
	{ "no_uar", { .log2_n = 5 }, "no UAR" },
	{ "vector", { .log2_n = 5, .uar = &rig.uar, .vector = 100000 }, "vector 100000" },
};

TEST_F_EACH(args, cq_create_refuses, struct bad_cq, bad_cqs)
{
	struct devx_cq cq = { 0 };
	const int rc = devx_cq_create(&cq, &rig.dev, &row->attr);

	expect_refused(self, row->says, rc, &cq, sizeof(cq));
}

static const struct bad_sq {
	const char *name;
	struct devx_sq_attr attr;
	const char *says;
} bad_sqs[] = {
	{ "too_large",
	  { .log2_n = 16, .cq = &rig.send_cq, .tis = &rig.tis, .uar = &rig.uar },
	  "2^16 basic blocks" },
	{ "no_cq", { .log2_n = 5, .tis = &rig.tis, .uar = &rig.uar }, "no CQ" },
	{ "no_tis", { .log2_n = 5, .cq = &rig.send_cq, .uar = &rig.uar }, "no TIS" },
	{ "no_uar", { .log2_n = 5, .cq = &rig.send_cq, .tis = &rig.tis }, "no UAR" },
	{ "inline_mode",
	  { .log2_n = 5, .cq = &rig.send_cq, .tis = &rig.tis, .uar = &rig.uar, .inline_mode = 4 },
	  "inline mode 4" },
};

TEST_F_EACH(args, sq_create_refuses, struct bad_sq, bad_sqs)
{
	struct devx_sq sq = { 0 };
	const int rc = devx_sq_create(&sq, &rig.dev, &row->attr);

	expect_refused(self, row->says, rc, &sq, sizeof(sq));
}

static const struct devx_counter no_counter;

static const struct bad_rq {
	const char *name;
	struct devx_rq_attr attr;
	const char *says;
} bad_rqs[] = {
	{ "too_large", { .log2_n = 16, .cq = &rig.recv_cq, .keep_vlan = true }, "2^16 entries" },
	{ "too_many_segments",
	  { .log2_n = 5, .log2_segs = 6, .cq = &rig.recv_cq, .keep_vlan = true },
	  "2^6 segments" },
	{ "no_cq", { .log2_n = 5, .keep_vlan = true }, "no CQ" },
	{ "counter_not_created",
	  { .log2_n = 5, .cq = &rig.recv_cq, .counter = &no_counter, .keep_vlan = true },
	  "counter" },
};

TEST_F_EACH(args, rq_create_refuses, struct bad_rq, bad_rqs)
{
	struct devx_rq rq = { 0 };
	const int rc = devx_rq_create(&rq, &rig.dev, &row->attr);

	expect_refused(self, row->says, rc, &rq, sizeof(rq));
}

static const uint32_t three[] = { 1, 2, 3 };

static const struct bad_rqt {
	const char *name;
	const uint32_t *rqns;
	uint32_t n, n_max;
	const char *says;
} bad_rqts[] = {
	{ "three_entries", three, 3, 4, "RQT: 3 entries" },
	{ "no_entries", &rig.rq.rqn, 0, 1, "RQT: 0 entries" },
	{ "more_than_the_largest_number", three, 2, 1, "at most 1)" },
	{ "largest_number_is_too_large", &rig.rq.rqn, 1, 1u << 31, "RQT: a maximum of 2147483648" },
	{ "largest_number_is_no_power_of_two", &rig.rq.rqn, 1, 3, "RQT: a maximum of 3" },
	{ "null", NULL, 1, 1, "NULL" },
};

TEST_F_EACH(args, rqt_create_refuses, struct bad_rqt, bad_rqts)
{
	struct devx_rqt rqt = { 0 };
	const int rc = devx_rqt_create(&rqt, &rig.dev, row->rqns, row->n, row->n_max);

	expect_refused(self, row->says, rc, &rqt, sizeof(rqt));
}

TEST_F(args, tis_create_refuses_missing_transport_domain)
{
	struct devx_tis tis = { 0 };
	const int rc = devx_tis_create(&tis, &rig.dev, NULL);

	expect_refused(self, "no transport domain", rc, &tis, sizeof(tis));
}

static const struct bad_tir {
	const char *name;
	struct devx_tir_attr attr;
	const char *says;
} bad_tirs[] = {
	{ "no_td", { .rq = &rig.rq }, "no transport domain" },
	{ "neither_rq_nor_rqt", { .td = &rig.td }, "exactly one" },
	{ "rq_and_rqt",
	  { .td = &rig.td, .rq = &rig.rq, .rqt = &rig.rqt, .fields = PRM_HASH_FIELD_SEL_SRC_IP },
	  "exactly one" },
	{ "direct_with_fields",
	  { .td = &rig.td, .rq = &rig.rq, .fields = PRM_HASH_FIELD_SEL_SRC_IP },
	  "without an RQT" },
	{ "unknown_field", { .td = &rig.td, .rqt = &rig.rqt, .fields = 1u << 30 }, "hash fields" },
};

TEST_F_EACH(args, tir_create_refuses, struct bad_tir, bad_tirs)
{
	struct devx_tir tir = { 0 };
	const int rc = devx_tir_create(&tir, &rig.dev, &row->attr);

	expect_refused(self, row->says, rc, &tir, sizeof(tir));
}

static const struct bad_rule {
	const char *name;
	struct devx_match match;
	uint16_t prio;
	const struct devx_tir *tir;
	const char *says;
} bad_rules[] = {
	{ "priority", { .vlan = false }, 16, &rig.tir, "priority 16" },
	{ "no_tir", { .vlan = false }, 0, NULL, "no TIR" },
	{ "mac_outside_mask",
	  { .dmac = { 3 }, .dmac_mask = { 1 } },
	  0,
	  &rig.tir,
	  "outside dmac_mask" },
	{ "vid", { .vlan = true, .vid = 4096 }, 0, &rig.tir, "VLAN 4096" },
	{ "ip_version", { .ip_version = 5 }, 0, &rig.tir, "IP version 5" },
	{ "protocol_without_version", { .ip_protocol = 17 }, 0, &rig.tir, "without ip_version" },
};

TEST_F_EACH(args, flow_create_refuses, struct bad_rule, bad_rules)
{
	struct devx_flow_rule rule = { 0 };
	const int rc = devx_flow_create(&rule, &rig.dev, &row->match, row->prio, row->tir);

	expect_refused(self, row->says, rc, &rule, sizeof(rule));
}

static uint8_t memory[64];

static const struct bad_mr {
	const char *name;
	void *addr;
	size_t bytes;
} bad_mrs[] = {
	{ "null", NULL, 4096 },
	{ "empty", memory, 0 },
	{ "wrapping_range", memory, SIZE_MAX },
};

TEST_F_EACH(args, mr_create_refuses, struct bad_mr, bad_mrs)
{
	struct devx_mr mr = { 0 };
	const int rc = devx_mr_create(&mr, &rig.dev, row->addr, row->bytes);

	expect_refused(self, "memory region", rc, &mr, sizeof(mr));
}

static const struct bad_dmabuf {
	const char *name;
	struct devx_dmabuf part;
	const char *says;
} bad_dmabufs[] = {
	{ "no_file", { .fd = -1, .bytes = 4096 }, "fd -1" },
	{ "empty", { .bytes = 0 }, "0 bytes" },
	{ "wrapping_offset", { .offset = UINT64_MAX, .bytes = 2 }, "no wrap" },
	{ "wrapping_iova", { .iova = UINT64_MAX, .bytes = 2 }, "no wrap" },
	{ "iova_off_page", { .bytes = 4096, .iova = 64 }, "within a page" },
	{ "unknown_access", { .bytes = 4096, .access = 4 }, "access 0x4" },
	{ "no_file_for_data_direct",
	  { .fd = -1, .bytes = 4096, .access = DEVX_DMABUF_DATA_DIRECT },
	  "fd -1" },
};

TEST_F_EACH(args, mr_create_dmabuf_refuses, struct bad_dmabuf, bad_dmabufs)
{
	struct devx_mr mr = { 0 };
	const int rc = devx_mr_create_dmabuf(&mr, &rig.dev, &row->part);

	expect_refused(self, row->says, rc, &mr, sizeof(mr));
}

enum { PAGE = 4096 };
static uint8_t pages[3 * PAGE] __attribute__((aligned(PAGE)));

static const struct bad_buf {
	const char *name;
	size_t bytes;
	struct devx_ring_mem mem;
	const char *says;
} bad_bufs[] = {
	{ "empty", 0, { 0 }, "0 bytes" },
	{ "too_large", SIZE_MAX, { 0 }, "1 to 2^31" },
	{ "unaligned_memory", PAGE, { pages + 64, 2 * PAGE }, "at a multiple of 4096" },
	{ "memory_of_a_part_of_a_page", PAGE, { pages, 2 * PAGE + 64 }, "whole pages" },
	{ "memory_without_room_for_the_record", PAGE, { pages, PAGE }, "at least 8192" },
	{ "empty_memory", PAGE, { pages, 0 }, "0 bytes at" },
};

TEST_F_EACH(args, buf_create_refuses, struct bad_buf, bad_bufs)
{
	struct devx_buf buf = { 0 };
	const int rc = devx_buf_create(&buf, &rig.dev, row->bytes, &row->mem);

	expect_refused(self, row->says, rc, &buf, sizeof(buf));
}

TEST_F(args, uar_create_refuses_an_unknown_type)
{
	struct devx_uar uar = { 0 };
	const int rc = devx_uar_create(&uar, &rig.dev, (enum devx_uar_type)3);

	expect_refused(self, "type 3", rc, &uar, sizeof(uar));
}

static const struct bad_mtu {
	const char *name;
	uint32_t mtu;
} bad_mtus[] = {
	{ "67", 67 },
	{ "65536", 65536 },
};

TEST_F_EACH(args, netdev_set_mtu_refuses, struct bad_mtu, bad_mtus)
{
	expect_refused(self, "68 to 65535", devx_netdev_set_mtu(&rig.dev, row->mtu), NULL, 0);
}

static const struct bad_mac {
	const char *name;
	uint8_t mac[6];
	const char *says;
} bad_macs[] = {
	{ "multicast", { 1, 0, 0, 0, 0, 1 }, "01:00:00:00:00:01" },
	{ "zero", { 0 }, "00:00:00:00:00:00" },
};

TEST_F_EACH(args, netdev_set_mac_refuses, struct bad_mac, bad_macs)
{
	expect_refused(self, row->says, devx_netdev_set_mac(&rig.dev, row->mac), NULL, 0);
}
