/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/device/engine.h"
#include "emu/firmware/boot.h"
#include "emu/firmware/fields.h"
#include "emu/firmware/object.h"
#include "emu/firmware/cmd.h"
#include "emu/queue/cq.h"
#include "emu/queue/port.h"
#include "emu/queue/lost.h"
#include "emu/wire/wire.h"

/*
 * Number of the first object of each type. High numbers catch a driver that stores only 16 bits.
 * Different ranges catch a driver that passes a number of another type. Each number fits in the
 * narrowest type in which a public driver stores it: doc/emu.md, "Numbers".
 */
static const uint32_t first_id[EMU_N_TYPES] = {
	[EMU_UCTX] = 0x8101,
	[EMU_UAR] = 0x8201,
	[EMU_PD] = 0x830200,
	[EMU_TD] = 0x840300,
	[EMU_UMEM] = 0x850400,
	[EMU_MKEY] = 0x860500,
	[EMU_EQ] = 0x10,
	[EMU_CQ] = 0x880600,
	[EMU_SQ] = 0x890700,
	[EMU_RQ] = 0x8a0800,
	[EMU_RMP] = 0x8b0900,
	[EMU_TIS] = 0x8c0a00,
	[EMU_TIR] = 0x8d0b00,
	[EMU_RQT] = 0x8e0c00,
	[EMU_Q_COUNTER] = 0x20,
	[EMU_FLOW_TABLE] = 0x900d00,
	[EMU_FLOW_COUNTER] = 0x910e00,
	[EMU_XRCD] = 0x920f,
	[EMU_SRQ] = 0x931000,
	[EMU_QP] = 0x941100,
};

struct emu *emu_port(struct emu_adapter *a, unsigned i)
{
	return i < a->n_ports ? a->port[i] : NULL;
}

void emu_get_link(struct emu *emu, struct emu_link *link)
{
	emu_lock(emu->adapter);
	*link = emu->link;
	emu_unlock(emu->adapter);
}

void emu_set_link(struct emu *emu, const struct emu_link *link)
{
	emu_lock(emu->adapter);
	emu_change_link(emu, link);
	emu_unlock(emu->adapter);
}

void emu_set_addresses(struct emu *emu, const struct emu_addresses *addresses)
{
	emu_lock(emu->adapter);
	emu->addresses = *addresses;
	emu_unlock(emu->adapter);
}

static void reset_addresses(struct emu *emu)
{
	emu->addresses = (struct emu_addresses){ .n_uc = 1 };
	memcpy(emu->addresses.uc[0], emu->link.mac, EMU_MAC_BYTES);
}

static const char *find_config_error(const struct emu_config *cfg)
{
	if (cfg->n_ports < 1 || cfg->n_ports > EMU_MAX_PORTS)
		return "number of ports: invalid (valid: 1 to 8)";
	for (unsigned i = 0; i < cfg->n_ports; i++) {
		const struct emu_port_config *p = &cfg->port[i];

		if (!p->ops || !p->ops->map || !p->ops->irq)
			return "host operations of a port: incomplete (needed: map and irq)";
		if (!p->wire)
			return "wire of a port: missing (valid: such as \"loop\" or \"sink\")";
		if (p->mtu < EMU_MTU_MIN || p->mtu > EMU_MTU_MAX)
			return "MTU of a port: invalid (valid: 68 to 9978 bytes)";
		if ((p->mac[0] & 1) ||
		    !(p->mac[0] | p->mac[1] | p->mac[2] | p->mac[3] | p->mac[4] | p->mac[5]))
			return "MAC of a port: invalid (valid: unicast and not zero)";
	}
	return NULL;
}

static struct emu *create_function(struct emu_adapter *a, unsigned i, const struct emu_config *cfg)
{
	const struct emu_port_config *p = &cfg->port[i];
	struct emu *emu = calloc(1, sizeof(*emu));
	struct emu_caps *caps = calloc(1, sizeof(*caps));

	if (!emu || !caps) {
		free(emu);
		free(caps);
		return NULL;
	}
	*emu = (struct emu){ .adapter = a,
			     .index = i,
			     .profile = a->profile,
			     .caps = caps,
			     .ops = p->ops,
			     .host = p->host,
			     .traffic = p->traffic,
			     .fail_command = -1 };
	emu->link.up = true;
	/* until emu_set_link() sets a netdev's flags; matters in profiles with a MAC filter */
	emu->link.promisc = emu->link.allmulti = true;
	emu->link.mtu = p->mtu;
	memcpy(emu->link.mac, p->mac, sizeof(emu->link.mac));
	emu->first_link = emu->link;
	reset_addresses(emu);
	emu_vxlan_reset(emu);
	for (int t = 0; t < EMU_N_TYPES; t++)
		emu->table[t].first_id = first_id[t];
	emu_boot_apply_profile(emu);
	if (p->first_uar)
		emu->table[EMU_UAR].first_id = p->first_uar;
	return emu;
}

static void free_function(struct emu *emu)
{
	emu_release_all(emu);
	for (int t = 0; t < EMU_N_TYPES; t++)
		free(emu->table[t].slot);
	emu_boot_release(emu);
	free(emu->caps);
	free(emu);
}

void emu_power_on(struct emu *emu)
{
	emu_lock(emu->adapter);
	emu_release_all(emu);
	emu_boot_reset(emu);
	emu->link = emu->first_link;
	reset_addresses(emu);
	emu->lb_uc = emu->lb_mc = false;
	memset(emu->rate, 0, sizeof(emu->rate));
	emu->roce_en = false;
	memset(emu->roce, 0, sizeof(emu->roce));
	emu_publish_traffic(emu);
	emu->vport = emu->published.vport = (struct emu_vport_counters){ 0 };
	emu->pcie = (struct emu_pcie_counters){ 0 };
	emu_unlock(emu->adapter);
}

static const struct emu_callbacks callbacks = {
	.frame_arrived = emu_port_rx,
	.finish_sends = emu_finish_sends,
	.before_unlock = emu_cq_publish,
	.cq_failed = emu_cq_fail_queues,
	.is_in_frame = emu_is_in_frame,
	.owns_memory = emu_owns_memory,
	.memory_lost = emu_lose_memory,
	.unblock_mkeys = emu_unblock_mkeys,
};

struct emu_adapter *emu_adapter_create(const struct emu_config *cfg, char *why, size_t why_bytes)
{
	struct emu_profile *profile = emu_profile_parse(cfg->profile, why, why_bytes);
	const char *error = profile ? find_config_error(cfg) : NULL;
	struct emu_adapter *a;

	if (error)
		snprintf(why, why_bytes, "%s", error);
	if (!profile || error || emu_check_wires(cfg, why, why_bytes) ||
	    emu_fields_resolve(why, why_bytes)) {
		free(profile);
		return NULL;
	}
	a = calloc(1, sizeof(*a));
	if (!a) {
		snprintf(why, why_bytes, "out of memory");
		free(profile);
		return NULL;
	}
	a->callbacks = &callbacks;
	a->profile = profile;
	a->model = &profile->model;
	pthread_mutex_init(&a->lock, NULL);
	a->mistakes = cfg->mistakes;
	a->trace = cfg->trace;
	a->trace_arg = cfg->trace_arg;
	a->timer = cfg->timer;
	a->real_time = cfg->real_time;
	for (; a->n_ports < cfg->n_ports; a->n_ports++) {
		a->port[a->n_ports] = create_function(a, a->n_ports, cfg);
		if (!a->port[a->n_ports]) {
			snprintf(why, why_bytes, "out of memory");
			goto fail;
		}
	}
	for (unsigned i = 0; i < a->n_ports; i++) {
		a->port[i]->wire = emu_wire_open(a, a->port[i], cfg->port[i].wire, why, why_bytes);
		if (!a->port[i]->wire)
			goto fail;
	}
	if (a->trace)
		emu_trace_begin(a, cfg->profile);
	return a;

fail:
	emu_adapter_destroy(a);
	return NULL;
}

void emu_adapter_destroy(struct emu_adapter *a)
{
	if (!a)
		return;
	emu_engine_stop(a);
	for (unsigned i = 0; i < a->n_ports; i++) {
		if (a->port[i]->wire)
			emu_publish_traffic(a->port[i]);
		emu_wire_close(a->port[i]->wire);
	}
	for (unsigned i = 0; i < a->n_ports; i++)
		free_function(a->port[i]);
	pthread_mutex_destroy(&a->lock);
	free(a->profile);
	free(a);
}
