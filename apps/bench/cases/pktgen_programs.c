/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/pktgen_programs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/program.h"
#include "cases/pktgen_child.h"
#include "cli/files.h"

enum {
	PATH_BYTES = 4096,
	FOLDER_BYTES = 256,
	MAX_ARGS = 32,
	RUN_MS = 200,
	FIRST_PORT = 1024,
	STATUS_NOT_MET = 1
};

/* ---- devx-pktgen ---------------------------------------------------------------------------- */

/* Writes a job of many flows, which differ in their UDP source port. */
static int write_job(const char *path, const struct pktgen_work *work)
{
	const char *const device = work->verify ? "net_ring0" : "net_null0";
	FILE *f = fopen(path, "we");

	if (!f)
		return -errno;
	fprintf(f, "{\"ports\": [{\"name\": \"p\", \"location\": \"%s\"}], \"flows\": [", device);
	for (unsigned i = 0; i < work->n_flows; i++) {
		fprintf(f,
			"%s\n{\"name\": \"f%u\", \"tx_rx\": {\"choice\": \"port\", \"port\": "
			"{\"tx_name\": \"p\", \"rx_names\": [\"p\"]}}, \"packet\": ["
			"{\"choice\": \"ethernet\", \"ethernet\": {}}, "
			"{\"choice\": \"ipv4\", \"ipv4\": {}}, "
			"{\"choice\": \"udp\", \"udp\": {\"src_port\": {\"choice\": \"value\", "
			"\"value\": %u}, \"checksum\": {\"choice\": \"custom\", \"custom\": 0}}}], "
			"\"size\": {\"choice\": \"fixed\", \"fixed\": 64}, \"duration\": ",
			i ? "," : "", i, FIRST_PORT + i);
		if (work->n_packets)
			fprintf(f,
				"{\"choice\": \"fixed_packets\", \"fixed_packets\": "
				"{\"packets\": %u}}}",
				work->n_packets);
		else
			fprintf(f,
				"{\"choice\": \"fixed_seconds\", \"fixed_seconds\": "
				"{\"seconds\": %.3f}}}",
				RUN_MS / 1e3);
	}
	fprintf(f, "], \"devx_pktgen\": {\"send_only\": %s}}\n", work->verify ? "false" : "true");
	return fclose(f) ? -EIO : 0;
}

static double read_number(const json_t *o, const char *name)
{
	return json_number_value(json_object_get(o, name));
}

/* Sums up a member of all objects of an array. */
static double sum_members(const json_t *array, const char *name)
{
	double sum = 0;
	size_t i;
	json_t *o;

	json_array_foreach(array, i, o) sum += read_number(o, name);
	return sum;
}

/*
 * Returns whether packets were sent, and at a known rate unless their number was given: a packet
 * alone has none. @hz_of_all: TSC cycles per second, summed over all workers.
 */
static bool read_final(const json_t *j, double hz_of_all, const struct pktgen_work *work,
		       struct pktgen_figures *figures)
{
	const json_t *total = json_object_get(j, "total"), *flows = json_object_get(j, "flows");
	const json_t *port = json_array_get(json_object_get(j, "ports"), 0);
	const double sent = read_number(total, "frames_tx");
	const double rate = read_number(total, "frames_tx_rate");
	const double received = read_number(total, "frames_rx");
	const double offered = sum_members(flows, "frames_tx_rate_offered");

	if (sent <= 0 || hz_of_all <= 0 || (rate <= 0 && !work->n_packets))
		return false;
	figures->loop = rate > 0 ? hz_of_all / rate : 0;
	figures->make = sum_members(flows, "make_cycles") / sent;
	figures->send = sum_members(flows, "send_cycles") / sent;
	if (offered > 0)
		figures->rate_error_ppm = fabs(rate / offered - 1) * 1e6;
	figures->gap_p99_ns =
		read_number(json_object_get(json_array_get(flows, 0), "gap"), "p99_ns");
	if (received > 0)
		figures->verify =
			sum_members(json_object_get(port, "queues"), "verify_cycles") / received;
	return true;
}

/* Reads the start record, which has the rate of the TSC, and the final one. */
static int read_report(const char *path, const struct pktgen_work *work,
		       struct pktgen_figures *figures)
{
	FILE *f = fopen(path, "re");
	bool found = false;
	double hz = 0;
	json_t *j;

	if (!f)
		return -errno;
	while ((j = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
		const char *record = json_string_value(json_object_get(j, "record"));

		if (record && !strcmp(record, "start"))
			hz = read_number(j, "clock_hz");
		if (record && !strcmp(record, "final"))
			found = read_final(j, hz * work->cores, work, figures);
		json_decref(j);
	}
	fclose(f);
	return found ? 0 : -EIO;
}

static int run_with_files(const struct pktgen_work *work, const char *job, const char *report,
			  struct pktgen_figures *figures, char *why)
{
	char program[PATH_BYTES], cores[16], duration[16];
	const char *args[MAX_ARGS] = { program, "run",     "--no-huge", "--json",
				       report,  "--cores", cores };
	unsigned n = 7;
	struct child child;
	int rc;

	bench_program_find("devx-pktgen", "pktgen", program, sizeof(program));
	snprintf(cores, sizeof(cores), "%u", work->cores);
	snprintf(duration, sizeof(duration), "%ums", (unsigned)RUN_MS);
	if (work->n_flows) {
		args[n++] = "--config";
		args[n++] = job;
	} else {
		args[n++] = "--port";
		args[n++] = work->verify ? "net_ring0" : "net_null0";
		args[n++] = "--duration";
		args[n++] = duration;
		if (!work->verify)
			args[n++] = "--send-only";
		for (const char *const *o = work->options; *o; o++)
			args[n++] = *o;
	}
	rc = work->n_flows ? write_job(job, work) : 0;
	if (!rc)
		rc = child_start(&child, (char *const *)args);
	if (rc) {
		snprintf(why, PROGRAMS_WHY_BYTES, "devx-pktgen: cannot start it: %s",
			 strerror(-rc));
		return -EIO;
	}
	rc = child_end(&child);
	figures->peak_kib = child.peak_kib;
	if ((!rc || (work->is_paced && rc == STATUS_NOT_MET)) &&
	    !read_report(report, work, figures))
		return 0;
	snprintf(why, PROGRAMS_WHY_BYTES, "devx-pktgen, status %d: %.110s", rc, child.last);
	return -EIO;
}

int pktgen_run(const struct pktgen_work *work, struct pktgen_figures *figures,
	       char why[PROGRAMS_WHY_BYTES])
{
	char folder[FOLDER_BYTES], job[FOLDER_BYTES + 16], report[FOLDER_BYTES + 16];
	int rc;

	*figures = (struct pktgen_figures){ 0 };
	files_format_temporary(folder, sizeof(folder), "devx-bench.XXXXXX");
	if (!mkdtemp(folder)) {
		snprintf(why, PROGRAMS_WHY_BYTES, "%.110s: %s", folder, strerror(errno));
		return -EIO;
	}
	snprintf(job, sizeof(job), "%s/job.json", folder);
	snprintf(report, sizeof(report), "%s/report.json", folder);
	rc = run_with_files(work, job, report, figures, why);
	unlink(job);
	unlink(report);
	rmdir(folder);
	return rc;
}

/* ---- testpmd -------------------------------------------------------------------------------- */

/* Formats --lcores: both lcores of testpmd may use every CPU, like the workers of devx-pktgen. */
static void format_lcores(char *text, size_t bytes)
{
	size_t n = (size_t)snprintf(text, bytes, "(0-1)@(");
	const char *comma = "";
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (unsigned i = 0; i < CPU_SETSIZE && n < bytes - 8; i++) {
		if (!CPU_ISSET(i, &cpus))
			continue;
		n += (size_t)snprintf(text + n, bytes - n, "%s%u", comma, i);
		comma = ",";
	}
	snprintf(text + n, bytes - n, ")");
}

int testpmd_run(const char *mode, unsigned n_flows, double *cycles, char why[PROGRAMS_WHY_BYTES])
{
	char lcores[512], forward[32], flows[40], prefix[40], line[CHILD_LINE_BYTES];
	/* Without stdbuf, testpmd would buffer its lines, because its stdout is a pipe. */
	const char *const args[] = { "stdbuf",
				     "-oL",
				     "dpdk-testpmd",
				     "--no-huge",
				     "-m",
				     "256",
				     "--no-shconf",
				     "--no-telemetry",
				     "--no-pci",
				     prefix,
				     "--iova-mode=va",
				     "--lcores",
				     lcores,
				     "--vdev",
				     "net_null0,size=60",
				     "--",
				     forward,
				     flows,
				     "--nb-cores=1",
				     "--record-core-cycles",
				     "--total-num-mbufs=8192",
				     "--txpkts=60",
				     NULL };
	uint64_t total, packets;
	const char *sums;
	struct child child;
	int status;

	format_lcores(lcores, sizeof(lcores));
	snprintf(forward, sizeof(forward), "--forward-mode=%s", mode);
	snprintf(flows, sizeof(flows), "--flowgen-flows=%u", n_flows);
	snprintf(prefix, sizeof(prefix), "--file-prefix=devx-bench-%d", (int)getpid());
	if (child_start(&child, (char *const *)args)) {
		snprintf(why, PROGRAMS_WHY_BYTES, "dpdk-testpmd: cannot start it");
		return -EIO;
	}
	if (child_read_until(&child, "Press enter to exit", line)) {
		usleep(RUN_MS * 1000);
		dprintf(child.in, "\n");
	}
	sums = child_read_until(&child, "CPU cycles/packet=", line) ? strstr(line, " (") : NULL;
	status = child_end(&child);
	if (sums && !status &&
	    sscanf(sums, " (%*s cycles=%" SCNu64 " / total %*s packets=%" SCNu64, &total,
		   &packets) == 2 &&
	    packets) {
		*cycles = (double)total / (double)packets;
		return 0;
	}
	snprintf(why, PROGRAMS_WHY_BYTES, "dpdk-testpmd, status %d: %.110s", status, child.last);
	return -EIO;
}
