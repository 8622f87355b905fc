/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the checks of assumptions.def on one port. devtools/on-adapter calls this program.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "devx/version.h"
#include "facts.h"
#include "frames.h"

enum { EXIT_REFUTED = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };
enum { OPTION_SEND = 1, OPTION_YES, OPTION_LIST, OPTION_FACTS };

const char *argp_program_version = "on_adapter_checks (net-devx) " DEVX_VERSION;

static const char doc[] =
	"Compare the assumptions of doc/prm-notes.md with the adapter DEVICE. devtools/on-adapter "
	"runs this program and writes a report.\v"
	"DEVICE is an RDMA device (mlx5_0) or a PCI address. The program touches no other "
	"device.\n\n"
	"A line for each assumption, with tabs between its fields: verdict (confirmed, refuted, "
	"not "
	"testable here), name of the check or -, file of the tag, assumption, reason.\n\n"
	"Exit status: 0 nothing refuted, 1 an assumption refuted or an object left behind, 2 wrong "
	"arguments, 3 the port cannot be tested.";

static const struct argp_option options[] = {
	{ "send", OPTION_SEND, NULL, 0, "Send frames to the MAC address of the port itself", 0 },
	{ "yes", OPTION_YES, NULL, 0, "Test also a port whose netdev has an IP address", 0 },
	{ "list", OPTION_LIST, NULL, 0, "List the assumptions; open no device", 0 },
	{ "facts", OPTION_FACTS, NULL, 0, "Print facts about the port; run no check", 0 },
	{ 0 },
};

struct arguments {
	bool send, yes, list, facts;
	const char *device;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPTION_SEND:
		a->send = true;
		return 0;
	case OPTION_YES:
		a->yes = true;
		return 0;
	case OPTION_LIST:
		a->list = true;
		return 0;
	case OPTION_FACTS:
		a->facts = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->device)
			argp_error(state, "'%s': one DEVICE only", value);
		a->device = value;
		return 0;
	case ARGP_KEY_END:
		if (!a->device && !a->list)
			argp_error(state, "no DEVICE; name an RDMA device or a PCI address");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct row {
	const char *name, *file, *begins, *why;
	check_fn *check;
} rows[] = {
#define CHECK(name, file, begins) { #name, file, begins, NULL, check_##name },
#define REASON(file, begins, why) { "-", file, begins, why, NULL },
#include "assumptions.def"
#undef CHECK
#undef REASON
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static void list_rows(void)
{
	for (int i = 0; i < N_ROWS; i++)
		printf("%s\t%s\t%s\t%s\t%s\n", rows[i].check ? "check" : "not testable here",
		       rows[i].name, rows[i].file, rows[i].begins, rows[i].why ? rows[i].why : "");
}

static struct finding run_check(const struct row *row, struct adapter *at)
{
	struct finding f = { 0 };

	if (row->check)
		row->check(at, &f);
	else
		cannot_test(&f, "%s", row->why);
	if (f.verdict == NO_VERDICT)
		cannot_test(&f, "the check found nothing");
	return f;
}

/* Returns the number of refuted assumptions. */
static int run_checks(struct adapter *at)
{
	static const char *const verdicts[] = { "", "confirmed", "refuted", "not testable here" };
	int n_refuted = 0;

	for (int i = 0; i < N_ROWS; i++) {
		const struct finding f = run_check(&rows[i], at);

		printf("%s\t%s\t%s\t%s\t%s\n", verdicts[f.verdict], rows[i].name, rows[i].file,
		       rows[i].begins, f.text);
		fflush(stdout);
		n_refuted += f.verdict == REFUTED;
	}
	return n_refuted;
}

static int test_port(struct adapter *at)
{
	struct finding loop = { 0 };
	int n_refuted;

	if (at->may_send)
		frames_find_loop(at, &loop);
	n_refuted = run_checks(at);
	if (at->dev.n_stuck)
		fprintf(stderr,
			"on_adapter_checks: the kernel did not destroy %u objects; they end "
			"with this process\n",
			at->dev.n_stuck);
	return n_refuted || at->dev.n_stuck ? EXIT_REFUTED : 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "DEVICE", doc, NULL, NULL, NULL };
	struct arguments a = { 0 };
	struct adapter at = { 0 };
	char why[DEVX_TEXT_BYTES + 256] = "";
	int status = EXIT_ENVIRONMENT;

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &a))
		return EXIT_USAGE;
	if (a.list) {
		list_rows();
		return 0;
	}
	at.ibdev = a.device;
	at.may_send = a.send;
	if (facts_open(&at, why, sizeof(why)) && facts_are_ready(&at, why, sizeof(why)) &&
	    (a.yes || !facts_is_in_use(&at, why, sizeof(why)))) {
		if (a.facts) {
			facts_print(&at);
			status = 0;
		} else {
			status = test_port(&at);
		}
	}
	if (status == EXIT_ENVIRONMENT)
		fprintf(stderr, "on_adapter_checks: %s\n", why);
	facts_close(&at);
	return status;
}
