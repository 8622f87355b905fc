/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devx/cq.h"
#include "devx/dev.h"
#include "devx/flow.h"
#include "devx/mem.h"
#include "devx/port.h"
#include "devx/rq.h"
#include "devx/sq.h"
#include "devx/td.h"
#include "devx/tir.h"
#include "devx/tis.h"
#include "devx/uar.h"

/**
 * DOC: Sends frames to its own port, with lib/devx alone
 *
 *     SQ --> TIS --> port --> rule: our MAC --> TIR --> RQ
 *      '-- send CQ                                       '-- receive CQ
 *
 * The program sends the next frame after the previous one came back, so one send buffer and one
 * receive buffer are enough. Read it from main() upwards.
 */

enum { LOG2_RING = 4, FRAMES = 1000, FRAME_BYTES = 64, BUFFER_BYTES = 4096, PATIENCE_SECONDS = 5 };
enum { EXIT_LOST = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };

const char *argp_program_version = "devx-loopback (net-devx) " DEVX_VERSION;

static const char doc[] =
	"Send 1000 frames to the own MAC address of DEVICE and compare what comes back."
	"\v"
	"DEVICE is the name of an RDMA device, as ibv_devices prints it. Default mlx5_0. The port "
	"must be looped back, by devx-emu or by a loopback cable.\n"
	"\n"
	"The program sends one frame at a time. It stops at the first frame that does not "
	"come back within 5 s, or comes back changed, and names this frame.\n"
	"\n"
	"Examples:\n"
	"  devx-emu -- devx-loopback\n"
	"  devx-emu --ports 2 --wire loop -- devx-loopback mlx5_1\n"
	"\n"
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
	uint8_t *send, *recv;
};

static int create_queues(struct loopback *l)
{
	const struct devx_cq_attr cq = { .log2_n = LOG2_RING, .uar = &l->uar };
	int rc = devx_uar_create(&l->uar, &l->dev, DEVX_UAR_BF);

	if (!rc)
		rc = devx_cq_create(&l->send_cq, &l->dev, &cq);
	if (!rc)
		rc = devx_cq_create(&l->recv_cq, &l->dev, &cq);
	if (!rc)
		rc = devx_sq_create(&l->sq, &l->dev,
				    &(struct devx_sq_attr){ .log2_n = LOG2_RING,
							    .cq = &l->send_cq,
							    .tis = &l->tis,
							    .uar = &l->uar });
	if (!rc)
		rc = devx_rq_create(&l->rq, &l->dev,
				    &(struct devx_rq_attr){ .log2_n = LOG2_RING,
							    .cq = &l->recv_cq,
							    .keep_vlan = true });
	if (!rc)
		rc = devx_sq_ready(&l->sq);
	if (!rc)
		rc = devx_rq_ready(&l->rq);
	return rc;
}

static int set_up_loopback(struct loopback *l, const char *name)
{
	struct devx_match ours = { .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	int rc = devx_dev_open(&l->dev, name);

	if (!rc)
		rc = devx_port_query(&l->dev, &l->port);
	if (!rc)
		rc = devx_mr_create(&l->mr, &l->dev, l->send, 2 * BUFFER_BYTES);
	if (!rc)
		rc = devx_td_create(&l->td, &l->dev);
	if (!rc)
		rc = devx_tis_create(&l->tis, &l->dev, &l->td);
	if (!rc)
		rc = create_queues(l);
	if (!rc)
		rc = devx_tir_create(&l->tir, &l->dev,
				     &(struct devx_tir_attr){ .td = &l->td, .rq = &l->rq });
	memcpy(ours.dmac, l->port.mac, sizeof(ours.dmac));
	if (!rc)
		rc = devx_flow_create(&l->rule, &l->dev, &ours, 0, &l->tir);
	return rc;
}

/*
 * Destroys the objects in reverse order. Every destroy function accepts an object that is all
 * zero, so this function also cleans up after a setup that failed.
 */
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

static void post_receive(struct loopback *l)
{
	*devx_rq_get_wqe(&l->rq, l->rq.pi++) = (struct prm_data_seg){
		prm_be32_of(BUFFER_BYTES),
		prm_be32_of(l->mr.lkey),
		prm_be64_of((uintptr_t)l->recv),
	};
	devx_rq_post(&l->rq);
}

static void post_send(struct loopback *l, uint32_t number)
{
	enum { SEGMENTS = 3, MAC = DEVX_PORT_MAC_BYTES, NUMBER_AT = 14, ETHERTYPE = 0x88b5 };
	struct devx_wqebb *wqe = devx_sq_get_wqebb(&l->sq, l->sq.pi);
	struct prm_data_seg *data = (struct prm_data_seg *)(wqe->bytes + 2 * PRM_DS_BYTES);

	memcpy(l->send, l->port.mac, MAC);
	memcpy(l->send + MAC, l->port.mac, MAC);
	l->send[2 * MAC] = ETHERTYPE >> 8;
	l->send[2 * MAC + 1] = ETHERTYPE & 0xff;
	memcpy(l->send + NUMBER_AT, &number, sizeof(number));

	memset(wqe, 0, sizeof(*wqe));
	wqe->ctrl.opmod_idx_opcode = prm_ctrl_dw0(0, l->sq.pi, PRM_WQE_SEND);
	wqe->ctrl.qpn_ds = prm_ctrl_dw1(l->sq.sqn, SEGMENTS);
	wqe->ctrl.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
	data->byte_count = prm_be32_of(FRAME_BYTES);
	data->lkey = prm_be32_of(l->mr.lkey);
	data->addr = prm_be64_of((uintptr_t)l->send);
	l->sq.pi++;
	devx_sq_ring(&l->sq, &wqe->ctrl);
}

/* Returns NULL when the queue stays empty for PATIENCE_SECONDS. */
static const struct prm_cqe *wait_for_cqe(const struct devx_cq *cq)
{
	const struct prm_cqe *cqe;
	struct timespec now, end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += PATIENCE_SECONDS;
	while (!(cqe = devx_cq_peek(cq))) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec > end.tv_sec ||
		    (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec))
			return NULL;
		sched_yield();
	}
	return cqe;
}

/* Returns whether a completion with opcode @want came; if not, one line in @why. */
static bool take_completion(struct devx_cq *cq, const char *queue, enum prm_cqe_opcode want,
			    char *why, size_t why_bytes)
{
	const struct prm_cqe *cqe = wait_for_cqe(cq);
	const struct prm_err_cqe *error = (const struct prm_err_cqe *)cqe;

	if (!cqe) {
		snprintf(why, why_bytes, "%s: no completion within %d s", queue, PATIENCE_SECONDS);
		return false;
	}
	if (prm_cqe_opcode(cqe->op_own) != want) {
		snprintf(why, why_bytes, "%s: completion with opcode 0x%x, syndrome 0x%x", queue,
			 prm_cqe_opcode(cqe->op_own), error->syndrome);
		return false;
	}
	devx_cq_pop(cq);
	devx_cq_release(cq);
	return true;
}

static bool exchange_frame(struct loopback *l, uint32_t number, char *why, size_t why_bytes)
{
	memset(l->recv, 0, FRAME_BYTES);
	post_receive(l);
	post_send(l, number);
	if (!take_completion(&l->send_cq, "send queue", PRM_CQE_REQ, why, why_bytes) ||
	    !take_completion(&l->recv_cq, "receive queue", PRM_CQE_RESP_SEND, why, why_bytes))
		return false;
	if (!memcmp(l->send, l->recv, FRAME_BYTES))
		return true;
	snprintf(why, why_bytes, "came back with other bytes than were sent");
	return false;
}

/* Stops at the first frame that fails. Returns how many frames came back. */
static unsigned exchange_frames(struct loopback *l)
{
	char why[128];
	uint32_t n = 0;

	while (n < FRAMES && exchange_frame(l, n, why, sizeof(why)))
		n++;
	if (n < FRAMES)
		fprintf(stderr,
			"devx-loopback: frame %u of %d: %s; gave up, %u more frames were not "
			"sent\n",
			n + 1, FRAMES, why, FRAMES - n - 1);
	return n;
}

static error_t parse_argument(int key, char *arg, struct argp_state *state)
{
	const char **name = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (state->arg_num > 0)
		argp_failure(state, EXIT_USAGE, 0, "\"%s\": only one DEVICE is allowed; see --help",
			     arg);
	*name = arg;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .parser = parse_argument,
					  .args_doc = "[DEVICE]",
					  .doc = doc };
	const char *name = "mlx5_0";
	struct loopback l = { 0 };
	char why[DEVX_TEXT_BYTES];
	unsigned came_back;
	int rc;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &name);
	l.send = aligned_alloc(BUFFER_BYTES, 2 * BUFFER_BYTES);
	if (!l.send) {
		fprintf(stderr, "devx-loopback: out of memory\n");
		return EXIT_ENVIRONMENT;
	}
	memset(l.send, 0, 2 * BUFFER_BYTES);
	l.recv = l.send + BUFFER_BYTES;
	rc = set_up_loopback(&l, name);
	if (rc) {
		fprintf(stderr, "devx-loopback: %s\n", devx_strerror(&l.dev, rc, why, sizeof(why)));
		tear_down_loopback(&l);
		free(l.send);
		return EXIT_ENVIRONMENT;
	}
	came_back = exchange_frames(&l);
	printf("%s, firmware %s: %u of %d frames came back\n", l.dev.ibdev, l.dev.fw_version,
	       came_back, FRAMES);
	tear_down_loopback(&l);
	free(l.send);
	return came_back == FRAMES ? EXIT_SUCCESS : EXIT_LOST;
}
