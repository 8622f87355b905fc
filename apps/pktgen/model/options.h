/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OPTIONS_H
#define PKTGEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/units.h"
#include "packet/pattern.h"
#include "packet/size.h"

enum {
	PKTGEN_MAX_PORTS = 2,
	PKTGEN_FCS_BYTES = 4,
	PKTGEN_MIN_SIZE = SIZE_MIN_BYTES,
	PKTGEN_MAX_SIZE = SIZE_MAX_BYTES,
	PKTGEN_MIN_MTU = 68,      /* the smallest MTU of IPv4 (RFC 791) */
	PKTGEN_BURST = 64,        /* frames that a sender or a receiver handles at once */
	PKTGEN_MAX_SEQ_LOG2 = 42, /* packets of a flow: ten days at 5 Mpps */
};

/** struct endpoint - source or destination of the UDP flow */
struct endpoint {
	uint8_t mac[6];
	bool mac_given; /* false: the port's own MAC is used */
	struct pattern ip, port;
};

/** enum sender_choice - how to send (--sender) */
enum sender_choice {
	SENDER_AUTO, /* with the generator ring where that is possible, else with mbufs */
	SENDER_MBUF,
	SENDER_RING,
};

/** struct options - the command line */
struct options {
	bool demo;
	const char *ports[PKTGEN_MAX_PORTS]; /* device names, as EAL takes them */
	unsigned n_ports;
	bool ports_given;

	struct size size;         /* of generated frames */
	const char *pcap;         /* the capture that replaces generated frames, or NULL */
	const char *frame_option; /* name of an option given for generated frames, or NULL */
	struct endpoint src, dst;
	bool both; /* also a flow from the second port to the first */

	struct rate rate;     /* of each flow */
	uint64_t count;       /* packets of each flow; 0: no limit */
	uint64_t loops;       /* passes over the capture; 0: not given */
	uint64_t duration_ns; /* time to send for; 0: no limit */
	uint64_t drain_ns;    /* draining ends after at most this time without a frame */

	bool send_only; /* no port receives */
	enum sender_choice sender;
	uint16_t mtu; /* 0: leave the MTU of the ports */
	uint32_t rx_ring, tx_ring;
	bool no_huge;
	bool verbose; /* show the log of EAL and of the drivers */

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
