/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses the description of a wire: "kind[:argument][,key=value...]".
 */
#include "emu/wire/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int emu_say_why(const struct emu_why *why, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why->text, why->bytes, fmt, args);
	va_end(args);
	return -1;
}

/* Avoids strtoull(), which accepts a sign, spaces, and text after the number. */
bool emu_parse_number(const char *text, uint64_t max, uint64_t *number)
{
	*number = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		const unsigned digit = (unsigned)(*text - '0');

		if (digit > 9 || *number > (max - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return true;
}

/*
 * Parses a number from 0 to 1. Avoids strtod(), whose decimal point depends on the locale of the
 * program.
 */
static bool parse_fraction(const char *text, double *value)
{
	double scale = 1;

	if ((text[0] != '0' && text[0] != '1') || (text[1] && text[1] != '.'))
		return false;
	*value = text[0] - '0';
	if (!text[1])
		return true;
	for (text += 2; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		scale /= 10;
		*value += (*text - '0') * scale;
	}
	return *value <= 1;
}

static bool parse_chance(const char *text, struct emu_chance *chance)
{
	double p;

	*chance = (struct emu_chance){ .one_in = 0 };
	if (text[0] == '1' && text[1] == '/')
		return emu_parse_number(text + 2, UINT32_MAX, &chance->one_in) && chance->one_in;
	if (!parse_fraction(text, &p))
		return false;
	chance->always = p >= 1;
	if (p < 1)
		chance->below = (uint64_t)(p * 0x1p64);
	return true;
}

static bool parse_time(const char *text, uint64_t *ns)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
	};
	const size_t digits = strspn(text, "0123456789");
	char number[20];

	if (!digits || digits >= sizeof(number))
		return false;
	memcpy(number, text, digits);
	number[digits] = '\0';
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(text + digits, units[i].unit)) {
			if (!emu_parse_number(number, 10000000000 / units[i].ns, ns))
				return false;
			*ns *= units[i].ns;
			return true;
		}
	return false;
}

/* Stores an option that every wire has. Returns 1; 0: unknown key; -1: invalid value. */
static int take_common_option(struct emu_wire_spec *s, const char *key, const char *value,
			      const struct emu_why *why)
{
	const struct {
		const char *key;
		struct emu_chance *chance;
	} chances[] = {
		{ "drop", &s->faults.drop },
		{ "dup", &s->faults.dup },
		{ "reorder", &s->faults.reorder },
		{ "corrupt", &s->faults.corrupt },
	};

	for (unsigned i = 0; i < sizeof(chances) / sizeof(chances[0]); i++) {
		if (strcmp(key, chances[i].key))
			continue;
		if (parse_chance(value, chances[i].chance))
			return 1;
		return emu_say_why(why,
				   "wire option %s=%s: invalid probability (valid: 0 to 1, such as "
				   "0.001, or 1/N for exactly one frame in N)",
				   key, value);
	}
	if (!strcmp(key, "delay"))
		return parse_time(value, &s->faults.delay_ns)
			       ? 1
			       : emu_say_why(why,
					     "wire option delay=%s: invalid time (valid: at most "
					     "10s; a number with ns, us, ms or s)",
					     value);
	if (!strcmp(key, "seed"))
		return emu_parse_number(value, UINT64_MAX, &s->faults.seed)
			       ? 1
			       : emu_say_why(why,
					     "wire option seed=%s: invalid number (valid: 0 to "
					     "2^64 - 1)",
					     value);
	if (!strcmp(key, "pause")) {
		s->pause = !strcmp(value, "on");
		return s->pause || !strcmp(value, "off")
			       ? 1
			       : emu_say_why(why, "wire option pause=%s: invalid (valid: on, off)",
					     value);
	}
	return 0;
}

/* Records @key, in order to refuse a second option with the same key. */
static int add_key(struct emu_wire_spec *s, const char *key, const struct emu_why *why)
{
	for (unsigned i = 0; i < s->n_keys; i++)
		if (!strcmp(s->key[i], key))
			return emu_say_why(why, "wire \"%s\": option %s appears twice; remove one",
					   s->kind, key);
	if (s->n_keys == EMU_WIRE_MAX_OPTIONS)
		return emu_say_why(why, "wire \"%s\": too many options (valid: at most %d)",
				   s->kind, EMU_WIRE_MAX_OPTIONS);
	s->key[s->n_keys++] = key;
	return 0;
}

static int take_option(struct emu_wire_spec *s, char *item, const struct emu_why *why)
{
	char *equals = strchr(item, '=');
	int rc;

	if (!equals || equals == item || !equals[1])
		return emu_say_why(why, "wire \"%s\": invalid option \"%s\" (valid: KEY=VALUE)",
				   s->kind, item);
	*equals = '\0';
	if (add_key(s, item, why))
		return -1;
	rc = take_common_option(s, item, equals + 1, why);
	if (rc)
		return rc < 0 ? -1 : 0;
	s->option[s->n].key = item;
	s->option[s->n++].value = equals + 1;
	return 0;
}

int emu_wire_spec_parse(struct emu_wire_spec *s, const char *text, const struct emu_why *why)
{
	char *colon, *rest;

	*s = (struct emu_wire_spec){ .faults.seed = 1 };
	if (strlen(text) >= sizeof(s->text))
		return emu_say_why(why, "wire: description of %zu characters (valid: at most %d)",
				   strlen(text), EMU_WIRE_SPEC_BYTES - 1);
	strcpy(s->text, text);
	rest = s->text;
	s->kind = strsep(&rest, ",");
	colon = strchr(s->text, ':');
	if (colon) {
		*colon = '\0';
		/* "pcap:in=F" has an option where other kinds have their argument */
		if (strchr(colon + 1, '=')) {
			if (take_option(s, colon + 1, why))
				return -1;
		} else {
			s->argument = colon + 1;
		}
	}
	while (rest)
		if (take_option(s, strsep(&rest, ","), why))
			return -1;
	return 0;
}
