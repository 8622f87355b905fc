/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/control/control.h"

#include <errno.h>
#include <string.h>

#include "emu/control.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/steering/rule.h"
#include "emu/uverbs/remote/server.h"

/* emu_ctl.h copies enum emu_type, in order not to include headers of emu. Both must agree. */
#define SAME(type) _Static_assert((int)DEVX_EMU_##type == (int)EMU_##type, #type)
SAME(UCTX);
SAME(UMEM);
SAME(SQ);
SAME(RQT);
SAME(FLOW_COUNTER);
SAME(QP);
_Static_assert((int)DEVX_EMU_N_OBJECTS == (int)EMU_N_TYPES,
	       "enum devx_emu_object is enum emu_type");
_Static_assert((int)EMU_N_TYPES <= (int)DEVX_EMU_MAX_OBJECTS, "room for every type");

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
	c->flows = dev ? uv_fs_count_rules(dev) : 0;
	for (int i = 0; i < EMU_N_MISTAKES; i++)
		c->mistakes += uv_front.shared->mistakes.n[i];
}

static void copy_pcie(const struct emu_pcie_counters *p, struct devx_emu_counters *c)
{
	c->sq_doorbells = p->sq_doorbells;
	c->cq_doorbells = p->cq_doorbells;
	c->blueflames = p->blueflames;
	c->record_reads = p->record_reads;
	c->send_wqe_reads = p->send_wqe_reads;
	c->send_wqe_bytes = p->send_wqe_bytes;
	c->receive_wqe_reads = p->receive_wqe_reads;
	c->receive_wqe_bytes = p->receive_wqe_bytes;
	c->data_reads = p->data_reads;
	c->data_read_bytes = p->data_read_bytes;
	c->data_writes = p->data_writes;
	c->data_write_bytes = p->data_write_bytes;
	c->cqe_writes = p->cqe_writes;
	c->cqe_write_bytes = p->cqe_writes * EMU_CQE_BYTES;
}

/* Does not count the user context of the emulated kernel, uv_dev.whitelist_uid. */
static void count_port(struct emu *emu, const struct uv_dev *dev, struct devx_emu_counters *c)
{
	struct emu_counters all;
	const struct emu_vport_counters *v = &all.vport;
	const struct emu_wire_faults *w = &all.wire;

	emu_read_counters(emu, dev ? dev->whitelist_uid : 0, &all);
	c->commands = all.n_commands;
	memcpy(c->objects, all.n_objects, sizeof(all.n_objects));
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
	c->rx_steering_miss = v->rx_steering_miss;
	c->rx_dropped = v->rx_dropped;
	c->rx_out_of_buffer = v->rx_out_of_buffer;
	c->rx_error = v->rx_error;
	c->wire_dropped = w->dropped;
	c->wire_duplicated = w->duplicated;
	c->wire_reordered = w->reordered;
	c->wire_corrupted = w->corrupted;
	c->wire_delayed = w->delayed;
	c->rx_link_down = v->rx_link_down;
	c->tx_link_down = v->tx_link_down;
	c->rx_filtered = v->rx_filtered;
	c->rx_own = v->rx_own;
	c->rx_own_blocked = v->rx_own_blocked;
	copy_pcie(&all.pcie, c);
}

int uv_read_counters(unsigned port, struct devx_emu_counters *out, size_t bytes)
{
	struct devx_emu_counters c = { 0 };

	if (port >= uv_front.shared->n_ports)
		return -EINVAL;
	uv_front_lock();
	uv_server_settle();
	count_front(port, &c);
	if (uv_front_find_port(port))
		count_port(uv_front_find_port(port), uv_front.dev[port], &c);
	uv_front_unlock();
	memset(out, 0, bytes);
	memcpy(out, &c, bytes < sizeof(c) ? bytes : sizeof(c));
	return 0;
}
