/* SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>

#include "prm/prm.h"
#include "sweep_creators.h"
#include "sweep_dmabuf.h"

static void destroy_dev(union sweep_object *o)
{
	devx_dev_close(&o->dev);
}
#define DESTROY(name, type, member)                                                                \
	static void destroy_##name(union sweep_object *o)                                          \
	{                                                                                          \
		devx_##type##_destroy(&o->member);                                                 \
	}
/* clang-format off */
DESTROY(td, td, td)
DESTROY(tis, tis, tis)
DESTROY(uar, uar, uar)
DESTROY(cq, cq, cq)
DESTROY(sq, sq, sq)
DESTROY(counter, counter, counter)
DESTROY(rq, rq, rq)
DESTROY(rqt, rqt, rqt)
DESTROY(tir, tir, tir)
DESTROY(rule, flow, rule)
DESTROY(table, flow_table, table)
DESTROY(mr, mr, mr)
DESTROY(mkey, mkey, mkey)
DESTROY(pp, pp, pp)
DESTROY(buf, buf, buf)
DESTROY(umem, umem, umem)
DESTROY(async, async, async)
DESTROY(channel, event_channel, channel)
/* clang-format on */

static int create_dev(union sweep_object *o, __attribute__((unused)) struct devx_rig *rig)
{
	return devx_dev_open(&o->dev, devx_rig_get_ibdev());
}

static int create_td(union sweep_object *o, struct devx_rig *rig)
{
	return devx_td_create(&o->td, &rig->dev);
}

static int create_tis(union sweep_object *o, struct devx_rig *rig)
{
	return devx_tis_create(&o->tis, &rig->dev, &rig->td);
}

static int create_uar(union sweep_object *o, struct devx_rig *rig)
{
	return devx_uar_create(&o->uar, &rig->dev, DEVX_UAR_BF);
}

static int create_counter(union sweep_object *o, struct devx_rig *rig)
{
	return devx_counter_create(&o->counter, &rig->dev);
}

static int create_rqt(union sweep_object *o, struct devx_rig *rig)
{
	return devx_rqt_create(&o->rqt, &rig->dev, &rig->rq.rqn, 1, 1);
}

static int create_mr(union sweep_object *o, struct devx_rig *rig)
{
	return devx_mr_create(&o->mr, &rig->dev, rig->memory, DEVX_RIG_SLOT_BYTES);
}

static int create_dmabuf(union sweep_object *o, struct devx_rig *rig)
{
	return sweep_create_dmabuf(&o->mr, &rig->dev);
}

static int create_dmabuf_umem(union sweep_object *o, struct devx_rig *rig)
{
	return sweep_create_dmabuf_umem(&o->mr, &rig->dev);
}

static int create_buf(union sweep_object *o, struct devx_rig *rig)
{
	return devx_buf_create(&o->buf, &rig->dev, DEVX_RIG_SLOT_BYTES, NULL);
}

static int create_async(union sweep_object *o, struct devx_rig *rig)
{
	return devx_async_create(&o->async, &rig->dev);
}

static int create_channel(union sweep_object *o, struct devx_rig *rig)
{
	return devx_event_channel_create(&o->channel, &rig->dev, false);
}

static int create_cq(union sweep_object *o, struct devx_rig *rig)
{
	return devx_cq_create(&o->cq, &rig->dev,
			      &(struct devx_cq_attr){ .log2_n = 4, .uar = &rig->uar });
}

static int create_sq(union sweep_object *o, struct devx_rig *rig)
{
	return devx_sq_create(
		&o->sq, &rig->dev,
		&(struct devx_sq_attr){
			.log2_n = 4, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar });
}

static int create_rq(union sweep_object *o, struct devx_rig *rig)
{
	return devx_rq_create(&o->rq, &rig->dev,
			      &(struct devx_rq_attr){ .log2_n = 4,
						      .cq = &rig->recv_cq,
						      .counter = devx_rig_get_counter(rig),
						      .keep_vlan = true });
}

/* Memory of the caller for the rings of 16 entries below; a failure must not free it. */
enum { RING_BYTES = 2 * 4096 };
static uint8_t ring[RING_BYTES] __attribute__((aligned(4096)));

static int create_cq_on_memory(union sweep_object *o, struct devx_rig *rig)
{
	return devx_cq_create(&o->cq, &rig->dev,
			      &(struct devx_cq_attr){
				      .log2_n = 4, .uar = &rig->uar, .mem = { ring, RING_BYTES } });
}

static int create_sq_on_memory(union sweep_object *o, struct devx_rig *rig)
{
	return devx_sq_create(&o->sq, &rig->dev,
			      &(struct devx_sq_attr){ .log2_n = 4,
						      .cq = &rig->send_cq,
						      .tis = &rig->tis,
						      .uar = &rig->uar,
						      .mem = { ring, RING_BYTES } });
}

static int create_rq_on_memory(union sweep_object *o, struct devx_rig *rig)
{
	return devx_rq_create(&o->rq, &rig->dev,
			      &(struct devx_rq_attr){ .log2_n = 4,
						      .cq = &rig->recv_cq,
						      .keep_vlan = true,
						      .mem = { ring, RING_BYTES } });
}

static int create_umem(union sweep_object *o, struct devx_rig *rig)
{
	return devx_umem_create(&o->umem, &rig->dev, ring, RING_BYTES);
}

/* Place of a ring in the umem of the rig, behind its doorbell record. */
static struct devx_umem_ring get_place(const struct devx_rig *rig)
{
	char *addr = rig->umem.addr;

	return (struct devx_umem_ring){ &rig->umem, addr + DEVX_UMEM_RING_ALIGN, addr };
}

static int create_cq_in_umem(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_umem_ring place = get_place(rig);

	return devx_cq_create_in_umem(
		&o->cq, &rig->dev, &(struct devx_cq_attr){ .log2_n = 4, .uar = &rig->uar }, &place);
}

static int create_sq_in_umem(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_umem_ring place = get_place(rig);

	return devx_sq_create_in_umem(
		&o->sq, &rig->dev,
		&(struct devx_sq_attr){
			.log2_n = 4, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar },
		&place);
}

static int create_rq_in_umem(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_umem_ring place = get_place(rig);

	return devx_rq_create_in_umem(
		&o->rq, &rig->dev,
		&(struct devx_rq_attr){ .log2_n = 4, .cq = &rig->recv_cq, .keep_vlan = true },
		&place);
}

static int create_tir(union sweep_object *o, struct devx_rig *rig)
{
	return devx_tir_create(&o->tir, &rig->dev,
			       &(struct devx_tir_attr){ .td = &rig->td, .rq = &rig->rq });
}

static int create_hashing_tir(union sweep_object *o, struct devx_rig *rig)
{
	return devx_tir_create(&o->tir, &rig->dev,
			       &(struct devx_tir_attr){ .td = &rig->td,
							.rqt = &rig->rqt,
							.fields = PRM_HASH_FIELD_SEL_SRC_IP |
								  PRM_HASH_FIELD_SEL_DST_IP });
}

static int create_rule(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_match match = DEVX_MATCH_BROADCAST;

	return devx_flow_create(&o->rule, &rig->dev, &match, 1, &rig->tir);
}

static int create_table(union sweep_object *o, struct devx_rig *rig)
{
	return devx_flow_table_create(&o->table, &rig->dev, 3);
}

static int create_mkey_list(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_mkey_piece piece = { rig->mr.lkey, 100, rig->mr.addr };

	return devx_mkey_create_list(&o->mkey, &rig->dev, 0, &piece, 1);
}

static int create_mkey_fixed(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_mkey_piece piece = { rig->mr.lkey, 0, rig->mr.addr };

	return devx_mkey_create_fixed(&o->mkey, &rig->dev, 0, 12, &piece, 1);
}

static int create_mkey_strided(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_mkey_stride stride = { rig->mr.lkey, 8, 16, rig->mr.addr };

	return devx_mkey_create_strided(&o->mkey, &rig->dev, 0, 4, &stride, 1);
}

static int create_pp(union sweep_object *o, struct devx_rig *rig)
{
	const struct devx_pp_attr attr = { .kbps = 1000, .dedicated = true };

	return devx_pp_create(&o->pp, &rig->dev, &attr);
}

/* Imports the device of the rig; keeps the reason of a failure there. */
static int import_dev(union sweep_object *o, struct devx_rig *rig)
{
	struct devx_share share;
	int fd, rc = devx_dev_export(&rig->dev, &share, &fd);

	if (rc)
		return rc;
	rc = devx_dev_import(&o->dev, fd, &share);
	close(fd);
	if (rc) {
		rig->dev.refusal = o->dev.refusal;
		o->dev.refusal = (struct devx_refusal){ 0 };
	}
	return rc;
}

static int map_uar(union sweep_object *o, struct devx_rig *rig)
{
	struct devx_share share;
	const int rc = devx_uar_export(&rig->dev, &rig->uar, &share);

	return rc ? rc : devx_uar_map(&o->uar, &rig->dev, -1, &share);
}

static int import_umem(union sweep_object *o, struct devx_rig *rig)
{
	struct devx_share share;
	const int rc = devx_umem_export(&rig->dev, &rig->umem, &share);

	return rc ? rc : devx_umem_import(&o->umem, &rig->dev, &share, rig->umem.addr);
}

#ifdef DEVX_HAS_OBJ_EXPORT
static void unimport_obj(union sweep_object *o)
{
	devx_obj_unimport(&o->import);
}

static int import_obj(union sweep_object *o, struct devx_rig *rig)
{
	struct devx_share share;
	const int rc = devx_obj_export(&rig->dev, rig->sq.obj, &share);

	return rc ? rc : devx_obj_import(&o->import, &rig->dev, &share);
}
#endif

const struct sweep_creator sweep_creators[SWEEP_N_CREATORS] = {
	/* ioctls, commands, mmaps, allocations; refusals; first command */
	{ "dev", create_dev, destroy_dev, { 7, 6, 1, 5 }, 4, "QUERY_HCA_CAP", .alone = true },
	{ "td", create_td, destroy_td, { 1, 1, 0, 1 }, 1, "ALLOC_TRANSPORT_DOMAIN" },
	{ "tis", create_tis, destroy_tis, { 1, 1, 0, 1 }, 1, "CREATE_TIS" },
	{ "uar", create_uar, destroy_uar, { 1, 1, 1, 1 }, 0 },
	{ "mr", create_mr, destroy_mr, { 1, 1, 0, 1 }, 0 },
	{ "dmabuf", create_dmabuf, destroy_mr, { 1, 1, 0, 1 }, 0 },
	{ "dmabuf_umem", create_dmabuf_umem, destroy_mr, { 1, 2, 0, 3 }, 1, "CREATE_MKEY" },
	{ "mkey_list", create_mkey_list, destroy_mkey, { 1, 1, 0, 2 }, 1, "CREATE_MKEY" },
	{ "mkey_fixed", create_mkey_fixed, destroy_mkey, { 1, 1, 0, 2 }, 1, "CREATE_MKEY" },
	{ "mkey_strided", create_mkey_strided, destroy_mkey, { 1, 1, 0, 2 }, 1, "CREATE_MKEY" },
	{ "pp", create_pp, destroy_pp, { 1, 1, 0, 1 }, 0 },
	{ "buf", create_buf, destroy_buf, { 1, 1, 0, 2 }, 0 },
	{ "channel", create_channel, destroy_channel, { 1, 0, 0, 1 }, 0 },
	{ "cq", create_cq, destroy_cq, { 3, 2, 0, 3 }, 1, "CREATE_CQ" },
	{ "sq", create_sq, destroy_sq, { 2, 2, 0, 3 }, 1, "CREATE_SQ" },
	{ "counter", create_counter, destroy_counter, { 1, 1, 0, 1 }, 1, "ALLOC_Q_COUNTER" },
	{ "rq", create_rq, destroy_rq, { 2, 2, 0, 3 }, 1, "CREATE_RQ" },
	{ "cq_on_memory", create_cq_on_memory, destroy_cq, { 3, 2, 0, 2 }, 1, "CREATE_CQ" },
	{ "sq_on_memory", create_sq_on_memory, destroy_sq, { 2, 2, 0, 2 }, 1, "CREATE_SQ" },
	{ "rq_on_memory", create_rq_on_memory, destroy_rq, { 2, 2, 0, 2 }, 1, "CREATE_RQ" },
	{ "umem", create_umem, destroy_umem, { 1, 1, 0, 1 }, 0 },
	{ "cq_in_umem", create_cq_in_umem, destroy_cq, { 2, 1, 0, 1 }, 1, "CREATE_CQ" },
	{ "sq_in_umem", create_sq_in_umem, destroy_sq, { 1, 1, 0, 1 }, 1, "CREATE_SQ" },
	{ "rq_in_umem", create_rq_in_umem, destroy_rq, { 1, 1, 0, 1 }, 1, "CREATE_RQ" },
	{ "rqt", create_rqt, destroy_rqt, { 1, 1, 0, 2 }, 1, "CREATE_RQT" },
	{ "tir", create_tir, destroy_tir, { 1, 1, 0, 1 }, 1, "CREATE_TIR" },
	{ "hashing_tir", create_hashing_tir, destroy_tir, { 1, 1, 0, 1 }, 1, "CREATE_TIR" },
	{ "async", create_async, destroy_async, { 1, 0, 0, 1 }, 0 },
	{ "rule", create_rule, destroy_rule, { 2, 3, 0, 2 }, 0 },
	{ "table", create_table, destroy_table, { 1, 1, 0, 1 }, 1, "CREATE_FLOW_TABLE" },
	{ "dev_import", import_dev, destroy_dev, { 7, 4, 1, 5 }, 4, "QUERY_HCA_CAP" },
	{ "uar_map", map_uar, destroy_uar, { 0, 0, 1, 0 }, 0 },
	{ "umem_import", import_umem, destroy_umem, { 0, 0, 0, 0 }, 0 },
#ifdef DEVX_HAS_OBJ_EXPORT
	{ "obj_import", import_obj, unimport_obj, { 0, 0, 0, 1 }, 0 },
#endif
};
