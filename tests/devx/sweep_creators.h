/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SWEEP_CREATORS_H
#define SWEEP_CREATORS_H

#include "devx/async.h"
#include "devx/event.h"
#include "devx/flow_table.h"
#include "devx/mkey.h"
#include "devx/pp.h"
#include "devx/share.h"
#include "devx_rig.h"

/* Every create function of lib/devx, for the tests that make its calls fail. */

/** enum sweep_kind - kinds of calls that a test can make fail */
enum sweep_kind {
	SWEEP_IOCTL,
	SWEEP_COMMAND, /* a firmware command, of lib/devx or of the kernel */
	SWEEP_MMAP,
	SWEEP_ALLOCATION,
	SWEEP_N_KINDS,
};

/** union sweep_object - the object under test; one comparison with zero covers every type */
union sweep_object {
	struct devx_dev dev;
	struct devx_td td;
	struct devx_tis tis;
	struct devx_uar uar;
	struct devx_cq cq;
	struct devx_sq sq;
	struct devx_counter counter;
	struct devx_rq rq;
	struct devx_rqt rqt;
	struct devx_tir tir;
	struct devx_flow_rule rule;
	struct devx_flow_table table;
	struct devx_mr mr;
	struct devx_mkey mkey;
	struct devx_pp pp;
	struct devx_buf buf;
	struct devx_umem umem;
	struct devx_async async;
	struct devx_event_channel channel;
	struct devx_import import;
};

/**
 * struct sweep_creator - a create function with valid arguments
 * @name: name of the row
 * @create: creates the object from the objects of the rig. Return: 0 or -errno
 * @destroy: destroys it
 * @least: smallest number of calls of each kind that create must make
 * @refusals: number of commands whose failure create returns as -EREMOTEIO
 * @command: the first command that lib/devx sends; NULL if only the kernel sends commands
 * @alone: creates a device, so it gets no rig
 */
struct sweep_creator {
	const char *name;
	int (*create)(union sweep_object *o, struct devx_rig *rig);
	void (*destroy)(union sweep_object *o);
	int least[SWEEP_N_KINDS];
	int refusals;
	const char *command;
	bool alone;
};

#ifdef DEVX_HAS_OBJ_EXPORT
enum { SWEEP_N_CREATORS = 34 };
#else
enum { SWEEP_N_CREATORS = 33 };
#endif
extern const struct sweep_creator sweep_creators[SWEEP_N_CREATORS];

#endif
