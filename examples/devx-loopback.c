/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "devx/flow.h"
#include "devx/port.h"
#include "devx/sq.h"
#include "devx/version.h"

/**
 * DOC: Sends frames to its own port, with libdevxio alone
 *
 *     SQ --> TIS --> port --> rule: our MAC, ETHERTYPE --> TIR --> RQ
 *      '-- send CQ                                                '-- receive CQ
 *
 * The program sends a frame only after the previous one came back, so one send buffer and one
 * receive buffer are enough.
 */
enum { RING = 4, FRAMES = 1000, FRAME_BYTES = 64, BUFFER_BYTES = 4096 };
enum { MAC = DEVX_MAC_BYTES, ETHERTYPE = 0x88b5 }; /* EtherType for local experiments */
enum { EXIT_LOST = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };

const char *argp_program_version = "devx-loopback (net-devx) " DEVX_VERSION;

static const char doc[] =
	"Send 1000 frames to DEVICE's own MAC address and compare what comes back.\v"
	"DEVICE is the name of an RDMA device, as ibv_devices prints it. Default mlx5_0. The port "
	"must be looped back, by devx-emu or by a loopback cable.\n\n"
	"The program sends one frame at a time. It stops at the first frame that does not come "
	"back within 5 s, or comes back changed, and names that frame. Ctrl-C also stops it.\n\n"
	"Examples:\n"
	"  devx-emu -- devx-loopback\n\n"
	"Exit status: 0 every frame came back, 1 a frame was lost or changed, 2 wrong arguments, "
	"3 the device cannot be used.";

struct loopback {
	struct devx_dev dev;
	struct devx_port port;
	struct devx_mr mr;
	struct devx_td td;
	struct devx_uar uar;
	struct devx_cq send_cq, recv_cq;
	struct devx_tis tis;
	struct devx_sq sq;
	struct devx_rq rq;
	struct devx_tir tir;
	struct devx_flow_rule rule;
};

static uint8_t buffers[2][BUFFER_BYTES], *const sent = buffers[0], *const received = buffers[1];
static char why[DEVX_TEXT_BYTES]; /* why a frame failed */
static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
	interrupted = number;
}

static int set_up_loopback(struct loopback *l, const char *name)
{
	const struct devx_cq_attr cq = { .log2_n = RING, .uar = &l->uar };
	const struct devx_sq_attr sq = {
		.log2_n = RING, .cq = &l->send_cq, .tis = &l->tis, .uar = &l->uar
	};
	const struct devx_rq_attr rq = { .log2_n = RING, .cq = &l->recv_cq, .keep_vlan = true };
	const struct devx_tir_attr tir = { .td = &l->td, .rq = &l->rq };
	struct devx_match ours = DEVX_MATCH_BROADCAST; /* for its MAC mask */
	int rc = devx_dev_open(&l->dev, name);

	rc = rc ? rc : devx_port_query(&l->dev, &l->port);
	rc = rc ? rc : devx_mr_create(&l->mr, &l->dev, buffers, sizeof(buffers));
	rc = rc ? rc : devx_td_create(&l->td, &l->dev);
	rc = rc ? rc : devx_tis_create(&l->tis, &l->dev, &l->td);
	rc = rc ? rc : devx_uar_create(&l->uar, &l->dev, DEVX_UAR_BF);
	rc = rc ? rc : devx_cq_create(&l->send_cq, &l->dev, &cq);
	rc = rc ? rc : devx_cq_create(&l->recv_cq, &l->dev, &cq);
	rc = rc ? rc : devx_sq_create(&l->sq, &l->dev, &sq);
	rc = rc ? rc : devx_rq_create(&l->rq, &l->dev, &rq);
	rc = rc ? rc : devx_sq_ready(&l->sq);
	rc = rc ? rc : devx_rq_ready(&l->rq);
	rc = rc ? rc : devx_tir_create(&l->tir, &l->dev, &tir);
	ours.ethertype = ETHERTYPE;
	memcpy(ours.dmac, l->port.mac, MAC);
	return rc ? rc : devx_flow_create(&l->rule, &l->dev, &ours, 0, &l->tir);
}

/* Works after a partial setup: every destroy function accepts a zeroed object. */
static void tear_down_loopback(struct loopback *l)
{
	devx_flow_destroy(&l->rule);
	devx_tir_destroy(&l->tir);
	devx_rq_destroy(&l->rq);
	devx_sq_destroy(&l->sq);
	devx_cq_destroy(&l->recv_cq);
	devx_cq_destroy(&l->send_cq);
	devx_uar_destroy(&l->uar);
	devx_tis_destroy(&l->tis);
	devx_td_destroy(&l->td);
	devx_mr_destroy(&l->mr);
	devx_dev_close(&l->dev);
}

static struct prm_data_seg point_to(const struct loopback *l, const uint8_t *buffer, uint32_t bytes)
{
	return (struct prm_data_seg){ prm_be32_of(bytes), prm_be32_of(l->mr.lkey),
				      prm_be64_of((uintptr_t)buffer) };
}

static void post_frame(struct loopback *l, uint32_t number)
{
	struct devx_wqebb *wqe = devx_sq_get_wqebb(&l->sq, l->sq.pi);
	const struct prm_data_seg data = point_to(l, sent, FRAME_BYTES);

	*devx_rq_get_wqe(&l->rq, l->rq.pi++) = point_to(l, received, BUFFER_BYTES);
	devx_rq_post(&l->rq);

	memcpy(sent, l->port.mac, MAC);
	memcpy(sent + MAC, l->port.mac, MAC);
	sent[2 * MAC] = ETHERTYPE >> 8;
	sent[2 * MAC + 1] = ETHERTYPE & 0xff;
	memcpy(sent + 2 * MAC + 2, &number, sizeof(number));
	memset(wqe, 0, sizeof(*wqe));
	wqe->ctrl.opmod_idx_opcode = prm_ctrl_dw0(0, l->sq.pi, PRM_WQE_SEND);
	wqe->ctrl.qpn_ds = prm_ctrl_dw1(l->sq.sqn, 3); /* segments: control, Ethernet, data */
	wqe->ctrl.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
	memcpy(wqe->bytes + 2 * PRM_DS_BYTES, &data, sizeof(data));
	l->sq.pi++;
	devx_sq_ring(&l->sq, &wqe->ctrl);
}

/* Waits for a completion with opcode @want. Returns false with a reason in why[]. */
static bool take_completion(struct devx_cq *cq, const char *queue, enum prm_cqe_opcode want)
{
	const time_t end = time(NULL) + 6; /* at least 5 s: time() counts whole seconds */
	const struct prm_cqe *cqe;

	while (!(cqe = devx_cq_peek(cq)) && time(NULL) < end && !interrupted)
		sched_yield();
	if (cqe && prm_cqe_opcode(cqe->op_own) == want) {
		devx_cq_pop(cq);
		devx_cq_release(cq);
		return true;
	}
	if (cqe)
		snprintf(why, sizeof(why), "%s: completion with opcode 0x%x, syndrome 0x%x", queue,
			 prm_cqe_opcode(cqe->op_own), ((const struct prm_err_cqe *)cqe)->syndrome);
	else
		snprintf(why, sizeof(why), "%s: %s", queue,
			 interrupted ? "interrupted" : "no completion within 5 s");
	return false;
}

/* Stops at the first frame that fails. Returns true if every frame came back. */
static bool exchange_frames(struct loopback *l)
{
	unsigned n;

	for (n = 0; n < FRAMES; n++) {
		memset(received, 0, FRAME_BYTES);
		post_frame(l, n);
		if (!take_completion(&l->send_cq, "send queue", PRM_CQE_REQ) ||
		    !take_completion(&l->recv_cq, "receive queue", PRM_CQE_RESP_SEND))
			break;
		snprintf(why, sizeof(why), "came back with other bytes than were sent");
		if (memcmp(sent, received, FRAME_BYTES))
			break;
	}
	if (n < FRAMES)
		fprintf(stderr, "devx-loopback: frame %u of %d: %s; %u more frames were not sent\n",
			n + 1, FRAMES, why, FRAMES - n - 1);
	printf("%s, firmware %s: %u of %d frames came back\n", l->dev.ibdev, l->dev.fw_version, n,
	       FRAMES);
	return n == FRAMES;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .args_doc = "[DEVICE]", .doc = doc };
	struct loopback l = { 0 };
	int rc, status, i;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, &i, NULL);
	if (i < argc - 1) {
		fprintf(stderr, "devx-loopback: %s: only one DEVICE; see --help\n", argv[i + 1]);
		return EXIT_USAGE;
	}
	signal(SIGINT, note_signal);
	rc = set_up_loopback(&l, i < argc ? argv[i] : "mlx5_0");
	if (rc)
		fprintf(stderr, "devx-loopback: %s\n", devx_strerror(&l.dev, rc, why, sizeof(why)));
	status = rc ? EXIT_ENVIRONMENT : exchange_frames(&l) ? 0 : EXIT_LOST;
	tear_down_loopback(&l);
	return status;
}
