/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an input of the fuzzer as text of a user (devtools/fuzz), up to the end of its first line.
 * The first byte chooses the reader, of devx-pktgen or emu. What a program wrote must be read
 * again, and be written in the same way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/units.h"
#include "emu/base/profile.h"
#include "emu/wire/spec.h"
#include "model/cores_option.h"
#include "model/rewrite.h"
#include "model/vlan.h"
#include "packet/size.h"
#include "packet/stack.h"

enum { WHY_BYTES = 512, N_PORTS = 4 };

static void require_that(bool holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stderr, "text: %s: %s\n", what, text);
	abort();
}

static void read_stack(const char *text)
{
	char first[STACK_TEXT_BYTES], second[STACK_TEXT_BYTES];
	struct stack s, again;

	if (!stack_parse(&s, text)) {
		stack_format(&s, first, sizeof(first));
		if (!strstr(first, "...")) { /* a long list is cut */
			require_that(!stack_parse(&again, first), "written, but refused", first);
			stack_format(&again, second, sizeof(second));
			require_that(!strcmp(first, second), "written in two ways", first);
			stack_free(&again);
		}
	}
	stack_free(&s);
}

static void read_pattern(const char *text)
{
	static const uint8_t bits[] = {
		[FIELD_NUMBER] = 64, [FIELD_MAC] = 48, [FIELD_IPV4] = 32, [FIELD_IPV6] = 128
	};
	char first[PATTERN_TEXT_BYTES], second[PATTERN_TEXT_BYTES];
	struct pattern p, again;

	for (unsigned f = 0; f < sizeof(bits); f++) {
		const enum field_format format = (enum field_format)f;

		if (pattern_parse(&p, text, format, bits[f]))
			continue;
		for (uint64_t n = 0; n < 4; n++)
			require_that(bits[f] == 128 || !(pattern_compute(&p, n) >> bits[f]),
				     "a value is too large", text);
		pattern_format(&p, format, first, sizeof(first));
		if (!strstr(first, "...")) {
			require_that(!pattern_parse(&again, first, format, bits[f]),
				     "written, but refused", first);
			pattern_format(&again, format, second, sizeof(second));
			require_that(!strcmp(first, second), "written in two ways", first);
			pattern_free(&again);
		}
		pattern_free(&p);
	}
}

static void read_size(const char *text)
{
	struct size s;

	if (size_parse(&s, text))
		return;
	for (uint64_t n = 0; n < 4; n++)
		require_that(size_compute(&s, n) >= SIZE_MIN_BYTES &&
				     size_compute(&s, n) <= SIZE_MAX_BYTES,
			     "a size is out of range", text);
	require_that(size_compute_mean(&s) > 0, "the mean is 0", text);
}

static void read_vlan(const char *text)
{
	char written[VLAN_TEXT_BYTES];
	struct vlan v, again;
	const char *rest = text;

	if (vlan_parse(&v, &rest))
		return;
	rest = vlan_format(&v, written);
	require_that(!vlan_parse(&again, &rest) && !*rest && vlan_is_same(&v, &again),
		     "written, but read as another one", text);
}

static void read_options(const char *text)
{
	struct queues_option queues[N_PORTS] = { 0 };
	struct rewrite rewrite = { 0 };
	struct cores_option cores = { 0 };
	char written[CORES_TEXT_BYTES];

	if (!cores_option_parse(&cores, text))
		cores_option_format(&cores, written);
	queues_option_parse(queues, N_PORTS, text);
	rewrite_set_mac(&rewrite, true, text);
	rewrite_add_network(&rewrite, text, text);
	read_vlan(text);
}

static void read_units(const char *text)
{
	struct rate rate;
	uint64_t n;

	if (!units_parse_count(text, UINT64_MAX, &n))
		require_that(n > 0, "a count is 0", text);
	if (!units_parse_range(text, 3, 5, &n))
		require_that(n >= 3 && n <= 5, "a number is out of range", text);
	units_parse_duration(text, &n);
	units_parse_rate(text, &rate);
}

static void read_wire(const char *text)
{
	char line[WHY_BYTES] = "";
	const struct emu_why why = { line, sizeof(line) };
	struct emu_wire_spec s;

	require_that(!emu_wire_spec_parse(&s, text, &why) || *line, "refused without a reason",
		     text);
}

static void read_profile(const char *text)
{
	char line[WHY_BYTES] = "";
	struct emu_profile *p = emu_profile_parse(text, line, sizeof(line));

	require_that(p || *line, "refused without a reason", text);
	free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static void (*const readers[])(const char *text) = { read_stack,   read_pattern, read_size,
							     read_options, read_units,   read_wire,
							     read_profile };
	const uint8_t *end = n > 1 ? memchr(bytes + 1, '\n', n - 1) : NULL;
	char *text;

	if (n < 2)
		return 0;
	text = strndup((const char *)bytes + 1, end ? (size_t)(end - bytes - 1) : n - 1);
	if (!text)
		abort();
	readers[(uint8_t)(*bytes - '0') % (sizeof(readers) / sizeof(readers[0]))](text);
	free(text);
	return 0;
}
