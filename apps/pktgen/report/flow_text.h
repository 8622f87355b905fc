/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_FLOW_TEXT_H
#define PKTGEN_FLOW_TEXT_H

#include "run/figures.h"

/** flow_text_print - print the account, the times and the rate of a flow. @figures: final */
void flow_text_print(const struct run *r, const struct figures *figures,
		     const struct figures_flow *f);

/** flow_text_print_account - print the first line of a flow, or of all flows. @send_only: short */
void flow_text_print_account(const char *name, const struct account *a, bool send_only);

/** flow_text_print_moments - print the times of day of the first and the last packet, if any */
void flow_text_print_moments(const char *what, const struct figures_side *s);

/** flow_text_print_histogram - print minimum, mean, percentiles and maximum, and end the line */
void flow_text_print_histogram(const struct histogram *h);

/** flow_text_print_times - print minimum, mean, percentiles and maximum, if there are times */
void flow_text_print_times(const char *name, const struct figures_times *t);

/** flow_text_compute_ns - compute the ns of a packet. @cycles: TSC cycles of all @packets */
double flow_text_compute_ns(const struct run *r, uint64_t cycles, uint64_t packets);

#endif
