/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_PROBES_H
#define TESTS_PROBES_PROBES_H

#include "command.h"

/* Each function prints a chapter of the table. */

/** probe_commands - send every command of lib/prm by every method, also with wrong lengths */
void probe_commands(const struct world *w);
/** probe_lists - which opcodes the kernel allows as create and as general commands */
void probe_lists(const struct world *w);
/** probe_contexts - GET_CONTEXT with valid and invalid requests */
void probe_contexts(const struct world *w);
/** probe_no_devx - send every command by every entry in a context without DEVX */
void probe_no_devx(const struct world *w);
/** probe_unprivileged - probes of a user without CAP_NET_RAW */
void probe_unprivileged(const struct world *w);
/** probe_subjects - modify and query with handle or number of another object */
void probe_subjects(const struct world *w);
/** probe_strangers - create commands that refer to objects of another context */
void probe_strangers(const struct world *w);
/** probe_destroy - destroy with handles that cannot be destroyed */
void probe_destroy(const struct world *w);
/** probe_memory - umems and MRs over each kind of memory */
void probe_memory(const struct world *w);
/** probe_values - methods that take a number, with invalid numbers: vectors, UARs, flags */
void probe_values(const struct world *w);
/** probe_events - subscriptions to events */
void probe_events(const struct world *w);
/** probe_flows - matchers and flows */
void probe_flows(const struct world *w);
/** probe_frames - malformed ioctls, and invalid attributes of each method */
void probe_frames(const struct world *w);

/** matcher_of - creation of a matcher that matches every packet */
struct ask matcher_of(void);
/** flow_of - creation of a flow of @matcher that drops every packet */
struct ask flow_of(uint32_t matcher);

#endif
