/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/changed.h"

#include <stdio.h>

#include "cli/units.h"
#include "report/json_values.h"

/* ---- text ------------------------------------------------------------------------ */

/* Prints what a change did, with the values of the first packet that has it. */
static void print_change(const struct figures_change *row)
{
	const struct change *c = &row->change;
	char sent[CHANGE_TEXT_BYTES], received[CHANGE_TEXT_BYTES], header[CHANGE_TEXT_BYTES] = "";

	change_format_value(c, c->sent, sent, sizeof(sent));
	change_format_value(c, c->received, received, sizeof(received));
	if (c->header && c->place)
		snprintf(header, sizeof(header), "%s[%u]", c->header->name, c->place);
	else if (c->header)
		snprintf(header, sizeof(header), "%s", c->header->name);
	printf("        changed in %s packet%s: ", units_format_count(row->packets),
	       units_get_plural(row->packets));
	switch (c->kind) {
	case CHANGE_FIELD:
		printf("%s.%s from %s to %s\n", header, c->field->name, sent, received);
		break;
	case CHANGE_OPTIONS:
		printf("options of %s, from %s to %s\n", header, sent, received);
		break;
	case CHANGE_ADDED:
	case CHANGE_REMOVED:
		printf("header %s %s\n", header, change_get_name(c->kind));
		break;
	case CHANGE_BYTES:
		printf("other bytes before the payload, from %s to %s\n", sent, received);
		break;
	case CHANGE_PADDING:
		printf("%s after the payload\n", received);
		break;
	}
}

void changed_print(const struct figures_flow *f)
{
	printf("        %s packet%s arrived whole, with other headers than the flow sent "
	       "(%s%s); values are those of the first one\n",
	       units_format_count(f->account.changed), units_get_plural(f->account.changed),
	       f->flow->expect == EXPECT_EGRESS ? "" : "--expect ", expect_names[f->flow->expect]);
	for (unsigned i = 0; i < f->n_changes; i++)
		print_change(&f->changes[i]);
	if (f->n_changes_left_out)
		printf("        and %s further change%s\n",
		       units_format_count(f->n_changes_left_out),
		       units_get_plural(f->n_changes_left_out));
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *make_change(const struct figures_change *row)
{
	const struct change *c = &row->change;
	json_t *j = json_object();
	char text[CHANGE_TEXT_BYTES];

	json_set_text(j, "kind", change_get_name(c->kind));
	if (c->header) {
		json_set_text(j, "header", c->header->name);
		json_set_number(j, "place", c->place);
	}
	if (c->field)
		json_set_text(j, "field", c->field->name);
	if (c->kind != CHANGE_ADDED && c->kind != CHANGE_REMOVED) {
		change_format_value(c, c->sent, text, sizeof(text));
		json_set_text(j, "sent", text);
		change_format_value(c, c->received, text, sizeof(text));
		json_set_text(j, "received", text);
	}
	json_set_number(j, "frames", row->packets);
	return j;
}

void changed_add_json(json_t *to, const struct figures_flow *f)
{
	json_t *changes;

	if (f->n_changes_left_out)
		json_set_number(to, "changes_left_out", f->n_changes_left_out);
	if (!f->n_changes)
		return;
	json_object_set_new(to, "changes", changes = json_array());
	for (unsigned i = 0; i < f->n_changes; i++)
		json_array_append_new(changes, make_change(&f->changes[i]));
}
