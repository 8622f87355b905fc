/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"
#include "devx/netdev.h"
#include "devx_rig.h"
#include "needs_emu.h"

/* What is refused before anybody is asked: no ioctl, an object all zero, a line that helps. */

static struct devx_rig *rig; /* the fixture's */

struct bad {
	const char *name;
	int rc;
	const char *says;
	int (*create)(void *object);
};

#define BAD(name_) static int name_(CT_UNUSED void *o)

BAD(cq_too_large)
{
	return devx_cq_create(o, &rig->dev,
			      &(struct devx_cq_attr){ .log2_n = 25, .uar = &rig->uar });
}
BAD(cq_far_too_large)
{
	return devx_cq_create(o, &rig->dev,
			      &(struct devx_cq_attr){ .log2_n = 255, .uar = &rig->uar });
}
BAD(cq_without_uar)
{
	return devx_cq_create(o, &rig->dev, &(struct devx_cq_attr){ .log2_n = 5 });
}
BAD(cq_vector)
{
	return devx_cq_create(o, &rig->dev, &(struct devx_cq_attr){
		.log2_n = 5, .uar = &rig->uar, .vector = 100000 });
}
BAD(sq_too_large)
{
	return devx_sq_create(o, &rig->dev, &(struct devx_sq_attr){
		.log2_n = 16, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar });
}
BAD(sq_without_cq)
{
	return devx_sq_create(o, &rig->dev, &(struct devx_sq_attr){
		.log2_n = 5, .tis = &rig->tis, .uar = &rig->uar });
}
BAD(sq_without_tis)
{
	return devx_sq_create(o, &rig->dev, &(struct devx_sq_attr){
		.log2_n = 5, .cq = &rig->send_cq, .uar = &rig->uar });
}
BAD(sq_without_uar)
{
	return devx_sq_create(o, &rig->dev, &(struct devx_sq_attr){
		.log2_n = 5, .cq = &rig->send_cq, .tis = &rig->tis });
}
BAD(sq_inline_mode)
{
	return devx_sq_create(o, &rig->dev, &(struct devx_sq_attr){
		.log2_n = 5, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar,
		.inline_mode = 4 });
}
BAD(rq_too_large)
{
	return devx_rq_create(o, &rig->dev, &(struct devx_rq_attr){
		.log2_n = 16, .cq = &rig->recv_cq, .keep_vlan = true });
}
BAD(rq_too_many_segments)
{
	return devx_rq_create(o, &rig->dev, &(struct devx_rq_attr){
		.log2_n = 5, .log2_segs = 6, .cq = &rig->recv_cq, .keep_vlan = true });
}
BAD(rq_without_cq)
{
	return devx_rq_create(o, &rig->dev,
			      &(struct devx_rq_attr){ .log2_n = 5, .keep_vlan = true });
}
BAD(rq_counter_of_nobody)
{
	static const struct devx_counter none;

	return devx_rq_create(o, &rig->dev, &(struct devx_rq_attr){
		.log2_n = 5, .cq = &rig->recv_cq, .counter = &none, .keep_vlan = true });
}
BAD(rqt_of_three)
{
	return devx_rqt_create(o, &rig->dev, (uint32_t[]){ 1, 2, 3 }, 3);
}
BAD(rqt_of_none)
{
	return devx_rqt_create(o, &rig->dev, &rig->rq.rqn, 0);
}
BAD(rqt_too_large)
{
	return devx_rqt_create(o, &rig->dev, &rig->rq.rqn, 1u << 31);
}
BAD(rqt_null)
{
	return devx_rqt_create(o, &rig->dev, NULL, 1);
}
BAD(tis_without_td)
{
	return devx_tis_create(o, &rig->dev, NULL);
}
BAD(tir_without_td)
{
	return devx_tir_create(o, &rig->dev, &(struct devx_tir_attr){ .rq = &rig->rq });
}
BAD(tir_without_rq)
{
	return devx_tir_create(o, &rig->dev, &(struct devx_tir_attr){ .td = &rig->td });
}
BAD(tir_with_both)
{
	return devx_tir_create(o, &rig->dev,
			       &(struct devx_tir_attr){ .td = &rig->td,
							.rq = &rig->rq,
							.rqt = &rig->rqt,
							.fields = DEVX_HASH_SRC_IP });
}
BAD(tir_direct_with_hash)
{
	return devx_tir_create(o, &rig->dev, &(struct devx_tir_attr){
		.td = &rig->td, .rq = &rig->rq, .fields = DEVX_HASH_SRC_IP });
}
BAD(tir_hash_without_fields)
{
	return devx_tir_create(o, &rig->dev,
			       &(struct devx_tir_attr){ .td = &rig->td, .rqt = &rig->rqt });
}
BAD(tir_hash_unknown_field)
{
	return devx_tir_create(o, &rig->dev, &(struct devx_tir_attr){
		.td = &rig->td, .rqt = &rig->rqt, .fields = 1u << 30 });
}
BAD(rule_priority)
{
	return devx_flow_create(o, &rig->dev, &(struct devx_match){0}, 16, &rig->tir);
}
BAD(rule_without_tir)
{
	return devx_flow_create(o, &rig->dev, &(struct devx_match){0}, 0, NULL);
}
BAD(rule_mac_outside_mask)
{
	return devx_flow_create(o, &rig->dev,
				&(struct devx_match){ .dmac = { 3 }, .dmac_mask = { 1 } }, 0,
				&rig->tir);
}
BAD(rule_vid)
{
	return devx_flow_create(o, &rig->dev, &(struct devx_match){ .vlan = true, .vid = 4096 },
				0, &rig->tir);
}
BAD(rule_ip_version)
{
	return devx_flow_create(o, &rig->dev, &(struct devx_match){ .ip_version = 5 }, 0,
				&rig->tir);
}
BAD(rule_protocol_of_no_version)
{
	return devx_flow_create(o, &rig->dev, &(struct devx_match){ .ip_protocol = 17 }, 0,
				&rig->tir);
}
BAD(mr_null)
{
	return devx_mr_create(o, &rig->dev, NULL, 4096);
}
BAD(mr_empty)
{
	return devx_mr_create(o, &rig->dev, rig->memory, 0);
}
BAD(mr_wraps)
{
	return devx_mr_create(o, &rig->dev, rig->memory, SIZE_MAX);
}
BAD(dmabuf_of_no_file)
{
	return devx_mr_create_dmabuf(o, &rig->dev, -1, 0, 4096, 0);
}
BAD(dmabuf_iova_off_page)
{
	return devx_mr_create_dmabuf(o, &rig->dev, 0, 0, 4096, 64);
}
BAD(buf_empty)
{
	return devx_buf_create(o, &rig->dev, 0);
}
BAD(buf_too_large)
{
	return devx_buf_create(o, &rig->dev, SIZE_MAX);
}
BAD(uar_type)
{
	return devx_uar_create(o, &rig->dev, (enum devx_uar_type)2);
}
BAD(mtu_67)
{
	return devx_netdev_set_mtu(&rig->dev, 67);
}
BAD(mtu_65536)
{
	return devx_netdev_set_mtu(&rig->dev, 65536);
}
BAD(mac_multicast)
{
	return devx_netdev_set_mac(&rig->dev, (uint8_t[]){ 1, 0, 0, 0, 0, 1 });
}
BAD(mac_zero)
{
	return devx_netdev_set_mac(&rig->dev, (uint8_t[]){ 0, 0, 0, 0, 0, 0 });
}

#define ROW(name_, rc_, says_) { #name_, rc_, says_, name_ }
static const struct bad bads[] = {
	ROW(cq_too_large, -EINVAL, "2^25 entries"),
	ROW(cq_far_too_large, -EINVAL, "2^255 entries"),
	ROW(cq_without_uar, -EINVAL, "no UAR"),
	ROW(cq_vector, -EINVAL, "vector 100000"),
	ROW(sq_too_large, -EINVAL, "2^16 basic blocks"),
	ROW(sq_without_cq, -EINVAL, "no CQ"),
	ROW(sq_without_tis, -EINVAL, "no TIS"),
	ROW(sq_without_uar, -EINVAL, "no UAR"),
	ROW(sq_inline_mode, -EINVAL, "inline mode 4"),
	ROW(rq_too_large, -EINVAL, "2^16 entries"),
	ROW(rq_too_many_segments, -EINVAL, "2^6 segments"),
	ROW(rq_without_cq, -EINVAL, "no CQ"),
	ROW(rq_counter_of_nobody, -EINVAL, "counter"),
	ROW(rqt_of_three, -EINVAL, "power of two"),
	ROW(rqt_of_none, -EINVAL, "power of two"),
	ROW(rqt_too_large, -EINVAL, "power of two up to"),
	ROW(rqt_null, -EINVAL, "no RQs"),
	ROW(tis_without_td, -EINVAL, "no transport domain"),
	ROW(tir_without_td, -EINVAL, "no transport domain"),
	ROW(tir_without_rq, -EINVAL, "either an RQ or an RQT"),
	ROW(tir_with_both, -EINVAL, "either an RQ or an RQT"),
	ROW(tir_direct_with_hash, -EINVAL, "need an RQT"),
	ROW(tir_hash_without_fields, -EINVAL, "hash fields"),
	ROW(tir_hash_unknown_field, -EINVAL, "hash fields"),
	ROW(rule_priority, -EINVAL, "priority 16"),
	ROW(rule_without_tir, -EINVAL, "no TIR"),
	ROW(rule_mac_outside_mask, -EINVAL, "outside its mask"),
	ROW(rule_vid, -EINVAL, "VLAN 4096"),
	ROW(rule_ip_version, -EINVAL, "IP version 5"),
	ROW(rule_protocol_of_no_version, -EINVAL, "needs an IP version"),
	ROW(mr_null, -EINVAL, "no range"),
	ROW(mr_empty, -EINVAL, "no range"),
	ROW(mr_wraps, -EINVAL, "no range"),
	ROW(dmabuf_of_no_file, -EINVAL, "fd -1"),
	ROW(dmabuf_iova_off_page, -EINVAL, "within a page"),
	ROW(buf_empty, -EINVAL, "0 bytes"),
	ROW(buf_too_large, -EINVAL, "1 to 2^31"),
	ROW(uar_type, -EINVAL, "type 2"),
	ROW(mtu_67, -EINVAL, "68 to 65535"),
	ROW(mtu_65536, -EINVAL, "68 to 65535"),
	ROW(mac_multicast, -EINVAL, "neither multicast"),
	ROW(mac_zero, -EINVAL, "nor all zero"),
};

static uint64_t n_ioctls(void)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters c = {0};

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c.ioctls;
}

FIXTURE(args) {
	struct devx_rig rig;
};

FIXTURE_SETUP(args)
{
	rig = &self->rig;
	ASSERT_EQ(0, devx_rig_up(rig));
}

FIXTURE_TEARDOWN(args)
{
	devx_rig_down(&self->rig);
	rig = NULL;
}

TEST_F_EACH(args, are_refused_before_anybody_is_asked, struct bad, bads)
{
	static const uint8_t zero[1024];
	uint8_t object[sizeof(zero)] __attribute__((aligned(16))) = {0};
	const uint64_t before = n_ioctls();
	char line[DEVX_TEXT_BYTES];

	EXPECT_EQ(row->rc, row->create(object));
	EXPECT_EQ(before, n_ioctls());
	EXPECT_MEMEQ(zero, object, sizeof(object));
	EXPECT_SUBSTR(row->says, devx_strerror(&rig->dev, row->rc, line, sizeof(line)));
}
