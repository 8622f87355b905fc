/* SPDX-License-Identifier: BSD-3-Clause */
/* Empty: linux.h includes the real one itself. */
