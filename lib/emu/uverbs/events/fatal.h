/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_FATAL_H
#define EMU_UVERBS_EVENTS_FATAL_H

#include "emu/uverbs/base/types.h"

/* Type of the asynchronous event. Source: Linux, IB_EVENT_DEVICE_FATAL */
enum { UV_EVENT_DEVICE_FATAL = 8 };

/** uv_event_report_fatal - send DEVICE_FATAL to all asynchronous event files of a device */
void uv_event_report_fatal(const struct uv_dev *dev);

#endif
