/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_VERSION_H
#define DEVX_VERSION_H

/** DOC: Version of the library, as `pkg-config --modversion devxio` prints it */

#define DEVX_VERSION "0.3.0"

#endif
