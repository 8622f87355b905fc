/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_READING_H
#define PKTGEN_JOB_READING_H

#include "model/job_json.h"

/**
 * struct job_reading - a job while it is read
 * @port, @flow: the last ones. @names: those of all flows
 * @from, @to: the networks of devx_rewrite that are read
 * @rate: receives the rate that is read
 * @queues: the numbers of queues of a port that are read
 * @addresses: of the port whose addresses are read
 * @address, @prefix: the address that is read, of @n_address_bytes
 */
struct job_reading {
	struct job *job;
	struct options *options;
	struct job_port *port;
	struct job_flow *flow;
	json_t *names;
	const char *from, *to;
	struct rate *rate;
	struct queues_option queues;
	struct addresses *addresses;
	struct address address;
	unsigned n_address_bytes;
	uint8_t prefix;
};

/** job_read_name - read a name of 1 to JOB_NAME_BYTES - 1 bytes */
bool job_read_name(struct json_reader *r, json_t *value, char name[JOB_NAME_BYTES]);

/** job_find_port - find the port with the name in @value */
bool job_find_port(struct json_reader *r, json_t *value, const struct job *j, unsigned *port);

/* Functions of keys of a flow, and of the job. @target: struct job_reading. */
bool job_read_ports(struct json_reader *r, json_t *value, void *target);
bool job_read_rate(struct json_reader *r, json_t *value, void *target);
bool job_read_ramp(struct json_reader *r, json_t *value, void *target);
bool job_read_port_rate(struct json_reader *r, json_t *value, void *target);
bool job_read_duration(struct json_reader *r, json_t *value, void *target);
bool job_read_seconds(struct json_reader *r, json_t *value, void *target);
bool job_read_devices(struct json_reader *r, json_t *value, void *target);
bool job_read_rewrite(struct json_reader *r, json_t *value, void *target);
bool job_read_settings(struct json_reader *r, json_t *value, void *target);

#endif
