/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/ethernet.h"

#include <string.h>

#include <rte_ether.h>

enum { PRIORITY_SHIFT = 13, ID_MASK = 0xfff };

static uint16_t read_be16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void write_be16(uint8_t *bytes, unsigned value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

bool ethernet_read(struct ethernet *l, const uint8_t *frame, unsigned n_bytes)
{
	*l = (struct ethernet){ .frame = frame, .n_bytes = n_bytes, .l3 = RTE_ETHER_HDR_LEN };
	if (n_bytes < l->l3 || (frame[MAC_BYTES] & 1))
		return false;
	l->type = read_be16(frame + 2 * MAC_BYTES);
	for (unsigned i = 0; i < VLAN_MAX_TAGS; i++) {
		uint16_t id;

		if (l->type != RTE_ETHER_TYPE_VLAN && l->type != RTE_ETHER_TYPE_QINQ)
			break;
		if (n_bytes < l->l3 + RTE_VLAN_HLEN)
			return false;
		id = read_be16(frame + l->l3) & ID_MASK;
		if (id)
			l->vlan.tags[l->vlan.n++].id = id;
		l->type = read_be16(frame + l->l3 + 2);
		l->l3 += RTE_VLAN_HLEN;
	}
	return true;
}

bool ethernet_is_to(const struct ethernet *l, const uint8_t *mac)
{
	return !memcmp(l->frame, mac, MAC_BYTES);
}

bool ethernet_is_in(const struct ethernet *l, const struct vlan *v)
{
	return !v->n || vlan_is_same(&l->vlan, v);
}

bool ethernet_is_broadcast(const struct ethernet *l)
{
	static const uint8_t all[MAC_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	return ethernet_is_to(l, all);
}

void ethernet_write_answer(const struct ethernet *l, uint8_t *answer, const uint8_t *to,
			   const uint8_t *from)
{
	memcpy(answer, l->frame, l->l3);
	memcpy(answer, to, MAC_BYTES);
	memcpy(answer + MAC_BYTES, from, MAC_BYTES);
}

unsigned ethernet_write(uint8_t *frame, const uint8_t *to, const uint8_t *from,
			const struct vlan *v, uint16_t type)
{
	uint8_t *at = frame + 2 * MAC_BYTES;

	memcpy(frame, to, MAC_BYTES);
	memcpy(frame + MAC_BYTES, from, MAC_BYTES);
	for (unsigned i = 0; i < v->n; i++, at += RTE_VLAN_HLEN) {
		write_be16(at, v->tags[i].ether_type);
		write_be16(at + 2, (unsigned)v->tags[i].priority << PRIORITY_SHIFT | v->tags[i].id);
	}
	write_be16(at, type);
	return (unsigned)(at + 2 - frame);
}

unsigned ethernet_pad(uint8_t *answer, unsigned n_bytes)
{
	if (n_bytes >= ETHERNET_MIN_BYTES)
		return n_bytes;
	memset(answer + n_bytes, 0, ETHERNET_MIN_BYTES - n_bytes);
	return ETHERNET_MIN_BYTES;
}
