/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRIVER_OBJECTS_H
#define DRIVER_OBJECTS_H

/**
 * DOC: Objects that the driver and lib/devx created and did not destroy yet
 *
 * The end of a device frees all of its objects, so the counters of emu do not show one that the
 * driver forgot before. The linker redirects the calls (-Wl,--wrap=NAME in meson.build). A destroy
 * that fails counts too.
 */

enum driver_object {
	DRIVER_COMMAND_OBJECT,
	DRIVER_MR,
	DRIVER_UMEM,
	DRIVER_UAR,
	DRIVER_EVENT_CHANNEL,
	DRIVER_CMD_COMP,
	DRIVER_MATCHER,
	DRIVER_RATE_LIMIT,
	DRIVER_DEVICE,
	DRIVER_MUTEX,
	DRIVER_N_OBJECTS,
};

struct driver_objects {
	int n[DRIVER_N_OBJECTS];
};

/** driver_objects_add - count @n more objects; for wrapped calls elsewhere */
void driver_objects_add(enum driver_object kind, int n);
/** driver_objects_count - get the present numbers */
struct driver_objects driver_objects_count(void);
/** driver_objects_expect - expect as many objects as at @then */
void driver_objects_expect(const struct driver_objects *then);

#endif
