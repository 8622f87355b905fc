/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/share.h"

#include <stdlib.h>

#include "cli/reason.h"

/* Returns whether the values of a field follow each other, so that shares take them in turn. */
static bool is_sequence(const struct pattern *p)
{
	return p->kind == PATTERN_VALUES || p->kind == PATTERN_INCREMENT ||
	       p->kind == PATTERN_DECREMENT;
}

static const char *check_amounts(const struct options *o)
{
	if (o->burst_packets)
		return "--flows and --burst: the flows would share each burst; choose one";
	if (o->count && o->count < o->n_flows)
		return reason_format(
			"--count %llu: is less than a packet for each of %u flows; give "
			"more packets or fewer flows",
			(unsigned long long)o->count, o->n_flows);
	if ((o->rate.unit != RATE_MAX && o->rate.micro < o->n_flows) ||
	    (o->ramp_ns && o->ramp_from.micro < o->n_flows))
		return reason_format("--rate: is too low for %u flows; give a higher rate or fewer "
				     "flows",
				     o->n_flows);
	return NULL;
}

const char *share_check(const struct options *o)
{
	const struct stack *s = &o->stack;
	const uint64_t n = o->n_flows;

	if (n <= 1)
		return NULL;
	for (unsigned k = 0; k < s->n_fields; k++) {
		const struct stack_field *f = &s->fields[k];
		const uint64_t count = f->values.count;

		if (!f->is_bad && is_sequence(&f->values) && count % n && n % count)
			return reason_format(
				"--flows %u: %s of %s has %llu values, which the flows "
				"cannot share equally (valid: a multiple of %u values, "
				"or a number that divides it); change one of the two",
				o->n_flows, f->field->name, s->headers[f->header].kind->name,
				(unsigned long long)count, o->n_flows);
	}
	return check_amounts(o);
}

/* Makes the list of each @n-th value from number @i on. Returns false without memory. */
static bool take_values(struct pattern *p, unsigned i, unsigned n)
{
	const unsigned count = (unsigned)(p->count / n);
	pattern_value *values = malloc(count * sizeof(*values));
	struct pattern share;
	int rc;

	if (!values)
		return false;
	for (unsigned v = 0; v < count; v++)
		values[v] = pattern_compute(p, i + (uint64_t)v * n);
	rc = pattern_make_list(&share, values, count);
	free(values);
	if (rc)
		return false;
	pattern_free(p);
	*p = share;
	return true;
}

/* Reduces the values of a field. Returns false without memory. */
static bool take_field(struct pattern *p, unsigned i, unsigned n)
{
	const pattern_value first = pattern_compute(p, i);

	if (p->kind == PATTERN_RANDOM || p->kind == PATTERN_MASK) {
		p->seed = size_hash(p->seed + i) & UINT32_MAX; /* the seed of a job has 32 bits */
		return true;
	}
	if (!is_sequence(p))
		return true;
	if (p->count <= n) {
		pattern_free(p);
		*p = pattern_make_value(first);
		return true;
	}
	if (p->kind == PATTERN_VALUES)
		return take_values(p, i, n);
	p->start = first;
	p->step *= n;
	p->count /= n;
	return true;
}

void share_take(struct job_flow *f, unsigned i, unsigned n)
{
	struct stack *s = &f->stack;

	if (n <= 1)
		return;
	for (unsigned k = 0; k < s->n_fields; k++) {
		struct stack_field *field = &s->fields[k];

		s->lacks_memory |= !field->is_bad && !take_field(&field->values, i, n);
	}
	f->rate = rate_get_part(&f->rate, i, n);
	f->ramp_from = rate_get_part(&f->ramp_from, i, n);
	f->count = f->count / n + (i < f->count % n);
}
