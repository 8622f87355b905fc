/* SPDX-License-Identifier: BSD-3-Clause
 *
 * devx-emu pci: the adapter as a PCI function on a vfio-user socket, until SIGINT or SIGTERM.
 */
#include "pci.h"

#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/pci/pci.h"
#include "exit.h"

static const char usage[] =
	"usage: devx-emu pci --socket PATH [OPTIONS]\n"
	"\n"
	"One ConnectX as a PCI function for QEMU (-device vfio-user-pci), until it is "
	"interrupted.\n"
	"\n"
	"  --socket PATH    UNIX socket to listen on; one client at a time\n"
	"  --wire W         loop (default), sink, pcap:in=F,out=F, tap:NAME ...\n"
	"  --profile P      cx6dx (default); small, the same with tiny limits; roce, the same "
	"with\n"
	"                   what makes Linux start RoCE, whose packets are not modelled\n"
	"  --mac M          address of the port (default 02:de:5c:00:00:01)\n"
	"  --mtu N          of the port (default 1500)\n"
	"  --trace FILE     a line for every firmware command; - is standard error\n"
	"\n"
	"SIGUSR1 prints which firmware objects there are. Exit status: 0, 2 usage, 3 environment,\n"
	"125 if the driver made protocol mistakes.\n";

/** struct options - what the command line says */
struct options {
	const char *socket, *trace;
	struct emu_pci_config function;
};

static bool parse_mac(const char *text, uint8_t mac[EMU_MAC_BYTES])
{
	char end;

	return sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &mac[0], &mac[1], &mac[2],
		      &mac[3], &mac[4], &mac[5], &end) == EMU_MAC_BYTES;
}

static bool parse_mtu(const char *text, uint16_t *mtu)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	*mtu = (uint16_t)n;
	return end != text && !*end && n <= UINT16_MAX;
}

/* Return: false after a line that says what is wrong */
static bool parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "socket", required_argument, NULL, 's' },
		{ "wire", required_argument, NULL, 'w' },
		{ "profile", required_argument, NULL, 'p' },
		{ "mac", required_argument, NULL, 'a' },
		{ "mtu", required_argument, NULL, 'm' },
		{ "trace", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		const char *want = NULL; /* what it should have been */

		switch (c) {
		case 's':
			o->socket = optarg;
			break;
		case 'w':
			o->function.wire = optarg;
			break;
		case 'p':
			o->function.profile = optarg;
			break;
		case 'a':
			if (!parse_mac(optarg, o->function.mac))
				want = "six bytes, such as 02:de:5c:00:00:01";
			break;
		case 'm':
			if (!parse_mtu(optarg, &o->function.mtu))
				want = "a number of bytes, such as 1500";
			break;
		case 't':
			o->trace = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default: /* getopt has said what is wrong */
			return false;
		}
		if (want) {
			fprintf(stderr, "devx-emu pci: --%s '%s': give %s\n",
				c == 'a' ? "mac" : "mtu", optarg, want);
			return false;
		}
	}
	if (optind < argc)
		fprintf(stderr, "devx-emu pci: '%s' is not an option; see --help\n", argv[optind]);
	else if (!o->socket)
		fputs("devx-emu pci: --socket PATH is missing; see --help\n", stderr);
	return optind == argc && o->socket;
}

/* ---- lines ------------------------------------------------------------------------ */

static void print_line(void *arg, const char *line)
{
	(void)arg;
	fprintf(stderr, "devx-emu: %s\n", line);
}

static void print_trace_line(void *arg, const char *line)
{
	fprintf(arg, "%s\n", line);
}

/* ---- signals ------------------------------------------------------------------------ */

static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, set, NULL);
}

static void *wait_for_signals(void *arg)
{
	struct emu_pci *pci = arg;
	char line[400];
	sigset_t set;
	int sig = 0;

	block_signals(&set);
	while (!sigwait(&set, &sig) && sig == SIGUSR1) {
		emu_pci_list_objects(pci, line, sizeof(line));
		fprintf(stderr, "devx-emu: objects: %s\n", line[0] ? line : "none");
	}
	emu_pci_stop(pci);
	return NULL;
}

static uint64_t report_mistakes(const struct emu_mistakes *m)
{
	uint64_t sum = 0;

	for (int i = 0; i < EMU_N_MISTAKES; i++) {
		sum += m->n[i];
		if (m->n[i])
			fprintf(stderr, "devx-emu: %llu times %s; first: %s\n",
				(unsigned long long)m->n[i], emu_mistake_text(i), m->first[i]);
	}
	fprintf(stderr, "devx-emu: %llu protocol mistakes\n", (unsigned long long)sum);
	return sum;
}

static int serve_clients(struct emu_pci *pci, const struct options *o)
{
	char why[256];
	const int listener = emu_pci_listen(o->socket, why, sizeof(why));
	pthread_t signals;
	int error;

	if (listener < 0) {
		fprintf(stderr, "devx-emu pci: %s\n", why);
		return LAUNCHER_EXIT_ENVIRONMENT;
	}
	if (pthread_create(&signals, NULL, wait_for_signals, pci)) {
		fputs("devx-emu pci: no thread for signals\n", stderr);
		close(listener);
		return LAUNCHER_EXIT_ENVIRONMENT;
	}
	fprintf(stderr, "devx-emu: %s on %s, wire %s\n", o->function.profile, o->socket,
		o->function.wire);
	error = emu_pci_run(pci, listener);
	if (error) {
		fprintf(stderr, "devx-emu pci: %s: %s\n", o->socket, strerror(-error));
		pthread_kill(signals, SIGTERM);
	}
	pthread_join(signals, NULL);
	close(listener);
	unlink(o->socket);
	return error ? LAUNCHER_EXIT_ENVIRONMENT : 0;
}

int launcher_serve_pci(int argc, char **argv)
{
	static struct emu_mistakes mistakes;
	struct options o = { .function = { .profile = "cx6dx",
					   .wire = "loop",
					   .mac = { 0x02, 0xde, 0x5c, 0, 0, 1 },
					   .mtu = 1500,
					   .mistakes = &mistakes,
					   .say = print_line } };
	struct emu_pci *pci;
	char why[256];
	sigset_t set;
	int status;

	if (!parse_options(argc, argv, &o))
		return LAUNCHER_EXIT_USAGE;
	if (o.trace) {
		o.function.arg = strcmp(o.trace, "-") ? fopen(o.trace, "w") : stderr;
		if (!o.function.arg) {
			fprintf(stderr, "devx-emu pci: %s: %s\n", o.trace, strerror(errno));
			return LAUNCHER_EXIT_ENVIRONMENT;
		}
		o.function.trace = print_trace_line;
	}
	block_signals(&set); /* before any thread: they inherit it */
	pci = emu_pci_create(&o.function, why, sizeof(why));
	if (!pci) {
		fprintf(stderr, "devx-emu pci: %s\n", why);
		return LAUNCHER_EXIT_USAGE;
	}
	status = serve_clients(pci, &o);
	emu_pci_destroy(pci);
	if (o.function.arg && o.function.arg != stderr)
		fclose(o.function.arg);
	return status ? status : report_mistakes(&mistakes) ? LAUNCHER_EXIT_MISTAKES : 0;
}
