/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/emu_ctl.h"

#include <errno.h>
#include <string.h>

#include "emu/uverbs/dev.h"
#include "emu/uverbs/fs.h"

/* Types are listed twice on purpose: emu_ctl.h stands alone. Here is where they must agree. */
#define SAME(type) _Static_assert((int)DEVX_EMU_##type == (int)EMU_##type, #type)
SAME(UCTX);
SAME(UMEM);
SAME(SQ);
SAME(RQT);
SAME(FLOW_COUNTER);
_Static_assert((int)DEVX_EMU_N_OBJECTS == (int)EMU_N_TYPES, "enum devx_emu_object is enum emu_type");
_Static_assert((int)EMU_N_TYPES <= (int)DEVX_EMU_MAX_OBJECTS, "room for every type");

static struct emu *emu_of(unsigned port)
{
	return uv_front.adapter && port < uv_front.shared->n_ports
		? emu_port(uv_front.adapter, port) : NULL;
}

static unsigned n_ports(void)
{
	return uv_front.shared->n_ports;
}

static void set_paused(bool paused)
{
	uv_lock();
	if (!uv_adapter_get()) {
		emu_lock(uv_front.adapter);
		uv_front.adapter->paused = paused;
		emu_unlock(uv_front.adapter);
	}
	uv_unlock();
}

static void pause_engine(void) { set_paused(true); }
static void resume_engine(void) { set_paused(false); }

static unsigned step(unsigned port, unsigned budget)
{
	struct emu *emu = emu_of(port);

	return emu ? emu_poll(emu, budget) : 0;
}

/* ---- failures -------------------------------------------------------------------- */

static void fail_command(int64_t k, uint8_t status)
{
	if (uv_adapter_get())
		return;
	emu_lock(uv_front.adapter);
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++) {
		emu_of(i)->fail_command = k;
		emu_of(i)->fail_status = status;
	}
	emu_unlock(uv_front.adapter);
}

static int64_t command_pending(void)
{
	int64_t first = -1;

	if (!uv_front.adapter)
		return -1;
	emu_lock(uv_front.adapter);
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++) {
		const int64_t k = emu_of(i)->fail_command;

		if (k >= 0 && (first < 0 || k < first))
			first = k;
	}
	emu_unlock(uv_front.adapter);
	return first;
}

static void fail(enum devx_emu_fail what, int64_t k, int how)
{
	uv_lock();
	switch (what) {
	case DEVX_EMU_FAIL_IOCTL:
		uv_front.fail_ioctl_errno = how ? how : EIO;
		uv_front.fail_ioctl = k;
		break;
	case DEVX_EMU_FAIL_COMMAND:
		fail_command(k, how ? (uint8_t)how : PRM_STATUS_INT_ERR);
		break;
	case DEVX_EMU_FAIL_MMAP:
		uv_front.fail_mmap_errno = how ? how : ENOMEM;
		uv_front.fail_mmap = k;
		break;
	}
	uv_unlock();
}

static int64_t fail_pending(enum devx_emu_fail what)
{
	int64_t k = -1;

	uv_lock();
	switch (what) {
	case DEVX_EMU_FAIL_IOCTL:
		k = uv_front.fail_ioctl;
		break;
	case DEVX_EMU_FAIL_COMMAND:
		k = command_pending();
		break;
	case DEVX_EMU_FAIL_MMAP:
		k = uv_front.fail_mmap;
		break;
	}
	uv_unlock();
	return k < 0 ? -1 : k;
}

/* ---- counters -------------------------------------------------------------------- */

/* Contexts have ids; the device's own borrowed one does not count, nor what is the kernel's. */
static void count_objects(const struct emu *emu, uint16_t own_uid, uint64_t n[EMU_N_TYPES])
{
	for (int t = 0; t < EMU_N_TYPES; t++) {
		const struct emu_table *table = &emu->table[t];

		for (uint32_t i = 0; i < table->n_slots; i++) {
			const struct emu_obj *o = table->slot[i];

			if (!o)
				continue;
			if (t == EMU_UCTX ? o->id != own_uid : o->uid != 0)
				n[t]++;
		}
	}
}

static void count_front(unsigned port, struct devx_emu_counters *c)
{
	const struct uv_dev *dev = uv_front.dev[port];

	c->ioctls = uv_front.n_ioctls;
	c->mmaps = uv_front.n_mmaps;
	for (const struct uv_file *f = uv_front.files; f; f = f->next) {
		if (!f->dev || f->dev != dev)
			continue;
		c->contexts++;
		c->handles += f->n_objs;
	}
	c->flows = dev ? uv_fs_count(dev) : 0;
	for (int i = 0; i < EMU_N_MISTAKES; i++)
		c->mistakes += uv_front.shared->mistakes.n[i];
}

static void count_port(struct emu *emu, const struct uv_dev *dev, struct devx_emu_counters *c)
{
	const struct emu_vport_counters *v = &emu->vport;
	const struct emu_wire_faults *w = &emu->wire->faults;

	emu_lock(emu->adapter);
	count_objects(emu, dev ? dev->whitelist_uid : 0, c->objects);
	c->commands = emu->n_commands;
	c->rx_uc_packets = v->rx_uc_packets;
	c->rx_uc_bytes = v->rx_uc_bytes;
	c->rx_mc_packets = v->rx_mc_packets;
	c->rx_mc_bytes = v->rx_mc_bytes;
	c->rx_bc_packets = v->rx_bc_packets;
	c->rx_bc_bytes = v->rx_bc_bytes;
	c->tx_uc_packets = v->tx_uc_packets;
	c->tx_uc_bytes = v->tx_uc_bytes;
	c->tx_mc_packets = v->tx_mc_packets;
	c->tx_mc_bytes = v->tx_mc_bytes;
	c->tx_bc_packets = v->tx_bc_packets;
	c->tx_bc_bytes = v->tx_bc_bytes;
	c->rx_oversize = v->rx_oversize;
	c->tx_oversize = v->tx_oversize;
	c->rx_filtered = v->rx_filtered;
	c->rx_steering_miss = v->rx_steering_miss;
	c->rx_dropped = v->rx_dropped;
	c->rx_out_of_buffer = v->rx_out_of_buffer;
	c->rx_error = v->rx_error;
	c->wire_dropped = w->dropped;
	c->wire_duplicated = w->duplicated;
	c->wire_reordered = w->reordered;
	c->wire_corrupted = w->corrupted;
	c->wire_delayed = w->delayed;
	emu_unlock(emu->adapter);
}

static int counters(unsigned port, struct devx_emu_counters *out, size_t bytes)
{
	struct devx_emu_counters c = {0};

	if (port >= uv_front.shared->n_ports)
		return -EINVAL;
	uv_lock();
	count_front(port, &c);
	if (emu_of(port))
		count_port(emu_of(port), uv_front.dev[port], &c);
	uv_unlock();
	memset(out, 0, bytes);
	memcpy(out, &c, bytes < sizeof(c) ? bytes : sizeof(c));
	return 0;
}

static void forgive(void)
{
	uv_lock();
	if (uv_front.adapter)
		emu_lock(uv_front.adapter);
	memset(&uv_front.shared->mistakes, 0, sizeof(uv_front.shared->mistakes));
	if (uv_front.adapter)
		emu_unlock(uv_front.adapter);
	uv_unlock();
}

/* ---- what happens to a device ------------------------------------------------------ */

static int wire_faults(unsigned port, const char *spec)
{
	struct emu *emu;
	char why[160];
	int rc = -EINVAL;

	uv_lock();
	emu = uv_adapter_get() ? NULL : emu_of(port);
	if (emu)
		rc = emu_wire_set_faults(emu, spec, why, sizeof(why));
	uv_unlock();
	return rc;
}

static int set_up(struct emu *emu, bool up)
{
	struct emu_link link;

	emu_get_link(emu, &link);
	link.up = up;
	emu_set_link(emu, &link);
	return 0;
}

static int fail_queue(struct emu *emu, enum devx_emu_inject what, uint32_t id)
{
	const enum emu_type type = what == DEVX_EMU_INJECT_SQ_ERROR ? EMU_SQ : EMU_RQ;
	void *queue;

	emu_lock(emu->adapter);
	queue = emu_obj_at(&emu->table[type], id);
	if (queue && type == EMU_SQ)
		emu_sq_fail(emu, queue);
	else if (queue)
		emu_rq_fail(emu, queue);
	emu_unlock(emu->adapter);
	return queue ? 0 : -EINVAL;
}

static int inject(unsigned port, enum devx_emu_inject what, uint32_t id)
{
	struct emu *emu;
	int rc = -EINVAL;

	uv_lock();
	emu = emu_of(port);
	if (emu && (what == DEVX_EMU_INJECT_LINK_DOWN || what == DEVX_EMU_INJECT_LINK_UP))
		rc = set_up(emu, what == DEVX_EMU_INJECT_LINK_UP);
	else if (emu)
		rc = fail_queue(emu, what, id);
	uv_unlock();
	return rc;
}

static const struct devx_emu_ctl ctl = {
	.bytes = sizeof(ctl), .n_ports = n_ports, .pause = pause_engine, .resume = resume_engine,
	.step = step, .fail = fail, .fail_pending = fail_pending, .counters = counters,
	.wire_faults = wire_faults, .inject = inject, .forgive = forgive,
};

const struct devx_emu_ctl *devx_emu_ctl(void);

__attribute__((visibility("default"))) const struct devx_emu_ctl *devx_emu_ctl(void)
{
	uv_start();
	return uv_front.shared ? &ctl : NULL;
}
