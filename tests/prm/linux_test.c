/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares the rows of layouts.def that this Linux names with its mlx5_ifc.h. A row that is one bit
 * off fails, with its line in layouts/ as the place. devtools/prm-rows --check compares the other
 * rows: they must be in bits that this Linux reserves.
 */
#include "linux.h"

#include "ct.h"
#include "prm/prm.h"

#define SAME_TYPE(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))

/* clang-format off */
#define COMPARE(L, ref_type)                                                                \
	TEST(linux_ifc, L)                                                                  \
	{                                                                                   \
		typedef ref_type ref;                                                       \
		typedef struct prm_##L our;
#define LAYOUT(L, bytes)                                                                    \
	COMPARE(L, struct mlx5_ifc_##L##_bits) EXPECT_EQ(sizeof(ref), sizeof(our) * 8);
#define UNION(L, bytes)                                                                     \
	COMPARE(L, union mlx5_ifc_##L##_bits) EXPECT_EQ(sizeof(ref), sizeof(our) * 8);
#define HEAD(L, bytes)                                                                      \
	COMPARE(L, struct mlx5_ifc_##L##_bits) EXPECT_GE(sizeof(ref), sizeof(our) * 8);
#define END(L) }
/* clang-format on */

#define REF(name) ((ref *)0)->name
#define ROW(name, want_bits, our_bits)                                                             \
	{                                                                                          \
		SCOPED_TRACE("%s", #name);                                                         \
		EXPECT_EQ(offsetof(ref, name), prm_bit((our *)0, name));                           \
		EXPECT_EQ(want_bits, our_bits);                                                    \
	}
#define F(off, hi, lo, name) ROW(name, sizeof(REF(name)), prm_width((our *)0, name))
#define S(off, L2, name) ROW(name, sizeof(REF(name)), sizeof(struct prm_##L2) * 8)
#define SA(off, L2, count, name)                                                                   \
	ROW(name, sizeof(REF(name)), (count) * sizeof(struct prm_##L2) * 8)                        \
	EXPECT_EQ(sizeof(REF(name)[0]), sizeof(struct prm_##L2) * 8);
#define T(off, L2, name) ROW(name, sizeof(REF(name)[0]), sizeof(struct prm_##L2) * 8)
#define TA(off, w, name) ROW(name, sizeof(REF(name)[0]), w)

/*
 * In place of our array Linux may have an array, or one field of the same width. It may also have
 * a union of capability pages or of counters, whose members are layouts of their own in lib/prm.
 */
#define A(off, w, count, name)                                                                     \
	ROW(name, sizeof(REF(name)), (w) * (count))                                                \
	EXPECT_TRUE(SAME_TYPE(REF(name), u8[count][w]) ||                                          \
		    SAME_TYPE(REF(name), u8[(count) * (w)]) ||                                     \
		    SAME_TYPE(REF(name), union mlx5_ifc_hca_cap_union_bits) ||                     \
		    SAME_TYPE(REF(name), union mlx5_ifc_eth_cntrs_grp_data_layout_auto_bits));

#define Q(off, name) F(off, 31, -32, name)

#include "linux_rows.def"
