/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <linux/udmabuf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"
#include "rights.h"

FIXTURE(object) {
	struct devx_rig rig;
};

FIXTURE_SETUP(object)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(object)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

static uint64_t n_objects(enum devx_emu_object type)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters c = {0};

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c.objects[type];
}

TEST_F(object, numbers_are_what_the_device_counts)
{
	NEEDS_EMU("to count");
	EXPECT_EQ(2, n_objects(DEVX_EMU_TD)); /* the kernel gives each context one */
	EXPECT_EQ(1, n_objects(DEVX_EMU_TIS));
	EXPECT_EQ(2, n_objects(DEVX_EMU_CQ));
	EXPECT_EQ(1, n_objects(DEVX_EMU_SQ));
	EXPECT_EQ(1, n_objects(DEVX_EMU_RQ));
	EXPECT_EQ(1, n_objects(DEVX_EMU_RQT));
	EXPECT_EQ(1, n_objects(DEVX_EMU_TIR));
	EXPECT_EQ(1, n_objects(DEVX_EMU_Q_COUNTER));
	EXPECT_EQ(4, n_objects(DEVX_EMU_UMEM));
	devx_rig_down(&self->rig);
	for (int i = 0; i < DEVX_EMU_N_OBJECTS; i++) {
		SCOPED_TRACE("type %d", i);
		EXPECT_EQ(0, n_objects(i));
	}
}

TEST_F(object, destroying_nothing_is_nothing)
{
	struct devx_rig none = {0};

	devx_rig_down(&none);
	EXPECT_EQ(0, none.dev.n_stuck);
}

TEST_F(object, queue_memory_is_page_aligned_with_the_record_behind_it)
{
	struct devx_buf buf = {0};

	ASSERT_EQ(0, devx_buf_create(&buf, &self->rig.dev, 100));
	EXPECT_EQ(0, (uintptr_t)buf.addr % (uintptr_t)sysconf(_SC_PAGESIZE));
	EXPECT_EQ(128, buf.dbrec_offset);
	EXPECT_EQ((char *)buf.addr + 128, (char *)buf.dbrec);
	EXPECT_NE(0, buf.umem_id);
	devx_buf_destroy(&buf);
}

/* A CQ that is only polled is to have no event when another one of its UAR is armed. */
TEST_F(object, new_cq_is_marked_as_not_armed)
{
	struct devx_cq cq = {0};

	ASSERT_EQ(0, devx_cq_create(&cq, &self->rig.dev,
				    &(struct devx_cq_attr){ .uar = &self->rig.uar }));
	EXPECT_EQ(PRM_CQ_ARM_SN_NONE << PRM_CQ_ARM_SN_SHIFT,
		  prm_be32_get(cq.dbrec[PRM_DBR_CQ_ARM]));
	devx_cq_destroy(&cq);
}

TEST_F(object, smallest_and_largest_queues)
{
	const struct devx_caps *caps = &self->rig.dev.caps;
	struct devx_cq small = {0}, large = {0};
	struct devx_sq sq = {0};
	struct devx_rq rq = {0};
	const uint8_t wq = caps->log_max_wq_sz < 15 ? caps->log_max_wq_sz : 15;
	const uint8_t most = caps->log_max_cq_sz < 16 ? caps->log_max_cq_sz : 16;

	EXPECT_EQ(0, devx_cq_create(&small, &self->rig.dev,
				    &(struct devx_cq_attr){ .uar = &self->rig.uar }));
	EXPECT_EQ(0, devx_cq_create(&large, &self->rig.dev, &(struct devx_cq_attr){
		.log2_n = most, .uar = &self->rig.uar }));
	EXPECT_EQ(0, devx_sq_create(&sq, &self->rig.dev, &(struct devx_sq_attr){
		.log2_n = wq, .cq = &large, .tis = &self->rig.tis, .uar = &self->rig.uar }));
	EXPECT_EQ(0, devx_rq_create(&rq, &self->rig.dev, &(struct devx_rq_attr){
		.log2_n = wq, .log2_segs = 2, .cq = &large, .keep_vlan = true }));
	devx_rq_destroy(&rq);
	devx_sq_destroy(&sq);
	devx_cq_destroy(&large);
	devx_cq_destroy(&small);
}

TEST_F(object, cq_of_more_than_the_device_takes_is_refused_with_its_limit)
{
	struct devx_cq cq = {0};
	char line[DEVX_TEXT_BYTES];

	self->rig.dev.caps.log_max_cq_sz = 6;
	EXPECT_EQ(-EINVAL, devx_cq_create(&cq, &self->rig.dev, &(struct devx_cq_attr){
		.log2_n = 7, .uar = &self->rig.uar }));
	EXPECT_SUBSTR("to 2^6", devx_strerror(&self->rig.dev, -EINVAL, line, sizeof(line)));
}

TEST_F(object, two_blueflame_registers_are_two)
{
	struct devx_uar other = {0};

	ASSERT_EQ(0, devx_uar_create(&other, &self->rig.dev, DEVX_UAR_BF));
	EXPECT_NE(self->rig.uar.reg, other.reg);
	EXPECT_FALSE(other.shared);
	EXPECT_FALSE(other.nc);
	devx_uar_destroy(&other);
}

TEST_F(object, non_cached_page_is_one_and_says_so)
{
	struct devx_uar a = {0}, b = {0};

	ASSERT_EQ(0, devx_uar_create(&a, &self->rig.dev, DEVX_UAR_NC));
	ASSERT_EQ(0, devx_uar_create(&b, &self->rig.dev, DEVX_UAR_NC));
	EXPECT_EQ(a.reg, b.reg);
	EXPECT_TRUE(a.shared);
	EXPECT_TRUE(a.nc);
	devx_uar_destroy(&b);
	devx_uar_destroy(&a);
}

static const struct inlining {
	const char *name;
	uint8_t cap, asked, want; /* want: at least */
} inlinings[] = {
	{ "not_required", DEVX_INLINE_CAP_NONE, 0, 0 },
	{ "asked_for", DEVX_INLINE_CAP_NONE, 2, 2 },
	{ "l2_demanded", DEVX_INLINE_CAP_L2, 0, 1 },
	{ "more_asked_than_demanded", DEVX_INLINE_CAP_L2, 3, 3 },
	{ "as_the_vport_says", DEVX_INLINE_CAP_VPORT, 0, 0 },
};

TEST_F_EACH(object, sq_demands_the_inline_part_that_the_device_does, struct inlining, inlinings)
{
	struct devx_sq sq = {0};

	self->rig.dev.caps.wqe_inline_mode = row->cap;
	ASSERT_EQ(0, devx_sq_create(&sq, &self->rig.dev, &(struct devx_sq_attr){
		.log2_n = 3, .cq = &self->rig.send_cq, .tis = &self->rig.tis, .uar = &self->rig.uar,
		.inline_mode = row->asked }));
	EXPECT_LE(row->want, sq.inline_mode);
	if (row->cap != DEVX_INLINE_CAP_VPORT)
		EXPECT_EQ(row->want, sq.inline_mode);
	devx_sq_destroy(&sq);
}

TEST_F(object, rqt_is_filled_anew)
{
	struct devx_rqt rqt = {0};
	const uint32_t rqn = self->rig.rq.rqn;
	const uint32_t twice[] = { rqn, rqn };
	const uint32_t four[] = { rqn, rqn, rqn, rqn };

	ASSERT_EQ(0, devx_rqt_create(&rqt, &self->rig.dev, twice, 2));
	EXPECT_EQ(0, devx_rqt_modify(&rqt, twice, 1));
	EXPECT_EQ(0, devx_rqt_modify(&rqt, twice, 2));
	EXPECT_EQ(-EINVAL, devx_rqt_modify(&rqt, four, 4));
	devx_rqt_destroy(&rqt);
}

TEST_F(object, memory_of_any_kind_can_be_registered)
{
	enum { BYTES = 3 * 4096 };
	struct devx_mr mr = {0};
	char *mapped =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static char fixed[BYTES];

	ASSERT_NE(MAP_FAILED, (void *)mapped);
	EXPECT_EQ(0, devx_mr_create(&mr, &self->rig.dev, mapped + 100, 5000));
	EXPECT_EQ((uintptr_t)mapped + 100, mr.addr);
	EXPECT_NE(0, mr.lkey);
	devx_mr_destroy(&mr);
	EXPECT_EQ(0, devx_mr_create(&mr, &self->rig.dev, fixed, sizeof(fixed)));
	devx_mr_destroy(&mr);
	munmap(mapped, BYTES);
}

TEST_F(object, memory_that_is_not_there_cannot_be_registered)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct devx_mr mr = {0};
	char *gone = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char line[DEVX_TEXT_BYTES];

	ASSERT_NE(MAP_FAILED, (void *)gone);
	munmap(gone, page);
	EXPECT_EQ(-EFAULT, devx_mr_create(&mr, &self->rig.dev, gone, page));
	EXPECT_SUBSTR("cannot register",
		      devx_strerror(&self->rig.dev, -EFAULT, line, sizeof(line)));
}

/* To emu a memory file is a dma-buf, for a kernel it becomes one. Return: its descriptor */
static int make_dmabuf(off_t bytes)
{
	struct udmabuf_create create = { .size = (uint64_t)bytes };
	const int file = memfd_create("dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int dev, fd;

	if (file < 0 || ftruncate(file, bytes))
		return -1;
	if (emu_if_any())
		return file;
	create.memfd = (uint32_t)file;
	dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	fd = fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) ? -1 : ioctl(dev, UDMABUF_CREATE, &create);
	close(dev);
	close(file);
	return fd;
}

TEST_F(object, dma_buf_is_registered_at_an_address_of_choice)
{
	enum { BYTES = 8 * 4096, IOVA = 0x40000000 };
	struct devx_mr mr = {0};
	const int fd = make_dmabuf(BYTES);
	int rc;

	ASSERT_LE(0, fd);
	rc = devx_mr_create_dmabuf(&mr, &self->rig.dev, fd, 4096, BYTES - 4096, IOVA);
	if (rc == -EOPNOTSUPP && !emu_if_any())
		SKIP("this kernel takes a dma-buf on devices with RoCE only");
	EXPECT_EQ(0, rc);
	EXPECT_EQ(IOVA, mr.addr);
	devx_mr_destroy(&mr);
	close(fd);
}

/* The kernel keeps the object; rdma-core keeps its handle, which we use to clean up. */
TEST_F(object, what_is_in_use_is_not_destroyed_but_counted)
{
	struct devx_td td = {0};
	struct devx_tis tis = {0};
	struct mlx5dv_devx_obj *handle;

	ASSERT_EQ(0, devx_td_create(&td, &self->rig.dev));
	ASSERT_EQ(0, devx_tis_create(&tis, &self->rig.dev, &td));
	handle = td.obj;
	devx_td_destroy(&td);
	EXPECT_EQ(NULL, td.obj);
	EXPECT_EQ(1, self->rig.dev.n_stuck);
	devx_tis_destroy(&tis);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(handle));
	self->rig.dev.n_stuck = 0;
}

TEST_F(object, counter_starts_at_nothing)
{
	uint32_t n = 1;

	EXPECT_EQ(0, devx_counter_read(&self->rig.counter, &n));
	EXPECT_EQ(0, n);
}

static int rule_without_user_tables(struct devx_rig *rig)
{
	rig->dev.caps.rx_user_rules = false;
	return devx_flow_create(&(struct devx_flow_rule){ 0 }, &rig->dev, &(struct devx_match){ 0 },
				0, &rig->tir);
}

static int rule_without_dmac(struct devx_rig *rig)
{
	const struct devx_match match = DEVX_MATCH_BROADCAST;

	rig->dev.caps.match_dmac = false;
	return devx_flow_create(&(struct devx_flow_rule){0}, &rig->dev, &match, 0, &rig->tir);
}

static int stripping_without_vlan(struct devx_rig *rig)
{
	rig->dev.caps.vlan_cap = false;
	return devx_rq_create(&(struct devx_rq){0}, &rig->dev,
			      &(struct devx_rq_attr){ .log2_n = 3, .cq = &rig->recv_cq });
}

static int fcs_without_scatter(struct devx_rig *rig)
{
	rig->dev.caps.scatter_fcs = false;
	return devx_rq_create(&(struct devx_rq){0}, &rig->dev, &(struct devx_rq_attr){
		.log2_n = 3, .cq = &rig->recv_cq, .keep_vlan = true, .scatter_fcs = true });
}

static int multi_pkt_without_it(struct devx_rig *rig)
{
	rig->dev.caps.multi_pkt_send_wqe = 0;
	rig->dev.caps.enhanced_multi_pkt_send_wqe = false;
	return devx_sq_create(&(struct devx_sq){0}, &rig->dev, &(struct devx_sq_attr){
		.log2_n = 3, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar,
		.allow_multi_pkt = true });
}

static int overruns_without_oi(struct devx_rig *rig)
{
	rig->dev.caps.cq_oi = false;
	return devx_cq_create(&(struct devx_cq){0}, &rig->dev, &(struct devx_cq_attr){
		.log2_n = 3, .uar = &rig->uar, .overrun_ignore = true });
}

static int counters_without_them(struct devx_rig *rig)
{
	rig->dev.caps.vport_counters = false;
	return devx_port_read_counters(&rig->dev, &(struct devx_port_counters){0});
}

/* CAP_NET_RAW counts at two times: when the device is opened, and when a rule is made. */
TEST_F(object, without_net_raw_no_rule_is_made)
{
	const struct devx_match match = DEVX_MATCH_BROADCAST;
	struct devx_flow_rule rule = {0};
	char line[DEVX_TEXT_BYTES];

	ASSERT_TRUE(rights_raw(false));
	EXPECT_EQ(-EPERM, devx_flow_create(&rule, &self->rig.dev, &match, 0, &self->rig.tir));
	ASSERT_TRUE(rights_raw(true));
	EXPECT_SUBSTR("CAP_NET_RAW", devx_strerror(&self->rig.dev, -EPERM, line, sizeof(line)));
	EXPECT_EQ(NULL, rule.matcher);
}

TEST_F(object, device_opened_without_net_raw_does_not_send)
{
	struct devx_rig rig = {0};
	int rc;

	ASSERT_TRUE(rights_raw(false));
	rc = devx_rig_up(&rig);
	ASSERT_TRUE(rights_raw(true));
	EXPECT_EQ(-EREMOTEIO, rc);
	EXPECT_EQ(NULL, rig.sq.obj);
	devx_rig_down(&rig);
}

static const struct feature {
	const char *name;
	int (*create)(struct devx_rig *rig);
	const char *says;
} features[] = {
	{ "rules", rule_without_user_tables, "flow_table_modify" },
	{ "dmac", rule_without_dmac, "outer_dmac" },
	{ "vlan", stripping_without_vlan, "vlan_cap" },
	{ "fcs", fcs_without_scatter, "scatter_fcs" },
	{ "multi_packet", multi_pkt_without_it, "enhanced_multi_pkt_send_wqe" },
	{ "overruns", overruns_without_oi, "cq_oi" },
	{ "port_counters", counters_without_them, "vport_counters" },
};

TEST_F_EACH(object, missing_feature_is_named, struct feature, features)
{
	char line[DEVX_TEXT_BYTES];

	EXPECT_EQ(-ENOTSUP, row->create(&self->rig));
	EXPECT_SUBSTR(row->says, devx_strerror(&self->rig.dev, -ENOTSUP, line, sizeof(line)));
}
