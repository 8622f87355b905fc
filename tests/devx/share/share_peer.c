/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The second process of share_process_test.c: maps the UAR of the owner, sends a frame through the
 * owner's SQ, and imports the device. Exit status: 0 all worked, 1 a line on stderr says what did
 * not.
 */
#include "share_peer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "devx/cmd.h"
#include "devx/cq.h"
#include "devx/port.h"
#include "devx/rqt.h"
#include "devx/sq.h"
#include "devx/td.h"
#include "prm/prm.h"

struct peer {
	struct share_peer_message m;
	int fd;
	char *memory;
	struct devx_dev dev;
	struct devx_uar uar;
};

static int report_failure(const struct peer *p, const char *step, int rc)
{
	char line[DEVX_TEXT_BYTES];

	if (rc)
		fprintf(stderr, "devx_share_peer: %s: %s\n", step,
			devx_strerror(&p->dev, rc, line, sizeof(line)));
	return rc;
}

static int receive_message(struct peer *p)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
	struct iovec iov = { &p->m, sizeof(p->m) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	int fds[2];

	if (recvmsg(SHARE_PEER_SOCKET, &msg, MSG_CMSG_CLOEXEC) != sizeof(p->m))
		return -EPROTO;
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fds));
	p->fd = fds[0];
	p->memory = mmap(NULL, SHARE_PEER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	return p->memory == MAP_FAILED ? -errno : 0;
}

/* Posts a WQE to the owner's SQ and rings its doorbell, without any call of the kernel. */
static int send_frame(struct peer *p)
{
	enum { N_DS = 3 };
	struct devx_sq sq = { .wqebbs = (struct devx_wqebb *)(p->memory + SHARE_PEER_SQ),
			      .dbrec = (prm_be32 *)(p->memory + SHARE_PEER_RECORDS),
			      .log2_n = p->m.log2_sq,
			      .sqn = p->m.sqn };
	struct devx_wqebb *bb = devx_sq_get_wqebb(&sq, 0);
	const int rc = devx_uar_map(&p->uar, &p->dev, p->fd, &p->m.uar);

	if (rc)
		return rc;
	sq.doorbell = p->uar.reg;
	sq.nc = p->uar.nc;
	memset(bb, 0, sizeof(*bb));
	bb->ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, 0, PRM_WQE_SEND),
		.qpn_ds = prm_ctrl_dw1(sq.sqn, N_DS),
		.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
	};
	*(struct prm_data_seg *)(bb->bytes + 2 * PRM_DS_BYTES) =
		(struct prm_data_seg){ prm_be32_of(SHARE_PEER_FRAME_BYTES), prm_be32_of(p->m.lkey),
				       prm_be64_of(p->m.frame) };
	sq.pi = 1;
	devx_sq_ring(&sq, &bb->ctrl);
	return 0;
}

/* Creates objects of its own, with memory, a UAR page and an RQ of the owner. */
static int create_objects(struct peer *p)
{
	struct devx_umem umem = { 0 };
	struct devx_umem_ring place = { &umem, p->memory + SHARE_PEER_CQ,
					p->memory + SHARE_PEER_RECORDS + 2 * DEVX_DBREC_BYTES };
	struct devx_cq cq = { 0 };
	struct devx_mr mr = { 0 };
	struct devx_rqt rqt = { 0 };
	struct devx_port port;
	int rc = devx_port_query(&p->dev, &port);

	if (!rc)
		rc = devx_mr_create(&mr, &p->dev, p->memory + SHARE_PEER_FREE, SHARE_PEER_PAGE);
	if (!rc)
		rc = devx_rqt_create(&rqt, &p->dev, &p->m.rqn, 1, 1);
	if (!rc)
		rc = devx_umem_import(&umem, &p->dev, &p->m.umem, p->memory);
	if (!rc)
		rc = devx_cq_create_in_umem(&cq, &p->dev,
					    &(struct devx_cq_attr){ .log2_n = 4, .uar = &p->uar },
					    &place);
	devx_cq_destroy(&cq);
	devx_umem_destroy(&umem);
	devx_rqt_destroy(&rqt);
	devx_mr_destroy(&mr);
	return rc;
}

/* Queries the owner's SQ, and tries to destroy it. */
static int use_object(struct peer *p)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };
	struct devx_import import = { 0 };
	int rc = devx_obj_import(&import, &p->dev, &p->m.sq_obj);

	if (rc)
		return rc;
	devx_cmd_destroy(&p->dev, import.obj);
	rc = p->dev.refusal.rc == -EPERM ? 0 : -EPROTO;
	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, p->m.sqn);
	if (!rc)
		rc = devx_cmd_query(&p->dev, import.obj, &in, sizeof(in), &out, sizeof(out));
	if (!rc && prm_get(prm_sub(&out, sq_context), state) != PRM_WQ_STATE_RDY)
		rc = -EPROTO;
	devx_obj_unimport(&import);
	return rc;
}

int main(void)
{
	struct peer p = { .fd = -1 };
	int rc = report_failure(&p, "cannot receive the message", receive_message(&p));

	if (!rc)
		rc = report_failure(&p, "cannot send a frame", send_frame(&p));
	if (!rc)
		rc = report_failure(&p, "cannot import the device",
				    devx_dev_import(&p.dev, p.fd, &p.m.dev));
	if (!rc)
		rc = report_failure(&p, "cannot create objects", create_objects(&p));
	if (!rc && p.m.has_sq_obj)
		rc = report_failure(&p, "cannot use the SQ of the owner", use_object(&p));
	devx_dev_close(&p.dev);
	devx_uar_destroy(&p.uar);
	return rc ? 1 : 0;
}
