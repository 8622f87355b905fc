/* SPDX-License-Identifier: BSD-3-Clause */
#define GENMASK(h, l) (((1ull << ((h) - (l) + 1)) - 1) << (l))
