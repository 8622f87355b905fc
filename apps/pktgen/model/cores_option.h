/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CORES_OPTION_H
#define PKTGEN_CORES_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CORES_MAX_WORKERS = 127, /* EAL has 128 lcores; one of them is the controller */
	CORES_MAX_CPU = 1023,    /* last CPU of cpu_set_t */
	QUEUES_MAX = 64,         /* queues of a port in one direction */
	CORES_TEXT_BYTES = 1024, /* more than "1023," for each worker */
};

/** struct cores_option - the argument of --cores. Both numbers are 0 for "auto" */
struct cores_option {
	unsigned n_workers;               /* number of workers, on CPUs that the program chooses */
	unsigned n_cpus;                  /* length of @cpus, which get one worker each */
	uint16_t cpus[CORES_MAX_WORKERS]; /* the list, in the order given */
};

/**
 * struct queues_option - numbers of queues of a port; 0: the program chooses
 * @is_named: the user named this port alone
 */
struct queues_option {
	uint16_t tx, rx;
	bool is_named;
};

/**
 * cores_option_parse - parse "auto", "4" (workers), or CPUs: "2-5,8"
 *
 * A text with "-" or "," is a list of CPUs.
 *
 * Return: NULL, or the reason of a refusal, valid until the next call of this thread
 */
const char *cores_option_parse(struct cores_option *c, const char *text);

/** cores_option_format - write the text that cores_option_parse() reads. Return: its length */
size_t cores_option_format(const struct cores_option *c, char text[CORES_TEXT_BYTES]);

/**
 * queues_option_parse - parse "TX:RX", for all ports, or "PORT=TX:RX", for one
 * @q: receives the numbers, at the indices of the ports that @text names
 * @n_ports: length of @q
 * @text: the argument
 *
 * Return: as cores_option_parse()
 */
const char *queues_option_parse(struct queues_option *q, unsigned n_ports, const char *text);

#endif
