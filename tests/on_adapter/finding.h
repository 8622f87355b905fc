/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FINDING_H
#define FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: What a check found
 *
 * A check compares one assumption of doc/prm-notes.md with the device. It ends with one verdict:
 * confirmed, refuted with what it saw, or not testable here with a reason. A failure that the
 * assumption does not explain, such as missing memory, is "not testable here".
 */

/** enum verdict - result of a check */
enum verdict { NO_VERDICT, CONFIRMED, REFUTED, NOT_HERE };

/** struct finding - verdict and its reason in one line; @text is empty if confirmed */
struct finding {
	enum verdict verdict;
	char text[DEVX_TEXT_BYTES + 128];
};

/* Any status of a refusal confirms the assumption. */
enum { ANY_STATUS = 0x100 };

/** finding_confirm - the device does what the assumption says */
void finding_confirm(struct finding *f);
/** finding_refute - the device does something else; the text says "saw X (expected Y)" */
void finding_refute(struct finding *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/** cannot_test - the machine, the device or an option does not allow the check; says why */
void cannot_test(struct finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** could_prepare - whether preparation @rc succeeded; otherwise the check cannot test */
bool could_prepare(struct finding *f, const struct devx_dev *dev, int rc);

/** judge_fact - confirm if @fact is true; otherwise refute with @saw and @expected */
void judge_fact(struct finding *f, bool fact, const char *saw, const char *expected);

/** judge_accepted - confirm if firmware accepted a command that returned @rc */
void judge_accepted(struct finding *f, const struct devx_dev *dev, int rc);

/**
 * judge_refused - confirm if firmware refused a command that returned @rc
 * @status: the status that the assumption names, enum prm_status, or ANY_STATUS
 */
void judge_refused(struct finding *f, const struct devx_dev *dev, int rc, unsigned int status);

#endif
