/* SPDX-License-Identifier: BSD-3-Clause */
#include "finding.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void write_text(struct finding *f, enum verdict verdict, const char *format, va_list args)
{
	if (f->verdict == NOT_HERE || f->verdict == REFUTED)
		return; /* the first reason counts */
	f->verdict = verdict;
	vsnprintf(f->text, sizeof(f->text), format, args);
}

void finding_confirm(struct finding *f)
{
	if (f->verdict == NO_VERDICT)
		f->verdict = CONFIRMED;
}

void finding_refute(struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_text(f, REFUTED, format, args);
	va_end(args);
}

void cannot_test(struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_text(f, NOT_HERE, format, args);
	va_end(args);
}

bool could_prepare(struct finding *f, const struct devx_dev *dev, int rc)
{
	char line[DEVX_TEXT_BYTES];

	if (rc)
		cannot_test(f, "the preparation failed: %s",
			    devx_strerror(dev, rc, line, sizeof(line)));
	return !rc;
}

void judge_fact(struct finding *f, bool fact, const char *saw, const char *expected)
{
	if (fact)
		finding_confirm(f);
	else
		finding_refute(f, "saw %s (expected %s)", saw, expected);
}

void judge_accepted(struct finding *f, const struct devx_dev *dev, int rc)
{
	char line[DEVX_TEXT_BYTES];

	if (!rc)
		finding_confirm(f);
	else if (rc == -EREMOTEIO)
		finding_refute(f, "saw: %s (expected: firmware accepts the command)",
			       devx_strerror(dev, rc, line, sizeof(line)));
	else
		could_prepare(f, dev, rc);
}

void judge_refused(struct finding *f, const struct devx_dev *dev, int rc, unsigned int status)
{
	char line[DEVX_TEXT_BYTES];

	if (!rc && status == ANY_STATUS)
		finding_refute(f, "saw: firmware accepted the command (expected: a refusal)");
	else if (!rc)
		finding_refute(
			f,
			"saw: firmware accepted the command (expected: a refusal with status %u)",
			status);
	else if (rc != -EREMOTEIO)
		cannot_test(f, "the kernel answered in place of firmware: %s",
			    devx_strerror(dev, rc, line, sizeof(line)));
	else if (status != ANY_STATUS && dev->refusal.status != status)
		finding_refute(f, "saw: %s (expected: status %u)",
			       devx_strerror(dev, rc, line, sizeof(line)), status);
	else
		finding_confirm(f);
}
