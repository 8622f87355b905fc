/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames in tunnels. tunnel_frames.py wrote this file.
 */
#ifndef TUNNEL_FRAMES_H
#define TUNNEL_FRAMES_H

#include "emu/packet/parse.h"

enum { TUNNEL_GARBAGE = 0xdead };

/** struct tunnel_frame - a frame whose checksums are all right */
struct tunnel_frame {
	const char *name;
	uint8_t tunnel, inner_ip, inner_proto; /* inner_proto 0: no whole TCP or UDP header */
	uint16_t bytes, outer_l3, inner_l2, inner_l3, inner_l4, sum;
	uint16_t at[4];       /* offsets of the checksums: outer IP, L4, inner IP, L4; 0: none */
	uint16_t want[16][4]; /* checksums by requested ones (bit i: at[i]), others are garbage */
	const char *data;
};

/* clang-format off */
static const struct tunnel_frame tunnel_frames[] = {
	{ .name = "vxlan4_tcp4", .tunnel = EMU_TUNNEL_VXLAN, .bytes = 111,
	  .outer_l3 = 14, .inner_l2 = 50, .inner_l3 = 64, .inner_l4 = 84,
	  .inner_ip = 4, .inner_proto = 6, .sum = 0x7b9d,
	  .at = { 24, 40, 74, 100 },
	  .want = {
		{ 0xdead, 0xdead, 0xdead, 0xdead }, { 0xf681, 0xdead, 0xdead, 0xdead },
		{ 0xdead, 0xff06, 0xdead, 0xdead }, { 0xf681, 0xff06, 0xdead, 0xdead },
		{ 0xdead, 0xdead, 0x66c6, 0xdead }, { 0xf681, 0xdead, 0x66c6, 0xdead },
		{ 0xdead, 0x76ee, 0x66c6, 0xdead }, { 0xf681, 0x76ee, 0x66c6, 0xdead },
		{ 0xdead, 0xdead, 0xdead, 0x19c5 }, { 0xf681, 0xdead, 0xdead, 0x19c5 },
		{ 0xdead, 0xc3ef, 0xdead, 0x19c5 }, { 0xf681, 0xc3ef, 0xdead, 0x19c5 },
		{ 0xdead, 0xdead, 0x66c6, 0x19c5 }, { 0xf681, 0xdead, 0x66c6, 0x19c5 },
		{ 0xdead, 0x3bd7, 0x66c6, 0x19c5 }, { 0xf681, 0x3bd7, 0x66c6, 0x19c5 },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x61\x00\x07"
		"\x00\x00\x40\x11\xf6\x81\xc0\x00\x02\x01\xc0\x00\x02\x02\xc3\x50\x12\xb5\x00\x4d"
		"\x3b\xd7\x08\x00\x00\x00\x12\x34\x56\x00\x02\x00\x00\x00\x00\xaa\x02\x00\x00\x00"
		"\x00\xbb\x08\x00\x45\x00\x00\x2f\xff\xfe\x00\x00\x40\x06\x66\xc6\x0a\x01\x00\x01"
		"\x0a\x01\x00\x02\x03\xe8\x07\xd0\xff\xff\xfe\x00\x00\x00\x00\x00\x50\x19\x20\x00"
		"\x19\xc5\x00\x00\x01\x08\x0f\x16\x1d\x24\x2b" },

	{ .name = "vxlan6_udp6", .tunnel = EMU_TUNNEL_VXLAN, .bytes = 145,
	  .outer_l3 = 14, .inner_l2 = 70, .inner_l3 = 84, .inner_l4 = 124,
	  .inner_ip = 6, .inner_proto = 17, .sum = 0x712f,
	  .at = { 0, 60, 0, 130 },
	  .want = {
		{ 0x0000, 0xdead, 0x0000, 0xdead }, { 0x0000, 0xdead, 0x0000, 0xdead },
		{ 0x0000, 0x3dce, 0x0000, 0xdead }, { 0x0000, 0x3dce, 0x0000, 0xdead },
		{ 0x0000, 0xdead, 0x0000, 0xdead }, { 0x0000, 0xdead, 0x0000, 0xdead },
		{ 0x0000, 0x3dce, 0x0000, 0xdead }, { 0x0000, 0x3dce, 0x0000, 0xdead },
		{ 0x0000, 0xdead, 0x0000, 0xbc64 }, { 0x0000, 0xdead, 0x0000, 0xbc64 },
		{ 0x0000, 0x6017, 0x0000, 0xbc64 }, { 0x0000, 0x6017, 0x0000, 0xbc64 },
		{ 0x0000, 0xdead, 0x0000, 0xbc64 }, { 0x0000, 0xdead, 0x0000, 0xbc64 },
		{ 0x0000, 0x6017, 0x0000, 0xbc64 }, { 0x0000, 0x6017, 0x0000, 0xbc64 },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x86\xdd\x60\x00\x00\x00\x00\x5b"
		"\x11\x40\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x20\x01"
		"\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xc3\x50\x12\xb5\x00\x5b"
		"\x60\x17\x08\x00\x00\x00\x12\x34\x56\x00\x02\x00\x00\x00\x00\xaa\x02\x00\x00\x00"
		"\x00\xbb\x86\xdd\x60\x00\x00\x00\x00\x15\x11\x40\xfd\x00\x00\x00\x00\x00\x00\x00"
		"\x00\x00\x00\x00\x00\x00\x00\x01\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
		"\x00\x00\x00\x02\x0b\xb8\x0f\xa0\x00\x15\xbc\x64\x01\x08\x0f\x16\x1d\x24\x2b\x32"
		"\x39\x40\x47\x4e\x55" },

	{ .name = "vxlan4_tags", .tunnel = EMU_TUNNEL_VXLAN, .bytes = 104,
	  .outer_l3 = 18, .inner_l2 = 54, .inner_l3 = 72, .inner_l4 = 92,
	  .inner_ip = 4, .inner_proto = 17, .sum = 0x7ba8,
	  .at = { 28, 44, 82, 98 },
	  .want = {
		{ 0xdead, 0xdead, 0xdead, 0xdead }, { 0xf68c, 0xdead, 0xdead, 0xdead },
		{ 0xdead, 0xc4a9, 0xdead, 0xdead }, { 0xf68c, 0xc4a9, 0xdead, 0xdead },
		{ 0xdead, 0xdead, 0x66ca, 0xdead }, { 0xf68c, 0xdead, 0x66ca, 0xdead },
		{ 0xdead, 0x3c8d, 0x66ca, 0xdead }, { 0xf68c, 0x3c8d, 0x66ca, 0xdead },
		{ 0xdead, 0xdead, 0xdead, 0xc05b }, { 0xf68c, 0xdead, 0xdead, 0xc05b },
		{ 0xdead, 0xe2fb, 0xdead, 0xc05b }, { 0xf68c, 0xe2fb, 0xdead, 0xc05b },
		{ 0xdead, 0xdead, 0x66ca, 0xc05b }, { 0xf68c, 0xdead, 0x66ca, 0xc05b },
		{ 0xdead, 0x5adf, 0x66ca, 0xc05b }, { 0xf68c, 0x5adf, 0x66ca, 0xc05b },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x81\x00\x00\x05\x08\x00\x45\x00"
		"\x00\x56\x00\x07\x00\x00\x40\x11\xf6\x8c\xc0\x00\x02\x01\xc0\x00\x02\x02\xc3\x50"
		"\x12\xb5\x00\x42\x5a\xdf\x08\x00\x00\x00\x12\x34\x56\x00\x02\x00\x00\x00\x00\xaa"
		"\x02\x00\x00\x00\x00\xbb\x81\x00\x60\x09\x08\x00\x45\x00\x00\x20\xff\xfe\x00\x00"
		"\x40\x11\x66\xca\x0a\x01\x00\x01\x0a\x01\x00\x02\x0b\xb8\x0f\xa0\x00\x0c\xc0\x5b"
		"\x01\x08\x0f\x16" },

	{ .name = "vxlan4_arp", .tunnel = EMU_TUNNEL_VXLAN, .bytes = 92,
	  .outer_l3 = 14, .inner_l2 = 50, .inner_l3 = 0, .inner_l4 = 0,
	  .inner_ip = 0, .inner_proto = 0, .sum = 0x7bb0,
	  .at = { 24, 40, 0, 0 },
	  .want = {
		{ 0xdead, 0xdead, 0x0000, 0x0000 }, { 0xf694, 0xdead, 0x0000, 0x0000 },
		{ 0xdead, 0x02c9, 0x0000, 0x0000 }, { 0xf694, 0x02c9, 0x0000, 0x0000 },
		{ 0xdead, 0xdead, 0x0000, 0x0000 }, { 0xf694, 0xdead, 0x0000, 0x0000 },
		{ 0xdead, 0x02c9, 0x0000, 0x0000 }, { 0xf694, 0x02c9, 0x0000, 0x0000 },
		{ 0xdead, 0xdead, 0x0000, 0x0000 }, { 0xf694, 0xdead, 0x0000, 0x0000 },
		{ 0xdead, 0x02c9, 0x0000, 0x0000 }, { 0xf694, 0x02c9, 0x0000, 0x0000 },
		{ 0xdead, 0xdead, 0x0000, 0x0000 }, { 0xf694, 0xdead, 0x0000, 0x0000 },
		{ 0xdead, 0x02c9, 0x0000, 0x0000 }, { 0xf694, 0x02c9, 0x0000, 0x0000 },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x4e\x00\x07"
		"\x00\x00\x40\x11\xf6\x94\xc0\x00\x02\x01\xc0\x00\x02\x02\xc3\x50\x12\xb5\x00\x3a"
		"\x02\xc9\x08\x00\x00\x00\x12\x34\x56\x00\x02\x00\x00\x00\x00\xaa\x02\x00\x00\x00"
		"\x00\xbb\x08\x06\x00\x01\x08\x00\x06\x04\x00\x01\x02\xfc\x00\x00\x00\x01\x0a\x01"
		"\x00\x01\x00\x00\x00\x00\x00\x00\x0a\x01\x00\x02" },

	{ .name = "vxlan4_fragment", .tunnel = EMU_TUNNEL_VXLAN, .bytes = 108,
	  .outer_l3 = 14, .inner_l2 = 50, .inner_l3 = 64, .inner_l4 = 84,
	  .inner_ip = 4, .inner_proto = 0, .sum = 0x7ba0,
	  .at = { 24, 40, 74, 0 },
	  .want = {
		{ 0xdead, 0xdead, 0xdead, 0x0000 }, { 0xf684, 0xdead, 0xdead, 0x0000 },
		{ 0xdead, 0xe3c5, 0xdead, 0x0000 }, { 0xf684, 0xe3c5, 0xdead, 0x0000 },
		{ 0xdead, 0xdead, 0x46bc, 0x0000 }, { 0xf684, 0xdead, 0x46bc, 0x0000 },
		{ 0xdead, 0x7bb7, 0x46bc, 0x0000 }, { 0xf684, 0x7bb7, 0x46bc, 0x0000 },
		{ 0xdead, 0xdead, 0xdead, 0x0000 }, { 0xf684, 0xdead, 0xdead, 0x0000 },
		{ 0xdead, 0xe3c5, 0xdead, 0x0000 }, { 0xf684, 0xe3c5, 0xdead, 0x0000 },
		{ 0xdead, 0xdead, 0x46bc, 0x0000 }, { 0xf684, 0xdead, 0x46bc, 0x0000 },
		{ 0xdead, 0x7bb7, 0x46bc, 0x0000 }, { 0xf684, 0x7bb7, 0x46bc, 0x0000 },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x5e\x00\x07"
		"\x00\x00\x40\x11\xf6\x84\xc0\x00\x02\x01\xc0\x00\x02\x02\xc3\x50\x12\xb5\x00\x4a"
		"\x7b\xb7\x08\x00\x00\x00\x12\x34\x56\x00\x02\x00\x00\x00\x00\xaa\x02\x00\x00\x00"
		"\x00\xbb\x08\x00\x45\x00\x00\x2c\x00\x01\x20\x00\x40\x11\x46\xbc\x0a\x01\x00\x01"
		"\x0a\x01\x00\x02\x01\x08\x0f\x16\x1d\x24\x2b\x32\x39\x40\x47\x4e\x55\x5c\x63\x6a"
		"\x71\x78\x7f\x86\x8d\x94\x9b\xa2" },

	{ .name = "gre4_tcp4", .tunnel = EMU_TUNNEL_GRE, .bytes = 83,
	  .outer_l3 = 14, .inner_l2 = 0, .inner_l3 = 38, .inner_l4 = 58,
	  .inner_ip = 4, .inner_proto = 6, .sum = 0xf3db,
	  .at = { 24, 0, 48, 74 },
	  .want = {
		{ 0xdead, 0x0000, 0xdead, 0xdead }, { 0xf67f, 0x0000, 0xdead, 0xdead },
		{ 0xdead, 0x0000, 0xdead, 0xdead }, { 0xf67f, 0x0000, 0xdead, 0xdead },
		{ 0xdead, 0x0000, 0x66c8, 0xdead }, { 0xf67f, 0x0000, 0x66c8, 0xdead },
		{ 0xdead, 0x0000, 0x66c8, 0xdead }, { 0xf67f, 0x0000, 0x66c8, 0xdead },
		{ 0xdead, 0x0000, 0xdead, 0x44eb }, { 0xf67f, 0x0000, 0xdead, 0x44eb },
		{ 0xdead, 0x0000, 0xdead, 0x44eb }, { 0xf67f, 0x0000, 0xdead, 0x44eb },
		{ 0xdead, 0x0000, 0x66c8, 0x44eb }, { 0xf67f, 0x0000, 0x66c8, 0x44eb },
		{ 0xdead, 0x0000, 0x66c8, 0x44eb }, { 0xf67f, 0x0000, 0x66c8, 0x44eb },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x45\x00\x07"
		"\x00\x00\x40\x2f\xf6\x7f\xc0\x00\x02\x01\xc0\x00\x02\x02\x00\x00\x08\x00\x45\x00"
		"\x00\x2d\xff\xfe\x00\x00\x40\x06\x66\xc8\x0a\x01\x00\x01\x0a\x01\x00\x02\x03\xe8"
		"\x07\xd0\xff\xff\xfe\x00\x00\x00\x00\x00\x50\x19\x20\x00\x44\xeb\x00\x00\x01\x08"
		"\x0f\x16\x1d" },

	{ .name = "gre6_key_udp4", .tunnel = EMU_TUNNEL_GRE, .bytes = 106,
	  .outer_l3 = 14, .inner_l2 = 62, .inner_l3 = 76, .inner_l4 = 96,
	  .inner_ip = 4, .inner_proto = 17, .sum = 0x2789,
	  .at = { 0, 0, 86, 102 },
	  .want = {
		{ 0x0000, 0x0000, 0xdead, 0xdead }, { 0x0000, 0x0000, 0xdead, 0xdead },
		{ 0x0000, 0x0000, 0xdead, 0xdead }, { 0x0000, 0x0000, 0xdead, 0xdead },
		{ 0x0000, 0x0000, 0x66cc, 0xdead }, { 0x0000, 0x0000, 0x66cc, 0xdead },
		{ 0x0000, 0x0000, 0x66cc, 0xdead }, { 0x0000, 0x0000, 0x66cc, 0xdead },
		{ 0x0000, 0x0000, 0xdead, 0xcf75 }, { 0x0000, 0x0000, 0xdead, 0xcf75 },
		{ 0x0000, 0x0000, 0xdead, 0xcf75 }, { 0x0000, 0x0000, 0xdead, 0xcf75 },
		{ 0x0000, 0x0000, 0x66cc, 0xcf75 }, { 0x0000, 0x0000, 0x66cc, 0xcf75 },
		{ 0x0000, 0x0000, 0x66cc, 0xcf75 }, { 0x0000, 0x0000, 0x66cc, 0xcf75 },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x86\xdd\x60\x00\x00\x00\x00\x34"
		"\x2f\x40\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x20\x01"
		"\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x20\x00\x65\x58\xab\xcd"
		"\x12\x34\x02\x00\x00\x00\x00\xaa\x02\x00\x00\x00\x00\xbb\x08\x00\x45\x00\x00\x1e"
		"\xff\xfe\x00\x00\x40\x11\x66\xcc\x0a\x01\x00\x01\x0a\x01\x00\x02\x0b\xb8\x0f\xa0"
		"\x00\x0a\xcf\x75\x01\x08" },

	{ .name = "gre4_all_tcp6", .tunnel = EMU_TUNNEL_GRE, .bytes = 111,
	  .outer_l3 = 14, .inner_l2 = 0, .inner_l3 = 50, .inner_l4 = 90,
	  .inner_ip = 6, .inner_proto = 6, .sum = 0xffff,
	  .at = { 24, 0, 0, 106 },
	  .want = {
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf663, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf663, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf663, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf663, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0x8b0d }, { 0xf663, 0x0000, 0x0000, 0x8b0d },
		{ 0xdead, 0x0000, 0x0000, 0x8b0d }, { 0xf663, 0x0000, 0x0000, 0x8b0d },
		{ 0xdead, 0x0000, 0x0000, 0x8b0d }, { 0xf663, 0x0000, 0x0000, 0x8b0d },
		{ 0xdead, 0x0000, 0x0000, 0x8b0d }, { 0xf663, 0x0000, 0x0000, 0x8b0d },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x61\x00\x07"
		"\x00\x00\x40\x2f\xf6\x63\xc0\x00\x02\x01\xc0\x00\x02\x02\xb0\x00\x86\xdd\x95\xef"
		"\x00\x00\x55\x66\x77\x88\x00\x00\x00\x09\x60\x00\x00\x00\x00\x15\x06\x40\xfd\x00"
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\xfd\x00\x00\x00\x00\x00"
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x03\xe8\x07\xd0\xff\xff\xfe\x00\x00\x00"
		"\x00\x00\x50\x19\x20\x00\x8b\x0d\x00\x00\x01" },

	{ .name = "ip4_in_ip4", .tunnel = EMU_TUNNEL_IP, .bytes = 77,
	  .outer_l3 = 14, .inner_l2 = 0, .inner_l3 = 34, .inner_l4 = 54,
	  .inner_ip = 4, .inner_proto = 6, .sum = 0xebdd,
	  .at = { 24, 0, 44, 70 },
	  .want = {
		{ 0xdead, 0x0000, 0xdead, 0xdead }, { 0xf6b0, 0x0000, 0xdead, 0xdead },
		{ 0xdead, 0x0000, 0xdead, 0xdead }, { 0xf6b0, 0x0000, 0xdead, 0xdead },
		{ 0xdead, 0x0000, 0x66ca, 0xdead }, { 0xf6b0, 0x0000, 0x66ca, 0xdead },
		{ 0xdead, 0x0000, 0x66ca, 0xdead }, { 0xf6b0, 0x0000, 0x66ca, 0xdead },
		{ 0xdead, 0x0000, 0xdead, 0x6203 }, { 0xf6b0, 0x0000, 0xdead, 0x6203 },
		{ 0xdead, 0x0000, 0xdead, 0x6203 }, { 0xf6b0, 0x0000, 0xdead, 0x6203 },
		{ 0xdead, 0x0000, 0x66ca, 0x6203 }, { 0xf6b0, 0x0000, 0x66ca, 0x6203 },
		{ 0xdead, 0x0000, 0x66ca, 0x6203 }, { 0xf6b0, 0x0000, 0x66ca, 0x6203 },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x3f\x00\x07"
		"\x00\x00\x40\x04\xf6\xb0\xc0\x00\x02\x01\xc0\x00\x02\x02\x45\x00\x00\x2b\xff\xfe"
		"\x00\x00\x40\x06\x66\xca\x0a\x01\x00\x01\x0a\x01\x00\x02\x03\xe8\x07\xd0\xff\xff"
		"\xfe\x00\x00\x00\x00\x00\x50\x19\x20\x00\x62\x03\x00\x00\x01\x08\x0f" },

	{ .name = "ip6_in_ip4", .tunnel = EMU_TUNNEL_IP, .bytes = 91,
	  .outer_l3 = 14, .inner_l2 = 0, .inner_l3 = 34, .inner_l4 = 74,
	  .inner_ip = 6, .inner_proto = 17, .sum = 0x712f,
	  .at = { 24, 0, 0, 80 },
	  .want = {
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf67d, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf67d, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf67d, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0xdead }, { 0xf67d, 0x0000, 0x0000, 0xdead },
		{ 0xdead, 0x0000, 0x0000, 0x58fb }, { 0xf67d, 0x0000, 0x0000, 0x58fb },
		{ 0xdead, 0x0000, 0x0000, 0x58fb }, { 0xf67d, 0x0000, 0x0000, 0x58fb },
		{ 0xdead, 0x0000, 0x0000, 0x58fb }, { 0xf67d, 0x0000, 0x0000, 0x58fb },
		{ 0xdead, 0x0000, 0x0000, 0x58fb }, { 0xf67d, 0x0000, 0x0000, 0x58fb },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x4d\x00\x07"
		"\x00\x00\x40\x29\xf6\x7d\xc0\x00\x02\x01\xc0\x00\x02\x02\x60\x00\x00\x00\x00\x11"
		"\x11\x40\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\xfd\x00"
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x0b\xb8\x0f\xa0\x00\x11"
		"\x58\xfb\x01\x08\x0f\x16\x1d\x24\x2b\x32\x39" },

	{ .name = "ip4_in_ip6", .tunnel = EMU_TUNNEL_IP, .bytes = 94,
	  .outer_l3 = 14, .inner_l2 = 0, .inner_l3 = 54, .inner_l4 = 74,
	  .inner_ip = 4, .inner_proto = 6, .sum = 0xabbe,
	  .at = { 0, 0, 64, 90 },
	  .want = {
		{ 0x0000, 0x0000, 0xdead, 0xdead }, { 0x0000, 0x0000, 0xdead, 0xdead },
		{ 0x0000, 0x0000, 0xdead, 0xdead }, { 0x0000, 0x0000, 0xdead, 0xdead },
		{ 0x0000, 0x0000, 0x66cd, 0xdead }, { 0x0000, 0x0000, 0x66cd, 0xdead },
		{ 0x0000, 0x0000, 0x66cd, 0xdead }, { 0x0000, 0x0000, 0x66cd, 0xdead },
		{ 0x0000, 0x0000, 0xdead, 0x720e }, { 0x0000, 0x0000, 0xdead, 0x720e },
		{ 0x0000, 0x0000, 0xdead, 0x720e }, { 0x0000, 0x0000, 0xdead, 0x720e },
		{ 0x0000, 0x0000, 0x66cd, 0x720e }, { 0x0000, 0x0000, 0x66cd, 0x720e },
		{ 0x0000, 0x0000, 0x66cd, 0x720e }, { 0x0000, 0x0000, 0x66cd, 0x720e },
	  },
	  .data =
		"\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x86\xdd\x60\x00\x00\x00\x00\x28"
		"\x04\x40\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x20\x01"
		"\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x45\x00\x00\x28\xff\xfe"
		"\x00\x00\x40\x06\x66\xcd\x0a\x01\x00\x01\x0a\x01\x00\x02\x03\xe8\x07\xd0\xff\xff"
		"\xfe\x00\x00\x00\x00\x00\x50\x19\x20\x00\x72\x0e\x00\x00" },

};
/* clang-format on */

#endif
