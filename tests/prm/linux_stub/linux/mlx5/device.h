/* SPDX-License-Identifier: BSD-3-Clause */
/* Empty, because a test that includes qp.h includes Linux' own device.h before it. */
