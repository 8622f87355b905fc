/* SPDX-License-Identifier: BSD-3-Clause
 *
 * QUERY_DEVICE: derives the device attributes of libibverbs from the capabilities.
 */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/objects/cq.h"

enum { QPT_RAW_PACKET = 1 << 8, PAGE = 4096 };

/* In the format of ibv_query_device(): 16 bits for each of the three numbers. */
static uint64_t pack_firmware_version(const struct uv_dev *dev)
{
	const uint16_t *fw = emu_model(dev->emu)->fw;

	return (uint64_t)fw[0] << 32 | (uint64_t)fw[1] << 16 | fw[2];
}

/* Derives a GUID in network byte order from a MAC, as firmware does. */
static uint64_t make_guid(const uint8_t *mac)
{
	uint8_t eui[8] = { mac[0], mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5] };
	uint64_t guid;

	memcpy(&guid, eui, sizeof(guid));
	return guid;
}

static void fill_base_attrs(const struct uv_dev *dev, struct ib_uverbs_query_device_resp *r)
{
	const struct prm_cmd_hca_cap *cap = &dev->general;
	const uint64_t guid = make_guid(uv_front.shared->port[dev->port].mac);
	enum { DEVICE_RAW_IP_CSUM = 1 << 26, DEVICE_MANAGED_FLOW_STEERING = 1 << 29 };
	enum { MIN_PAGE_CAP = PAGE };

	*r = (struct ib_uverbs_query_device_resp){
		.fw_ver = pack_firmware_version(dev),
		.node_guid = guid,
		.sys_image_guid = guid,
		.max_mr_size = UINT64_MAX,
		.page_size_cap = ~(uint64_t)(MIN_PAGE_CAP - 1),
		.vendor_id = PRM_IEEE_VENDOR_ID_MELLANOX,
		.vendor_part_id = emu_model(dev->emu)->device_id,
		.max_qp = 1u << prm_get(cap, log_max_qp),
		.max_qp_wr = 1u << prm_get(cap, log_max_qp_sz),
		.device_cap_flags = DEVICE_MANAGED_FLOW_STEERING |
				    (prm_get(&dev->eth, csum_cap) ? DEVICE_RAW_IP_CSUM : 0),
		.max_sge = (__u32)prm_get(cap, max_wqe_sz_rq) / 16,
		.max_sge_rd = (__u32)prm_get(cap, max_wqe_sz_rq) / 16,
		.max_cq = 1u << prm_get(cap, log_max_cq),
		.max_cqe = (1u << prm_get(cap, log_max_cq_sz)) - 1,
		.max_mr = 1u << prm_get(cap, log_max_mkey),
		.max_pd = 1u << prm_get(cap, log_max_pd),
		.max_srq = 1u << prm_get(cap, log_max_srq),
		.max_pkeys = 1,
		.phys_port_cnt = (__u8)prm_get(cap, num_ports),
	};
}

int uv_write_query_device(struct uv_write *w)
{
	struct ib_uverbs_query_device_resp resp;

	if (!w->call->file->ready)
		return -EINVAL;
	fill_base_attrs(w->call->dev, &resp);
	return uv_attr_write_struct(w->call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
}

static void fill_mpw_attrs(const struct uv_dev *dev, struct mlx5_ib_query_device_resp *r)
{
	if (prm_get(&dev->eth, multi_pkt_send_wqe))
		r->mlx5_ib_support_multi_pkt_send_wqes |= MLX5_IB_ALLOW_MPW;
	if (prm_get(&dev->eth, enhanced_multi_pkt_send_wqe))
		r->mlx5_ib_support_multi_pkt_send_wqes |= MLX5_IB_SUPPORT_EMPW;
}

static void fill_tunnel_attrs(const struct uv_dev *dev, struct mlx5_ib_query_device_resp *r)
{
	if (prm_get(&dev->eth, tunnel_stateless_vxlan))
		r->tunnel_offloads_caps |= MLX5_IB_TUNNELED_OFFLOADS_VXLAN;
	if (prm_get(&dev->eth, tunnel_stateless_gre))
		r->tunnel_offloads_caps |= MLX5_IB_TUNNELED_OFFLOADS_GRE;
	if (prm_get(&dev->eth, tunnel_stateless_geneve_rx))
		r->tunnel_offloads_caps |= MLX5_IB_TUNNELED_OFFLOADS_GENEVE;
	if (prm_get(&dev->eth, tunnel_stateless_mpls_over_gre))
		r->tunnel_offloads_caps |= MLX5_IB_TUNNELED_OFFLOADS_MPLS_GRE;
	if (prm_get(&dev->eth, tunnel_stateless_mpls_over_udp))
		r->tunnel_offloads_caps |= MLX5_IB_TUNNELED_OFFLOADS_MPLS_UDP;
}

/* Fills the members that libmlx5 reads; it reads other capabilities with QUERY_HCA_CAP. */
static void fill_mlx5_attrs(const struct uv_dev *dev, struct mlx5_ib_query_device_resp *r)
{
	enum {
		TOEPLITZ = 1 << 0,
		HASH_FIELDS = 0xff /* L3 and L4, source and destination */,
		LOG_MIN_STRIDE = 6,
		LOG_MAX_STRIDE = 13,
		LOG_MIN_STRIDES = 9,
		LOG_MAX_STRIDES = 16
	};
	const uint64_t lso = prm_get(&dev->eth, max_lso_cap);

	*r = (struct mlx5_ib_query_device_resp){ .response_length = sizeof(*r) };
	if (lso) {
		r->tso_caps.max_tso = 1u << lso;
		r->tso_caps.supported_qpts = QPT_RAW_PACKET;
	}
	r->rss_caps.rx_hash_function = TOEPLITZ;
	r->rss_caps.rx_hash_fields_mask = HASH_FIELDS | (uint64_t)MLX5_RX_HASH_INNER;
	if (prm_get(&dev->general, cqe_compression))
		r->cqe_comp_caps = (struct mlx5_ib_cqe_comp_caps){
			.max_num = (__u32)prm_get(&dev->general, cqe_compression_max_num),
			.supported_format = MLX5_IB_CQE_RES_FORMAT_HASH |
					    MLX5_IB_CQE_RES_FORMAT_CSUM |
					    (prm_get(&dev->general, mini_cqe_resp_stride_index)
						     ? MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX
						     : 0),
		};
	r->packet_pacing_caps = (struct mlx5_packet_pacing_caps){
		.qp_rate_limit_min = (__u32)prm_get(&dev->qos, packet_pacing_min_rate),
		.qp_rate_limit_max = (__u32)prm_get(&dev->qos, packet_pacing_max_rate),
		.supported_qpts = QPT_RAW_PACKET,
		.cap_flags = MLX5_IB_PP_SUPPORT_BURST,
	};
	fill_mpw_attrs(dev, r);
	fill_tunnel_attrs(dev, r);
	if (prm_get(&dev->eth, swp)) {
		r->sw_parsing_caps.sw_parsing_offloads = MLX5_IB_SW_PARSING;
		if (prm_get(&dev->eth, swp_csum))
			r->sw_parsing_caps.sw_parsing_offloads |= MLX5_IB_SW_PARSING_CSUM;
		if (prm_get(&dev->eth, swp_lso))
			r->sw_parsing_caps.sw_parsing_offloads |= MLX5_IB_SW_PARSING_LSO;
		r->sw_parsing_caps.supported_qpts = QPT_RAW_PACKET;
	}
	if (prm_get(&dev->general, striding_rq))
		r->striding_rq_caps = (struct mlx5_ib_striding_rq_caps){
			.min_single_stride_log_num_of_bytes = LOG_MIN_STRIDE,
			.max_single_stride_log_num_of_bytes = LOG_MAX_STRIDE,
			.min_single_wqe_log_num_of_strides = LOG_MIN_STRIDES,
			.max_single_wqe_log_num_of_strides = LOG_MAX_STRIDES,
			.supported_qpts = QPT_RAW_PACKET,
		};
}

int uv_write_query_device_ex(struct uv_write *w)
{
	enum {
		RAW_PACKET_CVLAN_STRIPPING = 1 << 0,
		RAW_PACKET_SCATTER_FCS = 1 << 1,
		RAW_PACKET_IP_CSUM = 1 << 2
	};
	const struct uv_dev *dev = w->call->dev;
	struct ib_uverbs_ex_query_device_resp resp = { 0 };
	struct mlx5_ib_query_device_resp uhw;
	struct ib_uverbs_ex_query_device cmd;
	int rc;

	if (!w->call->file->ready)
		return -EINVAL;
	memcpy(&cmd, w->in, sizeof(cmd));
	if (cmd.comp_mask || cmd.reserved)
		return -EINVAL;
	fill_base_attrs(dev, &resp.base);
	resp.response_length = sizeof(resp);
	resp.hca_core_clock = prm_get(&dev->general, device_frequency_khz);
	resp.timestamp_mask = UINT64_MAX >> 1;
	resp.device_cap_flags_ex = resp.base.device_cap_flags;
	resp.rss_caps.supported_qpts = QPT_RAW_PACKET;
	resp.rss_caps.max_rwq_indirection_tables = 1u << prm_get(&dev->general, log_max_rqt);
	resp.rss_caps.max_rwq_indirection_table_size = 1u
						       << prm_get(&dev->general, log_max_rqt_size);
	resp.max_wq_type_rq = 1u << prm_get(&dev->general, log_max_rq);
	if (prm_get(&dev->general, cq_moderation))
		resp.cq_moderation_caps = (struct ib_uverbs_cq_moderation_caps){
			.max_cq_moderation_count = UV_MAX_CQ_COUNT,
			.max_cq_moderation_period = UV_MAX_CQ_PERIOD,
		};
	if (prm_get(&dev->eth, vlan_cap))
		resp.raw_packet_caps |= RAW_PACKET_CVLAN_STRIPPING;
	if (prm_get(&dev->eth, scatter_fcs))
		resp.raw_packet_caps |= RAW_PACKET_SCATTER_FCS;
	if (prm_get(&dev->eth, csum_cap))
		resp.raw_packet_caps |= RAW_PACKET_IP_CSUM;
	rc = uv_attr_write_struct(w->call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	if (rc)
		return rc;
	fill_mlx5_attrs(dev, &uhw);
	rc = uv_attr_write_struct(w->call, UVERBS_ATTR_UHW_OUT, &uhw, sizeof(uhw));
	return rc == -ENOENT ? 0 : rc;
}
