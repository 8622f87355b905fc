/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

static const struct text {
	const char *name, *text, *printed;
} texts[] = {
	{ "plain", "64 bytes \\ \"a\"", "64 bytes \\ \"a\"" },
	{ "umlaut", "Gr\u00fc\u00dfe \u4e16 \U0001f600", "Gr\u00fc\u00dfe \u4e16 \U0001f600" },
	{ "escape", "a\033[31mb", "a\\x1b[31mb" },
	{ "line", "a\nb\rc\td", "a\\x0ab\\x0dc\\x09d" },
	{ "bell", "\a\b\001\037", "\\x07\\x08\\x01\\x1f" },
	{ "delete", "\177", "\\x7f" },
	{ "ends_of_lines", "\u2028\u2029", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9" },
	{ "directions", "\u202a\u202e\u2066\u2069",
	  "\\xe2\\x80\\xaa\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x81\\xa9" },
	{ "neighbours_of_these", "\u2027\u202f\u2065\u206a", "\u2027\u202f\u2065\u206a" },
	{ "c1_in_utf8", "\xc2\x80\xc2\x9b\xc2\x9f", "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f" },
	{ "after_c1", "\u00a0", "\u00a0" },
	{ "c1_in_latin_1", "\x9b", "\\x9b" },
	{ "cut_off", "\xc3", "\\xc3" },
	{ "cut_off_of_3", "\xe4\xb8", "\\xe4\\xb8" },
	{ "no_continuation", "\xe4\xb8z\xf0\x9fz", "\\xe4\\xb8z\\xf0\\x9fz" },
	{ "too_large", "\xf5\x80\x80\x80\xff", "\\xf5\\x80\\x80\\x80\\xff" },
	{ "overlong", "\xc1\x9b", "\\xc1\\x9b" },
	{ "overlong_of_3", "\xe0\x82\x9b", "\\xe0\\x82\\x9b" },
	{ "overlong_of_4", "\xf0\x80\x82\x9b", "\\xf0\\x80\\x82\\x9b" },
	{ "surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "beyond_unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
};

/* Calls @print with a stream in place of stdout and stderr. Returns the text, to be freed. */
static char *capture_text(void (*print)(const char *text), const char *text)
{
	FILE *const out = stdout, *const err = stderr;
	char *printed = NULL;
	size_t bytes;

	stdout = stderr = open_memstream(&printed, &bytes);
	print(text);
	fclose(stdout);
	stdout = out;
	stderr = err;
	return printed;
}

static void print_line(const char *text)
{
	report_line("<%s>", text);
}

static void print_error(const char *text)
{
	report_error(0, "<%s>", text);
}

static void print_warning(const char *text)
{
	report_warning("<%s>", text);
}

static void (*const printers[])(const char *text) = { print_line, print_error, print_warning };

TEST_EACH(messages, print_no_control_character, struct text, texts)
{
	const char *const before[] = { "", ": ", ": WARNING: " };

	EXPECT_EQ(!strcmp(row->text, row->printed), report_can_print(row->text));
	for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		char *printed = capture_text(printers[i], row->text), want[128];

		snprintf(want, sizeof(want), "%s%s<%s>\n", i ? program_invocation_short_name : "",
			 before[i], row->printed);
		EXPECT_STREQ(want, printed);
		free(printed);
	}
}
