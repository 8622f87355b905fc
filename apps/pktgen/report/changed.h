/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CHANGED_H
#define PKTGEN_CHANGED_H

#include <jansson.h>

#include "run/figures.h"

/** changed_print - print how the packets of a flow were changed; some were */
void changed_print(const struct figures_flow *f);

/** changed_add_json - add the same to the object of a flow; nothing if no packet was changed */
void changed_add_json(json_t *to, const struct figures_flow *f);

#endif
