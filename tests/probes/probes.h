/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_PROBES_H
#define TESTS_PROBES_PROBES_H

#include "command.h"

/* Each probe_*() function prints one part of the answers, which answers.txt records. */

/** probe_commands - send every command of lib/prm by every DEVX method, valid and spoiled */
void probe_commands(const struct world *w);
/** probe_lists - which opcodes the kernel allows as create and as general commands */
void probe_lists(const struct world *w);
/** probe_contexts - GET_CONTEXT with valid and invalid requests */
void probe_contexts(const struct world *w);
/** probe_no_devx - send every command by every DEVX method in a context without DEVX */
void probe_no_devx(const struct world *w);
/** probe_unprivileged - commands, a matcher and a flow of a user without CAP_NET_RAW */
void probe_unprivileged(const struct world *w);
/** probe_subjects - modify and query with handle or number of another object */
void probe_subjects(const struct world *w);
/** probe_strangers - create commands that refer to an object of another set, or to no object */
void probe_strangers(const struct world *w);
/** probe_destroy - destroy objects of the wrong kind, objects in use, and an object twice */
void probe_destroy(const struct world *w);
/** probe_memory - umems, MRs and REREG_MR: kinds of memory, access flags, page sizes */
void probe_memory(const struct world *w);
/** probe_dmabufs - dma-bufs and other files as umems and MRs; Data Direct */
void probe_dmabufs(const struct world *w);
/** probe_mappings - mmap() of UARs, doorbells behind the last close(), calls on uverbs files */
void probe_mappings(const struct world *w);
/** probe_channels - read(), poll() and other calls on event files */
void probe_channels(const struct world *w);
/** probe_deliveries - which event files get an event or a reply, how often, in which order */
void probe_deliveries(const struct world *w);
/** probe_values - methods that take a number, valid or invalid: vectors, UAR types, flags */
void probe_values(const struct world *w);
/** probe_events - subscriptions to events */
void probe_events(const struct world *w);
/** probe_flows - matchers and flows */
void probe_flows(const struct world *w);
/** probe_pacing - rate limits, moderation of CQs, indirect mkeys */
void probe_pacing(const struct world *w);
/** probe_processes - commands, mappings, events and files of a second process */
void probe_processes(const struct world *w);
/** probe_frames - malformed ioctls, and invalid attributes of most methods */
void probe_frames(const struct world *w);

/** matcher_of - make the ioctl that creates a matcher of every packet, without sending it */
struct ask matcher_of(void);
/** pp_of - make the ioctl that allocates a rate limit; @index receives its number */
struct ask pp_of(const void *ctx, size_t bytes, uint64_t flags, uint16_t *index);
/** flow_of - make the ioctl that creates a flow of @matcher, which drops every packet */
struct ask flow_of(uint32_t matcher);

#endif
