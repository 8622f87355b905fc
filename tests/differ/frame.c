/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes frames from text. One pass appends the headers. A second one fills in lengths and checksums
 * from the inside out, because the checksum of an outer UDP header covers the inner packet.
 */
#include "frame.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "frame_words.h"

/* ---- second pass --------------------------------------------------------------------- */

static uint32_t add_sum(uint32_t sum, const uint8_t *p, size_t bytes)
{
	for (size_t i = 0; i + 1 < bytes; i += 2)
		sum += read_be16(p + i);
	return bytes & 1 ? sum + (uint32_t)p[bytes - 1] * 256 : sum;
}

static unsigned int fold_sum(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

/* Returns the IP header that @l4 belongs to. */
static const struct frame_layer *find_ip(const struct frame *f, const struct frame_layer *l4)
{
	while (l4-- > f->layer)
		if (l4->kind == FRAME_IP4 || l4->kind == FRAME_IP6)
			return l4;
	return NULL;
}

static void put_l4_sum(struct frame *f, const struct frame_layer *l, unsigned int at)
{
	const struct frame_layer *ip = find_ip(f, l);
	uint8_t *field = f->data + l->off + at;
	const unsigned int n = f->end - l->off;
	unsigned int sum;

	write_be16(field, 0);
	if (l->no_sum || !ip)
		return;
	sum = fold_sum(add_sum(add_sum(n + l->protocol,
				       f->data + ip->off + (ip->kind == FRAME_IP4 ? 12 : 8),
				       ip->kind == FRAME_IP4 ? 8 : 32),
			       f->data + l->off, n)) ^
	      0xffff;
	if (!sum && l->kind == FRAME_UDP)
		sum = 0xffff;
	write_be16(field, l->bad_sum ? sum ^ 0x5aa5 : sum);
}

static void finish_layer(struct frame *f, const struct frame_layer *l)
{
	uint8_t *p = f->data + l->off;

	switch (l->kind) {
	case FRAME_IP4:
		write_be16(p + 2, (unsigned int)(f->end - l->off));
		write_be16(p + 10, 0);
		write_be16(p + 10,
			   fold_sum(add_sum(0, p, l->bytes)) ^ (l->bad_sum ? 0xff0f : 0xffff));
		break;
	case FRAME_IP6:
		write_be16(p + 4, (unsigned int)(f->end - l->off - FRAME_IP6_BYTES));
		break;
	case FRAME_UDP:
		write_be16(p + 4, (unsigned int)(f->end - l->off));
		put_l4_sum(f, l, 6);
		break;
	case FRAME_TCP:
		put_l4_sum(f, l, 16);
		break;
	case FRAME_TUNNEL:
		if (!strncmp(l->word, "gtpu", 4))
			write_be16(p + 2, (unsigned int)(f->end - l->off - l->bytes));
		break;
	default:
		break;
	}
}

void frame_finish(struct frame *f)
{
	for (unsigned int i = f->n_layers; i-- > 0;)
		finish_layer(f, &f->layer[i]);
}

/* Writes the number of the header @l into the header in front of it. */
static void link_layer(struct frame *f, const struct frame_layer *front,
		       const struct frame_layer *l, const struct frame_header *h)
{
	uint8_t *p = f->data + front->off;

	if (front->kind == FRAME_ETH)
		write_be16(p + 12, h->protocol ? h->protocol : 0x88b5); /* a type for experiments */
	else if (front->kind == FRAME_VLAN)
		write_be16(p + 2, h->protocol ? h->protocol : 0x88b5);
	else if (front->kind == FRAME_IP4)
		p[9] = l->kind == FRAME_PAYLOAD ? 253 : (uint8_t)l->protocol;
	else if (front->kind == FRAME_IP6)
		p[6] = l->kind == FRAME_PAYLOAD ? 253 : (uint8_t)l->protocol;
	else if (front->kind == FRAME_EXT)
		p[0] = l->kind == FRAME_PAYLOAD ? 253 : (uint8_t)l->protocol;
	else if (front->kind == FRAME_UDP && h->port)
		write_be16(p + 2, h->port);
	else if (front->kind == FRAME_TUNNEL && !strncmp(front->word, "gre", 3))
		write_be16(p + 2, h->protocol);
}

/* ---- first pass ---------------------------------------------------------------------- */

/* Inside IPv4 or IPv6 the number of an IP header is 4 or 41, not its Ethernet type. */
static uint16_t get_protocol(const struct frame_layer *front, const struct frame_header *h)
{
	const bool in_ip =
		front->kind == FRAME_IP4 || front->kind == FRAME_IP6 || front->kind == FRAME_EXT;

	if (in_ip && h->kind == FRAME_IP4)
		return IPPROTO_IPIP;
	return in_ip && h->kind == FRAME_IP6 ? IPPROTO_IPV6 : h->protocol;
}

static void append_layer(struct frame *f, const struct frame_header *h, const struct frame_word *w,
			 const char *text)
{
	struct frame_layer *l = &f->layer[f->n_layers];

	*l = (struct frame_layer){ .kind = h->kind,
				   .off = f->bytes,
				   .bytes = h->bytes,
				   .bad_sum = frame_word_has(w, "!sum"),
				   .no_sum = frame_word_has(w, "+nosum"),
				   .word = text };
	l->fragment = frame_word_has(w, "+first") || frame_word_has(w, "+middle") ||
		      frame_word_has(w, "+last");
	if (h->kind == FRAME_PAYLOAD)
		l->bytes = (uint16_t)frame_word_get_number(w, 0);
	else if (h->option && frame_word_has(w, h->option))
		l->bytes = (uint16_t)(h->bytes + h->option_bytes);
	h->fill(f->data + l->off, w);
	f->bytes = (uint16_t)(f->bytes + l->bytes);
	if (f->n_layers) {
		l->protocol = get_protocol(l - 1, h);
		link_layer(f, l - 1, l, h);
	}
	f->n_layers++;
}

/* Words outside headers: destination address, padding, end of the frame. */
static bool take_other_word(struct frame *f, const struct frame_word *w, unsigned int *pad,
			    unsigned int *cut)
{
	static const struct {
		const char *name;
		uint8_t mac[RTE_ETHER_ADDR_LEN];
	} to[] = {
		{ "broadcast", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
		{ "multicast", { 0x01, 0x00, 0x5e, 0x01, 0x02, 0x03 } },
		{ "multicast6", { 0x33, 0x33, 0x00, 0x00, 0x00, 0x01 } },
		{ "other", { 0x02, 0xbb, 0xbb, 0xbb, 0xbb, 0x01 } },
		{ "second", { 0x02, 0xcc, 0xcc, 0xcc, 0xcc, 0x02 } },
	};

	if (!strcmp(w->name, "pad"))
		*pad = frame_word_get_number(w, 0);
	else if (!strcmp(w->name, "cut"))
		*cut = frame_word_get_number(w, 0);
	else
		for (unsigned int i = 0; i < sizeof(to) / sizeof(to[0]); i++)
			if (!strcmp(to[i].name, w->name)) {
				memcpy(f->data, to[i].mac, RTE_ETHER_ADDR_LEN);
				return true;
			}
	return *pad || *cut;
}

static const char *read_word(struct frame_word *w, const char *p)
{
	const size_t all = strcspn(p, " "), n = strcspn(p, " +!:");

	snprintf(w->name, sizeof(w->name), "%.*s", (int)n, p);
	w->suffix = p + n;
	w->suffix_bytes = (unsigned int)(all - n);
	return p + all + strspn(p + all, " ");
}

static void start_frame(struct frame *f, const char *text, uint32_t number,
			const struct rte_ether_addr *own)
{
	const struct frame_word none = { "eth", "", 0 };

	memset(f, 0, sizeof(*f));
	f->text = text;
	f->number = number;
	append_layer(f, frame_header_find("eth"), &none, "eth");
	memcpy(f->data, own, RTE_ETHER_ADDR_LEN);
	write_be16(f->data + 8, number >> 16);
	write_be16(f->data + 10, number);
}

bool frame_make(struct frame *f, const char *text, uint32_t number,
		const struct rte_ether_addr *own)
{
	unsigned int pad = 0, cut = 0;
	struct frame_word w;

	start_frame(f, text, number, own);
	for (const char *p = text, *next; *p; p = next) {
		const struct frame_header *h;

		next = read_word(&w, p);
		h = frame_header_find(w.name);
		if (!h && take_other_word(f, &w, &pad, &cut))
			continue;
		if (!h || f->n_layers == FRAME_MAX_LAYERS) {
			ADD_FAILURE("frame \"%s\": unknown word \"%s\"", text, w.name);
			return false;
		}
		append_layer(f, h, &w, p);
	}
	f->end = f->bytes;
	frame_finish(f);
	f->bytes = (uint16_t)(f->bytes + pad);
	f->cut = cut && cut < f->end;
	if (cut)
		f->bytes = (uint16_t)cut;
	return true;
}

uint32_t frame_get_number(const uint8_t *data)
{
	return read_be16(data + 8) << 16 | read_be16(data + 10);
}

const struct frame_layer *frame_find(const struct frame *f, enum frame_kind kind, unsigned int nth)
{
	for (unsigned int i = 0; i < f->n_layers; i++)
		if (f->layer[i].kind == kind && !nth--)
			return &f->layer[i];
	return NULL;
}
