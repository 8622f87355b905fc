/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_MODEL_H
#define EMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu;

enum { EMU_MAC_BYTES = 6 };

/** enum emu_mac_filter - the switch in front of a port, which filters by destination address */
enum emu_mac_filter {
	EMU_FILTER_NONE,    /* no switch: all frames reach the port */
	EMU_FILTER_UNICAST, /* several PFs share a wire: filters unicast frames only */
	EMU_FILTER_ESWITCH, /* e-switch of SR-IOV: filters all frames */
};

/** struct emu_model - how a device generation identifies itself */
struct emu_model {
	const char *name;     /* name of the profile: "cx6dx" */
	uint16_t device_id;   /* PCI device ID */
	const char *board_id; /* at most 16 bytes */
	uint16_t fw[3];       /* firmware version: major, minor, subminor */
	bool vf;              /* a virtual function of PCI SR-IOV */
	enum emu_mac_filter filter;
	bool trusted;       /* the switch obeys promiscuous and all-multicast mode */
	bool roce;          /* has RoCE, which needs a real kernel: the uverbs front refuses it */
	bool vport_inline;  /* wqe_inline_mode says that the vport context has min_inline */
	uint8_t min_inline; /* min_wqe_inline_mode of the port: headers that each WQE needs */
	bool ib;            /* the port is InfiniBand, to test that programs refuse it */
};

/** emu_model_find - find the model of profile "NAME[,OPTION=N...]", or NULL */
const struct emu_model *emu_model_find(const char *profile);
/**
 * emu_model_list - write the names of profiles, for messages
 * @for_kernel: include those that need a real kernel
 * @text: receives "cx6dx, small"
 * @bytes: size of @text
 *
 * Return: @text
 */
const char *emu_model_list(bool for_kernel, char *text, size_t bytes);
const struct emu_model *emu_model(const struct emu *emu);

/**
 * DOC: Addresses of a vport
 *
 *     netdev: addresses, lists, flags --mlx5_core--> vport context --host's kernel--> switch
 *
 * A switch in front of a port passes the frames to the port's addresses (enum emu_mac_filter).
 * After power on the only address is the MAC of the port. A kernel replaces the lists with
 * MODIFY_NIC_VPORT_CONTEXT, and the uverbs front with emu_set_addresses().
 */

enum {
	EMU_MAX_UC = 16,  /* unicast addresses in the list of a vport, with its own MAC */
	EMU_MAX_MC = 128, /* multicast addresses in the list of a vport */
};

/** struct emu_addresses - the lists of a vport; broadcast is one of the multicast addresses */
struct emu_addresses {
	unsigned n_uc, n_mc;
	uint8_t uc[EMU_MAX_UC][EMU_MAC_BYTES];
	uint8_t mc[EMU_MAX_MC][EMU_MAC_BYTES];
};

/** emu_set_addresses - replace the lists of a vport; takes the adapter lock */
void emu_set_addresses(struct emu *emu, const struct emu_addresses *addresses);

#endif
