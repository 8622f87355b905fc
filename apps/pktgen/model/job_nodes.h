/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_NODES_H
#define PKTGEN_JOB_NODES_H

#include "model/job.h"
#include "model/json_node.h"

/**
 * struct job_target - the job to read
 * @names: names of the flows so far
 */
struct job_target {
	struct job *job;
	struct options *options;
	json_t *names;
};

/** struct job_source - the job to write */
struct job_source {
	const struct job *job;
	const struct options *options;
};

/** job_keys - the keys of a job file. Their functions find the places in the context */
extern const struct json_node job_keys[];

/** job_flow_keys - the keys of a flow, whose place is a struct job_flow */
extern const struct json_node job_flow_keys[];

/* JOB_RATE_NODE - members of a node for a struct rate; the writer omits RATE_MAX */
#define JOB_RATE_NODE(name, type, member)                                                          \
	.key = name, .kind = NODE_CHOICE, .preset = "pps", .keys = job_rate_keys,                  \
	NODE_AT(type, member)
extern const struct json_node job_rate_keys[];

/** job_size_keys - the choices of "size", whose place is a struct size */
extern const struct json_node job_size_keys[];

/** job_write_size - make "size" of the flow around the place; NULL if it replays a capture */
json_t *job_write_size(struct json_from from);

/** job_header_node - an element of "packet", whose place is a struct stack */
extern const struct json_node job_header_node[1];

/** job_port_node, job_device_node - an element of "ports", and of "devices" */
extern const struct json_node job_port_node[1], job_device_node[1];

/* The functions below are @read and @write of nodes. */

json_t *job_write_ports(struct json_from from);

bool job_read_devices(struct json_reader *r, json_t *value, struct json_at at);

/** job_write_devices - make "devices" for the ports with addresses */
json_t *job_write_devices(struct json_from from);

/** job_read_flow - read a flow, and refuse keys that contradict each other */
bool job_read_flow(struct json_reader *r, json_t *value, struct json_at at);

/** job_read_packet - read the array "packet" of a flow into its stack */
bool job_read_packet(struct json_reader *r, json_t *value, struct json_at at);

/** job_write_packet - make "packet" of the flow around the place; NULL if it replays a capture */
json_t *job_write_packet(struct json_from from);

/** job_read_egress - read "egress_packet" of a flow: the headers that arriving frames have */
bool job_read_egress(struct json_reader *r, json_t *value, struct json_at at);

/** job_write_egress - make "egress_packet" of a flow; NULL if it has none */
json_t *job_write_egress(struct json_from from);

/** job_find_port - read the name of a port, and store its index at the place */
bool job_find_port(struct json_reader *r, json_t *value, struct json_at at);

/** job_write_port_name - make the name of the port whose index is at the place */
json_t *job_write_port_name(struct json_from from);

#endif
