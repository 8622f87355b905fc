/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_CTL_H
#define EMU_CTL_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Control of a running emu
 *
 * For tests, benches and the curious. Nothing of emu is linked: who wants to control it
 * asks for the table by name, and gets NULL where there is no emu (a card, or no launcher).
 *
 *	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
 *
 *	if (emu) {
 *		emu->fail(DEVX_EMU_FAIL_COMMAND, 3, 0x08);  // the 4th command from now: LIM_ERR
 *		...
 *		emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
 *	}
 *
 * The table and its structs only grow at the end: compare devx_emu_ctl.bytes with what you
 * were compiled for, and pass your own sizeof to counters(). Ports count from 0, in the
 * order of --ports. Functions take a port even before it was opened; they then see zeroes.
 * All may be called from any thread, none from a signal handler.
 */

/** enum devx_emu_fail - what to let fail */
enum devx_emu_fail {
	DEVX_EMU_FAIL_IOCTL,   /* a uverbs ioctl; how = errno, 0: EIO */
	DEVX_EMU_FAIL_COMMAND, /* a firmware command, counted by port; how = status, 0: INT_ERR */
	DEVX_EMU_FAIL_MMAP,    /* an mmap of a uverbs file; how = errno, 0: ENOMEM */
};

/** enum devx_emu_inject - errors that a device can have by itself */
enum devx_emu_inject {
	DEVX_EMU_INJECT_SQ_ERROR,  /* SQ number id goes to ERR and flushes */
	DEVX_EMU_INJECT_RQ_ERROR,  /* RQ number id goes to ERR and flushes */
	DEVX_EMU_INJECT_LINK_DOWN, /* id is ignored */
	DEVX_EMU_INJECT_LINK_UP,
};

/** enum devx_emu_object - firmware objects, as counters() counts them */
enum devx_emu_object {
	DEVX_EMU_UCTX,
	DEVX_EMU_UAR,
	DEVX_EMU_PD,
	DEVX_EMU_TD,
	DEVX_EMU_UMEM,
	DEVX_EMU_MKEY,
	DEVX_EMU_EQ,
	DEVX_EMU_CQ,
	DEVX_EMU_SQ,
	DEVX_EMU_RQ,
	DEVX_EMU_RMP,
	DEVX_EMU_TIS,
	DEVX_EMU_TIR,
	DEVX_EMU_RQT,
	DEVX_EMU_Q_COUNTER,
	DEVX_EMU_FLOW_TABLE,
	DEVX_EMU_FLOW_COUNTER,
	DEVX_EMU_XRCD,
	DEVX_EMU_SRQ,
	DEVX_EMU_QP,
	DEVX_EMU_N_OBJECTS,
	DEVX_EMU_MAX_OBJECTS = 32, /* room for later types; the struct does not move */
};

/**
 * struct devx_emu_counters - what a port has and has done
 * @contexts: open uverbs files
 * @handles: uverbs objects in them: PDs, MRs, UARs, DEVX objects, flows, event channels...
 * @objects: firmware objects that user contexts own, by enum devx_emu_object; what the
 *           kernel has for itself (EQs, root flow tables) is not in here
 * @flows: receive and transmit rules
 * @commands: firmware commands executed, the kernel's own included
 * @ioctls: uverbs ioctls, of all ports
 * @mmaps: mmaps of uverbs files, of all ports
 * @mistakes: protocol mistakes of the driver, of all ports and kinds
 *
 * The rest is QUERY_VPORT_COUNTER's account, why frames were dropped, and what the wire did.
 */
struct devx_emu_counters {
	uint64_t contexts, handles;
	uint64_t objects[DEVX_EMU_MAX_OBJECTS];
	uint64_t flows;
	uint64_t commands, ioctls, mmaps, mistakes;

	uint64_t rx_uc_packets, rx_uc_bytes, rx_mc_packets, rx_mc_bytes, rx_bc_packets, rx_bc_bytes;
	uint64_t tx_uc_packets, tx_uc_bytes, tx_mc_packets, tx_mc_bytes, tx_bc_packets, tx_bc_bytes;
	uint64_t rx_oversize, tx_oversize, rx_steering_miss, rx_dropped;
	uint64_t rx_out_of_buffer, rx_error;

	uint64_t wire_dropped, wire_duplicated, wire_reordered, wire_corrupted, wire_delayed;
};

/** struct devx_emu_ctl - the controls */
struct devx_emu_ctl {
	/** @bytes: sizeof this table in the running emu */
	size_t bytes;

	/** @n_ports: how many ports the launcher asked for */
	unsigned (*n_ports)(void);

	/** @pause: the engine stops; doorbells wait. Returns when it has stopped */
	void (*pause)(void);

	/** @resume: the engine runs again */
	void (*resume)(void);

	/**
	 * @step: run the data path of a paused port: at most @budget packets
	 *
	 * Return: units of work done; 0: there was nothing to do
	 */
	unsigned (*step)(unsigned port, unsigned budget);

	/**
	 * @fail: let the @k-th one from now on fail (0: the next), once; k < 0: none
	 *
	 * The commands that a kernel sends by itself (for open, a PD, an MR, a flow) count too,
	 * and so do those that destroy: disarm before you clean up.
	 */
	void (*fail)(enum devx_emu_fail what, int64_t k, int how);

	/**
	 * @fail_pending: how many more must come before the armed one
	 *
	 * Return: as fail()'s k would be now, or -1: none is armed, or it has fired
	 */
	int64_t (*fail_pending)(enum devx_emu_fail what);

	/**
	 * @counters: read the counters of a port
	 *
	 * @bytes is sizeof(*c) of the caller; never more is written, and what the running emu
	 * does not know is 0.
	 *
	 * Return: 0, or -EINVAL: no such port
	 */
	int (*counters)(unsigned port, struct devx_emu_counters *c, size_t bytes);

	/**
	 * @wire_faults: set the faults of a port's wire: "drop=0.01,seed=7"; "" mends it
	 *
	 * Return: 0, or -EINVAL: no such port, or the text is not understood
	 */
	int (*wire_faults)(unsigned port, const char *spec);

	/**
	 * @inject: let the device have an error by itself
	 *
	 * Return: 0, or -EINVAL: no such port or object
	 */
	int (*inject)(unsigned port, enum devx_emu_inject what, uint32_t id);

	/** @forgive: forget the protocol mistakes so far: a test that makes one on purpose */
	void (*forgive)(void);
};

/** devx_emu_ctl_find - the controls, or NULL where there is no emu. Needs no library of emu */
static inline const struct devx_emu_ctl *devx_emu_ctl_find(void)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_DEFAULT, "devx_emu_ctl");
	const struct devx_emu_ctl *(*ctl)(void) = (const struct devx_emu_ctl *(*)(void))symbol;

	return ctl ? ctl() : NULL;
}

#endif
