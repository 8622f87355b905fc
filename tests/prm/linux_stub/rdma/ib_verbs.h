/* SPDX-License-Identifier: BSD-3-Clause */
struct ib_grh {
	u8 unused[40];
};
