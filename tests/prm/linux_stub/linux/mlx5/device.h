/* SPDX-License-Identifier: BSD-3-Clause */
/* Empty, because linux.h includes the header of Linux itself. */
