/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_CREATES_H
#define EMU_UVERBS_OBJECTS_DEVX_CREATES_H

/*
 * Create commands that the firmware of emu knows: CREATE(create command, destroy command, number
 * in the create output, number in the destroy input). Flow tables, groups and entries are not in
 * this list, because their destroy commands need more than a number (devx_destroy.c).
 */
#define UV_DEVX_CREATES                                                                            \
	CREATE(create_mkey, destroy_mkey, mkey_index, mkey_index)                                  \
	CREATE(create_cq, destroy_cq, cqn, cqn)                                                    \
	CREATE(create_qp, destroy_qp, qpn, qpn)                                                    \
	CREATE(create_xrc_srq, destroy_xrc_srq, xrc_srqn, xrc_srqn)                                \
	CREATE(alloc_xrcd, dealloc_xrcd, xrcd, xrcd)                                               \
	CREATE(alloc_pd, dealloc_pd, pd, pd)                                                       \
	CREATE(alloc_transport_domain, dealloc_transport_domain, transport_domain,                 \
	       transport_domain)                                                                   \
	CREATE(create_rmp, destroy_rmp, rmpn, rmpn)                                                \
	CREATE(create_sq, destroy_sq, sqn, sqn)                                                    \
	CREATE(create_rq, destroy_rq, rqn, rqn)                                                    \
	CREATE(create_rqt, destroy_rqt, rqtn, rqtn)                                                \
	CREATE(create_tir, destroy_tir, tirn, tirn)                                                \
	CREATE(create_tis, destroy_tis, tisn, tisn)                                                \
	CREATE(alloc_q_counter, dealloc_q_counter, counter_set_id, counter_set_id)                 \
	CREATE(alloc_flow_counter, dealloc_flow_counter, flow_counter_id, flow_counter_id)

#endif
