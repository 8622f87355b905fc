/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/vlan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ETHER_TYPE = 0x8100 };

#define VLAN_FORMS "its VLAN is invalid (valid: vlan5, or vlan100.5 with two tags; 1 to 4094)"

const char *vlan_parse(struct vlan *v, const char **text)
{
	const char *at = *text;

	*v = (struct vlan){ 0 };
	if (strncmp(at, "vlan", strlen("vlan")) != 0)
		return NULL;
	at += strlen("vlan");
	do {
		char *end;
		unsigned long id;

		if (!isdigit((unsigned char)*at) || v->n == VLAN_MAX_TAGS)
			return VLAN_FORMS;
		id = strtoul(at, &end, 10);
		if (!id || id > VLAN_MAX_ID)
			return VLAN_FORMS;
		v->tags[v->n++] = (struct vlan_tag){ (uint16_t)id, ETHER_TYPE, 0 };
		at = end + 1;
	} while (at[-1] == '.');
	if (at[-1] != ':')
		return VLAN_FORMS;
	*text = at;
	return NULL;
}

const char *vlan_format(const struct vlan *v, char text[VLAN_TEXT_BYTES])
{
	int n = 0;

	*text = '\0';
	for (unsigned i = 0; i < v->n; i++)
		n += snprintf(text + n, VLAN_TEXT_BYTES - (size_t)n, "%s%u%s", i ? "." : "vlan",
			      v->tags[i].id, i + 1 == v->n ? ":" : "");
	return text;
}

bool vlan_is_same(const struct vlan *a, const struct vlan *b)
{
	for (unsigned i = 0; i < a->n && i < b->n; i++) {
		if (a->tags[i].id != b->tags[i].id)
			return false;
	}
	return a->n == b->n;
}

bool vlan_find(struct vlan *v, const struct stack *s, const struct stack_ip *ip)
{
	*v = (struct vlan){ 0 };
	for (unsigned i = 1; i < ip->header; i++) {
		const struct header_field *id =
			header_find_field(s->headers[i].kind, "id", strlen("id"));
		const struct stack_field *set = stack_find_field(s, i, id);

		if (v->n == VLAN_MAX_TAGS || (set && set->values.kind != PATTERN_VALUE))
			return false;
		v->tags[v->n++].id = (uint16_t)(set ? set->values.start : id->value);
	}
	return true;
}
