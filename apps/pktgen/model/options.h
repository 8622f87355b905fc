/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OPTIONS_H
#define PKTGEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/units.h"
#include "model/addresses.h"
#include "model/cores_option.h"
#include "model/expect.h"
#include "model/rewrite.h"
#include "packet/size.h"
#include "packet/stack.h"

/* Limits of the speed of a replay */
#define JOB_MIN_SPEED 0.001
#define JOB_MAX_SPEED 1000

enum {
	PKTGEN_MAX_PORTS = 32,
	PKTGEN_FCS_BYTES = 4,
	PKTGEN_MIN_SIZE = SIZE_MIN_BYTES,
	PKTGEN_MAX_SIZE = SIZE_MAX_BYTES,
	PKTGEN_MIN_MTU = 68,      /* the smallest MTU of IPv4 (RFC 791) */
	PKTGEN_BURST = 64,        /* frames that a sender or a receiver handles at once */
	PKTGEN_MAX_SEQ_LOG2 = 42, /* packets of a flow: ten days at 5 Mpps */
};

/* Without a UDP checksum, the frames of a flow differ only in their signature. */
#define PKTGEN_DEFAULT_PACKET "ethernet/ipv4(dont_fragment=1)/udp(checksum=0)"

/** enum sender_choice - how to send (--sender) */
enum sender_choice {
	SENDER_AUTO, /* the generator ring if possible, else mbufs */
	SENDER_MBUF,
	SENDER_RING,
};

/** enum checksums_choice - what writes the checksums (--checksums) */
enum checksums_choice {
	CHECKSUMS_AUTO, /* the port if it can and the checksum covers the payload, else software */
	CHECKSUMS_PORT,
	CHECKSUMS_SOFTWARE,
};

/** enum timestamps_choice - the clock of receive times (--timestamps) */
enum timestamps_choice {
	TIMESTAMPS_AUTO, /* the clock of the device if the port has timestamps, else the TSC */
	TIMESTAMPS_DEVICE,
	TIMESTAMPS_TSC,
};

/* Names of the choices; NULL ends each list. */
extern const char *const sender_names[], *const checksums_names[], *const timestamps_names[];

/** choice_parse - find @text in a list of names. Return: NULL, or the reason of a refusal */
const char *choice_parse(const char *const *names, const char *text, int *choice);

/** struct options - the command line */
struct options {
	bool demo;
	const char *ports[PKTGEN_MAX_PORTS]; /* device names, as EAL takes them */
	unsigned n_ports;
	bool ports_given;

	struct size size;           /* sizes of generated frames */
	const char *pcap;           /* the capture that replaces generated frames, or NULL */
	const char *interface;      /* number or name of an interface of the capture, or NULL */
	bool original_timing;       /* replay the capture with its own times */
	double speed;               /* --speed: factor of the replay; 0: replay at --rate */
	struct rewrite rewrite;     /* new addresses of the capture */
	const char *capture_option; /* name of a given option of captures, or NULL */
	const char *frame_option;   /* name of a given option of generated frames, or NULL */
	const char *field_option;   /* name of a given option of a field, or NULL */
	const char *packet;         /* the argument of --packet, or NULL */
	struct stack stack;         /* headers of generated frames */
	enum expect expect;         /* how they may differ when they arrive */
	bool both;                  /* also a flow from the second port to the first */
	unsigned n_flows;           /* flows into which each flow is divided; 0: not given */

	struct rate rate;                     /* rate of each flow */
	struct rate ramp_from;                /* rate at the start of the ramp */
	uint64_t ramp_ns;                     /* time to reach @rate; 0: no ramp */
	uint64_t count;                       /* packets of each flow; 0: no limit */
	uint64_t loops;                       /* passes over the capture; 0: not given */
	uint64_t duration_ns;                 /* time to send for; 0: no limit */
	uint64_t delay_ns;                    /* time before the first packet */
	uint64_t burst_packets, burst_gap_ns; /* 0: no bursts */
	uint64_t drain_ns; /* draining ends after at most this time without a frame */

	bool send_only; /* no port receives */
	enum sender_choice sender;
	enum checksums_choice checksums;
	enum timestamps_choice timestamps;
	uint16_t mtu; /* 0: leave the MTU of the ports */
	uint32_t rx_ring, tx_ring, run_number;
	struct cores_option cores;
	struct queues_option queues[PKTGEN_MAX_PORTS];
	struct addresses addresses[PKTGEN_MAX_PORTS]; /* without the MAC address */
	bool address_given;
	bool no_huge;
	bool allow_monitor; /* share huge pages with `devx-pktgen monitor` */
	bool verbose;       /* show the log of EAL and of the drivers */

	const char *config;     /* the job file, or NULL */
	const char *job_option; /* name of a given option that a job file replaces, or NULL */
	unsigned settings;      /* bit i: the command line sets job_settings_keys[i] */
	bool print_config;      /* print the job as a job file, and exit */

	const char *json, *csv;  /* files of records, "-": stdout, or NULL */
	const char *latency_log; /* file of histograms, "-": stdout, or NULL */
	bool all_flows;          /* plan and result print every flow, also of many */
	uint64_t interval_ns;    /* between two records; 0: not given */

	int argc;
	char **argv; /* the whole command line */
	int n_eal;
	char **eal; /* the options after "--", which are for EAL */
};

/**
 * options_parse - read the command line
 *
 * Ends the program: with status 0 after --help and --version, with PKTGEN_USAGE after one line on
 * stderr for an invalid command line.
 */
void options_parse(struct options *o, int argc, char **argv);

#endif
