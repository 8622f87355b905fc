/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OPTIONS_H
#define PKTGEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"

enum {
	PKTGEN_MAX_PORTS = 2,
	PKTGEN_FCS_BYTES = 4,
	PKTGEN_MIN_SIZE = 64,
	PKTGEN_MAX_SIZE = 10000,
	PKTGEN_MIN_MTU = 68,      /* IPv4's least; RFC 791 */
	PKTGEN_BURST = 64,        /* frames that a sender or a receiver has in hand */
	PKTGEN_MAX_SEQ_LOG2 = 42, /* numbers of a flow: ten days at 5 Mpps */
};

/** struct endpoint - one end of the UDP flow */
struct endpoint {
	uint8_t mac[6];
	bool mac_given; /* else the port's own */
	uint32_t ip;    /* host byte order */
	uint16_t port;
};

/** struct options - what the command line asks for */
struct options {
	bool demo;
	const char *ports[PKTGEN_MAX_PORTS]; /* devices as EAL names them */
	unsigned n_ports;
	bool ports_given;

	uint32_t size;            /* bytes of a frame on the wire, FCS included */
	const char *pcap;         /* or frames from a capture */
	const char *frame_option; /* name of an option given for generated frames, or NULL */
	struct endpoint src, dst;
	bool both; /* also a flow from the second port to the first */

	struct rate rate;     /* of each flow */
	uint64_t count;       /* packets of each flow; 0: no limit */
	uint64_t loops;       /* passes over the capture; 0: not given */
	uint64_t duration_ns; /* 0: no limit */
	uint64_t drain_ns;    /* how long quiet means: nothing comes any more */

	bool send_only; /* nothing is received */
	uint16_t mtu;   /* 0: as the ports are */
	uint32_t rx_ring, tx_ring;
	bool no_huge;
	bool verbose; /* what EAL and drivers say */

	int n_eal; /* what stands behind -- */
	char **eal;
};

/**
 * options_parse - read the command line
 *
 * Exits by itself: 0 after --help and --version, PKTGEN_USAGE with one line on stderr after
 * anything that cannot be done.
 */
void options_parse(struct options *o, int argc, char **argv);

#endif
