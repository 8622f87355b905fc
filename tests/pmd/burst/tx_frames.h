/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TX_FRAMES_H
#define TX_FRAMES_H

#include "port_rig.h"

/**
 * DOC: Packets with TSO and VLAN insertion, and the frames that must be on the wire
 *
 * The expected frames are cut and summed here in software, without code of the driver, lib/prm or
 * emu.
 */

enum {
	TX_FRAMES_MAX = 66000,   /* bytes of the longest packet */
	TX_FRAMES_HEADERS = 160, /* bytes of the longest headers */
};

/** enum tx_kind - headers of a packet */
enum tx_kind { TX_IPV4, TX_IPV6, TX_VXLAN_IPV4, TX_VXLAN_IPV6, TX_GRE_IPV4, TX_N_KINDS };

/**
 * struct tx_packet - a TCP packet
 * @bytes: the packet; all checksum fields have wrong values
 * @n: its length
 * @header: length of its headers
 * @outer_l3, @l3, @l4: offsets of IP outside a tunnel (0: no tunnel), of IP and of TCP
 * @ol_flags: request of all checksums and of TSO
 */
struct tx_packet {
	uint8_t bytes[TX_FRAMES_MAX];
	uint32_t n, header, outer_l3, l3, l4;
	uint64_t ol_flags;
};

/** tx_packet_make - make a packet to the port itself; @payload: its bytes behind the headers */
void tx_packet_make(struct tx_packet *p, const struct port_rig *rig, enum tx_kind kind,
		    uint32_t payload, uint32_t seed);
/**
 * tx_packet_to_mbuf - copy a packet into mbufs with all requests
 * @first: bytes in each of the first two mbufs; 0: as many as fit
 * @rest: bytes in each other mbuf
 * @mss: for TSO; 0: no TSO, checksums only
 */
struct rte_mbuf *tx_packet_to_mbuf(const struct tx_packet *p, const struct port_rig *rig,
				   uint16_t first, uint16_t rest, uint16_t mss);
/** tx_packet_count - get the number of frames of a packet */
uint32_t tx_packet_count(const struct tx_packet *p, uint16_t mss);
/** tx_packet_cut - write frame @i of a packet, with all checksums. Return: its length */
uint32_t tx_packet_cut(const struct tx_packet *p, uint16_t mss, uint32_t i, uint8_t *frame);
/** tx_frame_insert_tag - insert a VLAN tag into a frame. Return: its length */
uint32_t tx_frame_insert_tag(uint8_t *frame, uint32_t n, uint16_t tpid, uint16_t tci);
/** tx_frames_expect - receive one frame, and expect it to be @frame, padded to 60 bytes */
void tx_frames_expect(const struct port_rig *rig, const uint8_t *frame, uint32_t n);
/** tx_packet_expect - receive all frames of a packet; @tpid 0: no VLAN tag */
void tx_packet_expect(const struct tx_packet *p, const struct port_rig *rig, uint16_t mss,
		      uint16_t tpid, uint16_t tci);

#endif
