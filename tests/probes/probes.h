/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_PROBES_H
#define TESTS_PROBES_PROBES_H

#include "command.h"

/* The chapters of the table. */

/** probe_commands - every command that lib/prm knows, by every entry; and at wrong lengths */
void probe_commands(const struct world *w);
/** probe_lists - which opcodes create and general let through */
void probe_lists(const struct world *w);
/** probe_contexts - GET_CONTEXT */
void probe_contexts(const struct world *w);
/** probe_no_devx - the same, once each, in a context without DEVX */
void probe_no_devx(const struct world *w);
/** probe_unprivileged - what capabilities are asked for; run without CAP_NET_RAW */
void probe_unprivileged(const struct world *w);
/** probe_subjects - modify and query of an object that is another's, or another kind of thing */
void probe_subjects(const struct world *w);
/** probe_strangers - create on what belongs to another context */
void probe_strangers(const struct world *w);
/** probe_destroy - handles that cannot be destroyed */
void probe_destroy(const struct world *w);
/** probe_memory - umems and MRs over memory of all kinds */
void probe_memory(const struct world *w);
/** probe_values - methods that take a number: vectors, UARs, flags */
void probe_values(const struct world *w);
/** probe_events - subscriptions */
void probe_events(const struct world *w);
/** probe_flows - matchers and flows */
void probe_flows(const struct world *w);
/** probe_frames - ioctls as no library would make them, and each method's attributes spoilt */
void probe_frames(const struct world *w);

/** matcher_of - a matcher of everything */
struct ask matcher_of(void);
/** flow_of - a flow of @matcher that drops everything */
struct ask flow_of(uint32_t matcher);

#endif
