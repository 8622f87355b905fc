/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_SHARED_H
#define EMU_UVERBS_SHARED_H

#include "emu/control.h"
#include "emu/mistake.h"

/**
 * DOC: The file that devx-emu and libdevx-emu.so share
 *
 * devx-emu creates the file in its private directory and puts its path into the environment
 * variable EMU_SHARED_ENV. libdevx-emu.so maps the file in every process that has the variable.
 * The file describes the adapter to emulate. libdevx-emu.so also counts protocol mistakes there, so
 * the counts survive _exit() and kill -9.
 *
 * emu_shared.bytes detects a devx-emu and a libdevx-emu.so of different builds.
 *
 * emu_shared.dir contains the device files (dev) and the sysfs (sys) that the program sees.
 */

#define EMU_SHARED_ENV "DEVX_EMU"
#define EMU_SHARED_MAGIC 0x64657678u

/* Environment variable that lists the Linux capabilities of a program, and the valid words */
#define EMU_CAPABILITIES_ENV "DEVX_EMU_CAPS"
#define EMU_CAPABILITIES "net_raw", "sys_rawio", "ipc_lock"

enum { EMU_SHARED_WIRE_BYTES = 1024, EMU_IFNAME_BYTES = 16, EMU_SHARED_PAGE = 4096 };

/* Major number (also as text) and first minor number of /dev/infiniband/uverbs*, as in Linux. */
#define EMU_CDEV_MAJOR 231
#define EMU_TEXT_OF(word) #word
#define EMU_TEXT(macro) EMU_TEXT_OF(macro)
#define EMU_CDEV_MAJOR_TEXT EMU_TEXT(EMU_CDEV_MAJOR)
enum { EMU_CDEV_MINOR = 192 };

/* Directory of the PCI bus in sysfs; format of a port's PCI address, which takes the port number */
#define EMU_PCI_ROOT "pci0000:c1"
#define EMU_PCI_SLOT "0000:c1:00."
#define EMU_PCI_ADDRESS EMU_PCI_SLOT "%u"
/* Directory of a port's PCI function below sys, as a format */
#define EMU_PCI_FUNCTION "devices/" EMU_PCI_ROOT "/" EMU_PCI_ADDRESS

/*
 * A port that is a sub-function: its name on the auxiliary bus, and its directory below sys. Both
 * formats take the port number plus EMU_SF_FIRST. All are children of the first PCI function.
 */
enum { EMU_SF_FIRST = 4 };
#define EMU_SF_NAME "mlx5_core.sf.%u"
#define EMU_SF_FUNCTION "devices/" EMU_PCI_ROOT "/" EMU_PCI_SLOT "0/" EMU_SF_NAME

/** struct emu_shared_port - description of one port */
struct emu_shared_port {
	char wire[EMU_SHARED_WIRE_BYTES];
	char ifname[EMU_IFNAME_BYTES]; /* netdev whose MAC and MTU the port copies, or "" */
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;
	uint64_t node_fs, node_inode; /* st_dev and st_ino of dir/dev/infiniband/uverbsN */
};

/** enum emu_warning - limits of emu that a program can run into */
enum emu_warning {
	EMU_WARN_OWNER_ENDED,     /* EIO: the process that owned the adapter has ended */
	EMU_WARN_PRIVATE_MEMORY,  /* EOPNOTSUPP: another process registers private memory */
	EMU_WARN_NETDEV_MOVED,    /* a port's netdev moved to another network namespace */
	EMU_WARN_UNMAPPED_DMABUF, /* the exporter of a dma-buf refuses mmap() */
	EMU_WARN_NETDEV_DELETED,  /* the netdev of a TAP wire no longer exists */
	EMU_N_WARNINGS,
};

/** struct emu_shared_warning - the first occurrence of a warning */
struct emu_shared_warning {
	uint32_t taken; /* 1: a process has written @text, or is writing it */
	char text[512]; /* one line, or "" */
};

/** struct emu_shared - contents of the shared file */
struct emu_shared {
	uint32_t magic, bytes;
	char dir[256]; /* private directory of devx-emu: an absolute path without symbolic links */
	char profile[512];
	char trace[4096]; /* absolute path, "-" for standard error of the process, or "" */
	uint32_t memlock; /* 1: registered memory counts against RLIMIT_MEMLOCK */
	uint32_t no_write_combining; /* 1: the kernel found no write combining on this machine */
	uint32_t command_us;         /* duration of each firmware command */
	uint32_t sub_functions;      /* 1: the ports are sub-functions, not PCI functions */
	uint32_t clock;              /* enum emu_clock */
	uint32_t n_ports;
	struct emu_shared_port port[EMU_MAX_PORTS];

	/* written by libdevx-emu.so */
	char why[512]; /* why the adapter cannot be powered on: one line, or "" */
	struct emu_mistakes mistakes;
	int32_t owner; /* pid of the current or last owner of the adapter; 0: it is off */
	struct emu_shared_warning warning[EMU_N_WARNINGS];
	struct emu_traffic traffic[EMU_MAX_PORTS];
	uint32_t absent[EMU_MAX_PORTS]; /* 1: no program finds the RDMA device of the port */

	/* the clock registers: the engine writes this page, and programs map it to read the time */
	_Alignas(EMU_SHARED_PAGE) uint64_t clock_page[EMU_SHARED_PAGE / 8];
};

#endif
